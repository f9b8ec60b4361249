// IN and BETWEEN (https://sqlite.org/lang_expr.html#in_op).

extension QueryExpression where QueryValue.Unwrapped: ColumnRepresentation {
  /// Whether the value is in a list of Swift values: `("t"."id" IN (?, ?))`.
  ///
  /// An empty list contains nothing: SQLite accepts `IN ()`. Do not combine it with `AND` in a term
  /// of ORDER BY or GROUP BY: SQLite reduces such a term to 0 and rejects it as a column number.
  public func `in`(_ values: [SwiftValue<Self>]) -> SQLQueryExpression<Bool> {
    infix(queryFragment, "IN", "(\(values.map { Self.binding($0) }.joined(", ")))")
  }
  /// Whether the value equals one of several expressions: `("t"."id" IN ("t"."a", "t"."b"))`.
  public func `in`<E: QueryExpression>(_ values: [E]) -> SQLQueryExpression<Bool>
  where E.QueryValue.Unwrapped == QueryValue.Unwrapped {
    infix(queryFragment, "IN", "(\(values.map(\.queryFragment).joined(", ")))")
  }
  /// Whether a query returns the value: `("t"."id" IN (SELECT …))`.
  public func `in`<S: QueryExpression>(_ values: S) -> SQLQueryExpression<Bool>
  where S.QueryValue.Unwrapped == QueryValue.Unwrapped {
    infix(queryFragment, "IN", values.queryFragment)
  }
  /// Whether a compound query or `Values` returns the value, in the same representation:
  /// `("t"."id" IN (SELECT …))`.
  @_disfavoredOverload
  public func `in`<S: SelectStatement>(_ rows: S) -> SQLQueryExpression<Bool>
  where S.Picked: QueryRepresentable, S.Picked.Unwrapped == QueryValue.Unwrapped {
    infix(queryFragment, "IN", "(\(rows.part.fragment))")
  }

  /// Whether the value is not in a list of Swift values: `("t"."id" NOT IN (?, ?))`.
  public func notIn(_ values: [SwiftValue<Self>]) -> SQLQueryExpression<Bool> {
    infix(queryFragment, "NOT IN", "(\(values.map { Self.binding($0) }.joined(", ")))")
  }
  /// Whether the value equals none of several expressions: `("t"."id" NOT IN ("t"."a", "t"."b"))`.
  public func notIn<E: QueryExpression>(_ values: [E]) -> SQLQueryExpression<Bool>
  where E.QueryValue.Unwrapped == QueryValue.Unwrapped {
    infix(queryFragment, "NOT IN", "(\(values.map(\.queryFragment).joined(", ")))")
  }
  /// Whether a query does not return the value: `("t"."id" NOT IN (SELECT …))`.
  public func notIn<S: QueryExpression>(_ values: S) -> SQLQueryExpression<Bool>
  where S.QueryValue.Unwrapped == QueryValue.Unwrapped {
    infix(queryFragment, "NOT IN", values.queryFragment)
  }
  /// Whether a compound query or `Values` does not return the value:
  /// `("t"."id" NOT IN (SELECT …))`.
  @_disfavoredOverload
  public func notIn<S: SelectStatement>(_ rows: S) -> SQLQueryExpression<Bool>
  where S.Picked: QueryRepresentable, S.Picked.Unwrapped == QueryValue.Unwrapped {
    infix(queryFragment, "NOT IN", "(\(rows.part.fragment))")
  }

  /// Whether the value lies between two Swift values, both included: `("t"."c" BETWEEN ? AND ?)`.
  public func between(
    _ low: SwiftValue<Self>, and high: SwiftValue<Self>
  ) -> SQLQueryExpression<Bool> {
    infix(queryFragment, "BETWEEN", "\(Self.binding(low)) AND \(Self.binding(high))")
  }
  /// Whether the value lies between two expressions, both included:
  /// `("t"."c" BETWEEN "t"."a" AND "t"."b")`.
  public func between<L: QueryExpression, H: QueryExpression>(
    _ low: L, and high: H
  ) -> SQLQueryExpression<Bool>
  where
    L.QueryValue.Unwrapped == QueryValue.Unwrapped, H.QueryValue.Unwrapped == QueryValue.Unwrapped
  {
    infix(
      queryFragment, "BETWEEN", "\(low.queryFragment.operand) AND \(high.queryFragment.operand)")
  }
}

extension Sequence {
  /// Whether the sequence contains the value: `[1, 2].contains($0.id)` prints
  /// `("t"."id" IN (?, ?))`.
  public func contains<E: QueryExpression>(_ expression: E) -> SQLQueryExpression<Bool>
  where E.QueryValue.Unwrapped: ColumnRepresentation, Element == SwiftValue<E> {
    expression.in(Array(self))
  }
}

extension ClosedRange {
  /// Whether the range contains the value: `(0...10).contains($0.id)` prints
  /// `("t"."id" BETWEEN ? AND ?)`.
  public func contains<E: QueryExpression>(_ expression: E) -> SQLQueryExpression<Bool>
  where E.QueryValue.Unwrapped: ColumnRepresentation, Bound == SwiftValue<E> {
    expression.between(lowerBound, and: upperBound)
  }
}

extension Select where Picked: QueryRepresentable, Picked.QueryOutput == Output {
  /// Whether the query returns the value: `Row.select(\.c).contains($0.c)` prints
  /// `("t"."c" IN (SELECT …))`.
  public func contains<E: QueryExpression>(_ expression: E) -> SQLQueryExpression<Bool>
  where E.QueryValue.Unwrapped: ColumnRepresentation, Picked.Unwrapped == E.QueryValue.Unwrapped {
    expression.in(self)
  }
}
