import MartletSQLTokens

/// An SQL token with its meaning.
struct SQLToken: Equatable {
  enum Kind: Equatable {
    /// A keyword or an unquoted name.
    case word
    /// A name in double quotes, backticks or brackets.
    case quoted
    case string, number
    /// A parameter, by the number under which it is bound.
    case parameter(Int)
    /// An operator or punctuation. A BLOB literal counts as one, since no restriction uses it.
    case mark
  }

  var kind: Kind
  /// The text. Names and strings are unquoted.
  var text: String

  /// Whether the token is this keyword, which is given in upper case.
  func isWord(_ keyword: String) -> Bool {
    kind == .word && text.utf8.count == keyword.utf8.count && text.uppercased() == keyword
  }
  func isMark(_ mark: String) -> Bool { kind == .mark && text == mark }
  var isName: Bool { kind == .word || kind == .quoted }

  /// The tokens of a text, or `nil` if one is invalid or unterminated.
  static func tokens(of sql: String) -> [SQLToken]? {
    let bytes = Array(sql.utf8)
    var parameters = ParameterNumbers()
    var tokens: [SQLToken] = []
    for token in SQLLexer.tokens(of: bytes) {
      let text = bytes[token.range]
      switch token.kind {
      case .lineComment, .blockComment: continue
      case .illegal, .hole: return nil
      case .word: tokens.append(SQLToken(.word, text))
      case .number: tokens.append(SQLToken(.number, text))
      case .mark, .blob: tokens.append(SQLToken(.mark, text))
      case .string: tokens.append(SQLToken(.string, unquoted(text)))
      case .quotedName: tokens.append(SQLToken(.quoted, unquoted(text)))
      case .parameter:
        guard let number = parameters.number(of: text) else { return nil }
        tokens.append(SQLToken(.parameter(number), text))
      }
      guard token.isClosed else { return nil }
    }
    return tokens
  }

  private init(_ kind: Kind, _ text: some Collection<UInt8>) {
    self.kind = kind
    self.text = String(decoding: text, as: UTF8.self)
  }

  /// Removes the quotes and undoes their doubling. In brackets no character is doubled.
  private static func unquoted(_ text: ArraySlice<UInt8>) -> [UInt8] {
    guard let mark = text.first else { return [] }
    var content: [UInt8] = []
    var isSecond = false
    for byte in text.dropFirst().dropLast() {
      isSecond = byte == mark && mark != UInt8(ascii: "[") && !isSecond
      if !isSecond { content.append(byte) }
    }
    return content
  }
}

/// Assigns parameter numbers as SQLite does (https://sqlite.org/lang_expr.html#varparam).
private struct ParameterNumbers {
  private var names: [String: Int] = [:]
  private var last = 0

  /// The number of a parameter: for `?` one more than the largest so far, for `?7` 7, and for a
  /// repeated name its first number.
  mutating func number(of text: ArraySlice<UInt8>) -> Int? {
    let name = String(decoding: text, as: UTF8.self)
    let isNumbered = text.first == UInt8(ascii: "?")
    let given = isNumbered ? name.dropFirst() : ""
    let number = given.isEmpty ? (isNumbered ? nil : names[name]) ?? last + 1 : Int(given) ?? 0
    guard number > 0 else { return nil }
    if !isNumbered { names[name] = number }
    last = max(last, number)
    return number
  }
}
