extension QuickAddLanguage {
  /// English.
  public static let english = QuickAddLanguage(code: "en", englishWords, englishPhrases)

  static let englishWords = Words(
    weekdays: ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"],
    shortWeekdays: [
      "sun", "mon", "tue tues", "wed weds", "thu thur thurs", "fri", "sat",
    ],
    eachWeekday: [
      "sundays", "mondays", "tuesdays", "wednesdays", "thursdays", "fridays", "saturdays",
    ],
    months: [
      "january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul",
      "august aug", "september sep sept", "october oct", "november nov", "december dec",
    ],
    numbers: [
      1: "a an one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight",
      9: "nine", 10: "ten", 11: "eleven", 12: "twelve",
    ],
    hours: [
      1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight",
      9: "nine", 10: "ten", 11: "eleven", 12: "twelve",
    ],
    ordinals: [
      1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth", 6: "sixth", 7: "seventh",
      8: "eighth", 9: "ninth", 10: "tenth",
    ],
    units: [
      .minute: "minute minutes min mins", .hour: "hour hours hr hrs", .day: "day days",
      .week: "week weeks", .month: "month months", .year: "year years",
    ],
    shortUnits: [.minute: "m", .hour: "h", .day: "d", .week: "w"],
    dayParts: [
      .morning: "morning", .afternoon: "afternoon", .evening: "evening", .night: "night",
    ],
    and: "and",
    behindTime: "in on at with for to from by about near before after and or please sharp",
    behindAlarm: ["to"],
    leads: ["remind me to", "please remind me to", "remind me about", "remind me"])

  static let englishPhrases =
    englishTimes + englishDays + englishRecurrences + englishOthers + englishDoubts

  private static let englishTimes = [
    Phrase(
      .clock, .am, "{hour}~(am|a.m|a.m.)", "{hour}:{minute}~(am|a.m|a.m.)",
      "{hour}.{minute}~(am|a.m|a.m.)"),
    Phrase(
      .clock, .pm, "{hour}~(pm|p.m|p.m.)", "{hour}:{minute}~(pm|p.m|p.m.)",
      "{hour}.{minute}~(pm|p.m|p.m.)"),
    Phrase(.clock, .clock, "({hour}|{hourWord}) o('|’)clock"),
    Phrase(.clock, .fixedTime(12 * 60), "noon", "midday"),
    Phrase(.clock, .fixedTime(24 * 60), "midnight"),
    Phrase(.clock, .minutesPast(30), "half past ({hour}|{hourWord})"),
    Phrase(.clock, .minutesPast(15), "[a ]quarter past ({hour}|{hourWord})"),
    Phrase(.clock, .minutesTo(15), "[a ]quarter to ({hour}|{hourWord})"),
    // What can be a time alone.
    Phrase(.moment, .sameTime, "(at|@) {clock}"),
    Phrase(.moment, .bareClock, "(at|@) {hour}"),
    Phrase(.moment, .clock, "at {hour}.{minute}", "at {hour}h[{minute}]"),
    Phrase(.moment, .partOfDay, "in the {part}"),
    Phrase(
      .moment, .timeInPart, "[at ]{clock} (in the|at) {part}", "[at ]{hour} in the {part}",
      "at {hour} at {part}"),
    // Times that need a word, such as "at", or a day before them.
    Phrase(.time, .sameTime, "(at|@) {clock}"),
    Phrase(
      .time, .clock, "(at|@) ({hour}|{hourWord})", "at {hour}.{minute}", "at {hour}h[{minute}]"),
    Phrase(.time, .partOfDay, "[in the |at ]{part}"),
    Phrase(.time, .fixedTime(9 * 60), "first thing[ in the morning]"),
    Phrase(
      .time, .timeInPart, "[in the ]{part}[,] at ({hour}|{hourWord})",
      "[in the ]{part}[,] [at ]{clock}", "[at ]{clock} (in the|at) {part}",
      "at ({hour}|{hourWord}) (in the|at) {part}"),
  ]

