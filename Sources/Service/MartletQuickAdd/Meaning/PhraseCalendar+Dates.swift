import MartletTime

// Dates: from their numbers, and counted from today.
extension PhraseCalendar {
  func date(_ meaning: Meaning, _ captures: Captures) -> CivilDate? {
    let numbers = captures.numbers
    switch meaning {
    case .dayMonth: return DateParts(captures).flatMap { date($0) }
    case .yearMonthDay:
      guard numbers.count == 3 else { return nil }
      return CivilDate(year: numbers[0], month: numbers[1], day: numbers[2])
    case .fromToday(let days): return day(after: today, days)
    case .later(let days):
      guard let number = numbers.first, let unit = captures.unit else { return nil }
      return day(after: today, days).flatMap { date(number, unit, after: $0) }
    case .comingWeekday: return weekday(captures, after: 1)
    case .thisWeekday: return weekday(captures, after: 0)
    case .nextWeekday(let ahead):
      return startOf(.week, ahead).flatMap { weekday(captures, from: $0) }
    case .weekdayLater:
      guard let number = numbers.first, captures.unit == .week else { return nil }
      return weekday(captures, after: 1).flatMap { date(number, .week, after: $0) }
    case .thisWeekend:
      var saturday = Captures()
      saturday.weekdays = [6]
      return weekday(saturday, after: 0)
    case .startOf(let unit, let ahead): return startOf(unit, ahead)
    case .endOf(let unit, let ahead): return endOf(unit, ahead)
    case .endOfMonth, .nthWeekdayOf: return dayOf(captures)
    case .nthWeekdayNextMonth: return firstOfMonth(1).flatMap { nthWeekday(captures, of: $0) }
    case .sameDate: return captures.date
    case .dateOnWeekday:
      guard let date = captures.date ?? date(.dayOfMonth, captures),
        date.weekday == captures.weekdays.first
      else { return nil }
      return date
    case .dayOfMonth: return captures.ordinals.first.flatMap { dayOfMonth($0) }
    default: return nil
    }
  }

  /// The date so many days later; `nil` if it has no text form.
  func day(after date: CivilDate, _ days: Int) -> CivilDate? {
    // Far more than there are days with a text form, and far from the limits of numbers.
    guard abs(days) < 10_000_000 else { return nil }
    let date = date.adding(days: days)
    return 1...9999 ~= date.year ? date : nil
  }

  /// The date so many units later. A month without that day gives its last one.
  func date(_ number: Int, _ unit: TimeUnit, after date: CivilDate) -> CivilDate? {
    guard number < 10_000_000 else { return nil }
    switch unit {
    case .day: return day(after: date, number)
    case .week: return day(after: date, number * 7)
    case .month, .year:
      let months = date.year * 12 + date.month - 1 + (unit == .year ? number * 12 : number)
      let (year, month) = (months / 12, months % 12 + 1)
      guard year <= 9999 else { return nil }
      return CivilDate(
        year: year, month: month, day: min(date.day, CivilDate.days(inMonth: month, of: year)))
    case .minute, .hour: return nil
    }
  }

  /// A date with a year; without one, the first from today on.
  private func date(_ parts: DateParts) -> CivilDate? {
    if let year = parts.year {
      return CivilDate(year: year, month: parts.month, day: parts.day)
    }
    // At most eight years are between two leap days.
    for year in today.year...today.year + 8 {
      if let date = CivilDate(year: year, month: parts.month, day: parts.day), date >= today {
        return date
      }
    }
    return nil
  }

  /// The first weekday that is at least so many days ahead.
  private func weekday(_ captures: Captures, after days: Int) -> CivilDate? {
    day(after: today, days).flatMap { weekday(captures, from: $0) }
  }

  private func weekday(_ captures: Captures, from date: CivilDate) -> CivilDate? {
    guard let weekday = captures.weekdays.first else { return nil }
    return day(after: date, (weekday - date.weekday + 7) % 7)
  }

  private func startOf(_ unit: TimeUnit, _ ahead: Int) -> CivilDate? {
    switch unit {
    case .week: day(after: today, 7 * ahead - (today.weekday + 6) % 7)
    case .month: firstOfMonth(ahead)
    case .year: CivilDate(year: today.year + ahead, month: 1, day: 1)
    case .minute, .hour, .day: nil
    }
  }

  private func endOf(_ unit: TimeUnit, _ ahead: Int) -> CivilDate? {
    switch unit {
    case .month:
      firstOfMonth(ahead).flatMap {
        CivilDate(
          year: $0.year, month: $0.month, day: CivilDate.days(inMonth: $0.month, of: $0.year))
      }
    case .year: CivilDate(year: today.year + ahead, month: 12, day: 31)
    case .minute, .hour, .day, .week: nil
    }
  }

  private func firstOfMonth(_ ahead: Int) -> CivilDate? {
    let months = today.year * 12 + today.month - 1 + ahead
    return CivilDate(year: months / 12, month: months % 12 + 1, day: 1)
  }

  /// The last day of the named month, or its nth weekday; the first one from today on.
  private func dayOf(_ captures: Captures) -> CivilDate? {
    guard let month = captures.month else { return nil }
    let years = captures.numbers.first.map { $0...$0 } ?? today.year...today.year + 8
    for year in years {
      guard let first = CivilDate(year: year, month: month, day: 1) else { return nil }
      let date =
        captures.weekdays.isEmpty
        ? CivilDate(year: year, month: month, day: CivilDate.days(inMonth: month, of: year))
        : nthWeekday(captures, of: first)
      if let date, date >= today || !captures.numbers.isEmpty { return date }
    }
    return nil
  }

  /// The weekday with this ordinal in the month that begins with a date; without one, the last.
  private func nthWeekday(_ captures: Captures, of first: CivilDate) -> CivilDate? {
    let days = CivilDate.days(inMonth: first.month, of: first.year)
    guard let ordinal = captures.ordinals.first else {
      return day(after: first, days - 7).flatMap { weekday(captures, from: $0) }
    }
    guard ordinal <= 5,
      let date = day(after: first, 7 * (ordinal - 1)).flatMap({ weekday(captures, from: $0) })
    else { return nil }
    return date.month == first.month ? date : nil
  }

  private func dayOfMonth(_ number: Int) -> CivilDate? {
    // Of two months in a row, one has 31 days.
    for ahead in 0...2 {
      if let first = firstOfMonth(ahead),
        let date = CivilDate(year: first.year, month: first.month, day: number), date >= today
      {
        return date
      }
    }
    return nil
  }
}

/// The numbers of a date.
struct DateParts {
  var day: Int
  var month: Int
  var year: Int?

  /// Takes the month from its name, or from the second number; the year, if any, is the last one.
  init?(_ captures: Captures) {
    var numbers = captures.numbers[...]
    guard let first = numbers.popFirst() else { return nil }
    day = first
    if let named = captures.month {
      month = named
    } else {
      guard let second = numbers.popFirst() else { return nil }
      month = second
    }
    year = numbers.popFirst()
  }
}
