/// The meaning of a phrase, given what its slots have taken.
enum Meaning: Sendable {
  // MARK: Parts

  /// The number as an ordinal.
  case ordinal
  /// `9:30`, `9`: hours of 24, unless a part of the day says otherwise.
  case clock
  /// `at 9`, which is text in front of what it may count: `at 3 houses`.
  case bareClock
  /// `9am`, `9pm`.
  case am, pm
  /// Minutes after midnight.
  case fixedTime(Int)
  /// So many minutes after or before the hour, as one says it: of twelve hours.
  case minutesPast(Int), minutesTo(Int)
  /// The time as it is; a part of the day; a time in a part of the day.
  case sameTime, partOfDay, timeInPart

  /// A date: its day, its month in words or as the next number, and a year if there is one; a date
  /// by its year, month and day.
  case dayMonth, yearMonthDay

  /// So many days from today.
  case fromToday(Int)
  /// A number of units from the day that is so many days ahead.
  case later(Int)
  /// The first such weekday after today; from today on.
  case comingWeekday, thisWeekday
  /// The weekday in the week that is so many ahead; a number of weeks after the coming one.
  case nextWeekday(Int), weekdayLater
  /// The Saturday from today on.
  case thisWeekend
  /// The first day, and the last day, of the unit that is so many ahead.
  case startOf(TimeUnit, Int), endOf(TimeUnit, Int)
  /// The last day of the named month; its nth weekday, or the last one; the same in the next month.
  case endOfMonth, nthWeekdayOf, nthWeekdayNextMonth
  /// The date as it is; if it has the weekday; the next one with this day of the month.
  case sameDate, dateOnWeekday, dayOfMonth

  // MARK: Due dates

  /// A day, a day with a time, and a time alone.
  case dueDay, dueDayTime, dueTime
  /// The first such weekday after today, at a time or in a part of it.
  case dueWeekdayTime
  /// A day, in the morning.
  case dueMorning
  /// Today, in a part of the day or at a time in it.
  case dueToday, dueTonight
  /// A number of hours or minutes from now; so many minutes from now; a number of hours and one of
  /// minutes, or half an hour, from now.
  case dueIn, dueInMinutes(Int), dueInHours

  // MARK: Recurrences

  /// A number of units, one without a number.
  case interval
  /// So many units.
  case every(Int, TimeUnit)
  /// Each second unit, and each nth one.
  case everyOther, everyNth
  /// Monday to Friday, and Saturday.
  case workdays, weekend
  /// A list of weekdays, each so many weeks; with the number of weeks in the text.
  case weekdays(Int), weekdaysInterval
  /// From one weekday to another.
  case weekdayRange
  /// The nth weekday of the month. Where the ordinal is one of these, each nth one instead.
  case nthWeekday(intervals: Set<Int>)
  /// Several nth weekdays of the month, and the last one.
  case nthWeekdays, nthAndLastWeekday
  /// The last weekday of the month.
  case lastWeekday
  /// A list of days of the month, and the last one.
  case daysOfMonth, lastDayOfMonth
  /// A day of the year.
  case dayMonthYearly
  /// The recurrence as it is, with a time and a start if there are any.
  case recurrence
  /// Each day, or each such weekday, in a part of it or at a time in it.
  case everyPart
  /// Monday to Friday, and each day, at a time.
  case workdaysAt, dailyAt

  // MARK: The end of a recurrence

  /// A day, a number of occurrences, and a time from the first one on.
  case until, times, during

  // MARK: Alarms

  /// So long before the due date; on the day before it; at a time, with or without a date; a time
  /// from now, as with due dates.
  case alarmBefore, alarmDayBefore, alarmAt, alarmIn, alarmInMinutes(Int), alarmInHours

  // MARK: Marks

  /// `!!` and `*`.
  case noAlarms, flag
  case priority(QuickAdd.Priority)

  /// Text that looks like a phrase.
  case text
  /// Words that say one thing together.
  case doubt(Doubt)
}
