// LIKE and GLOB (https://sqlite.org/lang_expr.html#like). LIKE ignores the case of ASCII letters.

extension QueryExpression where QueryValue.Unwrapped == String {
  /// Whether the text contains another one: `("t"."s" LIKE ?)`, with `%` and `_` in `text` escaped.
  public func contains(_ text: some StringProtocol) -> SQLQueryExpression<Bool> {
    like("%", String(text), "%")
  }
  /// Whether the text begins with another one: `("t"."s" LIKE ?)`, with `%` and `_` in `text`
  /// escaped.
  public func hasPrefix(_ text: some StringProtocol) -> SQLQueryExpression<Bool> {
    like("", String(text), "%")
  }
  /// Whether the text ends with another one: `("t"."s" LIKE ?)`, with `%` and `_` in `text`
  /// escaped.
  public func hasSuffix(_ text: some StringProtocol) -> SQLQueryExpression<Bool> {
    like("%", String(text), "")
  }

  /// Whether the text contains that of an expression, whose `%` and `_` SQLite escapes:
  /// `("t"."s" LIKE ('%' || replace(…) || '%') ESCAPE '\')`.
  public func contains<E: QueryExpression>(_ text: E) -> SQLQueryExpression<Bool>
  where E.QueryValue.Unwrapped == String { like(raw: "'%' || ", text.queryFragment, " || '%'") }
  /// Whether the text begins with that of an expression:
  /// `("t"."s" LIKE (replace(…) || '%') ESCAPE '\')`.
  public func hasPrefix<E: QueryExpression>(_ text: E) -> SQLQueryExpression<Bool>
  where E.QueryValue.Unwrapped == String { like(raw: "", text.queryFragment, " || '%'") }
  /// Whether the text ends with that of an expression:
  /// `("t"."s" LIKE ('%' || replace(…)) ESCAPE '\')`.
  public func hasSuffix<E: QueryExpression>(_ text: E) -> SQLQueryExpression<Bool>
  where E.QueryValue.Unwrapped == String { like(raw: "'%' || ", text.queryFragment, "") }

  /// Whether the text matches a LIKE pattern: `("t"."s" LIKE ?)`, or `("t"."s" LIKE ? ESCAPE ?)`.
  ///
  /// In the pattern `%` matches any text and `_` any character. `escape` makes the character after
  /// it literal.
  public func like(_ pattern: String, escape: Character? = nil) -> SQLQueryExpression<Bool> {
    like(pattern.queryFragment, escape)
  }
  /// Whether the text matches the LIKE pattern of an expression: `("t"."s" LIKE "t"."p")`.
  public func like<E: QueryExpression>(
    _ pattern: E, escape: Character? = nil
  ) -> SQLQueryExpression<Bool> where E.QueryValue.Unwrapped == String {
    like(pattern.queryFragment, escape)
  }
  /// Whether the text matches a GLOB pattern: `("t"."s" GLOB ?)`.
  ///
  /// `*` matches any text, `?` any character and `[a-z]` a character of a class. Case matters.
  public func glob(_ pattern: String) -> SQLQueryExpression<Bool> {
    infix(queryFragment, "GLOB", pattern.queryFragment)
  }
  /// Whether the text matches the GLOB pattern of an expression: `("t"."s" GLOB "t"."p")`.
  public func glob<E: QueryExpression>(_ pattern: E) -> SQLQueryExpression<Bool>
  where E.QueryValue.Unwrapped == String {
    infix(queryFragment, "GLOB", pattern.queryFragment)
  }

  private func like(
    _ pattern: QueryFragment, _ escape: Character?
  ) -> SQLQueryExpression<Bool> {
    guard let escape else { return infix(queryFragment, "LIKE", pattern) }
    return infix(queryFragment, "LIKE", "\(pattern) ESCAPE \(bind: String(escape))")
  }

  private func like(_ before: String, _ text: String, _ after: String) -> SQLQueryExpression<Bool> {
    // By scalars, as SQLite reads it: in Swift, `%` with a combining accent is a different
    // `Character`.
    var escaped = String.UnicodeScalarView()
    var isEscaped = false
    for scalar in text.unicodeScalars {
      if scalar == "%" || scalar == "_" || scalar == "\\" {
        escaped.append("\\")
        isEscaped = true
      }
      escaped.append(scalar)
    }
    guard isEscaped else { return like(before + text + after) }
    return like(before + String(escaped) + after, escape: "\\")
  }

  private func like(
    raw before: String, _ text: QueryFragment, _ after: String
  ) -> SQLQueryExpression<Bool> {
    let escaped: QueryFragment =
      #"replace(replace(replace(\#(text), '\', '\\'), '%', '\%'), '_', '\_')"#
    return infix(
      queryFragment, "LIKE",
      #"(\#(raw: before)\#(escaped)\#(raw: after)) ESCAPE '\'"#)
  }
}
