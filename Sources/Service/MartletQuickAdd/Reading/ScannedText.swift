/// A text as tokens.
///
/// All places are those of Unicode scalars. A phrase never begins or ends between a letter and its
/// combining marks, because both belong to one token.
struct ScannedText {
  let scalars: [Unicode.Scalar]
  private(set) var tokens: [Token] = []
  /// Which scalars are markup: backslashes and quotation marks that the title does not contain.
  private(set) var isMarkup: [Bool]
  /// How many scalars were read.
  private(set) var steps = 0

  private let lexicon: Lexicon
  /// The opening quotation marks without a closing one in the rest of the text.
  private var unclosed: Set<Unicode.Scalar> = []

  init(_ text: String, _ lexicon: Lexicon) {
    scalars = Array(text.unicodeScalars)
    isMarkup = [Bool](repeating: false, count: scalars.count)
    self.lexicon = lexicon
    scan()
  }

  /// Whether a scalar separates words. NUL does too, because a title cannot contain it.
  static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x80 {
      return scalar.value == 0x20 || 0x09...0x0D ~= scalar.value || scalar.value == 0
    }
    return scalar.properties.isWhitespace
  }

  static func isDigit(_ scalar: Unicode.Scalar) -> Bool { 0x30...0x39 ~= scalar.value }

  /// Whether a scalar is a letter, or modifies the one before it.
  static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x80 { return (scalar.value | 0x20) &- 0x61 < 26 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: return true
    default: return scalar.properties.isAlphabetic
    }
  }

  private mutating func scan() {
    var place = 0
    var isFirst = true
    while place < scalars.count {
      steps += 1
      guard !ScannedText.isBlank(scalars[place]) else {
        place += 1
        isFirst = true
        continue
      }
      let token = token(at: place, isFirst)
      tokens.append(token)
      place = token.range.upperBound
      isFirst = false
    }
  }

  private mutating func token(at place: Int, _ isFirst: Bool) -> Token {
    let scalar = scalars[place]
    func make(_ kind: Token.Kind, to end: Int) -> Token {
      Token(kind: kind, range: place..<end, isFirst: isFirst)
    }
    if isFirst {
      switch scalar {
      case "\\" where !isEnd(place + 1):
        isMarkup[place] = true
        return make(.text, to: endOfWord(from: place))
      case "/" where place + 1 < scalars.count && scalars[place + 1] == "/" && isEnd(place + 2):
        return make(.notes, to: scalars.count)
      case "#", "@":
        if isEnd(place + 1) { return make(.symbol(scalar), to: place + 1) }
        if let closing = closing(of: place + 1) {
          return make(.name(scalar, place + 2..<closing, isQuoted: true), to: closing + 1)
        }
        // A quotation that is not closed is not a name.
        if Quotation(opening: scalars[place + 1]) != nil {
          return make(.symbol(scalar), to: place + 1)
        }
        let end = endOfWord(from: place)
        return make(.name(scalar, place + 1..<end, isQuoted: false), to: end)
      default: break
      }
    }
    if isFirst || "([{".unicodeScalars.contains(scalars[place - 1]),
      let closing = closing(of: place)
    {
      if scalar == "\"" { markQuotation(place...closing) }
      return make(.text, to: closing + 1)
    }
    if ScannedText.isDigit(scalar) {
      let end = run(from: place, ScannedText.isDigit)
      return make(.number(number(place..<end), length: end - place), to: end)
    }
    guard ScannedText.isLetter(scalar) else { return make(.symbol(scalar), to: place + 1) }
    let end = run(from: place, ScannedText.isLetter)
    var word = make(.word(lexicon.number(of: scalars[place..<end])), to: end)
    word.isCapital = scalar.properties.isUppercase
    return word
  }

  /// Whether a place is the end of a word.
  private func isEnd(_ place: Int) -> Bool {
    place >= scalars.count || ScannedText.isBlank(scalars[place])
  }

  private mutating func endOfWord(from place: Int) -> Int {
    run(from: place) { !ScannedText.isBlank($0) }
  }

  private mutating func run(from place: Int, _ belongs: (Unicode.Scalar) -> Bool) -> Int {
    var end = place + 1
    while end < scalars.count, belongs(scalars[end]) { end += 1 }
    steps += end - place
    return end
  }

  private func number(_ digits: Range<Int>) -> Int? {
    guard digits.count <= 9 else { return nil }
    return scalars[digits].reduce(0) { $0 * 10 + Int($1.value - 0x30) }
  }

  /// The place of the mark that closes the quotation that opens at `place`; `nil` if no quotation
  /// opens there, or it is not closed.
  private mutating func closing(of place: Int) -> Int? {
    let mark = scalars[place]
    guard let quotation = Quotation(opening: mark), !unclosed.contains(mark) else { return nil }
    var end = place + 1
    while end < scalars.count {
      steps += 1
      if quotation.isMarkup, scalars[end] == "\\" {
        end += 2
        continue
      }
      if quotation.closing.contains(scalars[end]),
        !quotation.isApostrophe || end + 1 == scalars.count
          || !(ScannedText.isLetter(scalars[end + 1]) || ScannedText.isDigit(scalars[end + 1]))
      {
        return end
      }
      end += 1
    }
    // Later quotations with this mark are not closed either. Not searching again keeps the time
    // linear.
    unclosed.insert(mark)
    return nil
  }

  /// Marks the quotation marks, and the backslashes in front of a mark or a backslash.
  private mutating func markQuotation(_ range: ClosedRange<Int>) {
    isMarkup[range.lowerBound] = true
    isMarkup[range.upperBound] = true
    var place = range.lowerBound + 1
    while place < range.upperBound {
      if scalars[place] == "\\" {
        if scalars[place + 1] == "\\" || scalars[place + 1] == "\"" { isMarkup[place] = true }
        place += 1
      }
      place += 1
    }
  }
}

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

/// A pair of quotation marks.
struct Quotation {
  let closing: [Unicode.Scalar]
  /// Whether the marks are left out of the title. Typographic ones stay: they are part of the
  /// text.
  let isMarkup: Bool
  /// Whether the closing mark is also an apostrophe, so that no letter or digit may follow it.
  let isApostrophe: Bool

  /// The pair that begins with a character, if one does.
  init?(opening: Unicode.Scalar) {
    isMarkup = opening == "\""
    isApostrophe = opening == "'" || opening == "‘"
    switch opening {
    case "\"", "'": closing = [opening]
    case "“": closing = ["”"]
    case "„": closing = ["“", "”"]
    case "‘": closing = ["’"]
    case "‚": closing = ["‘", "’"]
    case "«": closing = ["»"]
    case "»": closing = ["«"]
    default: return nil
    }
  }
}
