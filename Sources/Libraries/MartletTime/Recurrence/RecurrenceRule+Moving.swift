/// A rule for other days of the same things: a task that begins on Mondays is due on Wednesdays.
extension RecurrenceRule {
  /// The rule that gives, from a start that many days later, what this one gives from `start`, each
  /// that many days later. `nil` if no rule does: two days after each 30th is not one day of the
  /// month.
  ///
  /// The end is as it was (``movingEnd(days:milliseconds:in:)``).
  package func moved(by days: Int, from start: CivilDate) -> RecurrenceRule? {
    guard days != 0 else { return self }
    guard -366...366 ~= days, var rule = withMonthDays() else { return nil }
    for place in rule.weekdays.indices {
      rule.weekdays[place].weekday = floorRemainder(rule.weekdays[place].weekday + days, 7)
    }
    rule.weekdays.sort { $0.weekOrder < $1.weekOrder }
    // The weeks begin as many days later. It is only visible where a week counts as a whole.
    if frequency == .weekly, interval > 1 || !positions.isEmpty {
      rule.weekStart = floorRemainder(weekStart + days, 7)
    }
    guard rule.moveMonthDays(by: days) else { return nil }
    rule = rule.withOrdinals()
    return gives(as: rule, days, from: start) ? rule : nil
  }

  /// Whether a date is one that the rule gives, and not only the start of its series. What the
  /// rule leaves out it takes from the date.
  package func fits(_ date: CivilDate) -> Bool {
    let rule = filled(from: date)
    // The rule gives no date before its start, so it begins a period earlier.
    let before = periodBefore(date)
    var days = RuleDays(rule, start: before.daysSinceEpoch, from: date.daysSinceEpoch)
    return days.next() == date.daysSinceEpoch
  }

  /// A date of the last period before that of a date, which may be one that the rule does not give.
  package func periodBefore(_ date: CivilDate) -> CivilDate {
    switch frequency {
    case .daily: return date.adding(days: -interval)
    case .weekly: return date.adding(days: -7 * interval)
    case .monthly:
      let month = date.year * 12 + date.month - 1 - interval
      let year = floorQuotient(month, 12)
      return CivilDate(unchecked: year, floorRemainder(month, 12) + 1, 1)
    case .yearly: return CivilDate(unchecked: date.year - interval, 1, 1)
    }
  }

  /// The same series, begun with an earlier date: for an occurrence that clocks skip, because its
  /// instant does not have the time of day of the series. `nil` if they skip these, too.
  ///
  /// - Parameter time: The occurrence on the clocks that skip it.
  package func begun(
    before time: CivilTime, in zone: ZoneInfo
  ) -> (rule: RecurrenceRule, start: Instant)? {
    var day = time.date
    for _ in 0..<4 {
      day = periodBefore(day)
      let start = zone.instant(of: time.on(day))
      guard zone.time(at: start) == time.on(day) else { continue }
      var rule = self
      if let count {
        rule.end = .never
        var days = SeriesDays(rule, start: day, from: .min)
        var earlier = 0
        while let next = days.next(), next < time.date.daysSinceEpoch { earlier += 1 }
        rule.end = .count(count + earlier)
      }
      return (rule, start)
    }
    return nil
  }

  /// The rule with `UNTIL` moved on the clocks of a zone: by days if it is a day, otherwise by a
  /// time.
  package func movingEnd(
    days: Int, milliseconds: Int64, in zone: ZoneInfo
  ) -> RecurrenceRule {
    func moved(_ time: CivilTime) -> CivilTime {
      let moved = time.instant().adding(milliseconds: milliseconds)
      return CivilTime(min(max(moved, .earliest), .latest))
    }
    var rule = self
    switch end {
    case .never, .count: break
    case .day(let date): rule.end = .day(date.adding(days: days))
    case .time(let time): rule.end = .time(moved(time))
    case .instant(let instant):
      let known = min(max(instant, .earliest), .latest)
      rule.end = .instant(zone.instant(of: moved(zone.time(at: known))))
    }
    return rule
  }

  // MARK: Days of the month

  /// The days that the nth of a weekday can be: the second Monday is a Monday from the 8th to the
  /// 14th.
  private static func days(ofOrdinal ordinal: Int) -> [Int] {
    ordinal > 0
      ? Array(7 * ordinal - 6...7 * ordinal) : Array((7 * ordinal...7 * ordinal + 6).reversed())
  }

