import MartletSQLTokens

/// A token of SQL, and what it means.
struct SQLToken: Equatable {
  enum Kind: Equatable {
    /// A keyword or a bare name.
    case word
    /// A name in quotation marks, backticks or brackets.
    case quoted
    case string, number
    /// By the number that it is bound under.
    case parameter(Int)
    /// A BLOB is one too: no column is compared with such a constant here.
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

  /// Without the marks around it; of two within, one stays. In brackets none are doubled.
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

/// Under which number SQLite binds each parameter (https://sqlite.org/lang_expr.html#varparam).
private struct ParameterNumbers {
  private var names: [String: Int] = [:]
  private var last = 0

  /// `?` is one more than the greatest so far, `?7` is the seventh, an equal name the same.
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
