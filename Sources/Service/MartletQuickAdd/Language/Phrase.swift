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
