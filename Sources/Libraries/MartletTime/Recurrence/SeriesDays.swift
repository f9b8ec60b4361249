/// The dates of a series, as days since 1970: its start, and then what its rule gives, up to
/// `COUNT`.
///
/// The start is the first occurrence even if the rule does not give it, and `COUNT` includes it
/// (RFC 5545 sections 3.8.5.3 and 3.3.10).
struct SeriesDays: IteratorProtocol {
  private var days: RuleDays
  private let start: Int
  private let first: Int
  private var isAtStart: Bool
  /// How many dates `COUNT` still allows, also before `first`.
  private var rest: Int?

  /// The dates from `first` on.
  init(_ rule: RecurrenceRule, start: CivilDate, from first: Int) {
    self.start = start.daysSinceEpoch
    self.first = first
    rest = rule.count
    isAtStart = rest != nil || first <= self.start
    // Counted dates are enumerated from the start. Otherwise the rule begins anywhere.
    days = RuleDays(
      rule.filled(from: start), start: self.start, from: rest == nil ? first : self.start)
  }

  mutating func next() -> Int? {
    while rest != 0, let day = isAtStart ? start : days.next() {
      isAtStart = false
      rest = rest.map { $0 - 1 }
      if day >= first { return day }
    }
    return nil
  }
}
