extension QueryExpression where QueryValue.Unwrapped == Bool {
  /// Whether both conditions hold: `("t"."a" AND "t"."b")`
  /// (https://sqlite.org/lang_expr.html#operators).
  public static func && <R: QueryExpression>(left: Self, right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == Bool {
    infix(left.queryFragment, "AND", right.queryFragment)
  }
  /// Whether at least one of two conditions holds: `("t"."a" OR "t"."b")`.
  public static func || <R: QueryExpression>(left: Self, right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == Bool {
    infix(left.queryFragment, "OR", right.queryFragment)
  }
  /// Whether the condition does not hold: `(NOT "t"."a")`.
  public static prefix func ! (operand: Self) -> SQLQueryExpression<Bool> {
    SQLQueryExpression("(NOT \(operand.queryFragment.operand))")
  }
  /// Whether both conditions hold; the right one's type is inferred: `$0.isDone && #sql("…")`.
  public static func && (left: Self, right: SQLQueryExpression<Bool>) -> SQLQueryExpression<Bool> {
    infix(left.queryFragment, "AND", right.queryFragment)
  }
  /// Whether at least one condition holds; the right one's type is inferred: `("t"."a" OR …)`.
  public static func || (left: Self, right: SQLQueryExpression<Bool>) -> SQLQueryExpression<Bool> {
    infix(left.queryFragment, "OR", right.queryFragment)
  }
  /// Whether both conditions hold; the left one's type is inferred: `(… AND "t"."a")`.
  @_disfavoredOverload
  public static func && (left: SQLQueryExpression<Bool>, right: Self) -> SQLQueryExpression<Bool> {
    infix(left.queryFragment, "AND", right.queryFragment)
  }
  /// Whether at least one condition holds; the left one's type is inferred: `(… OR "t"."a")`.
  @_disfavoredOverload
  public static func || (left: SQLQueryExpression<Bool>, right: Self) -> SQLQueryExpression<Bool> {
    infix(left.queryFragment, "OR", right.queryFragment)
  }
  /// The operator `&&` as a method: `("t"."a" AND "t"."b")`.
  public func and<R: QueryExpression>(_ other: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == Bool { self && other }
  /// The operator `||` as a method: `("t"."a" OR "t"."b")`.
  public func or<R: QueryExpression>(_ other: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == Bool { self || other }
  /// The operator `!` as a method: `(NOT "t"."a")`.
  public func not() -> SQLQueryExpression<Bool> { !self }
}
