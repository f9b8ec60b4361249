// LIKE and GLOB (https://sqlite.org/lang_expr.html#like). LIKE folds the case of ASCII letters.

extension QueryExpression where QueryValue.Unwrapped == String {
  /// `("t"."s" LIKE '%a%')`. `%` and `_` in `text` mean themselves.
  public func contains(_ text: some StringProtocol) -> SQLQueryExpression<Bool> {
    like("%", String(text), "%")
  }
  public func hasPrefix(_ text: some StringProtocol) -> SQLQueryExpression<Bool> {
    like("", String(text), "%")
  }
  public func hasSuffix(_ text: some StringProtocol) -> SQLQueryExpression<Bool> {
    like("%", String(text), "")
  }

  /// The same with a text from the database, whose `%` and `_` mean themselves too.
  public func contains<E: QueryExpression>(_ text: E) -> SQLQueryExpression<Bool>
  where E.QueryValue.Unwrapped == String { like(raw: "'%' || ", text.queryFragment, " || '%'") }
  public func hasPrefix<E: QueryExpression>(_ text: E) -> SQLQueryExpression<Bool>
  where E.QueryValue.Unwrapped == String { like(raw: "", text.queryFragment, " || '%'") }
  public func hasSuffix<E: QueryExpression>(_ text: E) -> SQLQueryExpression<Bool>
  where E.QueryValue.Unwrapped == String { like(raw: "'%' || ", text.queryFragment, "") }

  /// The pattern as it stands: `%` is any text, `_` any character.
  public func like(_ pattern: String, escape: Character? = nil) -> SQLQueryExpression<Bool> {
    like(pattern.queryFragment, escape)
  }
  public func like<E: QueryExpression>(
    _ pattern: E, escape: Character? = nil
  ) -> SQLQueryExpression<Bool> where E.QueryValue.Unwrapped == String {
    like(pattern.queryFragment, escape)
  }
  /// `*` is any text, `?` any character, `[a-z]` one of a class. Case matters.
  public func glob(_ pattern: String) -> SQLQueryExpression<Bool> {
    infix(queryFragment, "GLOB", pattern.queryFragment)
  }
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
    // By scalars, as SQLite reads it: to Swift's `Character` a `%` with an accent behind it is none.
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
