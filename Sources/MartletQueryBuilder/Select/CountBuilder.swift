/// How many rows, or none said: `limit { _ in if let n { n } }`, with `if`, `else` and `switch`.
@resultBuilder
public enum CountBuilder {
  public static func buildExpression<E: QueryExpressible>(_ count: E) -> QueryFragment?
  where E.QueryValue.Unwrapped: FixedWidthInteger { count.queryFragment }
  /// `nil` says nothing.
  public static func buildExpression(_ count: Int?) -> QueryFragment? { count?.queryFragment }
  /// Where nothing else says the type: `limit { _ in #sql("…") }`.
  public static func buildExpression(_ count: SQLQueryExpression<Int>) -> QueryFragment? {
    count.queryFragment
  }
  public static func buildBlock() -> QueryFragment? { nil }
  public static func buildBlock(_ count: QueryFragment?) -> QueryFragment? { count }
  public static func buildOptional(_ count: QueryFragment??) -> QueryFragment? { count ?? nil }
  public static func buildEither(first: QueryFragment?) -> QueryFragment? { first }
  public static func buildEither(second: QueryFragment?) -> QueryFragment? { second }
}
