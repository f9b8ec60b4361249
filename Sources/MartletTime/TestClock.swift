import Synchronization

/// A clock that stands still until a test moves it.
///
///     let time = TestClock(Instant(milliseconds: 0))
///     let service = Service(clock: time.clock)
///     time.advance(milliseconds: 400)
public final class TestClock: Sendable {
  private struct State {
    var now: Instant
    var monotonic: UInt64
  }

  private let state: Mutex<State>

  /// 2026-01-01T00:00:00.000Z unless told otherwise; the monotonic clock starts at one second.
  public init(_ now: Instant = Instant(milliseconds: 1_767_225_600_000)) {
    state = Mutex(State(now: now, monotonic: 1_000_000_000))
  }

  /// The clock to pass on. All copies follow this object.
  public var clock: Clock {
    Clock(
      now: { self.now },
      monotonic: { self.state.withLock { $0.monotonic } })
  }

  /// Setting it is what an administrator does: the wall clock jumps, the monotonic one does not.
  public var now: Instant {
    get { state.withLock { $0.now } }
    set { state.withLock { $0.now = newValue } }
  }

  /// Lets both clocks run on. Negative values count as none.
  public func advance(milliseconds: Int64) {
    let more = max(milliseconds, 0)
    state.withLock {
      $0.now = $0.now.adding(milliseconds: more)
      $0.monotonic &+= UInt64(more) &* 1_000_000
    }
  }
}
