extension QuickAddLanguage {
  /// German. English words of priorities are understood too.
  public static let german = QuickAddLanguage(code: "de", germanWords, germanPhrases)

  static let germanWords = Words(
    weekdays: [
      "sonntag", "montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag sonnabend",
    ],
    shortWeekdays: ["so", "mo", "di", "mi", "do", "fr", "sa"],
    eachWeekday: [
      "sonntags", "montags", "dienstags", "mittwochs", "donnerstags", "freitags",
      "samstags sonnabends",
    ],
    months: [
      "januar jan jänner", "februar feb feber", "märz mär", "april apr", "mai", "juni jun",
      "juli jul", "august aug", "september sep sept", "oktober okt", "november nov",
      "dezember dez",
    ],
    numbers: [
      1: "ein eine einen einem einer eines", 2: "zwei", 3: "drei", 4: "vier", 5: "fünf",
      6: "sechs", 7: "sieben", 8: "acht", 9: "neun", 10: "zehn", 11: "elf", 12: "zwölf",
    ],
    hours: [
      1: "eins ein", 2: "zwei", 3: "drei", 4: "vier", 5: "fünf", 6: "sechs", 7: "sieben",
      8: "acht", 9: "neun", 10: "zehn", 11: "elf", 12: "zwölf",
    ],
    ordinals: [
      1: "erste ersten erster erstes", 2: "zweite zweiten zweiter zweites",
      3: "dritte dritten dritter drittes", 4: "vierte vierten vierter viertes",
      5: "fünfte fünften fünfter fünftes", 6: "sechste sechsten sechster sechstes",
      7: "siebte siebten siebter siebtes", 8: "achte achten achter achtes",
      9: "neunte neunten neunter neuntes", 10: "zehnte zehnten zehnter zehntes",
    ],
    units: [
      .minute: "minute minuten min", .hour: "stunde stunden std", .day: "tag tage tagen",
      .week: "woche wochen", .month: "monat monate monaten", .year: "jahr jahre jahren",
    ],
    shortUnits: [.hour: "h"],
    dayParts: [
      .morning: "früh morgen vormittag morgens vormittags", .noon: "mittag mittags",
      .afternoon: "nachmittag nachmittags", .evening: "abend abends",
    ],
    and: "und",
    behindAlarm: ["an den", "an die", "an das"],
    leads: [
      "erinnere mich an den", "erinnere mich an die", "erinnere mich an das", "erinnere mich an",
      "erinnere mich daran", "erinnere mich",
    ],
    weekdayParts: "morgen vormittag mittag nachmittag abend", ambiguousWeekdays: "so",
    hasCapitalNouns: true,
    spellings: [("ä", "ae"), ("ö", "oe"), ("ü", "ue"), ("ß", "ss")])

  static let germanPhrases =
    germanTimes + germanDays + germanRecurrences + germanOthers + germanDoubts

  private static let germanTimes = [
    Phrase(
      .clock, .clock, "{hour}~uhr", "{hour} uhr {minute}", "{hour}(:|.){minute}~uhr",
      "{hourWord} uhr"),
    Phrase(.clock, .minutesTo(30), "halb ({hour}|{hourWord})[ uhr]"),
    Phrase(.clock, .minutesPast(15), "viertel nach ({hour}|{hourWord})"),
    Phrase(.clock, .minutesTo(15), "viertel vor ({hour}|{hourWord})"),
    Phrase(.clock, .minutesTo(15), "dreiviertel ({hour}|{hourWord})"),
    Phrase(.clock, .fixedTime(24 * 60), "mitternacht"),
    // What can be a time alone.
    Phrase(.moment, .sameTime, "(um|gegen) {clock}"),
    Phrase(.moment, .clock, "(um|gegen) {hour}", "um {hour}.{minute}", "um {hour}h[{minute}]"),
    Phrase(.moment, .partOfDay, "am {part}"),
    Phrase(
      .moment, .timeInPart, "[um |gegen ]{clock} [am ]{part}", "(um|gegen) {hour} [am ]{part}"),
    // Times that need a word, such as "at", or a day before them.
    Phrase(.time, .sameTime, "(um|gegen) {clock}"),
    Phrase(
      .time, .clock, "(um|gegen) ({hour}|{hourWord})", "um {hour}.{minute}",
      "um {hour}h[{minute}]"),
    Phrase(.time, .partOfDay, "[am ]{part}"),
    Phrase(
      .time, .timeInPart, "[am ]{part}[,] (um|gegen) ({hour}|{hourWord})",
      "[am ]{part}[,] [um |gegen ]{clock}", "[um |gegen ]{clock} [am ]{part}",
      "(um|gegen) ({hour}|{hourWord}) [am ]{part}"),
  ]