  private static let englishDays = [
    Phrase(.ordinal, .ordinal, "{number}(st|nd|rd|th)", "{ordinalWord}"),
    Phrase(.monthDay, .ordinal, "{dayNumber}(st|nd|rd|th)"),
    Phrase(
      .date, .dayMonth, "[the ]{dayNumber}[st|nd|rd|th][ of] {month}[.]",
      "[the ]{dayNumber}[st|nd|rd|th][ of] {month}[.][,] {year}",
      "{month}[.] {dayNumber}[st|nd|rd|th]", "{month}[.] {dayNumber}[st|nd|rd|th][,] {year}"),
    Phrase(.day, .sameDate, "on {date}"),
    Phrase(
      .day, .dateOnWeekday, "[on ]{anyWeekday}[,] {date}", "[on ]{anyWeekday}[,] the {monthDay}"),
    Phrase(.day, .dayOfMonth, "(on|by)[ the] {monthDay}", "(for|before) the {monthDay}"),
    Phrase(.day, .fromToday(0), "today", "eod", "end of day", "by [the ]end of [the ]day"),
    Phrase(.day, .fromToday(1), "(tomorrow|tmrw)"),
    Phrase(.day, .fromToday(2), "[the ]day after tomorrow"),
    Phrase(.day, .comingWeekday, "{weekday}", "(on|by) {anyWeekday}"),
    Phrase(.day, .thisWeekday, "[on ]this {anyWeekday}"),
    Phrase(
      .day, .nextWeekday(1), "[on ]next {anyWeekday}", "next week[ on] {anyWeekday}",
      "[on ]{weekday} next week"),
    Phrase(
      .day, .nextWeekday(2), "[on ][the ]{weekday} after next",
      "[on ]{weekday}[ the] week after next", "[the ]week after next[ on] {weekday}"),
    Phrase(.day, .thisWeekend, "this weekend", "(at|on) (this|the) weekend"),
    Phrase(
      .day, .later(0), "[today ]in {number}~{unit}[('|’)[s]] time", "[today ]in {number}~{unit}",
      "in {number}{shortUnit}", "within[ the next] {number}~{unit}",
      "{number} {unit} from (now|today)"),
    Phrase(.day, .later(1), "{number} {unit} from tomorrow"),
    Phrase(
      .day, .weekdayLater, "{number} {unit} from {weekday}", "[on ]{weekday} in {number}~{unit}"),
    Phrase(.day, .startOf(.week, 1), "next week"),
    Phrase(.day, .startOf(.month, 1), "next month"),
    Phrase(.day, .startOf(.year, 1), "next year"),
    Phrase(.day, .startOf(.week, 2), "[the ]week after next"),
    Phrase(.day, .startOf(.month, 2), "[the ]month after next"),
    Phrase(.day, .startOf(.year, 2), "[the ]year after next"),
    Phrase(
      .day, .endOf(.month, 0), "eom", "[at ][the ]end of month",
      "[at ][the ]end of (the|this) month"),
    Phrase(.day, .endOf(.month, 1), "[at ][the ]end of next month"),
    Phrase(.day, .endOf(.month, 0), "[on ][the ]last day of (the|this) month"),
    Phrase(.day, .endOf(.month, 1), "[on ][the ]last day of next month"),
    Phrase(
      .day, .endOfMonth, "[on ][the ]last day of {month}[ {year}]",
      "[at ][the ]end of {month}[ {year}]"),
    Phrase(
      .day, .nthWeekdayOf, "[on ][the ]({ordinal}|last) {anyWeekday} (of|in) {month}[ {year}]"),
    Phrase(
      .day, .nthWeekdayNextMonth, "[on ][the ]({ordinal}|last) {anyWeekday} (of|in) next month"),
    Phrase(
      .day, .endOf(.year, 0), "eoy", "[at ][the ]end of year",
      "[at ][the ]end of (the|this) year"),
    Phrase(.day, .endOf(.year, 1), "[at ][the ]end of next year"),
    Phrase(.due, .dueDay, "(by|due|due by|before|for|no later than) {day}"),
    Phrase(
      .due, .dueDay, "[by ]{day}[ by| at] (eod|end of day)",
      "[by |at ][the ](eod|end of day)[ on| of] {day}"),
    Phrase(
      .due, .dueDayTime, "(by|due|due by|before|for) {day}[,] {time}",
      "{day}[,] (by|before|for|after|from|around|about) {clock}",
      "(by|before|for|after|from|around|about) {moment}[,] {day}"),
    Phrase(.due, .dueTime, "(by|due|due by|before|for|after|from|around|about) {clock}"),
    Phrase(.due, .dueMorning, "first thing[ on] {day}[ morning]"),
    Phrase(
      .due, .dueWeekdayTime, "[on |by |for |before ]{plainWeekday}[.][,] [at ]{clock}",
      "[on ]{plainWeekday}[.][,] at ({hour}|{hourWord})", "[at ]{clock}[,] {plainWeekday}",
      "at {hour}[,] {plainWeekday}"),
    Phrase(.due, .dueWeekdayTime, "{plainWeekday} {time}"),
    Phrase(.due, .dueToday, "this {part}", "this {part}[,] {moment}", "{moment} this {part}"),
    Phrase(.due, .dueTonight, "tonight", "tonight[,] {moment}", "{moment} tonight"),
    Phrase(
      .due, .dueIn, "[today ]in {number}~{unit}", "in {number}{shortUnit}",
      "within[ the next] {number}~{unit}", "{number} {unit} from now"),
    Phrase(.due, .dueInMinutes(30), "in half an hour"),
    Phrase(
      .due, .dueInHours, "in {number} (hour|hours) and a half", "in {number} and a half hours",
      "in {number}~(hour|hours|hr|hrs|h)[ and]~{number}~(minute|minutes|min|mins|m)"),
  ]

