import MartletSQLite
import Synchronization

/// The deadline after which a closing store abandons its writes.
final class ClosingTime: Sendable {
  private let time = Atomic<UInt64>(.max)

  var isOver: Bool {
    let time = time.load(ordering: .relaxed)
    return time != .max && steadyNanoseconds() >= time
  }

  func begin(at time: UInt64) { self.time.store(time, ordering: .relaxed) }
}