  private static let germanDays = [
    Phrase(.ordinal, .ordinal, "{number}.", "{ordinalWord}"),
    Phrase(.monthDay, .ordinal, "{dayNumber}."),
    Phrase(
      .date, .dayMonth, "{dayNumber}.{monthNumber}.", "{dayNumber}.~{monthNumber}.~{year}",
      "{dayNumber}.{monthNumber}.{shortYear}", "{dayNumber}. {monthNumber}.",
      "{dayNumber}.~{month}[.]", "{dayNumber}.~{month}[.] {year}", "{dayNumber} {month}[.]",
      "{dayNumber} {month}[.] {year}"),
    Phrase(.day, .sameDate, "(am|zum|den) {date}"),
    Phrase(.day, .dayMonth, "(am|zum|den) {dayNumber}.{monthNumber}"),
    Phrase(.day, .dateOnWeekday, "[am ]{anyWeekday}[.][,] [den |dem ]{date}"),
    Phrase(.day, .dayOfMonth, "(am|zum) {monthDay}", "(vor dem|für den) {monthDay}"),
    Phrase(.day, .fromToday(0), "heute"),
    Phrase(.day, .fromToday(1), "morgen"),
    Phrase(.day, .fromToday(2), "übermorgen"),
    Phrase(
      .day, .comingWeekday, "{weekday}", "(am|bis) {anyWeekday}",
      "[am ]kommenden {anyWeekday}"),
    Phrase(.day, .thisWeekday, "(diesen|diesem) {anyWeekday}", "an diesem {anyWeekday}"),
    Phrase(
      .day, .nextWeekday(1), "[am ](nächsten|nächster) {anyWeekday}",
      "nächste woche[ am] {anyWeekday}", "[am ]{weekday} nächste[r] woche"),
    Phrase(
      .day, .nextWeekday(2), "[am ](übernächsten|übernächster) {anyWeekday}",
      "übernächste woche[ am] {anyWeekday}", "[am ]{weekday} übernächste[r] woche"),
    Phrase(.day, .thisWeekend, "(am|dieses) wochenende"),
    Phrase(
      .day, .later(0), "[heute ]in {number}~{unit}",
      "(innerhalb|innerhalb von|binnen) {number}~{unit}"),
    Phrase(.day, .later(1), "morgen in {number}~{unit}"),
    Phrase(.day, .weekdayLater, "[am ]{weekday} in {number}~{unit}"),
    Phrase(.day, .startOf(.week, 1), "(nächste|kommende) woche"),
    Phrase(.day, .startOf(.month, 1), "(nächsten|kommenden) monat"),
    Phrase(.day, .startOf(.year, 1), "(nächstes|kommendes) jahr"),
    Phrase(.day, .startOf(.week, 2), "übernächste woche"),
    Phrase(.day, .startOf(.month, 2), "übernächsten monat"),
    Phrase(.day, .startOf(.year, 2), "übernächstes jahr"),
    Phrase(
      .day, .endOf(.month, 0),
      "[am |zum ](ende des monats|ende dieses monats|ende monat|monatsende)"),
    Phrase(.day, .endOf(.month, 1), "ende (nächsten|des nächsten) monats"),
    Phrase(
      .day, .endOf(.month, 0), "am letzten tag (des monats|im monat|dieses monats|diesen monats)"),
    Phrase(.day, .endOfMonth, "(am letzten tag im|ende) {month}[ {year}]"),
    Phrase(
      .day, .nthWeekdayOf, "[am ]({ordinal}|letzten|letzter) {anyWeekday} im {month}[ {year}]"),
    Phrase(
      .day, .nthWeekdayNextMonth,
      "[am ]({ordinal}|letzten|letzter) {anyWeekday} (im nächsten monat|nächsten monats)"),
    Phrase(
      .day, .endOf(.year, 0), "[am |zum ](ende des jahres|ende dieses jahres|jahresende)"),
    Phrase(.day, .endOf(.year, 1), "ende (nächsten|des nächsten) jahres"),
    Phrase(
      .due, .dueDay, "(bis|bis zum|vor|vor dem|vor den|für|für den) {day}",
      "([bis ]spätestens|spätestens bis[ zum]) {day}"),
    Phrase(
      .due, .dueDayTime, "(bis|bis zum|vor|vor dem|für|für den) {day}[,] {time}",
      "{day}[,] (bis|vor|für|nach|ab|ca|ca.) {clock}", "(nach|ab|ca|ca.) {moment}[,] {day}"),
    Phrase(.due, .dueTime, "(bis|vor|für|nach|ab|ca|ca.) {clock}"),
    Phrase(
      .due, .dueWeekdayTime, "[am |bis |für |vor ]{plainWeekday}[.][,] [um |gegen ]{clock}",
      "[um |gegen ]{clock}[,] {plainWeekday}", "{plainWeekday}[.][,] {time}",
      "[am |bis |für |vor |diesen |kommenden ]{weekdayPart}[[,] {moment}]",
      "{moment} am {weekdayPart}"),
    Phrase(
      .due, .dueIn, "[heute ]in {number}~{unit}", "in {number}{shortUnit}",
      "(innerhalb|innerhalb von|binnen) {number}~{unit}"),
    Phrase(
      .due, .dueInHours,
      "in {number}~(stunde|stunden|std|h)[ und]~{number}~(minute|minuten|min)"),
    Phrase(.due, .dueInMinutes(90), "in (anderthalb|eineinhalb) stunden"),
    Phrase(.due, .dueInMinutes(150), "in zweieinhalb stunden"),
    Phrase(.due, .dueInMinutes(30), "in (einer|1) halben stunde"),
    Phrase(.due, .dueInMinutes(15), "in einer viertelstunde"),
  ]

