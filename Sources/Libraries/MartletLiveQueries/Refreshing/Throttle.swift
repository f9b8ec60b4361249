import Dispatch
import Synchronization

/// A throttle: runs immediately, then at most once per interval. A commit by another program
/// that may have changed everything refreshes all queries, and such commits may come continuously.
final class Throttle: Sendable {
  private struct State {
    var last: UInt64?
    var isWaiting = false
  }

  private let nanoseconds: UInt64
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "live.throttle")

  init(milliseconds: UInt64) { nanoseconds = milliseconds * 1_000_000 }

  /// Whether a call is scheduled.
  var isWaiting: Bool { state.withLock { $0.isWaiting } }

  /// Returns whether the caller may run now. Otherwise `later` is called at the end of the
  /// interval, once for all calls in between.
  @discardableResult
  func begin(_ later: @escaping @Sendable () -> Void) -> Bool {
    let now = DispatchTime.now().uptimeNanoseconds
    return state.withLock { state in
      if state.isWaiting { return false }
      guard let last = state.last, now < last + nanoseconds else {
        state.last = now
        return true
      }
      state.isWaiting = true
      queue.asyncAfter(deadline: DispatchTime(uptimeNanoseconds: last + nanoseconds)) { [self] in
        // Reset first, so that a call from here on is scheduled again.
        self.state.withLock { $0 = State(last: last + nanoseconds) }
        later()
      }
      return false
    }
  }
}
