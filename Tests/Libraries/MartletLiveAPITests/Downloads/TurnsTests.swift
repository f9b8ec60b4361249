import Dispatch
import Synchronization
import Testing

@testable import MartletLiveAPI

@Suite("Turns of large documents") struct TurnsTests {
  private let lane = DownloadSlots(most: 100, perClient: 100)

  /// What has run and what was refused, by client.
  private final class Log: Sendable {
    private let state = Mutex<(ran: [Int], refused: [Int])>(([], []))
    let ends = DispatchGroup()
    var ran: [Int] { state.withLock { $0.ran } }
    var refused: [Int] { state.withLock { $0.refused } }

    func run(_ client: Int) { state.withLock { $0.ran.append(client) } }
    func refuse(_ client: Int) { state.withLock { $0.refused.append(client) } }
  }

  private func add(_ client: Int, _ log: Log, _ body: @escaping @Sendable () -> Void = {}) {
    log.ends.enter()
    lane.takeTurn(for: client) {
      log.run(client)
      body()
      log.ends.leave()
    } refuse: { _ in
      log.refuse(client)
      log.ends.leave()
    }
  }

  @Test("A client with many long documents holds up only itself")
  func fair() {
    let log = Log(), hasBegun = DispatchSemaphore(value: 0), mayEnd = DispatchSemaphore(value: 0)
    add(1, log) {
      hasBegun.signal()
      mayEnd.wait()
    }
    hasBegun.wait()
    for _ in 0..<6 { add(1, log) }
    // Four may wait.
    #expect(log.refused == [1, 1])
    let other = DispatchSemaphore(value: 0)
    add(2, log) { other.signal() }
    // It does not wait for the long one.
    other.wait()
    #expect(log.ran == [1, 2])
    mayEnd.signal()
    log.ends.wait()
    #expect(log.ran == [1, 2, 1, 1, 1, 1])
  }

  @Test("The client with the most documents makes room, and turns go round")
  func evicted() {
    let log = Log(), mayEnd = DispatchSemaphore(value: 0), haveBegun = DispatchSemaphore(value: 0)
    for client in [101, 102] {
      add(client, log) {
        haveBegun.signal()
        mayEnd.wait()
      }
    }
    for _ in 0..<2 { haveBegun.wait() }
    for client in 0..<16 { for _ in 0..<4 { add(client, log) } }
    #expect(log.refused.isEmpty)
    // All 64 places are taken.
    add(50, log)
    #expect(log.refused.count == 1)
    for _ in 0..<2 { mayEnd.signal() }
    log.ends.wait()
    let first = Set(log.ran.dropFirst(2).prefix(17))
    #expect(first == Set(0..<16).union([50]))
  }

  @Test("The files of one client have a bound on disk, and so have those of all")
  func bytes() {
    let one = lane.place(for: 1)
    #expect(one.add(256 << 20))
    #expect(!one.add(1))
    var others: [DownloadSlots.Place] = []
    for client in 2...4 {
      others.append(lane.place(for: client))
      #expect(others.last?.add(256 << 20) == true)
    }
    #expect(!lane.place(for: 5).add(1))
    others.removeLast()
    #expect(lane.place(for: 5).add(1))
    // Downloads are as large as the database.
    #expect(DownloadSlots(most: 1).place(for: 1).add(1 << 40))
  }
}
