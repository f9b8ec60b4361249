// Each operator has three forms: with another expression; with a Swift value, which gives literals,
// `nil` and `.cases` their type; and with an expression whose type is inferred from the left side
// (`#sql`, `.now()`). Constraints on `Unwrapped` let the same operator serve optional columns.

extension QueryExpression where QueryValue.Unwrapped: ColumnRepresentation {
  // With an optional left side, `==` and `!=` are true or false even for NULL, as in Swift. `!=`
  // behaves the same with an optional right side. `eq` and `neq` are SQL's operators, which give
  // NULL for NULL.
  private static var isOptional: Bool { QueryValue.self != QueryValue.Unwrapped.self }
  private static var equality: String { isOptional ? "IS" : "=" }
  private static var inequality: String { isOptional ? "IS NOT" : "<>" }

  /// Whether two expressions are equal: `("t"."a" = "t"."b")`, or `IS` when the left side is
  /// optional.
  public static func == <R: QueryExpression>(left: Self, right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped {
    infix(left.queryFragment, equality, right.queryFragment)
  }
  /// Whether it equals an expression whose type is inferred from the left side: `("t"."a" = …)`.
  public static func == (
    left: Self, right: SQLQueryExpression<QueryValue.Unwrapped>
  ) -> SQLQueryExpression<Bool> { infix(left.queryFragment, equality, right.queryFragment) }
  /// Whether it equals a Swift value: `("t"."a" = ?)`. `== nil` prints `IS`.
  public static func == (left: Self, right: SwiftValue<Self>?) -> SQLQueryExpression<Bool> {
    infix(left.queryFragment, right == nil ? "IS" : equality, binding(right))
  }
  /// Whether two expressions differ: `("t"."a" <> "t"."b")`, or `IS NOT` when either side is
  /// optional.
  public static func != <R: QueryExpression>(left: Self, right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped {
    // No index serves `<>` or `IS NOT`, so `IS NOT` costs nothing extra for an optional right side.
    let isOptional = isOptional || R.QueryValue.self != R.QueryValue.Unwrapped.self
    return infix(left.queryFragment, isOptional ? "IS NOT" : "<>", right.queryFragment)
  }
  /// Whether it differs from an expression whose type is inferred from the left side:
  /// `("t"."a" <> …)`.
  public static func != (
    left: Self, right: SQLQueryExpression<QueryValue.Unwrapped>
  ) -> SQLQueryExpression<Bool> { infix(left.queryFragment, inequality, right.queryFragment) }
  /// Whether it differs from a Swift value: `("t"."a" <> ?)`. `!= nil` prints `IS NOT`.
  public static func != (left: Self, right: SwiftValue<Self>?) -> SQLQueryExpression<Bool> {
    infix(left.queryFragment, right == nil ? "IS NOT" : inequality, binding(right))
  }
  /// Whether it is less than another expression: `("t"."a" < "t"."b")`.
  public static func < <R: QueryExpression>(left: Self, right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped {
    infix(left.queryFragment, "<", right.queryFragment)
  }
  /// Whether it is less than an expression whose type is inferred from the left side:
  /// `("t"."a" < …)`.
  public static func < (
    left: Self, right: SQLQueryExpression<QueryValue.Unwrapped>
  ) -> SQLQueryExpression<Bool> { infix(left.queryFragment, "<", right.queryFragment) }
  /// Whether it is less than a Swift value: `("t"."a" < ?)`.
  public static func < (left: Self, right: SwiftValue<Self>?) -> SQLQueryExpression<Bool> {
    infix(left.queryFragment, "<", binding(right))
  }
  /// Whether it is greater than another expression: `("t"."a" > "t"."b")`.
  public static func > <R: QueryExpression>(left: Self, right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped {
    infix(left.queryFragment, ">", right.queryFragment)
  }
  /// Whether it is greater than an expression whose type is inferred from the left side:
  /// `("t"."a" > …)`.
  public static func > (
    left: Self, right: SQLQueryExpression<QueryValue.Unwrapped>
  ) -> SQLQueryExpression<Bool> { infix(left.queryFragment, ">", right.queryFragment) }
  /// Whether it is greater than a Swift value: `("t"."a" > ?)`.
  public static func > (left: Self, right: SwiftValue<Self>?) -> SQLQueryExpression<Bool> {
    infix(left.queryFragment, ">", binding(right))
  }
  /// Whether it is less than or equal to another expression: `("t"."a" <= "t"."b")`.
  public static func <= <R: QueryExpression>(left: Self, right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped {
    infix(left.queryFragment, "<=", right.queryFragment)
  }
  /// Whether it is at most an expression whose type is inferred from the left side:
  /// `("t"."a" <= …)`.
  public static func <= (
    left: Self, right: SQLQueryExpression<QueryValue.Unwrapped>
  ) -> SQLQueryExpression<Bool> { infix(left.queryFragment, "<=", right.queryFragment) }
  /// Whether it is less than or equal to a Swift value: `("t"."a" <= ?)`.
  public static func <= (left: Self, right: SwiftValue<Self>?) -> SQLQueryExpression<Bool> {
    infix(left.queryFragment, "<=", binding(right))
  }
  /// Whether it is greater than or equal to another expression: `("t"."a" >= "t"."b")`.
  public static func >= <R: QueryExpression>(left: Self, right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped {
    infix(left.queryFragment, ">=", right.queryFragment)
  }
  /// Whether it is at least an expression whose type is inferred from the left side:
  /// `("t"."a" >= …)`.
  public static func >= (
    left: Self, right: SQLQueryExpression<QueryValue.Unwrapped>
  ) -> SQLQueryExpression<Bool> { infix(left.queryFragment, ">=", right.queryFragment) }
  /// Whether it is greater than or equal to a Swift value: `("t"."a" >= ?)`.
  public static func >= (left: Self, right: SwiftValue<Self>?) -> SQLQueryExpression<Bool> {
    infix(left.queryFragment, ">=", binding(right))
  }

  /// Whether a Swift value equals an expression: `(? = "t"."a")`. `nil ==` prints `IS`.
  @_disfavoredOverload
  public static func == (left: SwiftValue<Self>?, right: Self) -> SQLQueryExpression<Bool> {
    infix(binding(left), left == nil ? "IS" : equality, right.queryFragment)
  }
  /// Whether a Swift value differs from an expression: `(? <> "t"."a")`. `nil !=` prints `IS NOT`.
  @_disfavoredOverload
  public static func != (left: SwiftValue<Self>?, right: Self) -> SQLQueryExpression<Bool> {
    infix(binding(left), left == nil ? "IS NOT" : inequality, right.queryFragment)
  }

  /// SQL's equality: `("t"."a" = "t"."b")`. It is NULL when a side is NULL.
  public func eq<R: QueryExpression>(_ right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped {
    infix(queryFragment, "=", right.queryFragment)
  }
  /// SQL's equality with an expression whose type is inferred from the left side: `("t"."a" = …)`.
  public func eq(_ right: SQLQueryExpression<QueryValue.Unwrapped>) -> SQLQueryExpression<Bool> {
    infix(queryFragment, "=", right.queryFragment)
  }
  /// SQL's equality with a Swift value: `("t"."a" = ?)`. `eq(nil)` prints `IS`.
  public func eq(_ right: SwiftValue<Self>?) -> SQLQueryExpression<Bool> {
    infix(queryFragment, right == nil ? "IS" : "=", Self.binding(right))
  }
  /// SQL's inequality: `("t"."a" <> "t"."b")`. It is NULL when a side is NULL.
  public func neq<R: QueryExpression>(_ right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped {
    infix(queryFragment, "<>", right.queryFragment)
  }
  /// SQL's inequality with an expression whose type is inferred from the left side:
  /// `("t"."a" <> …)`.
  public func neq(_ right: SQLQueryExpression<QueryValue.Unwrapped>) -> SQLQueryExpression<Bool> {
    infix(queryFragment, "<>", right.queryFragment)
  }
  /// SQL's inequality with a Swift value: `("t"."a" <> ?)`. `neq(nil)` prints `IS NOT`.
  public func neq(_ right: SwiftValue<Self>?) -> SQLQueryExpression<Bool> {
    infix(queryFragment, right == nil ? "IS NOT" : "<>", Self.binding(right))
  }

  /// Equality that also holds between two NULLs: `("t"."a" IS "t"."b")`
  /// (https://sqlite.org/lang_expr.html#isisnot).
  public func `is`<R: QueryExpression>(_ right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped {
    infix(queryFragment, "IS", right.queryFragment)
  }
  /// Equality with a Swift value, where `nil` is NULL: `("t"."a" IS ?)`.
  public func `is`(_ right: SwiftValue<Self>?) -> SQLQueryExpression<Bool> {
    infix(queryFragment, "IS", Self.binding(right))
  }
  /// Inequality that is false between two NULLs: `("t"."a" IS NOT "t"."b")`.
  public func isNot<R: QueryExpression>(_ right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped {
    infix(queryFragment, "IS NOT", right.queryFragment)
  }
  /// Inequality with a Swift value, where `nil` is NULL: `("t"."a" IS NOT ?)`.
  public func isNot(_ right: SwiftValue<Self>?) -> SQLQueryExpression<Bool> {
    infix(queryFragment, "IS NOT", Self.binding(right))
  }

  /// The operator `<` as a method, with a Swift value: `("t"."a" < ?)`.
  public func lt(_ right: SwiftValue<Self>?) -> SQLQueryExpression<Bool> { self < right }
  /// The operator `<` as a method: `("t"."a" < "t"."b")`.
  public func lt<R: QueryExpression>(_ right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped { self < right }
  /// The operator `>` as a method, with a Swift value: `("t"."a" > ?)`.
  public func gt(_ right: SwiftValue<Self>?) -> SQLQueryExpression<Bool> { self > right }
  /// The operator `>` as a method: `("t"."a" > "t"."b")`.
  public func gt<R: QueryExpression>(_ right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped { self > right }
  /// The operator `<=` as a method, with a Swift value: `("t"."a" <= ?)`.
  public func lte(_ right: SwiftValue<Self>?) -> SQLQueryExpression<Bool> { self <= right }
  /// The operator `<=` as a method: `("t"."a" <= "t"."b")`.
  public func lte<R: QueryExpression>(_ right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped { self <= right }
  /// The operator `>=` as a method, with a Swift value: `("t"."a" >= ?)`.
  public func gte(_ right: SwiftValue<Self>?) -> SQLQueryExpression<Bool> { self >= right }
  /// The operator `>=` as a method: `("t"."a" >= "t"."b")`.
  public func gte<R: QueryExpression>(_ right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped { self >= right }
}
