import Dispatch
import Synchronization

/// Lets something happen at once, and then not again before its time: what another program commits has all
/// queries run, and it may commit all the time.
final class Throttle: Sendable {
  private struct State {
    var last: UInt64?
    var isWaiting = false
  }

  private let nanoseconds: UInt64
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "live.pace")

  init(milliseconds: UInt64) { nanoseconds = milliseconds * 1_000_000 }

  /// Whether something is to happen later.
  var isWaiting: Bool { state.withLock { $0.isWaiting } }

  /// Gives whether it may happen now. Otherwise `later` is called when its time has come: once for all who
  /// asked in between.
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
        // First, so that who asks from here on is not forgotten.
        self.state.withLock { $0 = State(last: last + nanoseconds) }
        later()
      }
      return false
    }
  }
}
