/// Fires when a clock reaches an instant, and whenever the clock is set.
public protocol Alarm: AnyObject, Sendable {
  /// Replaces the instant at which the alarm fires, once; `nil` removes it. An instant in the past
  /// fires immediately.
  func set(_ instant: Instant?)
}

/// Why an alarm fires.
public enum AlarmReason: Sendable {
  /// The clock has reached the instant.
  case isDue
  /// The clock was set forward or back, so plans based on it must be made again.
  case clockWasSet
}
