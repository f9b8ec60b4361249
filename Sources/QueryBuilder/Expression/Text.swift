extension QueryOperand where QueryValue.Unwrapped == String {
  /// `("t"."s" LIKE '%a%')`, with ASCII case folded as SQLite does. `%` and `_` in `text` mean themselves.
  public func contains(_ text: String) -> SQLQueryExpression<Bool> { like("%", text, "%") }
  public func hasPrefix(_ text: String) -> SQLQueryExpression<Bool> { like("", text, "%") }
  public func hasSuffix(_ text: String) -> SQLQueryExpression<Bool> { like("%", text, "") }

  /// The pattern as it stands: `%` is any text, `_` any character (https://sqlite.org/lang_expr.html#like).
  public func like(_ pattern: String, escape: Character? = nil) -> SQLQueryExpression<Bool> {
    let escaping = escape.map { " ESCAPE \(QueryFragment(.text(String($0))))" as QueryFragment }
    return SQLQueryExpression(
      "(\(queryFragment) LIKE \(QueryFragment(.text(pattern)))\(escaping ?? QueryFragment()))")
  }
  public func glob(_ pattern: String) -> SQLQueryExpression<Bool> {
    infix(queryFragment, "GLOB", QueryFragment(.text(pattern)))
  }

  private func like(_ before: String, _ text: String, _ after: String) -> SQLQueryExpression<Bool> {
    guard text.contains(where: { $0 == "%" || $0 == "_" || $0 == "\\" }) else {
      return like(before + text + after)
    }
    var escaped = ""
    for character in text {
      if character == "%" || character == "_" || character == "\\" { escaped.append("\\") }
      escaped.append(character)
    }
    return like(before + escaped + after, escape: "\\")
  }

  public func lower() -> SQLQueryExpression<QueryValue> { call("lower", queryFragment) }
  public func upper() -> SQLQueryExpression<QueryValue> { call("upper", queryFragment) }
  public func replace(_ old: String, _ new: String) -> SQLQueryExpression<QueryValue> {
    call("replace", queryFragment, old.queryFragment, new.queryFragment)
  }
  public func substr(_ start: Int, _ length: Int? = nil) -> SQLQueryExpression<QueryValue> {
    if let length {
      return call("substr", queryFragment, start.queryFragment, length.queryFragment)
    }
    return call("substr", queryFragment, start.queryFragment)
  }
  public func trim() -> SQLQueryExpression<QueryValue> { call("trim", queryFragment) }
  /// The number of characters; of bytes for a blob.
  public func length() -> SQLQueryExpression<Int> { call("length", queryFragment) }

  /// `"t"."s" COLLATE "NOCASE"` (https://sqlite.org/datatype3.html#collating_sequences).
  public func collate(_ collation: Collation) -> SQLQueryExpression<QueryValue> {
    SQLQueryExpression("(\(queryFragment) COLLATE \(quote: collation.rawValue))")
  }
}

/// A collating sequence by name.
public struct Collation: RawRepresentable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let binary = Collation(rawValue: "BINARY")
  /// Folds the case of ASCII letters only.
  public static let nocase = Collation(rawValue: "NOCASE")
  public static let rtrim = Collation(rawValue: "RTRIM")
}
