import MartletTime

/// The meaning of a part of a text.
enum Value {
  case ordinal(Int)
  case time(TimeOfDay)
  case date(CivilDate)
  case due(Due)
  case every(Every)
  case recurrence(Every, TimeOfDay?, from: CivilDate?)
  case end(End)
  case alarm(AlarmTime)
  case noAlarms
  case flag
  case priority(QuickAdd.Priority)
  case text
  case doubt(Doubt)

  /// Whether it is a due date or a recurrence.
  var isDate: Bool {
    switch self {
    case .due, .recurrence: true
    default: false
    }
  }

  /// Whether it is a due time of a number only: `at 9`.
  var isBareTime: Bool { if case .due(.time(let time)) = self { time.isBare } else { false } }
}

/// When words that say one thing together, and are not in one phrase, make dates doubtful.
enum Doubt {
  case always
  /// Unless the number at the end may count the word behind it.
  case bare
  /// Unless the end of a recurrence begins within: `4pm until 15 June`.
  case range
  /// Unless one of both holds.
  case bareRange
  /// If there is a time without a day: `12/15 dentist 3pm`.
  case unreadDay
  /// If a phrase begins with the words.
  case opening
}

/// The due date that a text says.
enum Due {
  case day(CivilDate)
  case dayTime(CivilDate, TimeOfDay)
  /// At its next coming, or on the days of the recurrence.
  case time(TimeOfDay)
  case instant(Instant)

  var hasTime: Bool { if case .day = self { false } else { true } }
  var hasDay: Bool { if case .time = self { false } else { true } }
}

/// How a recurrence ends.
enum End {
  case until(CivilDate)
  case count(Int)
  /// A time from the first occurrence on.
  case during(Int, TimeUnit)

  /// Whether it is in front of the first occurrence.
  func isBefore(_ first: CivilDate) -> Bool {
    if case .until(let date) = self { date < first } else { false }
  }
}

/// When an alarm rings.
enum AlarmTime {
  case before(CivilDuration)
  /// At a time, so many days before the due date.
  case daysBefore(Int, TimeOfDay)
  /// At a time on the day of the due date; without one, at its next coming.
  case time(TimeOfDay)
  case instant(Instant)
}

/// How something recurs.
struct Every {
  var frequency: String
  var interval = 1
  /// The days, as parts of a rule: `;BYDAY=MO`.
  var days = ""
  var basis = RecurrenceBasis.due

  /// The rule; `nil` if it is out of range or never happens.
  func rule(ending end: String = "") -> RecurrenceRule? {
    try? RecurrenceRule("FREQ=\(frequency);INTERVAL=\(interval)\(end)\(days)")
  }
}
