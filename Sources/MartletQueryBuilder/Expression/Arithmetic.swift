/// What `+` works on: numbers, and text with `||`. One `+` for both: each further overload of an operator
/// is paid for by the type checker in every query.
public protocol Addable: ColumnRepresentation {
  static var plus: String { get }
}
extension String: Addable {
  public static var plus: String { "||" }
}

public protocol SQLNumeric: Addable {}
extension SQLNumeric {
  public static var plus: String { "+" }
}
extension Int8: SQLNumeric {}
extension Int16: SQLNumeric {}
extension Int32: SQLNumeric {}
extension Int64: SQLNumeric {}
extension Int: SQLNumeric {}
extension UInt8: SQLNumeric {}
extension UInt16: SQLNumeric {}
extension UInt32: SQLNumeric {}
extension UInt64: SQLNumeric {}
extension UInt: SQLNumeric {}
extension Double: SQLNumeric {}
extension Float: SQLNumeric {}

extension QueryExpression where QueryValue.Unwrapped: Addable {
  public static func + (
    left: Self, right: some QueryExpression<QueryValue>
  ) -> SQLQueryExpression<QueryValue> {
    infix(left.queryFragment, QueryValue.Unwrapped.plus, right.queryFragment)
  }
  public static func + (left: Self, right: SwiftValue<Self>) -> SQLQueryExpression<QueryValue> {
    infix(left.queryFragment, QueryValue.Unwrapped.plus, binding(right))
  }
  public static func + (left: SwiftValue<Self>, right: Self) -> SQLQueryExpression<QueryValue> {
    infix(binding(left), QueryValue.Unwrapped.plus, right.queryFragment)
  }
}

extension QueryExpression where QueryValue.Unwrapped: SQLNumeric {
  public static func - (
    left: Self, right: some QueryExpression<QueryValue>
  ) -> SQLQueryExpression<QueryValue> {
    infix(left.queryFragment, "-", right.queryFragment)
  }
  public static func - (left: Self, right: SwiftValue<Self>) -> SQLQueryExpression<QueryValue> {
    infix(left.queryFragment, "-", binding(right))
  }
  public static func - (left: SwiftValue<Self>, right: Self) -> SQLQueryExpression<QueryValue> {
    infix(binding(left), "-", right.queryFragment)
  }
  public static func * (
    left: Self, right: some QueryExpression<QueryValue>
  ) -> SQLQueryExpression<QueryValue> {
    infix(left.queryFragment, "*", right.queryFragment)
  }
  public static func * (left: Self, right: SwiftValue<Self>) -> SQLQueryExpression<QueryValue> {
    infix(left.queryFragment, "*", binding(right))
  }
  public static func * (left: SwiftValue<Self>, right: Self) -> SQLQueryExpression<QueryValue> {
    infix(binding(left), "*", right.queryFragment)
  }
  public static func / (
    left: Self, right: some QueryExpression<QueryValue>
  ) -> SQLQueryExpression<QueryValue> {
    infix(left.queryFragment, "/", right.queryFragment)
  }
  public static func / (left: Self, right: SwiftValue<Self>) -> SQLQueryExpression<QueryValue> {
    infix(left.queryFragment, "/", binding(right))
  }
  public static func / (left: SwiftValue<Self>, right: Self) -> SQLQueryExpression<QueryValue> {
    infix(binding(left), "/", right.queryFragment)
  }
  /// The remainder of a division of integers; NULL where the divisor is 0, hence optional.
  public static func % (
    left: Self, right: some QueryExpression<QueryValue>
  ) -> SQLQueryExpression<QueryValue.Unwrapped?> {
    infix(left.queryFragment, "%", right.queryFragment)
  }
  public static func % (
    left: Self, right: SwiftValue<Self>
  ) -> SQLQueryExpression<QueryValue.Unwrapped?> {
    infix(left.queryFragment, "%", binding(right))
  }

  public static prefix func - (operand: Self) -> SQLQueryExpression<QueryValue> {
    SQLQueryExpression("(-\(operand.queryFragment.operand))")
  }
  /// `(+"t"."a")`: the value, without the column's affinity and without its index
  /// (https://sqlite.org/optoverview.html#disqualifying_where_clause_terms_using_unary_).
  public static prefix func + (operand: Self) -> SQLQueryExpression<QueryValue> {
    SQLQueryExpression("(+\(operand.queryFragment.operand))")
  }
}
