import MartletTime

// Recurrences, and their first occurrence.
extension PhraseCalendar {
  func every(_ meaning: Meaning, _ captures: Captures) -> Every? {
    guard var every = pattern(meaning, captures) else { return nil }
    if captures.isCompletion { every.basis = .completion }
    return every.rule() == nil ? nil : every
  }

  private func pattern(_ meaning: Meaning, _ captures: Captures) -> Every? {
    switch meaning {
    case .interval: return interval(captures.numbers.first ?? 1, captures.unit)
    case .every(let number, let unit): return interval(number, unit)
    case .everyOther: return interval(2, captures.unit)
    case .everyNth: return captures.ordinals.first.flatMap { interval($0, captures.unit) }
    case .workdays: return Every(frequency: "WEEKLY", days: ";BYDAY=MO,TU,WE,TH,FR")
    case .weekend: return Every(frequency: "WEEKLY", days: ";BYDAY=SA")
    case .weekdays(let interval): return weekdays(captures, interval)
    case .weekdaysInterval:
      let number = captures.numbers.first ?? 1
      switch captures.unit {
      case .week, nil: return weekdays(captures, number)
      // Every 14 days on Thursday.
      case .day where number % 7 == 0: return weekdays(captures, number / 7)
      default: return nil
      }
    case .weekdayRange:
      guard let first = captures.weekdays.first, let last = captures.weekdays.last else {
        return nil
      }
      var range = captures
      range.weekdays = (0...(last - first + 7) % 7).map { (first + $0) % 7 }
      return weekdays(range, 1)
    case .nthWeekday(let intervals):
      guard let number = captures.ordinals.first else { return nil }
      if intervals.contains(number) { return weekdays(captures, number) }
      return 1...5 ~= number ? monthly(number, captures) : nil
    case .nthWeekdays: return monthly(captures.ordinals, captures)
    case .nthAndLastWeekday: return monthly(captures.ordinals + [-1], captures)
    case .lastWeekday: return monthly(-1, captures)
    case .daysOfMonth:
      let days = captures.ordinals.map(String.init).joined(separator: ",")
      return Every(frequency: "MONTHLY", days: ";BYMONTHDAY=" + days)
    case .lastDayOfMonth: return Every(frequency: "MONTHLY", days: ";BYMONTHDAY=-1")
    case .dayMonthYearly:
      var captures = captures
      if captures.numbers.isEmpty { captures.numbers = captures.ordinals }
      guard let parts = DateParts(captures), parts.year == nil else {
        return nil
      }
      return Every(
        frequency: "YEARLY", days: ";BYMONTH=\(parts.month);BYMONTHDAY=\(parts.day)")
    default: return nil
    }
  }

  private func interval(_ number: Int, _ unit: TimeUnit?) -> Every? {
    switch unit {
    case .day: Every(frequency: "DAILY", interval: number)
    case .week: Every(frequency: "WEEKLY", interval: number)
    case .month: Every(frequency: "MONTHLY", interval: number)
    case .year: Every(frequency: "YEARLY", interval: number)
    case .minute, .hour, nil: nil
    }
  }

  private static let weekdayNames = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"]

  private func weekdays(_ captures: Captures, _ interval: Int) -> Every? {
    guard !captures.weekdays.isEmpty else { return nil }
    let names = captures.weekdays.map { PhraseCalendar.weekdayNames[$0] }
    return Every(
      frequency: "WEEKLY", interval: interval, days: ";BYDAY=" + names.joined(separator: ","))
  }

  private func monthly(_ ordinal: Int, _ captures: Captures) -> Every? {
    monthly([ordinal], captures)
  }

  private func monthly(_ ordinals: [Int], _ captures: Captures) -> Every? {
    guard let weekday = captures.weekdays.first, ordinals.allSatisfy({ $0 <= 5 }) else {
      return nil
    }
    let days = ordinals.map { "\($0)\(PhraseCalendar.weekdayNames[weekday])" }
    return Every(frequency: "MONTHLY", days: ";BYDAY=" + days.joined(separator: ","))
  }

  func everyPart(_ captures: Captures) -> Value? {
    let each = captures.weekdays.isEmpty ? interval(1, .day) : weekdays(captures, 1)
    guard var every = each, let part = captures.part else { return nil }
    if captures.isCompletion { every.basis = .completion }
    return .recurrence(every, timeIn(part, captures), from: nil)
  }

  // MARK: Occurrences

  /// The first day of a recurrence.
  ///
  /// A rule without days can begin on any day.
  ///
  /// - Parameters:
  ///   - every: The recurrence.
  ///   - start: Where the text says that it starts. Without it, the first day is today or later,
  ///     and with a time the first instant is after now.
  ///   - time: The time of day.
  func firstDay(of every: Every, from start: CivilDate?, at time: TimeOfDay?) -> CivilDate? {
    guard let first = firstDay(of: every, from: start ?? today) else { return nil }
    guard start == nil, let time, let instant = instant(first, time), instant <= now else {
      return first
    }
    return day(after: today, 1).flatMap { firstDay(of: every, from: $0) }
  }

  private func firstDay(of every: Every, from date: CivilDate) -> CivilDate? {
    guard !every.days.isEmpty else { return date }
    // The phase of the interval begins with the first occurrence.
    var each = every
    each.interval = 1
    guard let rule = each.rule(), let before = day(after: date, -1) else { return nil }
    let series = RecurrenceSeries(start: .day(before), rule: rule, in: zone)
    if case .day(let day) = series.next(after: .day(before)) { return day }
    return nil
  }

  /// The end of a recurrence as a part of its rule.
  func text(of end: End, from first: CivilDate) -> String? {
    switch end {
    case .count(let count): return ";COUNT=\(count)"
    case .until(let date): return ";UNTIL=" + basic(date)
    case .during(let number, let unit):
      // The same day of the next week belongs to the next week.
      return date(number, unit, after: first).flatMap { day(after: $0, -1) }
        .map { ";UNTIL=" + basic($0) }
    }
  }

  private func basic(_ date: CivilDate) -> String { String(date.description.filter { $0 != "-" }) }
}
