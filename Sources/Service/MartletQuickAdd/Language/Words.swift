/// The words of a language that slots take. Words of one value are separated by spaces.
struct Words: Sendable {
  /// From Sunday on, as `CivilDate.weekday` counts.
  var weekdays: [String]
  /// Short forms, which are ordinary words too (`sun`).
  var shortWeekdays: [String]
  /// Forms that mean each of them (`mondays`).
  var eachWeekday: [String]
  /// From January on, with short forms.
  var months: [String]
  /// Numbers in words.
  var numbers: [Int: String]
  /// Numbers in words as the hours of a clock.
  var hours: [Int: String]
  /// Ordinals in words.
  var ordinals: [Int: String]
  /// Units of time.
  var units: [TimeUnit: String]
  /// Short forms of units, which must touch their number (`10m`).
  var shortUnits: [TimeUnit: String]
  /// Parts of the day.
  var dayParts: [DayPart: String]
  /// The word between the last two of a list.
  var and: String
  /// Words behind `at 9` that it cannot count, so that it is a time.
  var behindTime = ""
  /// The words that lead from an alarm at the beginning of the text to the title.
  var behindAlarm: [String] = []
  /// The words at the beginning of the text that only say that it is a reminder.
  var leads: [String] = []
  /// Parts of the day that one writes as one word with the weekday in front: `Montagabend`.
  var weekdayParts = ""
  /// Short weekdays that are common words, unless they have a capital letter.
  var ambiguousWeekdays = ""
  /// Whether nouns begin with a capital letter, so that other words do not name what is counted.
  var hasCapitalNouns = false
  /// Letters and how they are written where a keyboard does not have them.
  var spellings: [(letter: Character, text: String)] = []
}

/// A unit of time.
enum TimeUnit: Sendable {
  case minute, hour, day, week, month, year
}

/// A part of the day.
enum DayPart: Sendable {
  case morning, noon, afternoon, evening, night

  /// When it begins, in minutes after midnight.
  var minutes: Int {
    switch self {
    case .morning: 9 * 60
    case .noon: 12 * 60
    case .afternoon: 15 * 60
    case .evening: 19 * 60
    case .night: 20 * 60
    }
  }
}
