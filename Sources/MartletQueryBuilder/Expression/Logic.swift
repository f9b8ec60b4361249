extension QueryExpression where QueryValue.Unwrapped == Bool {
  public static func && <R: QueryExpression>(left: Self, right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == Bool {
    infix(left.queryFragment, "AND", right.queryFragment)
  }
  public static func || <R: QueryExpression>(left: Self, right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == Bool {
    infix(left.queryFragment, "OR", right.queryFragment)
  }
  public static prefix func ! (operand: Self) -> SQLQueryExpression<Bool> {
    SQLQueryExpression("(NOT \(operand.queryFragment.operand))")
  }
  // Where nothing else says the type: `$0.isDone && #sql("…")`.
  public static func && (left: Self, right: SQLQueryExpression<Bool>) -> SQLQueryExpression<Bool> {
    infix(left.queryFragment, "AND", right.queryFragment)
  }
  public static func || (left: Self, right: SQLQueryExpression<Bool>) -> SQLQueryExpression<Bool> {
    infix(left.queryFragment, "OR", right.queryFragment)
  }
  @_disfavoredOverload
  public static func && (left: SQLQueryExpression<Bool>, right: Self) -> SQLQueryExpression<Bool> {
    infix(left.queryFragment, "AND", right.queryFragment)
  }
  @_disfavoredOverload
  public static func || (left: SQLQueryExpression<Bool>, right: Self) -> SQLQueryExpression<Bool> {
    infix(left.queryFragment, "OR", right.queryFragment)
  }
  public func and<R: QueryExpression>(_ other: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == Bool { self && other }
  public func or<R: QueryExpression>(_ other: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == Bool { self || other }
  public func not() -> SQLQueryExpression<Bool> { !self }
}
