extension QuickAddLanguage {
  /// The words that have to be in one phrase. If they are not, a date of a part would be wrong, and
  /// none is read from the text.
  static let germanDoubts = [
    Phrase(
      .item, .text, "{day}", "{time}", "{every}", "{eachWeekday}", "{monthDay}",
      "(den|dem) {monthDay}",
      "[am |den |dem ]({ordinal}|letzten) {anyWeekday}", "jeden {part}", "{weekdayPart}",
      "(am|bis|diesen|nächsten|jeden) {anyWeekday}",
      "(wochenende|wochenenden|wochenends|feiertagen|feiertags)", "(dem|den|der|die) {unit}"),
    // Lists that are no phrase.
    Phrase(
      .doubt, .doubt(.always), "{item}[,] (und|oder|sowie|bzw|bzw.|dann) {item}",
      "{item}~(&|+|/)~{item}",
      "{item}, (jeden {part}|{weekdayPart})", "jeden {part}, {item}",
      "{item} und (auch|dann|wieder|noch|nochmal|nochmals) {item}",
      "{day}, {day}", "{time}, {time}", "{day} {time}, {day}", "{every}, {day}", "{every}, {every}",
      "{anyWeekday}~[,|/|&|+|-|–]~{plainWeekday}",
      "{plainWeekday}[,] (und|oder|sowie|bis) {plainWeekday}",
      "{anyWeekday}[,] (oder|sowie|bis) {plainWeekday}", "{weekday}, {anyWeekday}",
      "(von|vom) {day} (bis|bis zum|-|–) {day}", "{clock} (bis|-|–) {clock}", "{clock} {clock}",
      "{ordinal}[,] (und|oder|bis|&|+|,|sowie) {ordinal}",
      "{ordinal}[,] (und|oder|&|+)[ am] letzten",
      "letzten[,] (und|oder|&|+)[ am] {ordinal}"),
    Phrase(
      .doubt, .doubt(.bare), "{clock}[,] (und|oder|&|+) {hour}",
      "(um|gegen) {hour}[,] (und|oder|&|+) {hour}", "{clock}, {hour}",
      "(um|gegen) {hour}, {hour}",
      "{hour}[,] (und|oder|&|+) {clock}"),
    Phrase(.doubt, .doubt(.bareRange), "{clock} (bis|-|–) {hour}"),
    // Words of the other language, so that only a part would be read.
    Phrase(
      .doubt, .doubt(.always),
      """
      (every|each|next|last|except|not|without|and|or) ({item}|{anyWeekday})
      """),
    // Days of one month.
    Phrase(
      .doubt, .doubt(.always), "{dayNumber}[.]~(-|–|/|&)~{date}",
      "{dayNumber}[.] (bis|und|oder|sowie) {date}", "{monthDay}, {date}",
      "{date} (und|oder|&) {monthDay}"),
    // Exceptions.
    Phrase(
      .doubt, .doubt(.always),
      """
      (außer|ausgenommen|nicht|ohne|aber|abgesehen von|bis auf|mit ausnahme von|mit ausnahme des|\
      minus|niemals|nie|ausser)[ am| an| im| in| den| dem| der|\
       vor| nach| bis| vor dem| jeden| diesen| um| auch| nur| zum| an den| in den|\
       nicht| nicht am]~({item}|{weekday}|{month}|feiertagen|feiertags|ferien|sommer|winter|urlaub)
      """,
      "(außer|ausgenommen|ausser)[ am| an| im| den| dem] ({anyWeekday}|{unit}|{part})",
      "({every}|{every} {time})[,] (außer|ausser|ausgenommen|abgesehen|bis auf|mit ausnahme)",
      "{every} {eachWeekday}", "({item}|{weekday}) (ausgenommen|ausgeschlossen)",
      "{every}[,] ({eachWeekday}|{plainWeekday}) nicht",
      "({every}|{every} {time})[,] ({eachWeekday}|{plainWeekday}) (frei|aus|auslassen|keine)",
      "{every}[,] nicht {eachWeekday}"),
    // An ordinal in front of what it does not belong to.
    Phrase(
      .doubt, .doubt(.always),
      "({ordinal}|letzten|letzter|vorigen|vergangenen|jeden|jedem|jeder|alle) {plainWeekday}",
      "({ordinal}|letzten|vorigen|nächsten|übernächsten|jeden) {weekdayPart}",
      "({ordinal}|letzten|{number}|jeden|alle) {eachWeekday}", "alle {number} {weekday}",
      "{weekday} (nach|vor|ab)[ dem] {day}", "{weekday} (im|des|in) ({month}|{unit}|monats)",
      "{weekday} (diesen|nächsten|dieses|des nächsten) {unit}",
      "({ordinal}|letzten) (im|des) ({unit}|monats)"),
    // A recurrence that is not understood.
    Phrase(
      .doubt, .doubt(.always),
      """
      (jeden|jede|jedes|jedem|alle)[{!}] [einzelnen |paar |letzten |{number} |{ordinals} ]\
      ({unit}|{plainWeekday}|{eachWeekday}|{part}|{clock}|werktag|werktage|wochenende|wochenenden|\
      arbeitstag|quartal|{month}|{date})
      """,
      "(jeden|jede|jedes)[{!}] {ordinals} (und|&|oder) letzten",
      """
      (stündlich|nächtlich|wochenends|an wochenenden|am wochenende immer|vierzehntägig|\
      zweimonatlich|zweitäglich|feiertags|an feiertagen)[,]~{item}
      """,
      "{time} (stündlich|wochenends|feiertags|an wochenenden)",
      "(zweimal|dreimal) {every}",
      "(einmal|zweimal|dreimal|{number} mal|{number}x) (pro|am|im|in der|jede|jeden) {unit} {item}"
    ),
    Phrase(
      .doubt, .doubt(.opening), "{day} (bis|bis zum|-|–) {day}", "{date} bis[ zum] {monthDay}",
      "{day}[,] am ({anyWeekday}|{monthDay})",
      "[am |bis ]{anyWeekday}[.][,][ den| dem| der] ({monthDay}|{date})"),
    // A day that is not understood, and a time that would be read alone.
    Phrase(
      .doubt, .doubt(.always),
      "{shortWeekday}[:|.|,][ -| –| ca| ca.| circa| etwa| ab| nach| vor| bis| so um] {time}",
      // In small letters it can be a Sunday or a guess.
      "so {clock}",
      "(den |dem ){monthDay}[,] {time}", "{monthDay} {time}", "{month}[,] {time}",
      "in (ein paar|einigen|mehreren|paar) {unit}", "(gestern|vorgestern|wochenende)[,] {time}",
      "(letzte|diese|dieses|diesen|letzten) {unit}[,] {time}", "(woche|kw) {number} {weekday}"),
    Phrase(
      .doubt, .doubt(.always), "{every} (im|in|des) ({month}|{unit}|monats|jahres)",
      "{every}[,] am ({ordinal}|letzten) (tag|werktag|{anyWeekday})", "{monthDay} {every}",
      "(kein|keine|nie) ({eachWeekday}|{weekday})",
      "{item} sowie[ am| um] {item}", "(exklusive|exkl|exkl.|abzüglich|minus) {item}"),
    // After a day is not on it.
    Phrase(
      .doubt, .doubt(.always), "(nach|seit)[ dem] {day}", "(nach|seit) ({every}|{time})",
      "(nach|seit) dem {monthDay}"),
    Phrase(.doubt, .doubt(.range), "({day} {time}|{every}) bis[ zum] {day}"),
    // A day that countries write in two ways.
    Phrase(
      .doubt, .doubt(.unreadDay), "{dayNumber}/{dayNumber}", "{dayNumber}/{dayNumber}/{number}",
      "{year}/{dayNumber}/{dayNumber}"),
    // A word that changes what is behind it.
    Phrase(
      .doubt, .doubt(.always), "(jeden|jede|jedes|jedem|alle)[{!}][ paar| {ordinal}] {item}",
      "{plainWeekday}[,] (und|oder|sowie) {item}"),
    // What is counted from something else than now.
    Phrase(
      .doubt, .doubt(.always), "in {number}~{unit}[,]~[am ]{plainWeekday}",
      "{number} {unit} (vor|nach|ab)[ dem| der| den] ({item}|{anyWeekday}|{moment})",
      "[um |gegen ]({number}|{hour}) (vor|nach) ({hourWord}|{clock}|halb)",
      "um {hour} (vor|nach) {hour}", "(tag|woche|monat) (vor|nach)[ dem] {day}"),
  ]
}
