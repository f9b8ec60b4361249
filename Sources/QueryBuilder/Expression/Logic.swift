extension QueryOperand where QueryValue.Unwrapped == Bool {
  public static func && <R: QueryOperand>(left: Self, right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == Bool {
    infix(left.queryFragment, "AND", right.queryFragment)
  }
  public static func || <R: QueryOperand>(left: Self, right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == Bool {
    infix(left.queryFragment, "OR", right.queryFragment)
  }
  public static prefix func ! (operand: Self) -> SQLQueryExpression<Bool> {
    SQLQueryExpression("(NOT \(operand.queryFragment))")
  }
  public func and<R: QueryOperand>(_ other: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == Bool { self && other }
  public func or<R: QueryOperand>(_ other: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == Bool { self || other }
  public func not() -> SQLQueryExpression<Bool> { !self }
}
