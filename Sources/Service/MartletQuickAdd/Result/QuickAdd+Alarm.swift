import MartletTime

extension QuickAdd {
  /// When an alarm rings.
  public enum Alarm: Hashable, Sendable {
    /// At an instant.
    case at(Instant)
    /// A duration after the due date; before it, if the duration is negative. A date without a time
    /// counts as its midnight. Only a reminder with a due date has such an alarm.
    case offset(CivilDuration)

    /// The longest offset in days, in either direction.
    public static let longestDays = 366
  }
}
