import MartletTime

/// Works out dates and times from what phrases say, as of one moment in one zone.
struct PhraseCalendar {
  let now: Instant
  let zone: ZoneInfo
  let today: CivilDate

  /// The years that dates of words may have. Other numbers of four digits are text.
  static let years = 1970...2199

  init(now: Instant, zone: ZoneInfo) {
    self.now = min(max(now, .earliest), .latest)
    self.zone = zone
    today = zone.time(at: self.now).date
  }

  /// The value of a phrase; `nil` if the words are not a phrase after all: the 31st of February.
  func value(_ meaning: Meaning, _ captures: Captures) -> Value? {
    switch meaning {
    case .ordinal: captures.numbers.first.map { .ordinal($0) }
    case .clock, .bareClock, .am, .pm, .fixedTime, .minutesPast, .minutesTo, .sameTime, .partOfDay,
      .timeInPart:
      time(meaning, captures).map { .time($0) }
    case .dayMonth, .yearMonthDay, .fromToday, .later, .comingWeekday, .thisWeekday,
      .nextWeekday, .weekdayLater, .thisWeekend, .startOf, .endOf, .endOfMonth, .nthWeekdayOf,
      .nthWeekdayNextMonth, .sameDate, .dateOnWeekday, .dayOfMonth:
      date(meaning, captures).map { .date($0) }
    case .dueDay, .dueDayTime, .dueTime, .dueWeekdayTime, .dueMorning, .dueToday, .dueTonight,
      .dueIn,
      .dueInMinutes, .dueInHours:
      due(meaning, captures).map { .due($0) }
    case .interval, .every, .everyOther, .everyNth, .workdays, .weekend, .weekdays,
      .weekdaysInterval, .weekdayRange, .nthWeekday, .nthWeekdays, .nthAndLastWeekday, .lastWeekday,
      .daysOfMonth, .lastDayOfMonth, .dayMonthYearly:
      every(meaning, captures).map { .every($0) }
    case .recurrence: captures.every.map { .recurrence($0, captures.time, from: captures.date) }
    case .everyPart: everyPart(captures)
    case .dailyAt:
      every(.every(1, .day), captures).map { .recurrence($0, captures.time, from: nil) }
    case .workdaysAt:
      every(.workdays, captures).map { .recurrence($0, captures.time, from: nil) }
    case .until:
      (captures.date ?? date(.dayOfMonth, captures) ?? date(.comingWeekday, captures))
        .map { .end(.until($0)) }
    case .times: captures.numbers.first.flatMap { 1...9999 ~= $0 ? .end(.count($0)) : nil }
    case .during: during(captures)
    case .alarmBefore, .alarmDayBefore, .alarmAt, .alarmIn, .alarmInMinutes, .alarmInHours:
      alarm(meaning, captures).map { .alarm($0) }
    case .noAlarms: .noAlarms
    case .flag: .flag
    case .priority(let priority): .priority(priority)
    case .text: .text
    case .doubt(let doubt): .doubt(doubt)
    }
  }

  // MARK: Times of day

  private func time(_ meaning: Meaning, _ captures: Captures) -> TimeOfDay? {
    let (hour, minute) = (captures.numbers.first ?? 0, captures.numbers.dropFirst().first ?? 0)
    switch meaning {
    case .clock: return TimeOfDay(minutes: hour * 60 + minute, isOpen: true)
    case .bareClock: return TimeOfDay(minutes: hour * 60, isOpen: true, isBare: true)
    case .am, .pm:
      guard 1...12 ~= hour else { return nil }
      return TimeOfDay(minutes: (hour % 12 + (meaning.isPM ? 12 : 0)) * 60 + minute)
    case .fixedTime(let minutes): return TimeOfDay(minutes: minutes)
    case .minutesPast(let minutes): return TimeOfDay(spoken: hour * 60 + minutes)
    case .minutesTo(let minutes):
      return TimeOfDay(spoken: (hour * 60 + TimeOfDay.day - minutes) % TimeOfDay.day)
    case .sameTime: return captures.time
    case .partOfDay: return captures.part.map { TimeOfDay(minutes: $0.minutes, part: $0) }
    case .timeInPart:
      guard let time = captures.time ?? time(.clock, captures), let part = captures.part else {
        return nil
      }
      return time.within(part)
    default: return nil
    }
  }

  /// The time in a part of the day; without a time, the part itself.
  func timeIn(_ part: DayPart, _ captures: Captures) -> TimeOfDay {
    captures.time.map { $0.within(part) } ?? TimeOfDay(minutes: part.minutes, part: part)
  }

