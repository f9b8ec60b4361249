import Synchronization
import Testing

@testable import MartletStore

@Suite
struct CallbackTests {
  @Test("A call needs as much stack after a thousand calls as before")
  func stack() {
    let callback = Callback<Void, Never>()
    let places = Mutex<[UInt]>([])
    callback.set {
      var local: UInt8 = 0
      withUnsafePointer(to: &local) { place in
        places.withLock { $0.append(UInt(bitPattern: place)) }
      }
    }
    for _ in 0..<1_000 { callback() }
    let all = places.withLock { $0 }
    #expect(all.count == 1_000)
    #expect(Set(all).count == 1)
  }

  @Test("A callback that was never set, or set to nil, does nothing")
  func unset() {
    let callback = Callback<Int, Never>()
    callback(1)
    let calls = Mutex<[Int]>([])
    callback.set { number in calls.withLock { $0.append(number) } }
    callback(2)
    callback.set(nil)
    callback(3)
    #expect(calls.withLock { $0 } == [2])
  }

  @Test("A callback throws the error of its function, and can replace itself")
  func failure() {
    struct Failure: Error, Equatable {}
    final class Owner: Sendable { let callback = Callback<Void, Failure>() }
    let owner = Owner()
    owner.callback.set { [unowned owner] () throws(Failure) in
      owner.callback.set(nil)
      throw Failure()
    }
    #expect(throws: Failure()) { try owner.callback() }
    #expect(throws: Never.self) { try owner.callback() }
  }
}
