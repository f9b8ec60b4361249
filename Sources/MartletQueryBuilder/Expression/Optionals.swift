extension QueryExpression where QueryValue.Unwrapped: ColumnRepresentation {
  /// `coalesce("t"."a", 0)`; a chain is one call: `coalesce("t"."a", "t"."b", 0)`.
  public static func ?? (left: Self, right: SwiftValue<Self>) -> Coalesce<QueryValue.Unwrapped> {
    Coalesce(terms: left.coalesced + [binding(right)])
  }
  /// What finds its type from the left: `$0.dueDate ?? #sql("…")`.
  @_disfavoredOverload
  public static func ?? (
    left: Self, right: SQLQueryExpression<QueryValue.Unwrapped>
  ) -> Coalesce<QueryValue.Unwrapped> { Coalesce(terms: left.coalesced + [right.queryFragment]) }
  public static func ?? <R: QueryExpression>(left: Self, right: R) -> Coalesce<R.QueryValue>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped {
    Coalesce(terms: left.coalesced + right.coalesced)
  }
  /// Two operands of one type are also what the standard library's `??` takes, which would drop the
  /// right one: this overload is closer.
  public static func ?? (left: Self, right: Self) -> Coalesce<QueryValue> {
    Coalesce(terms: left.coalesced + right.coalesced)
  }

  private var coalesced: [QueryFragment] {
    (self as? any CoalesceTerms)?.terms ?? [queryFragment]
  }

  public func ifnull(_ other: SwiftValue<Self>) -> SQLQueryExpression<QueryValue.Unwrapped> {
    call("ifnull", queryFragment, Self.binding(other))
  }
  public func ifnull<R: QueryExpression>(_ other: R) -> SQLQueryExpression<R.QueryValue>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped {
    call("ifnull", queryFragment, other.queryFragment)
  }

  /// NULL where it equals `other`: `nullif("t"."a", '')`.
  public func nullif(_ other: SwiftValue<Self>) -> SQLQueryExpression<QueryValue.Unwrapped?> {
    call("nullif", queryFragment, Self.binding(other))
  }
  public func nullif<R: QueryExpression>(_ other: R) -> SQLQueryExpression<QueryValue.Unwrapped?>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped {
    call("nullif", queryFragment, other.queryFragment)
  }

  /// What `transform` makes of a value that is there, otherwise NULL.
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
  /// What `transform` makes of the value, where it gives NULL for NULL itself: `$0.priority.flatMap { $0.max() }`
  /// is `max("reminders"."priority")`.
  public func flatMap<Wrapped, R: QueryExpressible>(
    _ transform: (SQLQueryExpression<Wrapped>) -> R
  ) -> SQLQueryExpression<R.QueryValue.Unwrapped?> where QueryValue == Wrapped? {
    SQLQueryExpression(transform(SQLQueryExpression(queryFragment)).queryFragment)
  }
  private func unlessNull(_ result: QueryFragment) -> QueryFragment {
    "CASE (\(queryFragment) IS NULL) WHEN 1 THEN NULL ELSE \(result) END"
  }
}

/// `coalesce(…)`: the first of its terms that is not NULL.
public struct Coalesce<QueryValue: QueryRepresentable>: QueryExpression, CoalesceTerms {
  let terms: [QueryFragment]
  public var queryFragment: QueryFragment { "coalesce(\(terms.joined(", ")))" }
}

private protocol CoalesceTerms {
  var terms: [QueryFragment] { get }
}