  private static let germanRecurrences = [
    Phrase(.every, .interval, "(jeden|jede|jedes)[{!}] {unit}", "alle[{!}] {number}~{unit}"),
    Phrase(.every, .everyNth, "(jeden|jede|jedes)[{!}] {ordinal} {unit}"),
    Phrase(
      .every, .workdays, "(jeden|an jedem)[{!}] (werktag|arbeitstag|wochentag)", "werktags",
      "wochentags"),
    Phrase(
      .every, .weekdays(1), "(jeden|an jedem)[{!}] {weekdays}", "[immer ]{eachWeekdays}"),
    Phrase(
      .every, .weekdayRange, "(jeden|an jedem)[{!}] {anyWeekday} bis {anyWeekday}",
      "(jeden|an jedem)[{!}] {anyWeekday}~(-|–)~{anyWeekday}",
      "[immer ][von ]{eachWeekday} bis {eachWeekday}"),
    Phrase(
      .every, .weekdaysInterval, "jede[{!}] {unit} am {weekdays}",
      "alle[{!}] {number} {unit} am {weekdays}", "alle[{!}] {number} {unit} {eachWeekdays}"),
    Phrase(
      .every, .nthWeekday(intervals: []),
      "(jeden|an jedem)[{!}] {ordinal} {anyWeekday} (im|des|in jedem) (monat|monats)",
      "(jeden[{!}] monat|monatlich) am {ordinal} {anyWeekday}",
      "am {ordinal} {anyWeekday} jedes monats"),
    Phrase(
      .every, .nthWeekday(intervals: Set(2...31)), "(jeden|an jedem)[{!}] {ordinal} {anyWeekday}"),
    Phrase(
      .every, .nthWeekdays,
      "(jeden|an jedem)[{!}] {ordinals} {anyWeekday}[ (im|des|in jedem) (monat|monats)]",
      "(jeden[{!}] monat|monatlich) am {ordinals} {anyWeekday}",
      "am {ordinals} {anyWeekday} (jedes|jeden|im) (monats|monat)"),
    Phrase(
      .every, .nthAndLastWeekday,
      "(jeden|an jedem)[{!}] {ordinals} und letzten {anyWeekday}[ (im|des) (monat|monats)]",
      "(jeden[{!}] monat|monatlich) am {ordinals} und letzten {anyWeekday}",
      "am {ordinals} und letzten {anyWeekday} (jedes|jeden|im) (monats|monat)"),
    Phrase(
      .every, .lastWeekday,
      "(jeden|an jedem)[{!}] letzten {anyWeekday}[ (im|des|in jedem) (monat|monats)]",
      "(jeden[{!}] monat|monatlich) am letzten {anyWeekday}",
      "am letzten {anyWeekday} jedes monats"),
    Phrase(
      .every, .daysOfMonth, "(jeden|an jedem)[{!}] {monthDays}",
      "(jeden|an jedem)[{!}] {ordinals} (im|des|in jedem) (monat|monats)",
      "(jeden[{!}] monat|monatlich) (am|zum) {ordinals}",
      "(jeden[{!}] monat|monatlich) {monthDays}",
      "(am|zum) {ordinals} jedes monats"),
    Phrase(
      .every, .lastDayOfMonth, "(jeden|an jedem)[{!}] letzten tag (im|des) (monat|monats)",
      "(jeden|an jedem)[{!}] monatsletzten", "(jeden[{!}] monat|monatlich) am letzten tag",
      "am letzten tag jedes monats", "(am|zum) ende jedes monats"),
    Phrase(
      .every, .dayMonthYearly, "jeden[{!}] {dayNumber}.~{month}",
      "jeden[{!}] {dayNumber}.{monthNumber}.",
      "(jedes[{!}] jahr|jährlich) am {dayNumber}.~{month}",
      "(jedes[{!}] jahr|jährlich) am {dayNumber}.{monthNumber}."),
    Phrase(.every, .weekend, "jedes[{!}] wochenende"),
    Phrase(.every, .every(1, .day), "täglich"),
    Phrase(.every, .every(1, .week), "wöchentlich"),
    Phrase(.every, .every(2, .week), "vierzehntäglich", "vierzehntägig", "zweiwöchentlich"),
    Phrase(.every, .every(1, .month), "monatlich"),
    Phrase(.every, .every(3, .month), "vierteljährlich", "jedes[{!}] (quartal|vierteljahr)"),
    Phrase(.every, .every(6, .month), "halbjährlich", "jedes[{!}] halbjahr"),
    Phrase(.every, .every(1, .year), "jährlich", "alljährlich"),
    Phrase(
      .recurrence, .everyPart, "jeden[{!}] ({part}|{weekdayPart})[[,] {moment}]",
      "{moment} jeden[{!}] {weekdayPart}"),
    Phrase(
      .recurrence, .recurrence, "{every} ab {day}", "{every} ab {day}[,] {time}",
      "{every}[,] {time} ab {day}"),
    Phrase(
      .recurrence, .recurrence, "{every} ab dem {date}", "{every} ab dem {date}[,] {time}",
      "{every}[,] {time} ab dem {date}"),
    Phrase(.end, .until, "bis[ zum] {day}", "bis {anyWeekday}", "bis zum {monthDay}"),
    Phrase(.end, .times, "(für|insgesamt) {number}~mal", "(für|insgesamt) {number}x"),
    Phrase(.end, .during, "für {number} {unit}", "{number} {unit} lang"),
  ]

