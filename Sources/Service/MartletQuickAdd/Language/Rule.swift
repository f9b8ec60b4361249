/// A kind of phrase, or a part of phrases. Each has its own patterns.
enum Rule: Int, CaseIterable, Sendable {
  // Parts of phrases.
  case ordinal, monthDay, clock, moment, time, date, day, every, item
  // Phrases, in the order of precedence among phrases of equal length.
  case text, mark, end, alarm, recurrence, due
  // What has to be a part of one phrase, or no date is read from the text.
  case doubt

  /// Whether it is a part of phrases.
  var isPart: Bool { rawValue < Rule.text.rawValue }

  /// The rules that a phrase of the text can have.
  static let phrases: [Rule] = [.text, .mark, .end, .alarm, .recurrence, .due]

  /// The patterns that are the same in each language.
  static let common: [Phrase] = [
    Phrase(.mark, .noAlarms, "!!"),
    Phrase(.mark, .flag, "*"),
    Phrase(.time, .sameTime, "{clock}"),
    Phrase(.moment, .sameTime, "{clock}"),
    Phrase(.clock, .clock, "{hour}:{minute}"),
    Phrase(.date, .yearMonthDay, "{fullYear}-{two}-{two}"),
    Phrase(.day, .sameDate, "{date}"),
    Phrase(.due, .dueDay, "{day}"),
    Phrase(.due, .dueDayTime, "{day}[,] {time}"),
    Phrase(.due, .dueDayTime, "{moment}[,] {day}"),
    Phrase(.due, .dueTime, "{moment}"),
    Phrase(.recurrence, .recurrence, "{every}"),
    Phrase(.recurrence, .recurrence, "{every}[,] {time}"),
  ]
}

/// A way to say something, as a row of a language's table.
///
/// A pattern has words, `{slots}` that take a value from the text, `[optional parts]` and
/// `(one|of|several)`. A space stands for blanks, `~` for blanks or nothing, and parts without
/// anything in between must touch.
struct Phrase: Sendable {
  let rule: Rule
  let meaning: Meaning
  let patterns: [String]

  init(_ rule: Rule, _ meaning: Meaning, _ patterns: String...) {
    self.rule = rule
    self.meaning = meaning
    self.patterns = patterns
  }
}
