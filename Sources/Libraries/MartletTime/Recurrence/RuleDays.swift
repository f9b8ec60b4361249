/// The dates that a rule gives after its start, in order, as days since 1970.
///
/// The rule's calendar is a sequence of blocks, each a set of days: a month, or a week of a weekly
/// rule. The sequence can begin at any day without visiting those before it, because the block of a
/// day follows from the start by arithmetic.
struct RuleDays: IteratorProtocol {
  /// How many blocks may be empty in a row. Monthly and yearly rules repeat after 4,800 months or
  /// fewer, like the calendar.
  static let mostEmptyBlocks = 10_000
  /// 9999-12-31, the last day with a text form.
  static let last = CivilDate(unchecked: 9999, 12, 31).daysSinceEpoch

  private let sets: RuleSets
  private let interval: Int
  private let frequency: RecurrenceRule.Frequency
  private let start: Int
  /// The first day that may be given.
  private let lowest: Int
  /// The next block: the months since year 0, or the first day of the week.
  private var place: Int
  /// The days of the block that are not given yet, and the day of the lowest bit.
  private var bits: UInt32 = 0
  private var base = 0
  /// How many blocks may still be empty, and how many in a row.
  private var rest: Int
  private let most: Int
  /// Of a yearly rule with positions: how many days the year has, and how many are behind.
  private var ofYear = 0
  private var behind = 0

  /// The dates from `first` on. The rule has been filled in.
  init(
    _ rule: RecurrenceRule, start: Int, from first: Int, most: Int = RuleDays.mostEmptyBlocks
  ) {
    self.most = most
    rest = most
    sets = RuleSets(rule)
    interval = rule.interval
    frequency = rule.frequency
    self.start = start
    lowest = max(first, start + 1)
    // Far days are as good as the first one without a text form.
    let from = min(lowest, RuleDays.last + 1)
    let (fromMonth, startMonth) = (RuleDays.month(of: from), RuleDays.month(of: start))
    switch frequency {
    case .daily: place = fromMonth
    case .weekly:
      let week = start - floorRemainder(start + 4 - rule.weekStart, 7)
      place = from - floorRemainder(from - week, interval * 7)
    case .monthly:
      place = fromMonth + floorRemainder(startMonth - fromMonth, interval)
    case .yearly:
      let (fromYear, startYear) = (floorQuotient(fromMonth, 12), floorQuotient(startMonth, 12))
      place = (fromYear + floorRemainder(startYear - fromYear, interval)) * 12
    }
  }

  mutating func next() -> Int? {
    while bits == 0 {
      guard frequency == .weekly ? nextWeek() : nextMonth() else { return nil }
      // Drops the days before the first.
      if base < lowest { bits &= ~0 << (lowest - base) }
      rest = bits == 0 ? rest - 1 : most
    }
    let day = base + bits.trailingZeroBitCount
    bits &= bits - 1
    return day <= RuleDays.last ? day : nil
  }

  private mutating func nextWeek() -> Bool {
    guard place <= RuleDays.last, rest > 0 else { return false }
    base = place
    place += interval * 7
    bits = sets.week(from: base)
    if !sets.hasAllPositions { bits = sets.chosen(bits, of: bits.nonzeroBitCount) }
    return true
  }

  private mutating func nextMonth() -> Bool {
    let month = place
    guard month < 10_000 * 12, rest > 0 else { return false }
    let (year, monthOfYear) = (floorQuotient(month, 12), floorRemainder(month, 12) + 1)
    switch frequency {
    case .monthly: place += interval
    case .yearly where monthOfYear == 12: place += (interval - 1) * 12 + 1
    default: place += 1
    }
    if frequency == .yearly, !sets.hasAllPositions, monthOfYear == 1 {
      ofYear = (1...12).reduce(0) { $0 + sets.month($1, of: year).bits.nonzeroBitCount }
      behind = 0
    }
    guard sets.hasMonth(monthOfYear) else { return true }
    (base, bits) = sets.month(monthOfYear, of: year)
    switch frequency {
    case .daily where interval > 1:
      let every = everyIntervalBits()
      // A month between two periods does not count.
      if every == 0 { rest += 1 }
      bits &= every
    case .monthly where !sets.hasAllPositions:
      bits = sets.chosen(bits, of: bits.nonzeroBitCount)
    case .yearly where !sets.hasAllPositions:
      let all = bits
      bits = sets.chosen(all, of: ofYear, after: behind)
      behind += all.nonzeroBitCount
    default: break
    }
    return true
  }

  /// The days of the block that are a multiple of the interval after the start.
  private func everyIntervalBits() -> UInt32 {
    var bits: UInt32 = 0
    var day = floorRemainder(start - base, interval)
    while day < 31 {
      bits |= 1 << day
      day += interval
    }
    return bits
  }

  private static func month(of day: Int) -> Int {
    let date = CivilDate(daysSinceEpoch: day)
    return date.year * 12 + date.month - 1
  }
}

/// The remainder of `floorQuotient`, never negative for a positive divisor.
@inline(__always)
func floorRemainder(_ dividend: Int, _ divisor: Int) -> Int {
  dividend - floorQuotient(dividend, divisor) * divisor
}
