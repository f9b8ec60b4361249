// Bit operators on integers (https://sqlite.org/lang_expr.html#operators). The right side of a shift may
// be negative: then it shifts the other way.

extension QueryExpression where QueryValue.Unwrapped: SQLNumeric & FixedWidthInteger {
  public static func & (
    left: Self, right: some QueryExpression<QueryValue>
  ) -> SQLQueryExpression<QueryValue> { infix(left.queryFragment, "&", right.queryFragment) }
  public static func & (left: Self, right: SwiftValue<Self>) -> SQLQueryExpression<QueryValue> {
    infix(left.queryFragment, "&", binding(right))
  }
  public static func | (
    left: Self, right: some QueryExpression<QueryValue>
  ) -> SQLQueryExpression<QueryValue> { infix(left.queryFragment, "|", right.queryFragment) }
  public static func | (left: Self, right: SwiftValue<Self>) -> SQLQueryExpression<QueryValue> {
    infix(left.queryFragment, "|", binding(right))
  }
  public static func << (
    left: Self, right: some QueryExpression<QueryValue>
  ) -> SQLQueryExpression<QueryValue> { infix(left.queryFragment, "<<", right.queryFragment) }
  public static func << (left: Self, right: SwiftValue<Self>) -> SQLQueryExpression<QueryValue> {
    infix(left.queryFragment, "<<", binding(right))
  }
  public static func >> (
    left: Self, right: some QueryExpression<QueryValue>
  ) -> SQLQueryExpression<QueryValue> { infix(left.queryFragment, ">>", right.queryFragment) }
  public static func >> (left: Self, right: SwiftValue<Self>) -> SQLQueryExpression<QueryValue> {
    infix(left.queryFragment, ">>", binding(right))
  }
  public static prefix func ~ (operand: Self) -> SQLQueryExpression<QueryValue> {
    SQLQueryExpression("(~\(operand.queryFragment.operand))")
  }
}
