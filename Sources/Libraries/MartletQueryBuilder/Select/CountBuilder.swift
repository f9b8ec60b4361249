/// Builds the number of `limit` and `offset`: `limit { _ in if let n { n } }`. Supports `if`,
/// `else` and `switch`; an empty closure sets no number.
@resultBuilder
public enum CountBuilder {
  /// An expression of an integer type.
  public static func buildExpression<E: QueryExpressible>(_ count: E) -> QueryFragment?
  where E.QueryValue.Unwrapped: FixedWidthInteger { count.queryFragment }
  /// A number, or `nil` for none.
  public static func buildExpression(_ count: Int?) -> QueryFragment? { count?.queryFragment }
  /// An expression whose type nothing else determines: `limit { _ in #sql("…") }`.
  public static func buildExpression(_ count: SQLQueryExpression<Int>) -> QueryFragment? {
    count.queryFragment
  }
  public static func buildBlock() -> QueryFragment? { nil }
  public static func buildBlock(_ count: QueryFragment?) -> QueryFragment? { count }
  public static func buildOptional(_ count: QueryFragment??) -> QueryFragment? { count ?? nil }
  public static func buildEither(first: QueryFragment?) -> QueryFragment? { first }
  public static func buildEither(second: QueryFragment?) -> QueryFragment? { second }
}
