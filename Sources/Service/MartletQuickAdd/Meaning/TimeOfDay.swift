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
  /// The minutes that a text says of twelve hours: `half past three`.
  var spoken: Int?

  /// The minutes on a clock, less than 24 hours.
  var onClock: Int { minutes % TimeOfDay.day }
  /// How many days after the named one it is.
  var days: Int { minutes / TimeOfDay.day }

  /// The minutes of a day.
  static let day = 24 * 60

  /// The minutes of the half of a day.
  private static let half = 12 * 60
  /// The end of the night. A text has to say that it means a time before it.
  private static let dawn = 6 * 60

  /// The same time as it is meant in a part of the day.
  func within(_ part: DayPart) -> TimeOfDay {
    guard isOpen else { return self }
    let minutes = spoken ?? self.minutes
    let hour = minutes / 60
    switch part {
    case .morning: return TimeOfDay(minutes: minutes)
    case .noon:
      return TimeOfDay(minutes: minutes + (minutes < TimeOfDay.dawn ? TimeOfDay.half : 0))
    case .afternoon: return TimeOfDay(minutes: 1...11 ~= hour ? minutes + 12 * 60 : minutes)
    case .evening, .night:
      // Twelve at night, and the hours behind it, are on the next day of the calendar.
      let more = hour < 5 ? TimeOfDay.day : hour <= 12 ? 12 * 60 : 0
      return TimeOfDay(minutes: minutes + more)
    }
  }
}

extension TimeOfDay {
  /// A time of twelve hours. Without a part of the day, it is one between 6:00 and 18:00: half past
  /// three is in the afternoon.
  init(spoken minutes: Int) {
    self.init(minutes: minutes < TimeOfDay.dawn ? minutes + TimeOfDay.half : minutes, isOpen: true)
    spoken = minutes
  }
}
