/// Rings when a clock shows an instant, and whenever the clock is set.
public protocol Alarm: AnyObject, Sendable {
  /// Replaces the instant at which it rings, once; `nil`: none. One that has passed rings at once.
  func set(_ instant: Instant?)
}

/// Why an alarm rings.
public enum AlarmReason: Sendable {
  /// The clock shows the instant.
  case isDue
  /// Somebody has set the clock, forward or back: what was planned by it is to be planned again.
  case clockWasSet
}
