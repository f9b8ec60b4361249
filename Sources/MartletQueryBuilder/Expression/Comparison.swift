// Three forms each: operand with operand, operand with Swift value (where literals, `nil` and `.cases` find
// their type), operand with what finds its type from it (`#sql`, `.now()`). `Unwrapped` makes them serve
// optional columns.

extension QueryExpression where QueryValue.Unwrapped: ColumnRepresentation {
  // With an optional left side `==` and `!=` are true or false, as in Swift, also where a side is NULL; so is
  // `!=` with an optional right side. `eq` and `neq` are SQL's, which give NULL then.
  private static var isOptional: Bool { QueryValue.self != QueryValue.Unwrapped.self }
  private static var equality: String { isOptional ? "IS" : "=" }
  private static var inequality: String { isOptional ? "IS NOT" : "<>" }

  public static func == <R: QueryExpression>(left: Self, right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped {
    infix(left.queryFragment, equality, right.queryFragment)
  }
  public static func == (
    left: Self, right: SQLQueryExpression<QueryValue.Unwrapped>
  ) -> SQLQueryExpression<Bool> { infix(left.queryFragment, equality, right.queryFragment) }
  /// `== nil` says `IS NULL`.
  public static func == (left: Self, right: SwiftValue<Self>?) -> SQLQueryExpression<Bool> {
    infix(left.queryFragment, right == nil ? "IS" : equality, binding(right))
  }
  public static func != <R: QueryExpression>(left: Self, right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped {
    // No index serves either: a NULL on the right may cost what it costs on the left.
    let isOptional = isOptional || R.QueryValue.self != R.QueryValue.Unwrapped.self
    return infix(left.queryFragment, isOptional ? "IS NOT" : "<>", right.queryFragment)
  }
  public static func != (
    left: Self, right: SQLQueryExpression<QueryValue.Unwrapped>
  ) -> SQLQueryExpression<Bool> { infix(left.queryFragment, inequality, right.queryFragment) }
  public static func != (left: Self, right: SwiftValue<Self>?) -> SQLQueryExpression<Bool> {
    infix(left.queryFragment, right == nil ? "IS NOT" : inequality, binding(right))
  }
  public static func < <R: QueryExpression>(left: Self, right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped {
    infix(left.queryFragment, "<", right.queryFragment)
  }
  public static func < (
    left: Self, right: SQLQueryExpression<QueryValue.Unwrapped>
  ) -> SQLQueryExpression<Bool> { infix(left.queryFragment, "<", right.queryFragment) }
  public static func < (left: Self, right: SwiftValue<Self>?) -> SQLQueryExpression<Bool> {
    infix(left.queryFragment, "<", binding(right))
  }
  public static func > <R: QueryExpression>(left: Self, right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped {
    infix(left.queryFragment, ">", right.queryFragment)
  }
  public static func > (
    left: Self, right: SQLQueryExpression<QueryValue.Unwrapped>
  ) -> SQLQueryExpression<Bool> { infix(left.queryFragment, ">", right.queryFragment) }
  public static func > (left: Self, right: SwiftValue<Self>?) -> SQLQueryExpression<Bool> {
    infix(left.queryFragment, ">", binding(right))
  }
  public static func <= <R: QueryExpression>(left: Self, right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped {
    infix(left.queryFragment, "<=", right.queryFragment)
  }
  public static func <= (
    left: Self, right: SQLQueryExpression<QueryValue.Unwrapped>
  ) -> SQLQueryExpression<Bool> { infix(left.queryFragment, "<=", right.queryFragment) }
  public static func <= (left: Self, right: SwiftValue<Self>?) -> SQLQueryExpression<Bool> {
    infix(left.queryFragment, "<=", binding(right))
  }
  public static func >= <R: QueryExpression>(left: Self, right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped {
    infix(left.queryFragment, ">=", right.queryFragment)
  }
  public static func >= (
    left: Self, right: SQLQueryExpression<QueryValue.Unwrapped>
  ) -> SQLQueryExpression<Bool> { infix(left.queryFragment, ">=", right.queryFragment) }
  public static func >= (left: Self, right: SwiftValue<Self>?) -> SQLQueryExpression<Bool> {
    infix(left.queryFragment, ">=", binding(right))
  }

  @_disfavoredOverload
  public static func == (left: SwiftValue<Self>?, right: Self) -> SQLQueryExpression<Bool> {
    infix(binding(left), left == nil ? "IS" : equality, right.queryFragment)
  }
  @_disfavoredOverload
  public static func != (left: SwiftValue<Self>?, right: Self) -> SQLQueryExpression<Bool> {
    infix(binding(left), left == nil ? "IS NOT" : inequality, right.queryFragment)
  }

  public func eq<R: QueryExpression>(_ right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped {
    infix(queryFragment, "=", right.queryFragment)
  }
  public func eq(_ right: SQLQueryExpression<QueryValue.Unwrapped>) -> SQLQueryExpression<Bool> {
    infix(queryFragment, "=", right.queryFragment)
  }
  public func eq(_ right: SwiftValue<Self>?) -> SQLQueryExpression<Bool> {
    infix(queryFragment, right == nil ? "IS" : "=", Self.binding(right))
  }
  public func neq<R: QueryExpression>(_ right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped {
    infix(queryFragment, "<>", right.queryFragment)
  }
  public func neq(_ right: SQLQueryExpression<QueryValue.Unwrapped>) -> SQLQueryExpression<Bool> {
    infix(queryFragment, "<>", right.queryFragment)
  }
  public func neq(_ right: SwiftValue<Self>?) -> SQLQueryExpression<Bool> {
    infix(queryFragment, right == nil ? "IS NOT" : "<>", Self.binding(right))
  }

  /// Equality that holds between two NULLs too (https://sqlite.org/lang_expr.html#isisnot).
  public func `is`<R: QueryExpression>(_ right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped {
    infix(queryFragment, "IS", right.queryFragment)
  }
  public func `is`(_ right: SwiftValue<Self>?) -> SQLQueryExpression<Bool> {
    infix(queryFragment, "IS", Self.binding(right))
  }
  public func isNot<R: QueryExpression>(_ right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped {
    infix(queryFragment, "IS NOT", right.queryFragment)
  }
  public func isNot(_ right: SwiftValue<Self>?) -> SQLQueryExpression<Bool> {
    infix(queryFragment, "IS NOT", Self.binding(right))
  }

  public func lt(_ right: SwiftValue<Self>?) -> SQLQueryExpression<Bool> { self < right }
  public func lt<R: QueryExpression>(_ right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped { self < right }
  public func gt(_ right: SwiftValue<Self>?) -> SQLQueryExpression<Bool> { self > right }
  public func gt<R: QueryExpression>(_ right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped { self > right }
  public func lte(_ right: SwiftValue<Self>?) -> SQLQueryExpression<Bool> { self <= right }
  public func lte<R: QueryExpression>(_ right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped { self <= right }
  public func gte(_ right: SwiftValue<Self>?) -> SQLQueryExpression<Bool> { self >= right }
  public func gte<R: QueryExpression>(_ right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped { self >= right }
}
