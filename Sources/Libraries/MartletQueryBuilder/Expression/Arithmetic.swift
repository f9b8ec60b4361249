/// A type that `+` works on: a number, added with `+`, or text, concatenated with `||`.
///
/// One protocol serves both, because each further overload of an operator slows down the type
/// checker in every query.
public protocol Addable: ColumnRepresentation {
  /// The SQL operator that `+` prints: `+` or `||`.
  static var plus: String { get }
}
extension String: Addable {
  /// Concatenation: `||`.
  public static var plus: String { "||" }
}

/// A number that SQL's arithmetic operators work on (https://sqlite.org/lang_expr.html#operators).
public protocol SQLNumeric: Addable {}
extension SQLNumeric {
  /// Addition: `+`.
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
  /// The sum or concatenation of two expressions: `("t"."a" + "t"."b")`, `("t"."a" || "t"."b")`.
  public static func + (
    left: Self, right: some QueryExpression<QueryValue>
  ) -> SQLQueryExpression<QueryValue> {
    infix(left.queryFragment, QueryValue.Unwrapped.plus, right.queryFragment)
  }
  /// The sum or concatenation of an expression and a Swift value: `("t"."a" + ?)`,
  /// `("t"."a" || ?)`.
  public static func + (left: Self, right: SwiftValue<Self>) -> SQLQueryExpression<QueryValue> {
    infix(left.queryFragment, QueryValue.Unwrapped.plus, binding(right))
  }
  /// The sum or concatenation of a Swift value and an expression: `(? + "t"."a")`,
  /// `(? || "t"."a")`.
  public static func + (left: SwiftValue<Self>, right: Self) -> SQLQueryExpression<QueryValue> {
    infix(binding(left), QueryValue.Unwrapped.plus, right.queryFragment)
  }
}

extension QueryExpression where QueryValue.Unwrapped: SQLNumeric {
  /// The difference of two expressions: `("t"."a" - "t"."b")`.
  public static func - (
    left: Self, right: some QueryExpression<QueryValue>
  ) -> SQLQueryExpression<QueryValue> {
    infix(left.queryFragment, "-", right.queryFragment)
  }
  /// The difference of an expression and a Swift value: `("t"."a" - ?)`.
  public static func - (left: Self, right: SwiftValue<Self>) -> SQLQueryExpression<QueryValue> {
    infix(left.queryFragment, "-", binding(right))
  }
  /// The difference of a Swift value and an expression: `(? - "t"."a")`.
  public static func - (left: SwiftValue<Self>, right: Self) -> SQLQueryExpression<QueryValue> {
    infix(binding(left), "-", right.queryFragment)
  }
  /// The product of two expressions: `("t"."a" * "t"."b")`.
  public static func * (
    left: Self, right: some QueryExpression<QueryValue>
  ) -> SQLQueryExpression<QueryValue> {
    infix(left.queryFragment, "*", right.queryFragment)
  }
  /// The product of an expression and a Swift value: `("t"."a" * ?)`.
  public static func * (left: Self, right: SwiftValue<Self>) -> SQLQueryExpression<QueryValue> {
    infix(left.queryFragment, "*", binding(right))
  }
  /// The product of a Swift value and an expression: `(? * "t"."a")`.
  public static func * (left: SwiftValue<Self>, right: Self) -> SQLQueryExpression<QueryValue> {
    infix(binding(left), "*", right.queryFragment)
  }
  /// The quotient of two expressions: `("t"."a" / "t"."b")`. Integers are divided without
  /// remainder.
  public static func / (
    left: Self, right: some QueryExpression<QueryValue>
  ) -> SQLQueryExpression<QueryValue> {
    infix(left.queryFragment, "/", right.queryFragment)
  }
  /// The quotient of an expression and a Swift value: `("t"."a" / ?)`.
  public static func / (left: Self, right: SwiftValue<Self>) -> SQLQueryExpression<QueryValue> {
    infix(left.queryFragment, "/", binding(right))
  }
  /// The quotient of a Swift value and an expression: `(? / "t"."a")`.
  public static func / (left: SwiftValue<Self>, right: Self) -> SQLQueryExpression<QueryValue> {
    infix(binding(left), "/", right.queryFragment)
  }
  /// The remainder of an integer division: `("t"."a" % "t"."b")`.
  ///
  /// The result is optional because it is NULL when the divisor is 0.
  public static func % (
    left: Self, right: some QueryExpression<QueryValue>
  ) -> SQLQueryExpression<QueryValue.Unwrapped?> {
    infix(left.queryFragment, "%", right.queryFragment)
  }
  /// The remainder of an integer division by a Swift value: `("t"."a" % ?)`. It is NULL when the
  /// divisor is 0.
  public static func % (
    left: Self, right: SwiftValue<Self>
  ) -> SQLQueryExpression<QueryValue.Unwrapped?> {
    infix(left.queryFragment, "%", binding(right))
  }

  /// The negated value: `(-"t"."a")`.
  public static prefix func - (operand: Self) -> SQLQueryExpression<QueryValue> {
    SQLQueryExpression("(-\(operand.queryFragment.operand))")
  }
  /// The value without the column's affinity, and without the use of its index: `(+"t"."a")`
  /// (https://sqlite.org/optoverview.html#disqualifying_where_clause_terms_using_unary_).
  public static prefix func + (operand: Self) -> SQLQueryExpression<QueryValue> {
    SQLQueryExpression("(+\(operand.queryFragment.operand))")
  }
}
