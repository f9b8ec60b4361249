internal import MartletSQLTokens

extension QueryFragment {
  /// SQL as a person wrote it. A comment at its end must not swallow what is printed behind it.
  static func written(_ fragment: QueryFragment) -> QueryFragment {
    var fragment = fragment
    fragment.traits.insert(.raw)
    if let last = SQLLexer.tokens(of: fragment.bytes).last, !last.isClosed {
      if last.kind == .lineComment { fragment.append(raw: "\n") }
      if last.kind == .blockComment { fragment.append(raw: "*/") }
    }
    return fragment
  }

  /// In parentheses where it is written by hand and is more than a name, a literal or a call:
  /// `#sql("a OR b") && c` is no `a OR b AND c`.
  var operand: QueryFragment {
    guard traits.contains(.raw), !isPrimary else { return self }
    return "(\(self))"
  }

  /// Whether the word SELECT stands in a text, not as a part of a name or a string.
  static func isSelect(in sql: String) -> Bool {
    // Most pieces of SQL are shorter than the word.
    sql.utf8.count >= 6 && SQLLexer.has("SELECT", in: sql)
  }

  /// For the lexer: its text, with a hole for each column and value.
  private var bytes: [UInt8] {
    var bytes: [UInt8] = []
    for segment in segments {
      switch segment {
      case .sql(let text): bytes += text.utf8
      case .column, .binding, .parameter: bytes.append(SQLLexer.hole)
      case .requirement, .function: break
      }
    }
    return bytes
  }

  /// One name, literal, call or parenthesis, without a space around or inside of it.
  private var isPrimary: Bool {
    enum Part { case nothing, name, point, group }
    let bytes = bytes
    let lexer = SQLLexer(bytes)
    var (part, depth, end) = (Part.nothing, 0, 0)
    for token in SQLLexer.tokens(of: bytes) {
      guard token.isClosed else { return false }
      let first = bytes[token.range.lowerBound]
      if depth == 0, token.range.lowerBound > end { return false }
      end = token.range.upperBound
      switch token.kind {
      case .mark where first == UInt8(ascii: "("):
        if depth == 0, part != .nothing, part != .name { return false }
        depth += 1
      case .mark where first == UInt8(ascii: ")"):
        depth -= 1
        if depth < 0 { return false }
        if depth == 0 { part = .group }
      case _ where depth > 0: continue
      case .mark where first == UInt8(ascii: ".") && part == .name: part = .point
      case .word, .quotedName, .string, .blob, .number, .parameter, .hole:
        // `NOT(a)` is no call.
        let isOperator = lexer.is(token, "NOT") || lexer.is(token, "SELECT")
        if isOperator || part == .name || part == .group { return false }
        part = .name
      case .mark, .lineComment, .blockComment, .illegal: return false
      }
    }
    return depth == 0 && part != .point && end == bytes.count
  }
}