  private static let englishRecurrences = [
    Phrase(
      .every, .interval, "(every|each)[{!}] {unit}", "(every|each)[{!}] {number}~{unit}"),
    Phrase(.every, .everyOther, "every[{!}] other {unit}"),
    Phrase(.every, .everyNth, "every[{!}] {ordinal} {unit}"),
    Phrase(.every, .workdays, "(every|each)[{!}] (weekday|workday)", "on weekdays"),
    Phrase(.every, .weekdays(1), "(every|each)[{!}] {weekdays}", "[on ]{eachWeekdays}"),
    Phrase(
      .every, .weekdayRange, "(every|each)[{!}] {anyWeekday} (to|through) {anyWeekday}",
      "(every|each)[{!}] {anyWeekday}~(-|–)~{anyWeekday}"),
    Phrase(.every, .weekdays(2), "every[{!}] other {weekdays}"),
    Phrase(
      .every, .weekdaysInterval, "(every|each)[{!}] {unit}[ on] {weekdays}", "weekly on {weekdays}",
      "every[{!}] {number} {unit}[ on] {weekdays}"),
    Phrase(
      .every, .nthWeekday(intervals: []),
      "every[{!}] {ordinal} {anyWeekday} (of|in) (the|each) month",
      "(every[{!}] month|monthly) on the {ordinal} {anyWeekday}",
      "[on ][the ]{ordinal} {anyWeekday} of (every|each) month"),
    Phrase(
      .every, .nthWeekday(intervals: [2, 6, 7, 8, 9, 10]), "every[{!}] {ordinal} {anyWeekday}"),
    Phrase(
      .every, .nthWeekdays, "every[{!}] {ordinals} {anyWeekday}[ (of|in) (the|each|every) month]",
      "(every[{!}] month|monthly) on [the ]{ordinals} {anyWeekday}",
      "[on ][the ]{ordinals} {anyWeekday} of (every|each|the) month"),
    Phrase(
      .every, .nthAndLastWeekday,
      "every[{!}] {ordinals} (and|&) [the ]last {anyWeekday}[ (of|in) (the|each|every) month]",
      "(every[{!}] month|monthly) on [the ]{ordinals} (and|&) [the ]last {anyWeekday}",
      "[on ][the ]{ordinals} (and|&) [the ]last {anyWeekday} of (every|each|the) month"),
    Phrase(
      .every, .lastWeekday, "every[{!}] last {anyWeekday}[ (of|in) (the|each) month]",
      "(every[{!}] month|monthly) on the last {anyWeekday}",
      "[on ][the ]last {anyWeekday} of (every|each) month"),
    Phrase(
      .every, .daysOfMonth, "every[{!}] {monthDays}", "every[{!}] {ordinals} of (the|each) month",
      "(every[{!}] month|monthly) (on the|on|the) {ordinals}",
      "(every[{!}] month|monthly) {monthDays}",
      "[on ][the ]{ordinals} of (every|each) month"),
    Phrase(
      .every, .lastDayOfMonth, "every[{!}] last day of (the|each) month",
      "(every[{!}] month|monthly) on [the ]last day",
      "[on ][the ]last day of (every|each) month", "[at ][the ]end of (every|each) month"),
    Phrase(
      .every, .dayMonthYearly, "every[{!}] {ordinal} of {month}",
      "every[{!}] {dayNumber}[st|nd|rd|th] {month}",
      "every[{!}] {month} {dayNumber}[st|nd|rd|th]",
      "(every[{!}] year|yearly) on [the ]{dayNumber}[st|nd|rd|th][ of] {month}",
      "(every[{!}] year|yearly) on {month} {dayNumber}[st|nd|rd|th]"),
    Phrase(.every, .weekend, "(every|each)[{!}] weekend"),
    Phrase(.recurrence, .workdaysAt, "weekdays[,] {time}", "{moment}[,] weekdays"),
    Phrase(.recurrence, .dailyAt, "everyday[,] {time}", "{moment} everyday"),
    Phrase(.every, .every(1, .day), "daily"),
    Phrase(.every, .every(1, .week), "weekly"),
    Phrase(.every, .every(2, .week), "fortnightly", "every[{!}] fortnight"),
    Phrase(.every, .every(1, .month), "monthly"),
    Phrase(.every, .every(3, .month), "every[{!}] quarter", "quarterly"),
    Phrase(.every, .every(1, .year), "yearly", "annually"),
    Phrase(
      .recurrence, .everyPart, "(every|each)[{!}] {part}",
      "(every|each)[{!}] {part}[,] {moment}"),
    Phrase(
      .recurrence, .recurrence, "{every} (from|starting|beginning) {day}",
      "{every} (from|starting|beginning) {day}[,] {time}",
      "{every}[,] {time} (from|starting|beginning) {day}"),
    Phrase(
      .end, .until, "(until|till|til|through|thru) {day}",
      "(until|till|til) (the {monthDay}|{anyWeekday})"),
    Phrase(.end, .times, "for {number} times", "{number} times in total"),
    Phrase(.end, .during, "for {number} {unit}"),
  ]