  /// The instant at which clocks show a time on a date; `nil` if it is out of range.
  func instant(_ date: CivilDate, _ time: TimeOfDay) -> Instant? {
    guard let date = day(after: date, time.days),
      let civil = CivilTime(
        date: date, hour: time.onClock / 60, minute: time.onClock % 60, second: 0)
    else { return nil }
    let instant = zone.instant(of: civil)
    return .earliest ... .latest ~= instant ? instant : nil
  }

  /// The first instant after now at which clocks show a time.
  func nextComing(_ time: TimeOfDay) -> Instant? {
    let time = TimeOfDay(minutes: time.onClock)
    for days in 0...2 {
      if let date = day(after: today, days), let instant = instant(date, time), instant > now {
        return instant
      }
    }
    return nil
  }

  // MARK: Due dates

  private func due(_ meaning: Meaning, _ captures: Captures) -> Due? {
    switch meaning {
    case .dueDay: return captures.date.map { .day($0) }
    case .dueDayTime: return dayTime(captures.date, captures.time)
    case .dueWeekdayTime:
      let time =
        captures.part.map { timeIn($0, captures) } ?? captures.time ?? time(.clock, captures)
      return dayTime(date(.comingWeekday, captures), time)
    case .dueMorning:
      return dayTime(captures.date, timeIn(.morning, Captures()))
    case .dueTime: return captures.time.flatMap { nextComing($0) == nil ? nil : .time($0) }
    case .dueToday, .dueTonight:
      return dayTime(today, timeIn(captures.part ?? .night, captures))
    case .dueIn:
      guard let number = captures.numbers.first else { return nil }
      switch captures.unit {
      case .minute: return moment(inMinutes: number)
      case .hour: return moment(inMinutes: number * 60)
      default: return nil
      }
    case .dueInMinutes(let minutes): return moment(inMinutes: minutes)
    case .dueInHours:
      guard let hours = captures.numbers.first else { return nil }
      return moment(inMinutes: hours * 60 + (captures.numbers.dropFirst().first ?? 30))
    default: return nil
    }
  }

  private func dayTime(_ date: CivilDate?, _ time: TimeOfDay?) -> Due? {
    guard let date, let time, instant(date, time) != nil else { return nil }
    return .dayTime(date, time)
  }

  /// The instant so many minutes from now, in whole seconds.
  private func moment(inMinutes minutes: Int) -> Due? {
    let instant = Instant(seconds: now.seconds).adding(seconds: Int64(minutes) * 60)
    return instant <= .latest ? .instant(instant) : nil
  }

  // MARK: Ends and alarms

  private func during(_ captures: Captures) -> Value? {
    guard let number = captures.numbers.first, let unit = captures.unit,
      date(number, unit, after: today) != nil
    else { return nil }
    return .end(.during(number, unit))
  }

  private func alarm(_ meaning: Meaning, _ captures: Captures) -> AlarmTime? {
    switch meaning {
    case .alarmDayBefore:
      return captures.time.map { .daysBefore(1, $0) }
        ?? CivilDuration(days: -1).map { .before($0) }
    case .alarmBefore:
      guard let number = captures.numbers.first, number < 1_000_000 else { return nil }
      let minutes: Int
      switch captures.unit {
      case .minute: minutes = number
      case .hour: minutes = number * 60
      case .day, .week:
        let days = captures.unit == .week ? number * 7 : number
        guard days <= QuickAdd.Alarm.longestDays else { return nil }
        if let time = captures.time { return .daysBefore(days, time) }
        return CivilDuration(days: -days).map { .before($0) }
      default: return nil
      }
      guard captures.time == nil, minutes <= QuickAdd.Alarm.longestDays * TimeOfDay.day else {
        return nil
      }
      return CivilDuration(milliseconds: Int64(-minutes) * 60_000).map { .before($0) }
    case .alarmAt:
      guard let time = captures.time else { return nil }
      guard let date = captures.date else {
        return nextComing(time) == nil ? nil : .time(time)
      }
      return instant(date, time).map { .instant($0) }
    case .alarmIn: return alarm(at: due(.dueIn, captures))
    case .alarmInMinutes(let minutes): return alarm(at: moment(inMinutes: minutes))
    case .alarmInHours: return alarm(at: due(.dueInHours, captures))
    default: return nil
    }
  }

  private func alarm(at due: Due?) -> AlarmTime? {
    guard case .instant(let instant) = due else { return nil }
    return .instant(instant)
  }
}

extension Meaning {
  fileprivate var isPM: Bool { if case .pm = self { true } else { false } }
}