  private static let germanOthers = [
    Phrase(
      .alarm, .alarmBefore,
      "(erinnere|erinnern|[mit ]erinnerung)[ mich] {number}~{unit} (vorher|davor|zuvor)",
      "(erinnere|erinnern|erinnerung)[ mich] {number}~{unit} (vorher|davor)[,] {moment}",
      "{number}~{unit} (vorher|davor) erinnern",
      "{number}~{unit} (vorher|davor) {moment} erinnern"),
    Phrase(
      .alarm, .alarmDayBefore,
      "(erinnere|erinnern|erinnerung)[ mich] am (vortag|tag davor|tag vorher)[[,] {moment}]",
      "am vortag[ {moment}] erinnern"),
    Phrase(
      .alarm, .alarmAt, "(erinnere|erinnern|erinnerung)[ mich] {moment}",
      "(erinnere|erinnern|erinnerung)[ mich] {day}[,] {moment}", "{moment} erinnern",
      "{day}[,] {moment} erinnern"),
    Phrase(
      .alarm, .alarmIn, "(erinnere|erinnern|erinnerung)[ mich] in {number}~{unit}",
      "[heute ]in {number}~{unit} erinnern"),
    Phrase(
      .alarm, .alarmInMinutes(30),
      "(erinnere|erinnern|erinnerung)[ mich] in (einer|1) halben stunde"),
    Phrase(
      .alarm, .alarmInMinutes(90),
      "(erinnere|erinnern|erinnerung)[ mich] in (anderthalb|eineinhalb) stunden"),
    Phrase(
      .alarm, .alarmInHours,
      "(erinnere|erinnern)[ mich] in {number}~(stunde|stunden)[ und]~{number}~(minute|minuten|min)",
      "(erinnere|erinnern)[ mich] in {number}~(std|h)[ und]~{number}~(minute|minuten|min)"),
    Phrase(.mark, .noAlarms, "(ohne|kein|keine) (alarm|alarme|erinnerung|erinnerungen)"),
    Phrase(.mark, .priority(.high), "!hoch", "!high", "!1"),
    Phrase(.mark, .priority(.medium), "!mittel", "!medium", "!2"),
    Phrase(.mark, .priority(.low), "!niedrig", "!low", "!3"),
    // Names of meetings.
    Phrase(.text, .text, "(daily|weekly|monthly|quarterly)[ standup| meeting| sync| review]"),
    Phrase(.text, .text, "(casual|happy|black) friday", "fridays for future", "cyber monday"),
    Phrase(.text, .text, "(guten|schönen) morgen", "schwarzer freitag", "so früh (wie|es)"),
    // Ranges of times: neither end is the due time.
    Phrase(
      .text, .text, "[von |um ]({hour}|{clock}) bis {clock}",
      "[von |um ]({hour}|{clock}) (-|–) {clock}",
      "(von |um ){hour} bis {hour}",
      "zwischen ({hour}|{clock}) und ({hour}|{clock})"),
    // A part of these would give a wrong date or a wrong time.
    Phrase(
      .text, .text, "[am ]{weekday} in {number} (tag|tage|tagen|monat|monaten|jahr|jahren)",
      "um {number} {unit}", "um {number} (euro|cent|kilo|kg|prozent|meter|punkte)"),
  ]
}
