import MartletTime

/// When an alarm rings, as a client sets it.
public struct AlarmTrigger: Hashable, Sendable {
  /// What it is counted from.
  public enum Moment: Hashable, Sendable {
    /// An instant.
    case at(Instant)
    /// A duration after a date of the reminder; before it, if the duration is negative.
    case offset(CivilDuration, from: ReminderAlarm.Anchor)
  }
  /// When it rings first.
  public var moment: Moment
  /// How it rings again.
  public var repetition: Repetition?

  /// Ringing again until it is acknowledged.
  public struct Repetition: Hashable, Sendable {
    /// The time from one to the next, without days.
    public var every: CivilDuration
    /// Their number.
    public var times: Int

    /// The allowed milliseconds: a minute to a day.
    public static let allowedEvery: ClosedRange<Int64> = 60_000...86_400_000
    /// The allowed numbers.
    public static let allowedTimes = 1...100

    /// A repetition.
    public init(every: CivilDuration, times: Int) {
      self.every = every
      self.times = times
    }
  }

  /// A trigger.
  public init(_ moment: Moment, repetition: Repetition? = nil) {
    self.moment = moment
    self.repetition = repetition
  }

  /// The longest offset in days.
  public static let longestDays = 366

  /// Whether an offset is at most ``longestDays`` long.
  public static func isAllowed(_ offset: CivilDuration) -> Bool {
    abs(offset.days) <= longestDays
      && offset.milliseconds.magnitude <= UInt64(longestDays) * 86_400_000
  }
}
