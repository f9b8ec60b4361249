// Row values (https://sqlite.org/rowvalue.html): groups of columns and keys of several columns, compared
// as a whole.

extension QueryExpression where QueryValue.Unwrapped: Table {
  /// `(("items"."a", "items"."b") = (?, ?))`
  public static func == <R: QueryExpressible>(left: Self, right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped {
    infix(left.queryFragment, "=", right.queryFragment)
  }
  /// `== nil` says that all columns are NULL.
  public static func == (left: Self, right: QueryValue.Unwrapped?) -> SQLQueryExpression<Bool> {
    infix(left.queryFragment, holdsNull(right) ? "IS" : "=", rowValue(right))
  }
  public static func != <R: QueryExpressible>(left: Self, right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped {
    infix(left.queryFragment, "<>", right.queryFragment)
  }
  public static func != (left: Self, right: QueryValue.Unwrapped?) -> SQLQueryExpression<Bool> {
    infix(left.queryFragment, holdsNull(right) ? "IS NOT" : "<>", rowValue(right))
  }

  // Row values have an order, from left to right.
  public static func < (left: Self, right: QueryValue.Unwrapped) -> SQLQueryExpression<Bool> {
    infix(left.queryFragment, "<", right.queryFragment)
  }
  public static func > (left: Self, right: QueryValue.Unwrapped) -> SQLQueryExpression<Bool> {
    infix(left.queryFragment, ">", right.queryFragment)
  }
  public static func <= (left: Self, right: QueryValue.Unwrapped) -> SQLQueryExpression<Bool> {
    infix(left.queryFragment, "<=", right.queryFragment)
  }
  public static func >= (left: Self, right: QueryValue.Unwrapped) -> SQLQueryExpression<Bool> {
    infix(left.queryFragment, ">=", right.queryFragment)
  }

  public func eq<R: QueryExpressible>(_ right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped { self == right }
  public func eq(_ right: QueryValue.Unwrapped?) -> SQLQueryExpression<Bool> { self == right }
  public func neq<R: QueryExpressible>(_ right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped { self != right }
  public func neq(_ right: QueryValue.Unwrapped?) -> SQLQueryExpression<Bool> { self != right }

  public func `is`<R: QueryExpressible>(_ right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped {
    infix(queryFragment, "IS", right.queryFragment)
  }
  public func `is`(_ right: QueryValue.Unwrapped?) -> SQLQueryExpression<Bool> {
    infix(queryFragment, "IS", rowValue(right))
  }
  public func isNot<R: QueryExpressible>(_ right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped {
    infix(queryFragment, "IS NOT", right.queryFragment)
  }
  public func isNot(_ right: QueryValue.Unwrapped?) -> SQLQueryExpression<Bool> {
    infix(queryFragment, "IS NOT", rowValue(right))
  }

  /// `(("t"."a", "t"."b") IN (VALUES (?, ?), (?, ?)))`. An empty list holds nothing.
  public func `in`(_ rows: [QueryValue.Unwrapped]) -> SQLQueryExpression<Bool> {
    SQLQueryExpression(isIn(queryFragment, rows))
  }
  public func notIn(_ rows: [QueryValue.Unwrapped]) -> SQLQueryExpression<Bool> {
    SQLQueryExpression("(NOT \(isIn(queryFragment, rows)))")
  }
  public func `in`(
    _ rows: some SelectStatement<QueryValue.QueryOutput>
  ) -> SQLQueryExpression<Bool> { infix(queryFragment, "IN", "(\(rows.query.fragment))") }
  public func notIn(
    _ rows: some SelectStatement<QueryValue.QueryOutput>
  ) -> SQLQueryExpression<Bool> { infix(queryFragment, "NOT IN", "(\(rows.query.fragment))") }
}

extension QueryExpression {
  /// What `transform` makes of a group that is there, otherwise NULL.
  public func map<Group: Table, R: QueryExpressible>(
    _ transform: (SQLQueryExpression<Group>) -> R
  ) -> SQLQueryExpression<R.QueryValue?> where QueryValue == Group? {
    let result = transform(SQLQueryExpression(queryFragment)).queryFragment
    return SQLQueryExpression(
      "CASE (\(queryFragment) IS \(rowValue(nil as Group?))) WHEN 1 THEN NULL ELSE \(result) END")
  }
}

/// `(?, ?)`; a row that is missing is all NULL.
func rowValue<Row: Table>(_ row: Row?) -> QueryFragment { row.queryFragment }

/// A value that is missing equals another one that is: then `=` would find nothing.
func holdsNull<Row: Table>(_ row: Row?) -> Bool {
  row.selection.contains { $0.fragment == QueryFragment(.null) }
}

/// Row value by row value where one of them holds NULL, which IN never finds.
func isIn<Row: Table>(_ value: QueryFragment, _ rows: [Row]) -> QueryFragment {
  guard rows.contains(where: { holdsNull($0) }) else { return infix(value, "IN", rowValues(rows)) }
  return "(\(rows.map { infix(value, "IS", rowValue($0)) as QueryFragment }.joined(" OR ")))"
}

/// `(VALUES (?, ?), (?, ?))`: SQLite takes no list of row values.
func rowValues<Row: Table>(_ rows: [Row]) -> QueryFragment {
  rows.isEmpty ? "()" : "(VALUES \(rows.map(\.columns.queryFragment).joined(", ")))"
}

extension Sequence where Element: Table {
  /// `ids.contains($0.id)` says `("t"."a", "t"."b") IN (VALUES …)`.
  public func contains<E: QueryExpression>(_ expression: E) -> SQLQueryExpression<Bool>
  where E.QueryValue.Unwrapped == Element { expression.in(Array(self)) }
}
