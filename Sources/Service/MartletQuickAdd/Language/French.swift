extension QuickAddLanguage {
  /// French. English words of priorities are understood too.
  public static let french = QuickAddLanguage(code: "fr", frenchWords, frenchPhrases)

  static let frenchWords = Words(
    weekdays: ["dimanche", "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi"],
    // `sam` is a name, also with its capital letter.
    shortWeekdays: ["dim", "lun", "mar", "mer", "jeu", "ven", "samd"],
    eachWeekday: [
      "dimanches", "lundis", "mardis", "mercredis", "jeudis", "vendredis", "samedis",
    ],
    months: [
      "janvier janv", "février févr fév", "mars", "avril avr", "mai", "juin", "juillet juil",
      "août", "septembre sept", "octobre oct", "novembre nov", "décembre déc",
    ],
    // Eight and fifteen days are a week and two: they have phrases of their own.
    numbers: [
      1: "un une", 2: "deux", 3: "trois", 4: "quatre", 5: "cinq", 6: "six", 7: "sept",
      9: "neuf", 10: "dix", 11: "onze", 12: "douze",
    ],
    hours: [
      1: "une", 2: "deux", 3: "trois", 4: "quatre", 5: "cinq", 6: "six", 7: "sept", 8: "huit",
      9: "neuf", 10: "dix", 11: "onze",
    ],
    ordinals: [
      1: "premier première premiers", 2: "deuxième second seconde", 3: "troisième",
      4: "quatrième", 5: "cinquième", 6: "sixième", 7: "septième", 8: "huitième",
      9: "neuvième", 10: "dixième",
    ],
    units: [
      .minute: "minute minutes min mn", .hour: "heure heures", .day: "jour jours",
      .week: "semaine semaines", .month: "mois", .year: "an ans année années",
    ],
    shortUnits: [.hour: "h"],
    dayParts: [
      .morning: "matin matins matinée", .noon: "midi midis", .afternoon: "aprem",
      .evening: "soir soirs soirée",
    ],
    and: "et",
    behindTime: "le la les l un une des avec pour chez dans en sur au aux et ou mais puis",
    behindAlarm: ["de"],
    leads: ["rappelle moi de", "rappeler de"],
    ambiguousWeekdays: "dim mar mer",
    spellings: [
      ("é", "e"), ("è", "e"), ("ê", "e"), ("û", "u"), ("ô", "o"), ("â", "a"), ("ç", "c"),
    ])

  static let frenchPhrases =
    frenchTimes + frenchDays + frenchRecurrences + frenchOthers + frenchDoubts

  private static let frenchTimes = [
    // `9h` alone may be how long something takes: it needs a word, or a day.
    Phrase(.clock, .clock, "{hour}h{minute}", "{hour} h {minute}", "{hour}~heures~{minute}"),
    Phrase(
      .clock, .minutesPast(30), "{hour}~h et demie", "({hour}|{hourWord})~(heure|heures) et demie"),
    Phrase(
      .clock, .minutesPast(15), "{hour}~h et quart", "({hour}|{hourWord})~(heure|heures) et quart"),
    Phrase(
      .clock, .minutesTo(15), "{hour}~h moins le quart",
      "({hour}|{hourWord})~(heure|heures) moins le quart"),
    Phrase(.clock, .fixedTime(12 * 60), "midi"),
    Phrase(.clock, .fixedTime(12 * 60 + 30), "midi et demi"),
    Phrase(.clock, .fixedTime(24 * 60), "minuit"),
    Phrase(.moment, .sameTime, "(à|vers|dès|avant|après) {clock}"),
    Phrase(
      .moment, .clock, "(à|vers|dès|avant|après) ({hour}~h|{hour}~heures|{hourWord}~heure[s])"),
    Phrase(
      .moment, .timeInPart, "[à |vers ]({hour}~h|{hour}~heures|{hourWord}~heures) du {part}",
      "[à |vers ]{clock} du {part}"),
    Phrase(
      .moment, .pm, "[à |vers ]({hour}~h|{hour}~heures|{hourWord}~heures) de l('|’)après-midi"),
    Phrase(
      .time, .sameTime, "(à|vers|dès|avant|après|pour) {clock}"),
    Phrase(
      .time, .clock,
      "[à |vers |dès |avant |après |pour ]({hour}~h|{hour}~heures|{hourWord}~heure[s])"),
    Phrase(.time, .partOfDay, "[au |dans la ]{part}"),
    Phrase(.time, .fixedTime(15 * 60), "[dans ][l('|’)]après-midi"),
    Phrase(
      .time, .timeInPart, "{part}[,] (à|vers) ({hour}~h|{hour}~heures|{hourWord}~heures)",
      "{part}[,] [à |vers ]{clock}",
      "[à |vers ]({hour}~h|{hour}~heures|{hourWord}~heures) du {part}",
      "[à |vers ]{clock} du {part}"),
    Phrase(
      .time, .pm, "[à |vers ]({hour}~h|{hour}~heures|{hourWord}~heures) de l('|’)après-midi"),
  ]

  private static let frenchDays = [
    Phrase(.ordinal, .ordinal, "{number}(er|re|e|ème|nd|nde)", "{ordinalWord}"),
    Phrase(.monthDay, .ordinal, "{dayNumber}[er]"),
    Phrase(
      .date, .dayMonth, "{dayNumber}[er]~{month}[.]", "{dayNumber}[er]~{month}[.] {year}",
      "{dayNumber}/{monthNumber}/{year}", "{dayNumber}.{monthNumber}.{year}"),
    Phrase(.day, .sameDate, "(le|du) {date}"),
    Phrase(.day, .dayMonth, "le {dayNumber}/{monthNumber}"),
    Phrase(.day, .dateOnWeekday, "[le ]{anyWeekday}[.][,] [le ]{date}"),
    Phrase(.day, .dayOfMonth, "le {monthDay}"),
    Phrase(.day, .fromToday(0), "aujourd('|’)hui"),
    Phrase(.day, .fromToday(1), "demain"),
    Phrase(.day, .fromToday(2), "après-demain", "après demain"),
    Phrase(.day, .fromToday(7), "dans huit jours", "demain en sept"),
    Phrase(.day, .fromToday(14), "dans quinze jours"),
    Phrase(.day, .comingWeekday, "{weekday}", "{weekday} prochain"),
    Phrase(.day, .thisWeekday, "ce {anyWeekday}"),
    Phrase(
      .day, .nextWeekday(1), "{weekday} [de ]la semaine prochaine",
      "la semaine prochaine[,] {weekday}"),
    Phrase(.day, .thisWeekend, "ce (week-end|weekend)"),
    Phrase(.day, .later(0), "dans {number}~{unit}", "d('|’)ici {number}~{unit}"),
    Phrase(.day, .weekdayLater, "{weekday} dans {number}~{unit}"),
    Phrase(.day, .startOf(.week, 1), "la semaine prochaine"),
    Phrase(.day, .startOf(.month, 1), "le mois prochain"),
    Phrase(.day, .startOf(.year, 1), "l('|’)(année prochaine|an prochain)"),
    Phrase(.day, .endOf(.month, 0), "[à la |pour la ]fin (du mois|de mois|de ce mois)"),
    Phrase(.day, .endOf(.month, 1), "[à la ]fin du mois prochain"),
    Phrase(.day, .endOf(.month, 0), "le dernier jour (du mois|de ce mois)"),
    Phrase(.day, .endOfMonth, "fin {month}[ {year}]"),
    Phrase(
      .day, .nthWeekdayOf, "le ({ordinal}|dernier) {anyWeekday} (de |d('|’)){month}[ {year}]"),
    Phrase(
      .day, .nthWeekdayNextMonth, "le ({ordinal}|dernier) {anyWeekday} du mois prochain"),
    Phrase(.day, .endOf(.year, 0), "[à la ]fin (de l('|’)année|d('|’)année)"),
    Phrase(.day, .endOf(.year, 1), "[à la ]fin de l('|’)année prochaine"),
    Phrase(
      .due, .dueDay, "(pour|avant|avant la|avant le|d('|’)ici|d('|’)ici à|jusqu('|’)à) {day}",
      "(d('|’)ici au|d('|’)ici le|jusqu('|’)au) {date}"),
    Phrase(
      .due, .dueDayTime, "(pour|avant|avant la|avant le|d('|’)ici|jusqu('|’)à) {day}[,] {time}"),
    Phrase(
      .due, .dueWeekdayTime, "[pour |avant ]{plainWeekday}[.][,] {time}",
      "{moment}[,] {plainWeekday}"),
    Phrase(.due, .dueToday, "ce {part}", "ce {part}[,] {moment}", "{moment} ce {part}"),
    Phrase(
      .due, .dueIn, "dans {number}~{unit}", "dans {number}{shortUnit}",
      "d('|’)ici {number}~{unit}"),
    Phrase(
      .due, .dueInHours,
      "dans {number}~(heure|heures|h)[ et]~{number}~(minute|minutes|min)"),
    Phrase(.due, .dueInMinutes(90), "dans une heure et demie"),
    Phrase(.due, .dueInMinutes(45), "dans trois quarts d('|’)heure"),
    Phrase(.due, .dueInMinutes(30), "dans une (demi-heure|demi heure)"),
    Phrase(.due, .dueInMinutes(15), "dans un quart d('|’)heure"),
  ]

  private static let frenchRecurrences = [
    Phrase(
      .every, .interval, "chaque[{!}] {unit}", "(tous|toutes) les[{!}] {unit}",
      "(tous|toutes) les[{!}] {number}~{unit}"),
    Phrase(.every, .everyNth, "chaque[{!}] {ordinal} {unit}"),
    Phrase(
      .every, .workdays, "chaque[{!}] jour (ouvré|ouvrable|de semaine)",
      "tous les[{!}] jours (ouvrés|ouvrables|de semaine)", "en semaine"),
    Phrase(.every, .weekdays(1), "chaque[{!}] {weekdays}", "[tous ]les[{!}] {eachWeekdays}"),
    Phrase(
      .every, .weekdayRange, "[chaque semaine ]du {anyWeekday} au {anyWeekday}",
      "chaque[{!}] {anyWeekday}~(-|–)~{anyWeekday}"),
    Phrase(
      .every, .weekdaysInterval, "(tous|toutes) les[{!}] {number} {unit} le {weekdays}",
      "(chaque|toutes les)[{!}] {unit} le {weekdays}"),
    Phrase(
      .every, .nthWeekday(intervals: []),
      "chaque[{!}] {ordinal} {anyWeekday} du mois", "le {ordinal} {anyWeekday} de chaque mois",
      "(chaque|tous les)[{!}] mois le {ordinal} {anyWeekday}"),
    Phrase(.every, .nthWeekday(intervals: Set(2...31)), "chaque[{!}] {ordinal} {anyWeekday}"),
    Phrase(
      .every, .nthWeekdays, "les {ordinals} {eachWeekday} (du|de chaque) mois",
      "chaque[{!}] {ordinals} {anyWeekday} du mois"),
    Phrase(
      .every, .nthAndLastWeekday, "chaque[{!}] {ordinals} et dernier {anyWeekday} du mois"),
    Phrase(
      .every, .lastWeekday, "chaque[{!}] dernier {anyWeekday} du mois",
      "le dernier {anyWeekday} de chaque mois",
      "(chaque|tous les)[{!}] mois le dernier {anyWeekday}"),
    Phrase(
      .every, .daysOfMonth, "(le|les) {monthDays} de chaque mois",
      "(chaque|tous les)[{!}] mois (le|les) {monthDays}"),
    Phrase(
      .every, .lastDayOfMonth, "[le ]dernier jour de chaque mois", "[à la ]fin de chaque mois",
      "(chaque|tous les)[{!}] mois le dernier jour"),
    Phrase(
      .every, .dayMonthYearly, "chaque[{!}] {dayNumber}[er] {month}",
      "(chaque[{!}] année|tous les[{!}] ans) le {dayNumber}[er] {month}"),
    Phrase(.every, .weekend, "(chaque|tous les)[{!}] (week-end|weekend|week-ends|weekends)"),
    Phrase(.every, .every(1, .week), "tous les[{!}] huit jours"),
    Phrase(.every, .every(2, .week), "tous les[{!}] quinze jours"),
    Phrase(.every, .every(3, .month), "chaque[{!}] trimestre", "tous les[{!}] trimestres"),
    Phrase(.every, .every(6, .month), "chaque[{!}] semestre", "tous les[{!}] semestres"),
    Phrase(
      .recurrence, .everyPart, "chaque[{!}] {part}[[,] {moment}]",
      "tous les[{!}] {part}[[,] {moment}]"),
    Phrase(
      .recurrence, .recurrence, "{every} (dès|à partir de|à compter de) {day}",
      "{every} (dès|à partir de) {day}[,] {time}", "{every}[,] {time} (dès|à partir de) {day}"),
    Phrase(
      .recurrence, .recurrence, "{every} à partir du {date}",
      "{every} à partir du {date}[,] {time}",
      "{every}[,] {time} à partir du {date}"),
    Phrase(
      .end, .until, "jusqu('|’)à {day}", "jusqu('|’)au {date}", "jusqu('|’)à {anyWeekday}",
      "jusqu('|’)au {monthDay}"),
    Phrase(.end, .times, "{number}~fois (en tout|au total)", "pour {number}~fois"),
    Phrase(.end, .during, "(pendant|durant) {number} {unit}"),
  ]

  private static let frenchOthers = [
    Phrase(
      .alarm, .alarmBefore, "[avec ](rappel|alarme|alerte) {number}~{unit} avant",
      "rappelle(-| )moi {number}~{unit} avant", "rappel {number}~{unit} avant[,] {moment}"),
    Phrase(.alarm, .alarmDayBefore, "rappel la veille[[,] {moment}]"),
    Phrase(
      .alarm, .alarmAt, "rappel {moment}", "rappel {day}[,] {moment}",
      "rappelle(-| )moi {moment}", "rappelle(-| )moi {day}[,] {moment}"),
    Phrase(.alarm, .alarmIn, "(rappel|rappelle-moi|rappelle moi) dans {number}~{unit}"),
    Phrase(.mark, .noAlarms, "sans (rappel|alarme|alerte)"),
    Phrase(.mark, .priority(.high), "!haute", "!high", "!1"),
    Phrase(.mark, .priority(.medium), "!moyenne", "!medium", "!2"),
    Phrase(.mark, .priority(.low), "!basse", "!low", "!3"),
    Phrase(.text, .text, "mardi gras", "vendredi saint", "lundi de pâques", "black friday"),
    // Ranges of times: neither end is the due time.
    Phrase(
      .text, .text, "(de|entre) ({hour}~h|{clock}) (à|et) ({hour}~h|{clock})",
      "({hour}~h|{clock})~(-|–)~({hour}~h|{clock})"),
  ]
}
