extension QuickAddLanguage {
  /// The words that have to be in one phrase. If they are not, a date of a part would be wrong, and
  /// none is read from the text.
  static let englishDoubts = [
    Phrase(
      .item, .text, "{day}", "{time}", "{every}", "{eachWeekday}", "{monthDay}", "the {monthDay}",
      "[the ]({ordinal}|last) {anyWeekday}", "(every|each) {part}",
      "(on|by|this|next) {anyWeekday}",
      "(weekdays|weekends|weekend|tonight|holidays)", "the {unit}"),
    // Lists that are no phrase.
    Phrase(
      .doubt, .doubt(.always), "{item}[,] (and|or|nor|plus|then) {item}", "{item}~(&|+|/)~{item}",
      "{item}[,] and (also|then|again|on|at) {item}", "(weekdays|weekends|tonight), {item}",
      "{item}, (weekdays|weekends|tonight)", "{item}, (every|each) {part}",
      "(every|each) {part}, {item}",
      "({clock}|at {hour})[,] or {hour}", "{day}, {day}", "{time}, {time}", "{day} {time}, {day}",
      "{every}, {day}", "{every}, {every}",
      "{anyWeekday}~[,|/|&|+|-|–]~{anyWeekday}", "{anyWeekday}[,] (and|or|to|through) {anyWeekday}",
      "from {day} (to|through|thru|till|until|-|–) {day}",
      "{clock} (to|till|until|-|–) {clock}", "{clock} {clock}",
      "{ordinal}[,] (and|or|&|+|to|,) {ordinal}",
      "{ordinal}[,] (and|or|&|+)[ the] last", "last[,] (and|or|&|+)[ the] {ordinal}"),
    Phrase(
      .doubt, .doubt(.bare), "{clock}[,] (and|&|+) {hour}", "at {hour}[,] (and|&|+) {hour}",
      "{clock}, {hour}", "at {hour}, {hour}", "{hour}[,] (and|or|&|+) {clock}"),
    Phrase(.doubt, .doubt(.bareRange), "{clock} (to|till|until|-|–) {hour}"),
    // Words of the other language, so that only a part would be read.
    Phrase(
      .doubt, .doubt(.always),
      """
      (jede|jeden|jedes|jedem|alle|nächste|nächsten|nächster|übernächsten|letzten|außer|nicht|ohne|\
      und|oder|sowie) ({item}|{anyWeekday})
      """),
    // Days of one month.
    Phrase(
      .doubt, .doubt(.always), "{dayNumber}~(-|–|/|&)~{date}",
      "{dayNumber} (to|through|and|or) {date}",
      "{monthDay}[,] (and|or|to|through|&|-|–) {date}", "{monthDay}, {date}",
      "{date} (and|or|to|through|&) {monthDay}"),
    Phrase(.doubt, .doubt(.bare), "{date} (and|or|to|through|&|-|–) {dayNumber}"),
    // Exceptions.
    Phrase(
      .doubt, .doubt(.always),
      """
      (except|excepting|excluding|excl|but|not|never|without|minus|skipping|unless|besides|exempt|\
      barring|omitting)[ for| on| in| at| every| the| this| next| all| from| during| before| after|\
       until| by]~\
      ({item}|{anyWeekday}|{unit}|{month}|{part}|holidays|vacation|summer|winter|spring|autumn)
      """,
      "(apart from|other than|except for|but not) ({item}|{anyWeekday}|{month})",
      "(not on|but on|not in) ({item}|{anyWeekday}|{month})",
      "({every}|{every} {time}) (except|excepting|excluding|unless|skipping|without|barring)",
      "({every}|{every} {time}), (except|excepting|excluding|unless|skipping|without|barring)",
      "{every} (save|bar) {item}",
      "{every} {eachWeekday}",
      "({every}|{every} {time}) (apart from|other than|but not|but never|save for)",
      "({item}|{anyWeekday}) (excluded|excepted|exempt|exempted)"),
    // An ordinal in front of what it does not belong to.
    Phrase(
      .doubt, .doubt(.always),
      "({ordinal}|last|previous|past|alternate|alternating|other|every) {anyWeekday}",
      "({ordinal}|last|{number}|alternate|alternating|every|other) {eachWeekday}",
      "{weekday} (after|before|of|in|from|following) {day}",
      "{weekday} (of|in) (the|next|this|every|each) {unit}", "{weekday} in {month}",

      "[on ]({ordinal}|last) (day|week) of {month}",
      "({ordinal}|last) of (the|next|this|each) {unit}"),
    // A recurrence that is not understood.
    Phrase(
      .doubt, .doubt(.always),
      """
      (every|each)[{!}] [single |few |couple of |business |working |alternate |odd |even |last |\
      other |{number} |{ordinals} |{ordinal} other |{ordinal} business |{ordinal} working ]\
      ({unit}|{anyWeekday}|{eachWeekday}|{part}|{clock}|weekday|weekdays|weekend|weekends|workday|\
      workdays|fortnight|quarter|quarters|{month}|{date})
      """,
      "every[{!}] {ordinals} (and|&|or) last",
      """
      (hourly|nightly|mornings|evenings|afternoons|nights|weekends|biweekly|bimonthly|\
      semiweekly|biannually|biennially|semiannually|bi-weekly)[,]~({item}|on {anyWeekday})
      """,
      "{time} (hourly|nightly|weekends|biweekly|bimonthly|biannually)",
      "(twice|thrice) {every}",
      "(once|twice|{number} times) (a|per|every|each) {unit}[,] (on|at) {item}",
      "(once|twice|{number} times) (a|per|every|each) {unit} {time}",
      "{number}[x]~(per|/)~{unit} {time}"),
    Phrase(
      .doubt, .doubt(.opening), "{day} (to|through|thru|-|–) {day}",
      "{day}[,] on ({anyWeekday}|{monthDay}|the {monthDay})",
      "[on |by |this |next ]{anyWeekday}[,]~[the ]{monthDay}",
      "[on |by |this |next ]{anyWeekday}[,] {date}"),
    // A day that is not understood, and a time that would be read alone.
    Phrase(
      .doubt, .doubt(.always),
      "{shortWeekday}[:|.|,][ -| –| around| about| after| by| before| from| until| till] {time}",
      "{shortWeekday} (week|{unit})", "[the ]{monthDay}[,] {time}", "{month}[,] {time}",
      "in (a few|few|a couple of|some|several|a fortnight)[ {unit}]", "a fortnight {time}",
      "(yesterday|weekday|weekend|everyday)[,] {time}", "(last|this) {unit}[,] {time}",
      "everyday (except|but|excluding|without|not)", "week of {day}", "week {number} {weekday}"),
    Phrase(
      .doubt, .doubt(.always), "{every} (of|in) (the|each|every|a|{month})",
      "(weekday|weekend|workday|business day|working day) of (every|each|the) {unit}",
      "{every}[,] on[ the] ({ordinal}|last) (day|weekday|{anyWeekday})", "{monthDay} {every}",
      "(no|never) ({eachWeekday}|weekends|holidays|{weekday})",
      """
      ({every}|{every} {time})[,] (skip|skips|omit|exclude|no)[ on| the]~\
      ({item}|{anyWeekday}|weekends|holidays)
      """,
      "{every} but[ the] ({ordinal}|last)", "{item} as well as[ at| on] {item}",
      "{clock} (and|or) (am|pm)", "(until|till) {day} (except|excluding|but not)",
      """
      (not including|aside from|exc|exc.|excl.|outside of|outside|exception of|exclusive of)\
      [ for| on| every| the]~({item}|{anyWeekday}|weekends|holidays|weekdays)
      """),
    // After a day is not on it.
    Phrase(
      .doubt, .doubt(.always), "(after|since) ({day}|{every}|{time}|tonight)",
      "(after|since) the {monthDay}"),
    // A day that countries write in two ways.
    Phrase(
      .doubt, .doubt(.unreadDay), "{dayNumber}/{dayNumber}", "{dayNumber}/{dayNumber}/{number}",
      "{year}/{dayNumber}/{dayNumber}"),
    // A word that changes what is behind it.
    Phrase(
      .doubt, .doubt(.always),
      "(every|each)[{!}][ other| few| couple of| single| {ordinal}|{number}] ({item}|tonight)",
      "{anyWeekday}[,] (and|or) ({item}|tonight)"),
    Phrase(
      .doubt, .doubt(.range),
      "({time}|{day} {time}|{every}|tonight) (to|thru|through) ({day}|{anyWeekday})"),
    // What is counted from something else than now.
    Phrase(
      .doubt, .doubt(.always), "in {number}~{unit}[,]~[on ]{anyWeekday}",
      "in {number}{shortUnit} on {anyWeekday}",
      "{number} (week|weeks|month|months|year|years) on {anyWeekday}",
      "{weekday} (week|fortnight)", "in {number}~{unit} (before|after|prior)",
      "{every}[,] [by |at ][the ](eod|end of day)",
      "(eod|end of day|end of the day)[,] {every}", "{day} of (next|this|the) {unit}",
      "{number} {unit} (before|after|prior to|past|to|till) ({item}|{anyWeekday}|{moment})",
      "[at ]({number}|{hour}) (past|to|till|before|after) ({hourWord}|{clock})",
      "{number} {unit} (ago|earlier|later) {day}",
      "(day|week|month|year|fortnight) (before|after|from) {day}",
      "{number} (week|weeks|month|months) {weekday}", "{weekday} {number} {unit} from (now|today)",
      "in {number} {unit} time[ on] {anyWeekday}",
      "at {hour} (past|to) {hour}", "half {time}"),
  ]
}
