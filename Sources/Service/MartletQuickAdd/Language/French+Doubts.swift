extension QuickAddLanguage {
  /// The words that have to be in one phrase. If they are not, a date of a part would be wrong, and
  /// none is read from the text.
  static let frenchDoubts = [
    Phrase(
      .item, .text, "{day}", "{time}", "{every}", "{eachWeekday}", "{moment}",
      "(le|les|du|au) ({monthDay}|{eachWeekday}|{anyWeekday})",
      "[le |au ]({ordinal}|dernier) ({anyWeekday}|{unit})",
      "(ce|chaque) ({part}|{anyWeekday}|{ordinal})", "(week-end|weekend|week-ends|weekends|fériés)"),
    // Lists that are no phrase.
    Phrase(
      .doubt, .doubt(.always), "{item}[,] (et|ou|puis|ainsi que) {item}", "{item}~(&|+|/)~{item}",
      "{item} et (aussi|encore|de nouveau) {item}", "{day}, {day}", "{time}, {time}",
      "{day} {time}, {day}", "{every}, {day}", "{every}, {every}",
      "{anyWeekday}~[,|/|&|+|-|–]~{plainWeekday}",
      "{plainWeekday}[,] (et|ou|à|au) {plainWeekday}", "{plainWeekday}[,] (et|ou|ainsi que) {item}",
      "{anyWeekday}[,] (ou|et|à) {plainWeekday}", "{weekday}, {anyWeekday}",
      "(de|du) {day} (à|au|jusqu('|’)à|-|–) {day}", "{clock} (à|-|–) {clock}", "{clock} {clock}",
      "{ordinal}[,] (et|ou|&|+|,) ({ordinal}|dernier)", "dernier[,] (et|ou|&|+) {ordinal}"),
    // Days of one month, and of a weekday: `le 24 et 25 décembre`, `lundi 30`.
    Phrase(
      .doubt, .doubt(.always), "{dayNumber}[er]~(-|–|/|&|et|ou|au|à)~{date}",
      "{date} (et|ou|&) {monthDay}", "(le |les ){monthDay}[,] (et|ou|&|+|au) {dayNumber}[er]",
      "{anyWeekday} {dayNumber}[er]"),
    // Exceptions.
    Phrase(
      .doubt, .doubt(.always),
      """
      (sauf|excepté|hormis|hors|sans|pas|jamais|à part|mais pas|à l'exception de|\
      à l'exception du)[ le| les| la| en| au| du| pour]~\
      ({item}|{anyWeekday}|{eachWeekday}|{month}|{unit}|{part}|vacances|fériés|été|hiver)
      """,
      "({every}|{every} {time})[,] (sauf|excepté|hormis|hors|mais pas|à part)",
      "{every} {eachWeekday}"),
    // An ordinal in front of what it does not belong to, and the other weekday.
    Phrase(
      .doubt, .doubt(.always), "({ordinal}|dernier|chaque) ({plainWeekday}|{part})",
      "({ordinal}|derniers|{number}) {eachWeekday}", "{weekday} (dernier|passé|suivant)",
      "{weekday} en (huit|quinze)", "{weekday} (après|avant) {day}",
      "[le ]{weekday} (de|du|d('|’)) ({month}|{unit}|mois)", "(le|un) {weekday}",
      "un {weekday} sur (deux|trois|quatre)", "le ({ordinal}|dernier) {anyWeekday} du mois",
      "un {unit} sur (deux|trois|quatre)"),
    // A recurrence that is not understood.
    Phrase(
      .doubt, .doubt(.always),
      """
      (chaque|tous les|toutes les)[{!}] [autre |premiers |derniers |{number} |{ordinals} ]\
      ({unit}|{plainWeekday}|{eachWeekday}|{part}|{clock}|{month}|{date}|{item})
      """,
      "(chaque|tous les|toutes les)[{!}] (après-midi|nuit|nuits)",
      "{every} (en|de|du|dans) ({month}|{unit})", "{every}[,] le ({ordinal}|dernier) {anyWeekday}",
      "({number}|une|deux|trois) fois par {unit}", "(le|les) {monthDay} {every}"),
    Phrase(.doubt, .doubt(.opening), "{day} (au|à|jusqu('|’)à|-|–) {day}"),
    // A day that is not understood, and a time that would be read alone.
    Phrase(
      .doubt, .doubt(.always), "{shortWeekday}[:|.|,] {time}", "{month}[,] {time}",
      "dans (quelques|plusieurs) {unit}", "(hier|avant-hier)[,] {time}",
      "(cette|la) semaine[,] {time}", "(le week-end|le weekend)[,] {time}"),
    // After a day is not on it.
    Phrase(.doubt, .doubt(.always), "(après|depuis)[ le] {item}"),
    Phrase(
      .doubt, .doubt(.range),
      "({day} {time}|{every}|ce {part}|{moment}) (jusqu('|’)à|jusqu('|’)au) {day}"),
    Phrase(
      .doubt, .doubt(.unreadDay), "{dayNumber}/{dayNumber}", "{year}/{dayNumber}/{dayNumber}"),
    // Words of the other languages, so that only a part would be read.
    Phrase(
      .doubt, .doubt(.always),
      "(every|each|next|last|except|jeden|jede|nächsten) ({item}|{anyWeekday})"),
    // What is counted from something else than now.
    Phrase(
      .doubt, .doubt(.always), "dans {number}~{unit}[,]~{plainWeekday}",
      "{number} {unit} (avant|après)[ le| la] ({item}|{anyWeekday}|{moment})"),
  ]
}
