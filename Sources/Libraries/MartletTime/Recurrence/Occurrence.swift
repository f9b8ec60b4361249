/// When something of a ``RecurrenceSeries`` happens: on a day, or at an instant.
public enum Occurrence: Hashable, Sendable {
  /// On a day, without a time.
  case day(CivilDate)
  /// At an instant.
  case instant(Instant)
}
