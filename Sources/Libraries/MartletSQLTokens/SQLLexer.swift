/// A lexer for SQL that follows SQLite's rules (https://sqlite.org/draft/tokenreq.html).
///
/// It skips whitespace but returns comments, because callers must close an unterminated comment
/// before they append text. It never fails. Input that SQLite rejects is returned as
/// ``Kind/illegal`` or as an unterminated token.
package struct SQLLexer {
  /// The kind of a token.
  package enum Kind: Equatable, Sendable {
    /// A keyword or an unquoted name.
    case word
    /// A name in double quotes, backticks or brackets.
    case quotedName
    case string, blob, number
    /// A parameter: `?`, `?1`, `:a`, `@a`, `$a`.
    case parameter
    /// An operator, a parenthesis, a comma or a period.
    case mark
    case lineComment, blockComment
    /// A placeholder for an interpolation, ``SQLLexer/hole``.
    case hole
    /// Not a token to SQLite, such as `]` alone, `12ab` or `x'0'`.
    case illegal
  }

  /// A token of a text.
  package struct Token: Equatable, Sendable {
    /// The kind of the token.
    package var kind: Kind
    /// The position in the text, in bytes.
    package var range: Range<Int>
    /// Whether a quotation or comment is terminated. A line comment is terminated by a newline.
    package var isClosed = true
  }

  /// A byte that stands for an interpolated operand or name. It does not occur in UTF-8.
  package static let hole: UInt8 = 0xFF

  private let bytes: [UInt8]
  private var place = 0

  /// Makes a lexer for UTF-8 bytes.
  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The tokens of a text.
  package static func tokens(of sql: String) -> [Token] { tokens(of: Array(sql.utf8)) }
  /// The tokens of UTF-8 bytes.
  package static func tokens(of bytes: [UInt8]) -> [Token] {
    var lexer = SQLLexer(bytes)
    var tokens: [Token] = []
    while let token = lexer.next() { tokens.append(token) }
    return tokens
  }

  /// Whether a text contains this word outside quotations and comments. `keyword` is in upper case.
  package static func has(_ keyword: StaticString, in sql: String) -> Bool {
    guard sql.utf8.count >= keyword.utf8CodeUnitCount else { return false }
    var lexer = SQLLexer(Array(sql.utf8))
    while let token = lexer.next() {
      if lexer.is(token, keyword) { return true }
    }
    return false
  }

  /// Whether a token of this lexer is the keyword, in any case. `keyword` is in upper case.
  package func `is`(_ token: Token, _ keyword: StaticString) -> Bool {
    guard token.kind == .word, token.range.count == keyword.utf8CodeUnitCount else { return false }
    return keyword.withUTF8Buffer { name in
      // The cases of a letter differ by one bit, which is clear in upper case.
      zip(bytes[token.range], name).allSatisfy { $0 & ~0x20 == $1 }
    }
  }

  /// The next token, or `nil` at the end.
  package mutating func next() -> Token? {
    while let byte = peek(), isSpace(byte) { place += 1 }
    guard let byte = peek() else { return nil }
    let start = place
    let (kind, isClosed) = read(byte)
    return Token(kind: kind, range: start..<place, isClosed: isClosed)
  }

  private func peek(_ distance: Int = 0) -> UInt8? {
    place + distance < bytes.count ? bytes[place + distance] : nil
  }

  private mutating func skip(while isPart: (UInt8) -> Bool) {
    while let byte = peek(), isPart(byte) { place += 1 }
  }

  private mutating func read(_ byte: UInt8) -> (Kind, isClosed: Bool) {
    switch byte {
    case UInt8(ascii: "'"): return (.string, quotation(until: byte))
    case UInt8(ascii: "\""), UInt8(ascii: "`"): return (.quotedName, quotation(until: byte))
    case UInt8(ascii: "["): return (.quotedName, skipPast(UInt8(ascii: "]")))
    case UInt8(ascii: "-") where peek(1) == byte:
      return (.lineComment, skipPast(UInt8(ascii: "\n")))
    case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"): return (.blockComment, comment())
    case UInt8(ascii: "?"):
      place += 1
      skip(while: isDigit)
      return (.parameter, true)
    case UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "$"): return (named(), true)
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return (number(), true)
    case UInt8(ascii: ".") where peek(1).map(isDigit) == true: return (number(), true)
    case UInt8(ascii: "x") where peek(1) == UInt8(ascii: "'"),
      UInt8(ascii: "X") where peek(1) == UInt8(ascii: "'"):
      return blob()
    case Self.hole:
      place += 1
      return (.hole, true)
    case _ where isNamePart(byte):
      skip(while: isNamePart)
      return (.word, true)
    default:
      let length = markLength(byte)
      place += max(length, 1)
      return (length > 0 ? .mark : .illegal, true)
    }
  }

  /// A doubled quotation mark stands for one.
  private mutating func quotation(until mark: UInt8) -> Bool {
    while skipPast(mark) {
      guard peek() == mark else { return true }
    }
    return false
  }

  /// Skips this byte and everything up to and including `end`. Returns `false` if `end` is missing.
  private mutating func skipPast(_ end: UInt8) -> Bool {
    place += 1
    skip { $0 != end }
    guard place < bytes.count else { return false }
    place += 1
    return true
  }

  private mutating func comment() -> Bool {
    place += 1
    while skipPast(UInt8(ascii: "*")) {
      if peek() == UInt8(ascii: "/") {
        place += 1
        return true
      }
      place -= 1
    }
    return false
  }

  private mutating func blob() -> (Kind, isClosed: Bool) {
    place += 1
    let start = place + 1
    let isClosed = skipPast(UInt8(ascii: "'"))
    let digits = bytes[start..<(isClosed ? place - 1 : place)]
    let isLegal =
      digits.contains(Self.hole) || digits.allSatisfy(isHexDigit) && digits.count % 2 == 0
    return (isClosed && !isLegal ? .illegal : .blob, isClosed)
  }

  /// Reads a named parameter, including Tcl's form `$a::b(c)`.
  private mutating func named() -> Kind {
    place += 1
    var isNamed = false
    while let byte = peek() {
      if isNamePart(byte) {
        isNamed = true
        place += 1
      } else if byte == UInt8(ascii: ":"), peek(1) == byte {
        place += 2
      } else if byte == UInt8(ascii: "("), isNamed {
        skip { !isSpace($0) && $0 != UInt8(ascii: ")") }
        guard peek() == UInt8(ascii: ")") else { return .illegal }
        place += 1
        break
      } else {
        break
      }
    }
    return isNamed ? .parameter : .illegal
  }

  private mutating func number() -> Kind {
    if peek() == UInt8(ascii: "0"), let letter = peek(1), letter | 0x20 == UInt8(ascii: "x"),
      peek(2).map(isHexDigit) == true
    {
      place += 2
      skip { isHexDigit($0) || $0 == UInt8(ascii: "_") }
    } else {
      // SQLite 3.46 and later allow `_` between digits.
      skip { isDigit($0) || $0 == UInt8(ascii: "_") }
      if peek() == UInt8(ascii: ".") {
        place += 1
        skip { isDigit($0) || $0 == UInt8(ascii: "_") }
      }
      if let letter = peek(), letter | 0x20 == UInt8(ascii: "e") {
        let isSigned = peek(1) == UInt8(ascii: "+") || peek(1) == UInt8(ascii: "-")
        if peek(isSigned ? 2 : 1).map(isDigit) == true {
          place += isSigned ? 2 : 1
          skip { isDigit($0) || $0 == UInt8(ascii: "_") }
        }
      }
    }
    let end = place
    skip(while: isNamePart)
    return place == end ? .number : .illegal
  }

  /// The length of the operator or punctuation, or 0 if there is no such token.
  private func markLength(_ byte: UInt8) -> Int {
    switch (byte, peek(1)) {
    case (UInt8(ascii: "="), UInt8(ascii: "=")), (UInt8(ascii: "<"), UInt8(ascii: "=")),
      (UInt8(ascii: "<"), UInt8(ascii: ">")), (UInt8(ascii: "<"), UInt8(ascii: "<")),
      (UInt8(ascii: ">"), UInt8(ascii: "=")), (UInt8(ascii: ">"), UInt8(ascii: ">")),
      (UInt8(ascii: "!"), UInt8(ascii: "=")), (UInt8(ascii: "|"), UInt8(ascii: "|")):
      2
    case (UInt8(ascii: "-"), UInt8(ascii: ">")): peek(2) == UInt8(ascii: ">") ? 3 : 2
    default: marks.contains(byte) ? 1 : 0
    }
  }
}

private let marks = Array("()+,-./;*=<>%&|~".utf8)

private func isSpace(_ byte: UInt8) -> Bool {
  switch byte {
  case 9, 10, 12, 13, 32: true
  default: false
  }
}
private func isDigit(_ byte: UInt8) -> Bool {
  byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
}
private func isHexDigit(_ byte: UInt8) -> Bool {
  isDigit(byte) || (byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "f"))
}
/// Includes digits: a token that begins with one is read as a number before this is used.
private func isNamePart(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): true
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
  case UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80..<SQLLexer.hole: true
  default: false
  }
}
