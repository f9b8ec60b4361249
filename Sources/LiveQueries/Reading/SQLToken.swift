/// A token of SQL, cut as SQLite cuts it (https://sqlite.org/draft/tokenreq.html).
struct SQLToken: Equatable {
  enum Kind: Equatable {
    /// A keyword or a bare name.
    case word
    /// A name in quotation marks, backticks or brackets.
    case quoted
    case string, number
    /// By the number that it is bound under.
    case parameter(Int)
    case mark
  }

  var kind: Kind
  /// Of names and strings what they mean, without their quotation marks.
  var text: String

  /// A word that may be a keyword.
  func isWord(_ keyword: String) -> Bool {
    kind == .word && text.utf8.count == keyword.utf8.count && text.uppercased() == keyword
  }
  func isMark(_ mark: String) -> Bool { kind == .mark && text == mark }
  var isName: Bool { kind == .word || kind == .quoted }

  /// The tokens of a text; `nil` where SQLite would find one that is none.
  static func tokens(of sql: String) -> [SQLToken]? {
    var lexer = SQLTokenizer(Array(sql.utf8))
    var tokens: [SQLToken] = []
    while true {
      switch lexer.next() {
      case .token(let token): tokens.append(token)
      case .end: return tokens
      case .illegal: return nil
      }
    }
  }
}

private struct SQLTokenizer {
  enum Step {
    case token(SQLToken)
    case end, illegal
  }

  private let bytes: [UInt8]
  private var place = 0
  private var parameters: [String: Int] = [:]
  private var lastParameter = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  private func peek(_ distance: Int = 0) -> UInt8? {
    place + distance < bytes.count ? bytes[place + distance] : nil
  }

  mutating func next() -> Step {
    skipSpace()
    guard let byte = peek() else { return .end }
    switch byte {
    case UInt8(ascii: "'"): return quoted(.string, byte)
    case UInt8(ascii: "\""), UInt8(ascii: "`"): return quoted(.quoted, byte)
    case UInt8(ascii: "["): return bracketed()
    case UInt8(ascii: "?"): return numbered()
    case UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "$"): return named()
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return number()
    case UInt8(ascii: "."):
      if let next = peek(1), isDigit(next) { return number() }
      return mark(1)
    case UInt8(ascii: "x"), UInt8(ascii: "X"):
      return peek(1) == UInt8(ascii: "'") ? blob() : word()
    case _ where isNamePart(byte): return word()
    default: return mark(markLength)
    }
  }

  private mutating func skipSpace() {
    while let byte = peek() {
      switch byte {
      case 9, 10, 12, 13, 32: place += 1
      case UInt8(ascii: "-") where peek(1) == byte:
        while let byte = peek(), byte != 10 { place += 1 }
      case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"):
        place += 2
        while let byte = peek(), !(byte == UInt8(ascii: "*") && peek(1) == UInt8(ascii: "/")) {
          place += 1
        }
        place = min(place + 2, bytes.count)
      default: return
      }
    }
  }

  private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  private mutating func quoted(_ kind: SQLToken.Kind, _ quote: UInt8) -> Step {
    var content: [UInt8] = []
    place += 1
    while let byte = peek() {
      place += 1
      if byte == quote {
        guard peek() == quote else {
          return .token(SQLToken(kind: kind, text: String(decoding: content, as: UTF8.self)))
        }
        place += 1
      }
      content.append(byte)
    }
    return .illegal
  }

  private mutating func bracketed() -> Step {
    let start = place + 1
    while let byte = peek(), byte != UInt8(ascii: "]") { place += 1 }
    guard peek() != nil else { return .illegal }
    place += 1
    return .token(SQLToken(kind: .quoted, text: text(start..<place - 1)))
  }

  /// `?` is one more than the greatest so far, `?7` is the seventh.
  private mutating func numbered() -> Step {
    let start = place + 1
    place += 1
    while let byte = peek(), isDigit(byte) { place += 1 }
    let digits = text(start..<place)
    let number = digits.isEmpty ? lastParameter + 1 : Int(digits) ?? 0
    guard number > 0 else { return .illegal }
    lastParameter = max(lastParameter, number)
    return .token(SQLToken(kind: .parameter(number), text: "?"))
  }

  private mutating func named() -> Step {
    let start = place
    place += 1
    while let byte = peek(), isNamePart(byte) || byte == UInt8(ascii: ":") {
      place += 1
    }
    let name = text(start..<place)
    // The suffix in parentheses that Tcl's variables have is left to those who speak Tcl.
    guard name.utf8.count > 1, peek() != UInt8(ascii: "(") else { return .illegal }
    let number = parameters[name] ?? lastParameter + 1
    parameters[name] = number
    lastParameter = max(lastParameter, number)
    return .token(SQLToken(kind: .parameter(number), text: name))
  }

  private mutating func number() -> Step {
    let start = place
    while let byte = peek() {
      let isSign = byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
      let last = place > start ? bytes[place - 1] | 0x20 : 0
      let isHexadecimal = place > start + 1 && bytes[start + 1] | 0x20 == UInt8(ascii: "x")
      let followsExponent = last == UInt8(ascii: "e") && !isHexadecimal
      guard
        isNamePart(byte) || byte == UInt8(ascii: ".") || isSign && followsExponent
      else { break }
      place += 1
    }
    return .token(SQLToken(kind: .number, text: text(start..<place)))
  }

  /// No constant that a column is compared with here: a mark like others.
  private mutating func blob() -> Step {
    let start = place
    place += 2
    while let byte = peek(), byte != UInt8(ascii: "'") { place += 1 }
    guard peek() != nil else { return .illegal }
    place += 1
    return .token(SQLToken(kind: .mark, text: text(start..<place)))
  }

  private mutating func word() -> Step {
    let start = place
    while let byte = peek(), isNamePart(byte) { place += 1 }
    return .token(SQLToken(kind: .word, text: text(start..<place)))
  }

  private var markLength: Int {
    switch (peek(), peek(1)) {
    case (UInt8(ascii: "="), UInt8(ascii: "=")), (UInt8(ascii: "<"), UInt8(ascii: "=")),
      (UInt8(ascii: "<"), UInt8(ascii: ">")), (UInt8(ascii: "<"), UInt8(ascii: "<")),
      (UInt8(ascii: ">"), UInt8(ascii: "=")), (UInt8(ascii: ">"), UInt8(ascii: ">")),
      (UInt8(ascii: "!"), UInt8(ascii: "=")), (UInt8(ascii: "|"), UInt8(ascii: "|")):
      2
    case (UInt8(ascii: "-"), UInt8(ascii: ">")): peek(2) == UInt8(ascii: ">") ? 3 : 2
    default: 1
    }
  }

  private mutating func mark(_ length: Int) -> Step {
    defer { place += length }
    return .token(SQLToken(kind: .mark, text: text(place..<place + length)))
  }

  private func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }

  /// Digits too: where a name may begin, they have been looked for before.
  private func isNamePart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...: true
    default: false
    }
  }
}
