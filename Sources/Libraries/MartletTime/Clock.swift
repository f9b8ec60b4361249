import Glibc

/// A source of the current time. It is injected wherever time matters, so that tests can control
/// it.
public struct Clock: Sendable {
  /// The wall clock. It can jump when an administrator or NTP sets it.
  public var now: @Sendable () -> Instant
  /// Nanoseconds since an arbitrary point, never decreasing: for timeouts and measurements.
  public var monotonic: @Sendable () -> UInt64

  /// Makes an alarm on the wall clock, which calls the closure on any thread.
  public var alarm: @Sendable (_ ring: @escaping @Sendable (AlarmReason) -> Void) -> any Alarm

  /// Makes a clock from its functions.
  public init(
    now: @escaping @Sendable () -> Instant, monotonic: @escaping @Sendable () -> UInt64,
    alarm: @escaping @Sendable (@escaping @Sendable (AlarmReason) -> Void) -> any Alarm
  ) {
    self.now = now
    self.monotonic = monotonic
    self.alarm = alarm
  }

  /// The machine's clocks, `CLOCK_REALTIME` and `CLOCK_MONOTONIC`.
  public static let system = Clock(
    now: {
      let time = read(CLOCK_REALTIME)
      return Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    },
    monotonic: {
      let time = read(CLOCK_MONOTONIC)
      return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    },
    alarm: { SystemAlarm($0) })

  private static func read(_ clock: clockid_t) -> timespec {
    var time = timespec()
    let result = clock_gettime(clock, &time)
    precondition(result == 0, "Linux always has CLOCK_REALTIME and CLOCK_MONOTONIC")
    return time
  }
}
