/// A time of day.
struct TimeOfDay: Hashable, Sendable {
  /// Minutes after midnight. What a text calls midnight is at the end of the day: 24 hours.
  var minutes: Int
  /// Whether it may be in the second half of the day: `at 8` is 20:00 in `tonight at 8`.
  var isOpen = false
  /// The part of the day that it stands for, if the text has no time: a time makes it exact.
  var part: DayPart?
  /// Whether it is a number without anything that says that it is a time, except `at`.
  var isBare = false

  /// The minutes on a clock, less than 24 hours.
  var onClock: Int { minutes % TimeOfDay.day }
  /// How many days after the named one it is.
  var days: Int { minutes / TimeOfDay.day }

  /// The minutes of a day.
  static let day = 24 * 60

  /// The same time as it is meant in a part of the day.
  func within(_ part: DayPart) -> TimeOfDay {
    guard isOpen else { return self }
    let hour = minutes / 60
    switch part {
    case .morning, .noon: return TimeOfDay(minutes: minutes)
    case .afternoon: return TimeOfDay(minutes: 1...11 ~= hour ? minutes + 12 * 60 : minutes)
    case .evening, .night:
      // Twelve at night, and the hours behind it, are on the next day of the calendar.
      let more = hour < 5 ? TimeOfDay.day : hour <= 12 ? 12 * 60 : 0
      return TimeOfDay(minutes: minutes + more)
    }
  }
}
