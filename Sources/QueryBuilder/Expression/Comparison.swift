// Two forms each: operand with operand, and operand with Swift value (where literals, `nil` and `.cases`
// find their type). `Unwrapped` makes both serve optional columns.

extension QueryOperand where QueryValue.Unwrapped: ColumnRepresentation {
  public static func == <R: QueryOperand>(left: Self, right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped {
    infix(left.queryFragment, "=", right.queryFragment)
  }
  /// `== nil` says `IS NULL`.
  public static func == (left: Self, right: SwiftValue<Self>?) -> SQLQueryExpression<Bool> {
    infix(left.queryFragment, right == nil ? "IS" : "=", binding(right))
  }
  public static func != <R: QueryOperand>(left: Self, right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped {
    infix(left.queryFragment, "<>", right.queryFragment)
  }
  public static func != (left: Self, right: SwiftValue<Self>?) -> SQLQueryExpression<Bool> {
    infix(left.queryFragment, right == nil ? "IS NOT" : "<>", binding(right))
  }
  public static func < <R: QueryOperand>(left: Self, right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped {
    infix(left.queryFragment, "<", right.queryFragment)
  }
  public static func < (left: Self, right: SwiftValue<Self>) -> SQLQueryExpression<Bool> {
    infix(left.queryFragment, "<", binding(right))
  }
  public static func > <R: QueryOperand>(left: Self, right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped {
    infix(left.queryFragment, ">", right.queryFragment)
  }
  public static func > (left: Self, right: SwiftValue<Self>) -> SQLQueryExpression<Bool> {
    infix(left.queryFragment, ">", binding(right))
  }
  public static func <= <R: QueryOperand>(left: Self, right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped {
    infix(left.queryFragment, "<=", right.queryFragment)
  }
  public static func <= (left: Self, right: SwiftValue<Self>) -> SQLQueryExpression<Bool> {
    infix(left.queryFragment, "<=", binding(right))
  }
  public static func >= <R: QueryOperand>(left: Self, right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped {
    infix(left.queryFragment, ">=", right.queryFragment)
  }
  public static func >= (left: Self, right: SwiftValue<Self>) -> SQLQueryExpression<Bool> {
    infix(left.queryFragment, ">=", binding(right))
  }

  public func eq<R: QueryOperand>(_ right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped { self == right }
  public func eq(_ right: SwiftValue<Self>?) -> SQLQueryExpression<Bool> { self == right }
  public func neq<R: QueryOperand>(_ right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped { self != right }
  public func neq(_ right: SwiftValue<Self>?) -> SQLQueryExpression<Bool> { self != right }

  /// Equality that holds between two NULLs too (https://sqlite.org/lang_expr.html#isisnot).
  public func `is`<R: QueryOperand>(_ right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped {
    infix(queryFragment, "IS", right.queryFragment)
  }
  public func `is`(_ right: SwiftValue<Self>?) -> SQLQueryExpression<Bool> {
    infix(queryFragment, "IS", Self.binding(right))
  }
  public func isNot<R: QueryOperand>(_ right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped {
    infix(queryFragment, "IS NOT", right.queryFragment)
  }
  public func isNot(_ right: SwiftValue<Self>?) -> SQLQueryExpression<Bool> {
    infix(queryFragment, "IS NOT", Self.binding(right))
  }

  public func lt(_ right: SwiftValue<Self>) -> SQLQueryExpression<Bool> { self < right }
  public func lt<R: QueryOperand>(_ right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped { self < right }
  public func gt(_ right: SwiftValue<Self>) -> SQLQueryExpression<Bool> { self > right }
  public func gt<R: QueryOperand>(_ right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped { self > right }
  public func lte(_ right: SwiftValue<Self>) -> SQLQueryExpression<Bool> { self <= right }
  public func lte<R: QueryOperand>(_ right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped { self <= right }
  public func gte(_ right: SwiftValue<Self>) -> SQLQueryExpression<Bool> { self >= right }
  public func gte<R: QueryOperand>(_ right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped { self >= right }
}
