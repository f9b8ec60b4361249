/// A place in a pattern that takes a value from the text.
enum Slot: Hashable, Sendable {
  /// A number from 1 on, in digits or words.
  case number
  /// 0 to 23 in digits; an hour in words.
  case hour, hourWord
  /// Two digits, 0 to 59.
  case minute
  /// A day or a month of a date in digits.
  case dayNumber, monthNumber
  /// Any two digits.
  case two
  /// A year from 1970 to 2199; in two digits, of this century; up to 9999.
  case year, shortYear, fullYear
  case weekday, anyWeekday, eachWeekday, month, unit, shortUnit, dayPart, ordinalWord
  /// A weekday without a word in front of it. Short ones that are common words need a capital.
  case plainWeekday
  /// A short one of these.
  case shortWeekday
  /// A weekday and a part of the day in one word.
  case weekdayPart
  /// `!` behind the word for every: the recurrence is counted from completions.
  case completion
  /// A part that has a rule of its own.
  case rule(Rule)
  /// Several, separated by commas and words.
  case weekdays, eachWeekdays, ordinals, monthDays

  private static let names: [String: Slot] = [
    "number": .number, "hour": .hour, "hourWord": .hourWord, "minute": .minute,
    "dayNumber": .dayNumber, "monthNumber": .monthNumber, "two": .two, "year": .year,
    "shortYear": .shortYear, "fullYear": .fullYear, "weekday": .weekday,
    "anyWeekday": .anyWeekday, "plainWeekday": .plainWeekday, "weekdayPart": .weekdayPart,
    "shortWeekday": .shortWeekday,
    "eachWeekday": .eachWeekday,
    "month": .month, "unit": .unit,
    "shortUnit": .shortUnit, "part": .dayPart, "ordinalWord": .ordinalWord, "!": .completion,
    "ordinal": .rule(.ordinal), "monthDay": .rule(.monthDay), "clock": .rule(.clock),
    "moment": .rule(.moment),
    "time": .rule(.time), "date": .rule(.date), "day": .rule(.day), "every": .rule(.every),
    "item": .rule(.item),
    "weekdays": .weekdays, "eachWeekdays": .eachWeekdays, "ordinals": .ordinals,
    "monthDays": .monthDays,
  ]

  /// The slot that has this name in patterns. A wrong name is an error in a table, which every test
  /// finds.
  init(named name: String) {
    guard let slot = Slot.names[name] else { preconditionFailure("no slot {\(name)}") }
    self = slot
  }

  /// The slot of the elements of a list.
  var item: Slot? {
    switch self {
    case .weekdays: .anyWeekday
    case .eachWeekdays: .eachWeekday
    case .ordinals: .rule(.ordinal)
    case .monthDays: .rule(.monthDay)
    default: nil
    }
  }
}
