/// How something recurs: the value of RFC 5545's RRULE property (section 3.3.10), such as
/// `FREQ=MONTHLY;BYDAY=3TH`.
///
/// A rule knows the dates of a calendar, but no time of day and no time zone: a
/// ``RecurrenceSeries`` adds them. Supported are `FREQ` from `DAILY` to `YEARLY`, `INTERVAL`,
/// `COUNT`, `UNTIL`, `BYMONTH`, `BYMONTHDAY`, `BYDAY`, `BYSETPOS` and `WKST`. Rules are equal if
/// their texts are the same in canonical form (``description``).
public struct RecurrenceRule: Hashable, Sendable {
  enum Frequency: String {
    case daily = "DAILY"
    case weekly = "WEEKLY"
    case monthly = "MONTHLY"
    case yearly = "YEARLY"
  }

  enum End: Hashable {
    case never
    /// This many occurrences, with the start.
    case count(Int)
    /// The end of a day, in the zone of the series.
    case day(CivilDate)
    /// A time in the zone of the series.
    case time(CivilTime)
    case instant(Instant)
  }

  /// A weekday, from 0 for Sunday. An ordinal other than 0 selects the first (1) or the last (-1)
  /// and so on of a month or a year.
  struct Weekday: Hashable {
    var ordinal = 0
    var weekday: Int
  }

  var frequency: Frequency
  var interval = 1
  var end = End.never
  // Sorted and without repetition, so that equal rules are equal.
  var months: [Int] = []
  var monthDays: [Int] = []
  var weekdays: [Weekday] = []
  var positions: [Int] = []
  var weekStart = 1

  /// The number of occurrences that `COUNT` allows, with the start.
  public var count: Int? {
    if case .count(let count) = end { count } else { nil }
  }

  /// The rule with `COUNT` lowered by one; the same rule if it has none.
  public func countedDown() -> RecurrenceRule {
    var rule = self
    if let count { rule.end = .count(max(count - 1, 1)) }
    return rule
  }

  /// The rule without the occurrences after a day or an instant.
  package func ending(with last: Occurrence) -> RecurrenceRule {
    var rule = self
    switch last {
    case .day(let day): rule.end = .day(day)
    case .instant(let instant): rule.end = .instant(instant)
    }
    return rule
  }
}

extension RecurrenceRule {
  /// The rule with the parts that RFC 5545 takes from the start: the weekday of a weekly rule, the
  /// day of a monthly one, the month and the day of a yearly one.
  ///
  /// It means the same after the start has moved to another day. A rule for
  /// `RecurrenceBasis.completion` must not be filled in, because it takes these parts from each
  /// completion. Throws if nothing happens after the start: `FREQ=YEARLY;BYMONTH=2` from the 30th
  /// of January.
  public func filledIn(from start: CivilDate) throws(Problem) -> RecurrenceRule {
    let rule = filled(from: start)
    guard rule.happens(after: start) else { throw .never }
    return rule
  }

  /// The same without the check.
  func filled(from start: CivilDate) -> RecurrenceRule {
    var rule = self
    guard weekdays.isEmpty, monthDays.isEmpty else { return rule }
    switch frequency {
    case .daily: break
    case .weekly: rule.weekdays = [Weekday(weekday: start.weekday)]
    case .monthly: rule.monthDays = [start.day]
    case .yearly:
      rule.monthDays = [start.day]
      if months.isEmpty { rule.months = [start.month] }
    }
    return rule
  }

  /// Whether the filled rule gives a date after `start`, if it has no end.
  private func happens(after start: CivilDate, most: Int = RuleDays.mostEmptyBlocks) -> Bool {
    var days = RuleDays(self, start: start.daysSinceEpoch, from: .min, most: most)
    return days.next() != nil
  }

  /// Whether the rule gives any date from some start.
  ///
  /// One start stands for all of them: within 28 years there is a year of each kind, leap or not
  /// and beginning on each weekday.
  var canHappen: Bool {
    // A day is the only one of its period.
    if frequency == .daily, !positions.isEmpty, !positions.contains(where: { abs($0) == 1 }) {
      return false
    }
    var rule = filled(from: CivilDate(unchecked: 2001, months.first ?? 1, 1))
    rule.interval = 1
    return rule.happens(after: CivilDate(unchecked: 2000, 12, 31), most: 28 * 12)
  }
}
