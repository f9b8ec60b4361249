/// A rule's parts as bit sets: which days of a month or a week it gives.
struct RuleSets {
  private let months: UInt32
  private let firstDays: UInt32
  private let lastDays: UInt32
  private let hasMonthDays: Bool
  private let weekdays: UInt32
  private let ordinals: [RecurrenceRule.Weekday]
  private let hasWeekdays: Bool
  /// Whether ordinals count within the year and not within the month.
  private let countsInYear: Bool
  private let weekStart: Int
  private let positions: [Bool]
  private let lastPositions: [Bool]
  /// Whether the rule has no positions, or they choose all: a day is the first of its period.
  let hasAllPositions: Bool

  init(_ rule: RecurrenceRule) {
    months = rule.months.isEmpty ? ~0 : rule.months.reduce(0) { $0 | 1 << $1 }
    firstDays = rule.monthDays.reduce(0) { $1 > 0 ? $0 | 1 << ($1 - 1) : $0 }
    lastDays = rule.monthDays.reduce(0) { $1 < 0 ? $0 | 1 << (-$1 - 1) : $0 }
    hasMonthDays = !rule.monthDays.isEmpty
    weekdays = rule.weekdays.reduce(0) { $1.ordinal == 0 ? $0 | 1 << $1.weekday : $0 }
    ordinals = rule.weekdays.filter { $0.ordinal != 0 }
    hasWeekdays = !rule.weekdays.isEmpty
    countsInYear = rule.frequency == .yearly && rule.months.isEmpty
    weekStart = rule.weekStart
    hasAllPositions = rule.positions.isEmpty || rule.frequency == .daily
    var sets = [[Bool](), [Bool]()]
    if !hasAllPositions {
      sets = [[Bool](repeating: false, count: 366), [Bool](repeating: false, count: 366)]
      for position in rule.positions { sets[position > 0 ? 0 : 1][abs(position) - 1] = true }
    }
    (positions, lastPositions) = (sets[0], sets[1])
  }

  func hasMonth(_ month: Int) -> Bool { months >> month & 1 != 0 }

  /// The days of a month, from its first, without regard to positions.
  func month(_ month: Int, of year: Int) -> (first: Int, bits: UInt32) {
    let first = CivilDate(unchecked: year, month, 1).daysSinceEpoch
    guard hasMonth(month) else { return (first, 0) }
    let length = CivilDate.days(inMonth: month, of: year)
    let all = UInt32.max >> (32 - length)
    var bits = all
    if hasMonthDays {
      // The last day is the lowest bit of `lastDays`, and becomes the highest one of the month.
      bits &= firstDays | lastDays.reversed >> (32 - length)
    }
    if hasWeekdays {
      var days: UInt32 = 0
      let weekday = floorRemainder(first + 4, 7)
      for day in 0..<7 where weekdays >> day & 1 != 0 {
        days |= 0b1_0000001_0000001_0000001_0000001 << offset(of: day, from: weekday)
      }
      if countsInYear, !ordinals.isEmpty {
        days |= ordinalDays(of: year, from: first)
      } else {
        for ordinal in ordinals {
          if let place = place(of: ordinal, in: length, from: weekday) { days |= 1 << place }
        }
      }
      bits &= days
    }
    return (first, bits & all)
  }

  /// The days of the month from `first` on that are the nth of a weekday within the year.
  private func ordinalDays(of year: Int, from first: Int) -> UInt32 {
    let newYear = CivilDate(unchecked: year, 1, 1).daysSinceEpoch
    let (length, weekday) = (CivilDate.isLeap(year) ? 366 : 365, floorRemainder(newYear + 4, 7))
    var bits: UInt32 = 0
    for ordinal in ordinals {
      guard let place = place(of: ordinal, in: length, from: weekday) else { continue }
      let day = newYear + place - first
      if 0..<31 ~= day { bits |= 1 << day }
    }
    return bits
  }

  /// Where the nth of a weekday is in so many days, of which the first is a `weekday`.
  private func place(
    of ordinal: RecurrenceRule.Weekday, in length: Int, from weekday: Int
  ) -> Int? {
    let earliest = offset(of: ordinal.weekday, from: weekday)
    let latest = earliest + (length - 1 - earliest) / 7 * 7
    let place =
      ordinal.ordinal > 0
      ? earliest + (ordinal.ordinal - 1) * 7 : latest + (ordinal.ordinal + 1) * 7
    return 0..<length ~= place ? place : nil
  }

  /// The days of a week from `first` on, without regard to positions.
  func week(from first: Int) -> UInt32 {
    // The lowest bit is the first day of the week instead of Sunday.
    var bits = (weekdays | weekdays << 7) >> weekStart & 0b1111111
    guard months != ~0 else { return bits }
    let date = CivilDate(daysSinceEpoch: first)
    let rest = CivilDate.days(inMonth: date.month, of: date.year) - date.day + 1
    let ofMonth: UInt32 = rest < 7 ? ~(~0 << rest) : ~0
    if !hasMonth(date.month) { bits &= ~ofMonth }
    if !hasMonth(date.month % 12 + 1) { bits &= ofMonth }
    return bits
  }

  /// The days whose position in their period is one of the rule's.
  ///
  /// The period has `count` days, of which `before` come before these.
  func chosen(_ days: UInt32, of count: Int, after before: Int = 0) -> UInt32 {
    var (rest, chosen, position) = (days, UInt32(0), before)
    while rest != 0 {
      if positions[position] || lastPositions[count - 1 - position] {
        chosen |= rest & (~rest + 1)
      }
      rest &= rest - 1
      position += 1
    }
    return chosen
  }

  /// How many days after a weekday the next `day` is, 0 to 6.
  private func offset(of day: Int, from weekday: Int) -> Int {
    day >= weekday ? day - weekday : day - weekday + 7
  }
}

extension UInt32 {
  /// The bits in the opposite order.
  fileprivate var reversed: UInt32 {
    var bits = self
    bits = bits >> 1 & 0x5555_5555 | (bits & 0x5555_5555) << 1
    bits = bits >> 2 & 0x3333_3333 | (bits & 0x3333_3333) << 2
    bits = bits >> 4 & 0x0F0F_0F0F | (bits & 0x0F0F_0F0F) << 4
    return bits.byteSwapped
  }
}
