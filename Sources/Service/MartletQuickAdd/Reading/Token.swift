/// A piece of the text: a run of letters, a run of digits, or something that stands for itself.
struct Token {
  enum Kind: Equatable {
    /// A run of letters: its number in the lexicon of the language, or `nil` if it is not there.
    case word(Int?)
    /// A run of ASCII digits. The value is `nil` if it has more than nine.
    case number(Int?, length: Int)
    /// Any other character.
    case symbol(Unicode.Scalar)
    /// Text that no phrase contains: a quotation, or a word behind a backslash.
    case text
    /// `#` or `@` and a name up to the next blank or the closing quotation mark.
    case name(Unicode.Scalar, Range<Int>, isQuoted: Bool)
    /// `//` and everything behind it.
    case notes
  }

  var kind: Kind
  /// Where it is, as places in ``ScannedText/scalars``.
  var range: Range<Int>
  /// Whether it is the first of its word: a blank is in front of it, or the start of the text.
  var isFirst: Bool
  /// Whether it begins with a capital letter.
  var isCapital = false
}
