extension QueryExpression where QueryValue.Unwrapped: ColumnRepresentation {
  /// The value, or a Swift value if it is NULL: `coalesce("t"."a", ?)`.
  ///
  /// A chain is one call: `coalesce("t"."a", "t"."b", ?)`.
  public static func ?? (left: Self, right: SwiftValue<Self>) -> Coalesce<QueryValue.Unwrapped> {
    Coalesce(terms: left.coalesced + [binding(right)])
  }
  /// The value, or an expression whose type is inferred from the left side:
  /// `$0.dueDate ?? #sql("…")`.
  @_disfavoredOverload
  public static func ?? (
    left: Self, right: SQLQueryExpression<QueryValue.Unwrapped>
  ) -> Coalesce<QueryValue.Unwrapped> { Coalesce(terms: left.coalesced + [right.queryFragment]) }
  /// The value, or another expression if it is NULL: `coalesce("t"."a", "t"."b")`.
  public static func ?? <R: QueryExpression>(left: Self, right: R) -> Coalesce<R.QueryValue>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped {
    Coalesce(terms: left.coalesced + right.coalesced)
  }
  /// The value, or an expression of the same type if it is NULL: `coalesce("t"."a", "t"."b")`.
  ///
  /// The standard library's `??` also accepts two operands of one type and would drop the right
  /// one; the type checker prefers this overload.
  public static func ?? (left: Self, right: Self) -> Coalesce<QueryValue> {
    Coalesce(terms: left.coalesced + right.coalesced)
  }

  private var coalesced: [QueryFragment] {
    (self as? any CoalesceTerms)?.terms ?? [queryFragment]
  }

  /// The value, or a Swift value if it is NULL: `ifnull("t"."a", ?)`.
  public func ifnull(_ other: SwiftValue<Self>) -> SQLQueryExpression<QueryValue.Unwrapped> {
    call("ifnull", queryFragment, Self.binding(other))
  }
  /// The value, or another expression if it is NULL: `ifnull("t"."a", "t"."b")`.
  public func ifnull<R: QueryExpression>(_ other: R) -> SQLQueryExpression<R.QueryValue>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped {
    call("ifnull", queryFragment, other.queryFragment)
  }

  /// NULL if the value equals a Swift value, otherwise the value: `nullif("t"."a", ?)`.
  public func nullif(_ other: SwiftValue<Self>) -> SQLQueryExpression<QueryValue.Unwrapped?> {
    call("nullif", queryFragment, Self.binding(other))
  }
  /// NULL if the value equals another expression, otherwise the value: `nullif("t"."a", "t"."b")`.
  public func nullif<R: QueryExpression>(_ other: R) -> SQLQueryExpression<QueryValue.Unwrapped?>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped {
    call("nullif", queryFragment, other.queryFragment)
  }

  /// NULL if the value is NULL, otherwise the result of `transform`.
  ///
  /// ```swift
  /// $0.dueDate.map { $0 > date }
  /// // CASE ("reminders"."dueDate" IS NULL) WHEN 1 THEN NULL ELSE ("reminders"."dueDate" > ?) END
  /// ```
  public func map<Wrapped, R: QueryExpressible>(
    _ transform: (SQLQueryExpression<Wrapped>) -> R
  ) -> SQLQueryExpression<R.QueryValue?> where QueryValue == Wrapped? {
    SQLQueryExpression(unlessNull(transform(SQLQueryExpression(queryFragment)).queryFragment))
  }
  /// The result of `transform`, which itself must be NULL for NULL:
  /// `$0.priority.flatMap { $0.max() }` prints `max("reminders"."priority")`.
  public func flatMap<Wrapped, R: QueryExpressible>(
    _ transform: (SQLQueryExpression<Wrapped>) -> R
  ) -> SQLQueryExpression<R.QueryValue.Unwrapped?> where QueryValue == Wrapped? {
    SQLQueryExpression(transform(SQLQueryExpression(queryFragment)).queryFragment)
  }
  private func unlessNull(_ result: QueryFragment) -> QueryFragment {
    "CASE (\(queryFragment) IS NULL) WHEN 1 THEN NULL ELSE \(result) END"
  }
}

/// The first of several terms that is not NULL: `coalesce("t"."a", "t"."b")`.
public struct Coalesce<QueryValue: QueryRepresentable>: QueryExpression, CoalesceTerms {
  let terms: [QueryFragment]
  public var queryFragment: QueryFragment { "coalesce(\(terms.joined(", ")))" }
}

private protocol CoalesceTerms {
  var terms: [QueryFragment] { get }
}