  /// The same rule without ordinals, which cannot be moved. `nil` for weekdays of a year, and for
  /// those of months: the day after the last one can be in another month.
  private func withMonthDays() -> RecurrenceRule? {
    guard frequency == .monthly || frequency == .yearly else {
      return months.isEmpty && monthDays.isEmpty ? self : nil
    }
    let ordinals = Set(weekdays.map(\.ordinal))
    guard ordinals != [0], !weekdays.isEmpty else {
      let isOfMonths = monthDays.isEmpty && !(months.isEmpty && positions.isEmpty)
      return weekdays.isEmpty || !isOfMonths ? self : nil
    }
    let days = Set(weekdays.map(\.weekday))
    guard monthDays.isEmpty, frequency == .monthly || !months.isEmpty,
      !ordinals.contains(0), days.count * ordinals.count == weekdays.count,
      ordinals.allSatisfy({ -4...4 ~= $0 })
    else { return nil }
    var rule = self
    rule.weekdays = days.sorted().map { Weekday(weekday: $0) }
    rule.monthDays = ordinals.flatMap(RecurrenceRule.days)
    return rule
  }

  /// The same rule with ordinals, where days of the month stand for one.
  private func withOrdinals() -> RecurrenceRule {
    guard frequency == .monthly || frequency == .yearly && !months.isEmpty, !weekdays.isEmpty,
      weekdays.allSatisfy({ $0.ordinal == 0 }),
      let ordinal = [1, 2, 3, 4, -1, -2, -3, -4].first(where: {
        Set(RecurrenceRule.days(ofOrdinal: $0)) == Set(monthDays)
      })
    else { return self }
    var rule = self
    rule.monthDays = []
    for place in weekdays.indices { rule.weekdays[place].ordinal = ordinal }
    return rule
  }

  /// Moves the days of the month, and the months if they are in others then. Returns whether it is
  /// possible: the days have to exist in each month.
  private mutating func moveMonthDays(by days: Int) -> Bool {
    guard !monthDays.isEmpty else { return months.isEmpty || weekdays.isEmpty }
    let moved = monthDays.map { $0 + days }
    let isInMonth = zip(monthDays, moved).allSatisfy { old, new in
      old > 0 ? old <= 28 && 1...28 ~= new : old >= -28 && -28...(-1) ~= new
    }
    if isInMonth {
      monthDays = moved.sorted { RecurrenceRule.order($0) < RecurrenceRule.order($1) }
      return true
    }
    return moveDates(by: days)
  }

  /// Moves each of the dates in a year that the rule names. They are the same in all years unless
  /// a leap day is between them.
  private mutating func moveDates(by days: Int) -> Bool {
    var dates: Set<[Int]> = []
    for month in months {
      for day in monthDays {
        let moved = [2001, 2004].map { year -> [Int] in
          guard let date = CivilDate(year: year, month: month, day: day)?.adding(days: days)
          else { return [] }
          return [date.month, date.day]
        }
        guard moved[0] == moved[1], !moved[0].isEmpty else { return false }
        dates.insert(moved[0])
      }
    }
    let (newMonths, newDays) = (Set(dates.map { $0[0] }), Set(dates.map { $0[1] }))
    guard !months.isEmpty, newMonths.count * newDays.count == dates.count else { return false }
    (months, monthDays) = (newMonths.sorted(), newDays.sorted())
    return true
  }

  /// The order of days of the month in a text: 1, 2, …, -2, -1.
  private static func order(_ day: Int) -> Int { day < 0 ? 1000 + day : day }

  /// How many dates are compared.
  private static let mostCompared = 60

  /// Whether the first dates of another rule are that many days after the ones of this rule.
  private func gives(as other: RecurrenceRule, _ days: Int, from start: CivilDate) -> Bool {
    func dates(_ rule: RecurrenceRule, _ start: CivilDate) -> SeriesDays {
      var endless = rule
      endless.end = .never
      return SeriesDays(endless, start: start, from: .min)
    }
    var mine = dates(self, start)
    var others = dates(other, start.adding(days: days))
    for _ in 0..<RecurrenceRule.mostCompared {
      let (date, moved) = (mine.next(), others.next())
      guard date.map({ $0 + days }) == moved else { return false }
      if date == nil { break }
    }
    return true
  }
}

extension RecurrenceRule.Weekday {
  /// Monday first, as in texts.
  fileprivate var weekOrder: (Int, Int) { ((weekday + 6) % 7, ordinal) }
}
