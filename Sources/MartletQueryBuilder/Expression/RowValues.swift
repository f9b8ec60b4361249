// Row values (https://sqlite.org/rowvalue.html): groups of columns and keys of several columns, compared
// as a whole.

extension QueryExpression where QueryValue.Unwrapped: Table {
  /// `(("items"."a", "items"."b") = (?, ?))`. Of groups that may be missing, or have parts that may be NULL, `IS`: a group is
  /// one value, and equal where all of its parts are.
  public static func == <R: QueryExpressible>(left: Self, right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped {
    SQLQueryExpression(RowComparison(left, right).equality)
  }
  /// `== nil` says that all columns are NULL.
  public static func == (left: Self, right: QueryValue.Unwrapped?) -> SQLQueryExpression<Bool> {
    SQLQueryExpression(RowComparison(left, value: right).equality)
  }
  public static func != <R: QueryExpressible>(left: Self, right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped {
    SQLQueryExpression(RowComparison(left, right).inequality)
  }
  public static func != (left: Self, right: QueryValue.Unwrapped?) -> SQLQueryExpression<Bool> {
    SQLQueryExpression(RowComparison(left, value: right).inequality)
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

  /// As `==`, but NULL where a group is missing as a whole.
  public func eq<R: QueryExpressible>(_ right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped {
    SQLQueryExpression(RowComparison(self, right).sqlEquality)
  }
  public func eq(_ right: QueryValue.Unwrapped?) -> SQLQueryExpression<Bool> {
    SQLQueryExpression(RowComparison(self, value: right).sqlEquality)
  }
  /// As `!=`, but NULL where a group is missing as a whole.
  public func neq<R: QueryExpressible>(_ right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped {
    SQLQueryExpression(RowComparison(self, right).sqlInequality)
  }
  public func neq(_ right: QueryValue.Unwrapped?) -> SQLQueryExpression<Bool> {
    SQLQueryExpression(RowComparison(self, value: right).sqlInequality)
  }

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
  /// The groups that a query chose, stored in the same way.
  public func `in`<S: SelectStatement>(_ rows: S) -> SQLQueryExpression<Bool>
  where S.Picked: QueryRepresentable, S.Picked.Unwrapped == QueryValue.Unwrapped {
    SQLQueryExpression(membership(of: self, in: rows.part.fragment, as: QueryValue.self))
  }
  public func notIn<S: SelectStatement>(_ rows: S) -> SQLQueryExpression<Bool>
  where S.Picked: QueryRepresentable, S.Picked.Unwrapped == QueryValue.Unwrapped {
    SQLQueryExpression("(NOT \(membership(of: self, in: rows.part.fragment, as: QueryValue.self)))")
  }
  /// The rows of a query without `select`, whole.
  public func `in`<S: SelectStatement<QueryValue.Unwrapped>>(
    _ rows: S
  ) -> SQLQueryExpression<Bool> where S.Picked == () {
    SQLQueryExpression(membership(of: self, in: rows.part.fragment, as: QueryValue.self))
  }
  public func notIn<S: SelectStatement<QueryValue.Unwrapped>>(
    _ rows: S
  ) -> SQLQueryExpression<Bool> where S.Picked == () {
    SQLQueryExpression("(NOT \(membership(of: self, in: rows.part.fragment, as: QueryValue.self)))")
  }
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

/// Two groups, as the operators compare them.
private struct RowComparison {
  private let left: QueryFragment
  private let right: QueryFragment
  /// A part may be NULL although the group is there, as in each case of an enum.
  private let hasNullableParts: Bool
  /// Those sides that may be missing as a whole.
  private let optionals: [QueryFragment]
  private let nothing: QueryFragment
  /// The right side is `nil`.
  private var isNil = false

  init<L: QueryExpression, R: QueryExpressible>(_ left: L, _ right: R)
  where L.QueryValue.Unwrapped: Table, L.QueryValue.Unwrapped == R.QueryValue.Unwrapped {
    self.left = left.queryFragment
    // A value, which has a type of its own only where it is `nil`.
    self.right = right.queryFragment
    hasNullableParts = L.QueryValue.Unwrapped.hasNullableParts
    nothing = rowValue(nil as L.QueryValue.Unwrapped?)
    optionals =
      (L.QueryValue.self == L.QueryValue.Unwrapped.self ? [] : [self.left])
      + (R.QueryValue.self == R.QueryValue.Unwrapped.self ? [] : [self.right])
  }

  init<L: QueryExpression>(_ left: L, value: L.QueryValue.Unwrapped?)
  where L.QueryValue.Unwrapped: Table {
    self.left = left.queryFragment
    right = rowValue(value)
    hasNullableParts = L.QueryValue.Unwrapped.hasNullableParts
    nothing = rowValue(nil as L.QueryValue.Unwrapped?)
    optionals = L.QueryValue.self == L.QueryValue.Unwrapped.self ? [] : [self.left]
    isNil = value == nil
  }

  private var isWhole: Bool { !hasNullableParts && optionals.isEmpty && !isNil }
  var equality: QueryFragment { infix(left, isWhole ? "=" : "IS", right) }
  var inequality: QueryFragment { infix(left, isWhole ? "<>" : "IS NOT", right) }

  /// `=` and `<>` of SQL are NULL where a part is; here only where a whole group is missing.
  var sqlEquality: QueryFragment {
    if isNil || optionals.isEmpty { return equality }
    return hasNullableParts ? present(infix(left, "IS", right)) : infix(left, "=", right)
  }
  var sqlInequality: QueryFragment {
    if isNil || optionals.isEmpty { return inequality }
    return hasNullableParts ? present(infix(left, "IS NOT", right)) : infix(left, "<>", right)
  }

  private func present(_ comparison: QueryFragment) -> QueryFragment {
    let conditions = optionals.map { infix($0, "IS", nothing) as QueryFragment }.joined(" OR ")
    return "CASE WHEN \(conditions) THEN NULL ELSE \(comparison) END"
  }
}

extension Table {
  /// A part of a row may be NULL.
  fileprivate static var hasNullableParts: Bool {
    Self.self is any EnumTable.Type || TableColumns.all.contains(where: \.isOptional)
  }
}

/// That a query gives this value. `IN` never finds a group with a NULL in it; `INTERSECT` takes NULLs for equal.
func membership<E: QueryExpression, V: QueryRepresentable>(
  of value: E, in rows: QueryFragment, as type: V.Type
) -> QueryFragment {
  let parts = value.selection.map(\.fragment)
  guard let group = V.Unwrapped.self as? any Table.Type, group.hasNullableParts, parts.count > 1
  else { return infix(value.queryFragment, "IN", "(\(rows))") }
  return "EXISTS (SELECT \(parts.joined(", ")) INTERSECT SELECT * FROM (\(rows)))"
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
