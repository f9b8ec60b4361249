// IN and BETWEEN (https://sqlite.org/lang_expr.html#in_op).

extension QueryExpression where QueryValue.Unwrapped: ColumnRepresentation {
  /// `("t"."id" IN (1, 2))`. An empty list holds nothing: SQLite accepts `IN ()`, and takes it for a constant,
  /// which as a term of ORDER BY or GROUP BY would be a column's number.
  public func `in`(_ values: [SwiftValue<Self>]) -> SQLQueryExpression<Bool> {
    infix(queryFragment, "IN", "(\(values.map { Self.binding($0) }.joined(", ")))")
  }
  /// `("t"."id" IN ("t"."a", "t"."b"))`
  public func `in`<E: QueryExpression>(_ values: [E]) -> SQLQueryExpression<Bool>
  where E.QueryValue.Unwrapped == QueryValue.Unwrapped {
    infix(queryFragment, "IN", "(\(values.map(\.queryFragment).joined(", ")))")
  }
  /// `("t"."id" IN (SELECT …))`
  public func `in`<S: QueryExpression>(_ values: S) -> SQLQueryExpression<Bool>
  where S.QueryValue.Unwrapped == QueryValue.Unwrapped {
    infix(queryFragment, "IN", values.queryFragment)
  }
  /// The rows of a compound or of `Values`, stored as this is.
  @_disfavoredOverload
  public func `in`<S: SelectStatement>(_ rows: S) -> SQLQueryExpression<Bool>
  where S.Picked: QueryRepresentable, S.Picked.Unwrapped == QueryValue.Unwrapped {
    infix(queryFragment, "IN", "(\(rows.part.fragment))")
  }

  public func notIn(_ values: [SwiftValue<Self>]) -> SQLQueryExpression<Bool> {
    infix(queryFragment, "NOT IN", "(\(values.map { Self.binding($0) }.joined(", ")))")
  }
  public func notIn<E: QueryExpression>(_ values: [E]) -> SQLQueryExpression<Bool>
  where E.QueryValue.Unwrapped == QueryValue.Unwrapped {
    infix(queryFragment, "NOT IN", "(\(values.map(\.queryFragment).joined(", ")))")
  }
  public func notIn<S: QueryExpression>(_ values: S) -> SQLQueryExpression<Bool>
  where S.QueryValue.Unwrapped == QueryValue.Unwrapped {
    infix(queryFragment, "NOT IN", values.queryFragment)
  }
  @_disfavoredOverload
  public func notIn<S: SelectStatement>(_ rows: S) -> SQLQueryExpression<Bool>
  where S.Picked: QueryRepresentable, S.Picked.Unwrapped == QueryValue.Unwrapped {
    infix(queryFragment, "NOT IN", "(\(rows.part.fragment))")
  }

  /// `("t"."c" BETWEEN 0 AND 10)`, both ends included.
  public func between(
    _ low: SwiftValue<Self>, and high: SwiftValue<Self>
  ) -> SQLQueryExpression<Bool> {
    infix(queryFragment, "BETWEEN", "\(Self.binding(low)) AND \(Self.binding(high))")
  }
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
  /// `[1, 2].contains($0.id)` says `("t"."id" IN (1, 2))`.
  public func contains<E: QueryExpression>(_ expression: E) -> SQLQueryExpression<Bool>
  where E.QueryValue.Unwrapped: ColumnRepresentation, Element == SwiftValue<E> {
    expression.in(Array(self))
  }
}

extension ClosedRange {
  /// `(0...10).contains($0.id)` says `("t"."id" BETWEEN 0 AND 10)`.
  public func contains<E: QueryExpression>(_ expression: E) -> SQLQueryExpression<Bool>
  where E.QueryValue.Unwrapped: ColumnRepresentation, Bound == SwiftValue<E> {
    expression.between(lowerBound, and: upperBound)
  }
}

extension Select where Picked: QueryRepresentable, Picked.QueryOutput == Output {
  /// `Row.select(\.c).contains($0.c)` says `("t"."c" IN (SELECT …))`.
  public func contains<E: QueryExpression>(_ expression: E) -> SQLQueryExpression<Bool>
  where E.QueryValue.Unwrapped: ColumnRepresentation, Picked.Unwrapped == E.QueryValue.Unwrapped {
    expression.in(self)
  }
}
