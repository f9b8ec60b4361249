internal import MartletSQLTokens

extension QueryFragment {
  /// SQL written by hand. A comment that is open at its end is closed, so that it does not include
  /// what is printed after it.
  static func written(_ fragment: QueryFragment) -> QueryFragment {
    var fragment = fragment
    fragment.traits.insert(.raw)
    if let last = SQLLexer.tokens(of: fragment.bytes).last, !last.isClosed {
      if last.kind == .lineComment { fragment.append(raw: "\n") }
      if last.kind == .blockComment { fragment.append(raw: "*/") }
    }
    return fragment
  }

  /// The fragment in parentheses if it is written by hand and more than a name, a literal or a
  /// call, so that `#sql("a OR b") && c` does not become `a OR b AND c`.
  var operand: QueryFragment {
    guard traits.contains(.raw), !isPrimary else { return self }
    return "(\(self))"
  }

  /// Whether a text contains the keyword SELECT outside of names and strings.
  static func isSelect(in sql: String) -> Bool {
    // Most pieces of SQL are shorter than the keyword.
    sql.utf8.count >= 6 && SQLLexer.has("SELECT", in: sql)
  }

  /// The text for the lexer, with a placeholder for each column and value.
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

  /// Whether it is one name, literal, call or parenthesized expression, without spaces around or
  /// between its parts.
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
        // `NOT(a)` is not a call.
        let isOperator = lexer.is(token, "NOT") || lexer.is(token, "SELECT")
        if isOperator || part == .name || part == .group { return false }
        part = .name
      case .mark, .lineComment, .blockComment, .illegal: return false
      }
    }
    return depth == 0 && part != .point && end == bytes.count
  }
}