  private static let englishOthers = [
    Phrase(
      .alarm, .alarmBefore, "remind[ me] {number}~{unit} before",
      "remind[ me] {number}{shortUnit} before", "remind[ me] {number}~{unit} before[,] {moment}"),
    Phrase(
      .alarm, .alarmBefore,
      "([with ][a ]reminder|alert|[with ][an ]alarm) {number}~{unit} (before|earlier|prior)",
      "([with ][a ]reminder|alert|[with ][an ]alarm) {number}{shortUnit} (before|earlier|prior)",
      "(remind me|alert me|notify[ me]) {number}~{unit} (before|ahead|in advance)",
      "([with ][a ]reminder|alert|[with ][an ]alarm) {number}~{unit} before[,] {moment}",
      "remind[ me] {number}~{unit} (beforehand|earlier|prior)", "{number}~{unit} before reminder"),
    Phrase(
      .alarm, .alarmDayBefore, "remind[ me][ on] the day before",
      "remind[ me][ on] the day before[,] {moment}"),
    Phrase(
      .alarm, .alarmAt, "remind[ me] {moment}", "remind[ me] {day}[,] {moment}",
      "remind[ me] {moment} {day}"),
    Phrase(
      .alarm, .alarmIn, "remind[ me] in {number}~{unit}", "remind[ me] in {number}{shortUnit}"),
    Phrase(.alarm, .alarmInMinutes(30), "remind[ me] in half an hour"),
    Phrase(
      .alarm, .alarmInHours, "remind[ me] in {number} (hour|hours) and a half",
      "remind[ me] in {number} and a half hours",
      "remind[ me] in {number}~(hour|hours|hr|hrs|h)[ and]~{number}~(minute|minutes|min|mins|m)"),
    Phrase(.mark, .noAlarms, "(no|without|without an) (alarm|alarms|reminder|reminders)"),
    Phrase(.mark, .priority(.high), "!high", "!1"),
    Phrase(.mark, .priority(.medium), "!medium", "!2"),
    Phrase(.mark, .priority(.low), "!low", "!3"),
    Phrase(
      .text, .text, "(black|good) friday", "(cyber|easter) monday", "(palm|easter) sunday",
      "ash wednesday", "shrove tuesday", "maundy thursday"),
    // Ranges of times: neither end is the due time.
    Phrase(
      .text, .text, "[from |at ]({hour}|{clock}) (to|until|till) {clock}",
      "[from |at ]{clock} (-|–) {clock}", "(from |at ){hour} to {hour}", "{clock} to {hour}",
      "between ({hour}|{clock}) and ({hour}|{clock})"),
    // What a part of would give a wrong date.
    Phrase(
      .text, .text, "in {number} (day|days|week|weeks|month|months|year|years) and a half",
      "[on ]{weekday} in {number} (day|days|month|months|year|years)",
      "{number} {unit} from (this|next) {anyWeekday}", "[on ]{weekday} after the next"),
  ]
}
