// Bit operators on integers (https://sqlite.org/lang_expr.html#operators). A negative right operand
// of a shift shifts in the other direction.

extension QueryExpression where QueryValue.Unwrapped: SQLNumeric & FixedWidthInteger {
  /// The bitwise AND of two expressions: `("t"."a" & "t"."b")`.
  public static func & (
    left: Self, right: some QueryExpression<QueryValue>
  ) -> SQLQueryExpression<QueryValue> { infix(left.queryFragment, "&", right.queryFragment) }
  /// The bitwise AND of an expression and a Swift value: `("t"."a" & ?)`.
  public static func & (left: Self, right: SwiftValue<Self>) -> SQLQueryExpression<QueryValue> {
    infix(left.queryFragment, "&", binding(right))
  }
  /// The bitwise OR of two expressions: `("t"."a" | "t"."b")`.
  public static func | (
    left: Self, right: some QueryExpression<QueryValue>
  ) -> SQLQueryExpression<QueryValue> { infix(left.queryFragment, "|", right.queryFragment) }
  /// The bitwise OR of an expression and a Swift value: `("t"."a" | ?)`.
  public static func | (left: Self, right: SwiftValue<Self>) -> SQLQueryExpression<QueryValue> {
    infix(left.queryFragment, "|", binding(right))
  }
  /// The value, shifted left by an expression: `("t"."a" << "t"."b")`.
  public static func << (
    left: Self, right: some QueryExpression<QueryValue>
  ) -> SQLQueryExpression<QueryValue> { infix(left.queryFragment, "<<", right.queryFragment) }
  /// The value, shifted left by a Swift value: `("t"."a" << ?)`.
  public static func << (left: Self, right: SwiftValue<Self>) -> SQLQueryExpression<QueryValue> {
    infix(left.queryFragment, "<<", binding(right))
  }
  /// The value, shifted right by an expression: `("t"."a" >> "t"."b")`.
  public static func >> (
    left: Self, right: some QueryExpression<QueryValue>
  ) -> SQLQueryExpression<QueryValue> { infix(left.queryFragment, ">>", right.queryFragment) }
  /// The value, shifted right by a Swift value: `("t"."a" >> ?)`.
  public static func >> (left: Self, right: SwiftValue<Self>) -> SQLQueryExpression<QueryValue> {
    infix(left.queryFragment, ">>", binding(right))
  }
  /// The value with all bits inverted: `(~"t"."a")`.
  public static prefix func ~ (operand: Self) -> SQLQueryExpression<QueryValue> {
    SQLQueryExpression("(~\(operand.queryFragment.operand))")
  }
}
