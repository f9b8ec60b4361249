import Synchronization

/// A clock for tests that moves only when told to. Its alarms fire on the thread that moves it.
///
///     let time = TestClock(Instant(milliseconds: 0))
///     let agenda = Agenda(time.clock)
///     time.advance(milliseconds: 400)
public final class TestClock: Sendable {
  private struct State {
    var now: Instant
    var monotonic: UInt64
    var alarms: [WeakAlarm] = []
  }

  private struct WeakAlarm { weak var alarm: TestAlarm? }

  private final class TestAlarm: Alarm {
    private let clock: TestClock
    private let instant = Mutex<Instant?>(nil)
    private let ring: @Sendable (AlarmReason) -> Void

    init(_ clock: TestClock, _ ring: @escaping @Sendable (AlarmReason) -> Void) {
      self.clock = clock
      self.ring = ring
    }

    func set(_ instant: Instant?) {
      self.instant.withLock { $0 = instant }
      tick(at: clock.now, wasSet: false)
    }

    func tick(at now: Instant, wasSet: Bool) {
      let rings = instant.withLock { instant in
        guard wasSet || instant.map({ $0 <= now }) ?? false else { return false }
        instant = nil
        return true
      }
      if rings { ring(wasSet ? .clockWasSet : .isDue) }
    }
  }

  private let state: Mutex<State>

  /// Makes a clock that shows 2026-01-01T00:00:00.000Z by default. The monotonic clock starts at
  /// one second.
  public init(_ now: Instant = Instant(milliseconds: 1_767_225_600_000)) {
    state = Mutex(State(now: now, monotonic: 1_000_000_000))
  }

  /// The clock to inject. All copies follow this object.
  public var clock: Clock {
    Clock(
      now: { self.now },
      monotonic: { self.state.withLock { $0.monotonic } },
      alarm: { ring in
        let alarm = TestAlarm(self, ring)
        self.state.withLock { $0.alarms.append(WeakAlarm(alarm: alarm)) }
        return alarm
      })
  }

  /// The wall clock. Setting it is a jump, as by an administrator: the monotonic clock does not
  /// change.
  public var now: Instant {
    get { state.withLock { $0.now } }
    set {
      state.withLock { $0.now = newValue }
      tick(wasSet: true)
    }
  }

  /// Advances both clocks. A negative value is treated as 0.
  public func advance(milliseconds: Int64) {
    let more = max(milliseconds, 0)
    state.withLock {
      $0.now = $0.now.adding(milliseconds: more)
      $0.monotonic &+= UInt64(more) &* 1_000_000
    }
    tick(wasSet: false)
  }

  private func tick(wasSet: Bool) {
    let (now, alarms) = state.withLock { state in
      state.alarms.removeAll { $0.alarm == nil }
      return (state.now, state.alarms.compactMap(\.alarm))
    }
    for alarm in alarms { alarm.tick(at: now, wasSet: wasSet) }
  }
}
