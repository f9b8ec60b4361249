// Row values (https://sqlite.org/rowvalue.html): groups of columns, and keys of several columns,
// compared as a whole.

extension QueryExpression where QueryValue.Unwrapped: Table {
  /// Whether two groups are equal: `(("items"."a", "items"."b") = ("items"."c", "items"."d"))`.
  ///
  /// Groups that are optional or have optional columns are compared with `IS`: a group is one
  /// value, and equal if all of its columns are.
  public static func == <R: QueryExpressible>(left: Self, right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped {
    SQLQueryExpression(RowComparison(left, right).equality)
  }
  /// Whether the group equals a Swift value: `(("items"."a", "items"."b") = (?, ?))`.
  ///
  /// `== nil` holds if all columns are NULL.
  public static func == (left: Self, right: QueryValue.Unwrapped?) -> SQLQueryExpression<Bool> {
    SQLQueryExpression(RowComparison(left, value: right).equality)
  }
  /// Whether two groups differ: `(("items"."a", "items"."b") <> ("items"."c", "items"."d"))`, or
  /// `IS NOT`.
  public static func != <R: QueryExpressible>(left: Self, right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped {
    SQLQueryExpression(RowComparison(left, right).inequality)
  }
  /// Whether the group differs from a Swift value: `(("items"."a", "items"."b") <> (?, ?))`, or
  /// `IS NOT`.
  public static func != (left: Self, right: QueryValue.Unwrapped?) -> SQLQueryExpression<Bool> {
    SQLQueryExpression(RowComparison(left, value: right).inequality)
  }

  /// Whether the group is less than a Swift value: `(("items"."a", "items"."b") < (?, ?))`.
  ///
  /// Row values are ordered by their columns, from left to right.
  public static func < (left: Self, right: QueryValue.Unwrapped) -> SQLQueryExpression<Bool> {
    infix(left.queryFragment, "<", right.queryFragment)
  }
  /// Whether the group is greater than a Swift value: `(("items"."a", "items"."b") > (?, ?))`.
  public static func > (left: Self, right: QueryValue.Unwrapped) -> SQLQueryExpression<Bool> {
    infix(left.queryFragment, ">", right.queryFragment)
  }
  /// Whether the group is less than or equal to a Swift value:
  /// `(("items"."a", "items"."b") <= (?, ?))`.
  public static func <= (left: Self, right: QueryValue.Unwrapped) -> SQLQueryExpression<Bool> {
    infix(left.queryFragment, "<=", right.queryFragment)
  }
  /// Whether the group is greater than or equal to a Swift value:
  /// `(("items"."a", "items"."b") >= (?, ?))`.
  public static func >= (left: Self, right: QueryValue.Unwrapped) -> SQLQueryExpression<Bool> {
    infix(left.queryFragment, ">=", right.queryFragment)
  }

  /// Whether two groups are equal, but NULL if a whole group is NULL.
  public func eq<R: QueryExpressible>(_ right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped {
    SQLQueryExpression(RowComparison(self, right).sqlEquality)
  }
  /// Whether the group equals a Swift value, but NULL if the whole group is NULL.
  public func eq(_ right: QueryValue.Unwrapped?) -> SQLQueryExpression<Bool> {
    SQLQueryExpression(RowComparison(self, value: right).sqlEquality)
  }
  /// Whether two groups differ, but NULL if a whole group is NULL.
  public func neq<R: QueryExpressible>(_ right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped {
    SQLQueryExpression(RowComparison(self, right).sqlInequality)
  }
  /// Whether the group differs from a Swift value, but NULL if the whole group is NULL.
  public func neq(_ right: QueryValue.Unwrapped?) -> SQLQueryExpression<Bool> {
    SQLQueryExpression(RowComparison(self, value: right).sqlInequality)
  }

  /// Whether two groups are equal, NULLs included: `(("t"."a", "t"."b") IS ("t"."c", "t"."d"))`.
  public func `is`<R: QueryExpressible>(_ right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped {
    infix(queryFragment, "IS", right.queryFragment)
  }
  /// Whether the group equals a Swift value, NULLs included: `(("t"."a", "t"."b") IS (?, ?))`.
  public func `is`(_ right: QueryValue.Unwrapped?) -> SQLQueryExpression<Bool> {
    infix(queryFragment, "IS", rowValue(right))
  }
  /// Whether two groups differ, NULLs included: `(("t"."a", "t"."b") IS NOT ("t"."c", "t"."d"))`.
  public func isNot<R: QueryExpressible>(_ right: R) -> SQLQueryExpression<Bool>
  where R.QueryValue.Unwrapped == QueryValue.Unwrapped {
    infix(queryFragment, "IS NOT", right.queryFragment)
  }
  /// Whether the group differs from a Swift value, NULLs included:
  /// `(("t"."a", "t"."b") IS NOT (?, ?))`.
  public func isNot(_ right: QueryValue.Unwrapped?) -> SQLQueryExpression<Bool> {
    infix(queryFragment, "IS NOT", rowValue(right))
  }

  /// Whether the group is in a list: `(("t"."a", "t"."b") IN (VALUES (?, ?), (?, ?)))`.
  ///
  /// An empty list contains nothing.
  public func `in`(_ rows: [QueryValue.Unwrapped]) -> SQLQueryExpression<Bool> {
    SQLQueryExpression(isIn(queryFragment, rows))
  }
  /// Whether the group is not in a list: `(NOT (("t"."a", "t"."b") IN (VALUES (?, ?))))`.
  public func notIn(_ rows: [QueryValue.Unwrapped]) -> SQLQueryExpression<Bool> {
    SQLQueryExpression("(NOT \(isIn(queryFragment, rows)))")
  }
  /// Whether a query returns the group, in the same representation:
  /// `(("t"."a", "t"."b") IN (SELECT …))`.
  public func `in`<S: SelectStatement>(_ rows: S) -> SQLQueryExpression<Bool>
  where S.Picked: QueryRepresentable, S.Picked.Unwrapped == QueryValue.Unwrapped {
    SQLQueryExpression(membership(of: self, in: rows.part.fragment, as: QueryValue.self))
  }
  /// Whether a query does not return the group: `(NOT (("t"."a", "t"."b") IN (SELECT …)))`.
  public func notIn<S: SelectStatement>(_ rows: S) -> SQLQueryExpression<Bool>
  where S.Picked: QueryRepresentable, S.Picked.Unwrapped == QueryValue.Unwrapped {
    SQLQueryExpression("(NOT \(membership(of: self, in: rows.part.fragment, as: QueryValue.self)))")
  }
  /// Whether a query without `select` returns the group as a whole row:
  /// `(("t"."a", "t"."b") IN (SELECT …))`.
  public func `in`<S: SelectStatement<QueryValue.Unwrapped>>(
    _ rows: S
  ) -> SQLQueryExpression<Bool> where S.Picked == () {
    SQLQueryExpression(membership(of: self, in: rows.part.fragment, as: QueryValue.self))
  }
  /// Whether a query without `select` does not return the group:
  /// `(NOT (("t"."a", "t"."b") IN (SELECT …)))`.
  public func notIn<S: SelectStatement<QueryValue.Unwrapped>>(
    _ rows: S
  ) -> SQLQueryExpression<Bool> where S.Picked == () {
    SQLQueryExpression("(NOT \(membership(of: self, in: rows.part.fragment, as: QueryValue.self)))")
  }
}

extension QueryExpression {
  /// NULL if the whole group is NULL, otherwise the result of `transform`.
  public func map<Group: Table, R: QueryExpressible>(
    _ transform: (SQLQueryExpression<Group>) -> R
  ) -> SQLQueryExpression<R.QueryValue?> where QueryValue == Group? {
    let result = transform(SQLQueryExpression(queryFragment)).queryFragment
    return SQLQueryExpression(
      "CASE (\(queryFragment) IS \(rowValue(nil as Group?))) WHEN 1 THEN NULL ELSE \(result) END")
  }
}

/// Two groups to be compared.
private struct RowComparison {
  private let left: QueryFragment
  private let right: QueryFragment
  /// Whether a column may be NULL although the group is not, as for the cases of an enum.
  private let hasNullableParts: Bool
  /// The optional sides, which may be NULL as a whole.
  private let optionals: [QueryFragment]
  private let nothing: QueryFragment
  /// Whether the right side is `nil`.
  private var isNil = false

  init<L: QueryExpression, R: QueryExpressible>(_ left: L, _ right: R)
  where L.QueryValue.Unwrapped: Table, L.QueryValue.Unwrapped == R.QueryValue.Unwrapped {
    self.left = left.queryFragment
    // A Swift value has an optional type only if it is `nil`.
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

  /// SQL's `=` and `<>` are NULL if any column is; these only if a whole group is.
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
  /// Whether a column of a row may be NULL.
  fileprivate static var hasNullableParts: Bool {
    Self.self is any EnumTable.Type || TableColumns.all.contains(where: \.isOptional)
  }
}

/// The condition that a query returns a value.
///
/// `IN` never finds a group with a NULL in it; `INTERSECT` treats NULLs as equal.
func membership<E: QueryExpression, V: QueryRepresentable>(
  of value: E, in rows: QueryFragment, as type: V.Type
) -> QueryFragment {
  let parts = value.selection.map(\.fragment)
  guard let group = V.Unwrapped.self as? any Table.Type, group.hasNullableParts, parts.count > 1
  else { return infix(value.queryFragment, "IN", "(\(rows))") }
  return "EXISTS (SELECT \(parts.joined(", ")) INTERSECT SELECT * FROM (\(rows)))"
}

/// The row as a row value: `(?, ?)`. `nil` is NULL in each column.
func rowValue<Row: Table>(_ row: Row?) -> QueryFragment { row.queryFragment }

/// Whether a column is NULL. `=` would not find such a row: here NULL equals NULL.
func holdsNull<Row: Table>(_ row: Row?) -> Bool {
  row.selection.contains { $0.fragment == QueryFragment(.null) }
}

/// The condition that a list contains a row. If one of its rows holds NULL, which IN never finds,
/// each row is compared with `IS`.
func isIn<Row: Table>(_ value: QueryFragment, _ rows: [Row]) -> QueryFragment {
  guard rows.contains(where: { holdsNull($0) }) else { return infix(value, "IN", rowValues(rows)) }
  return "(\(rows.map { infix(value, "IS", rowValue($0)) as QueryFragment }.joined(" OR ")))"
}

/// The rows as a subquery: `(VALUES (?, ?), (?, ?))`. SQLite does not take a list of row values.
func rowValues<Row: Table>(_ rows: [Row]) -> QueryFragment {
  rows.isEmpty ? "()" : "(VALUES \(rows.map(\.columns.queryFragment).joined(", ")))"
}

extension Sequence where Element: Table {
  /// Whether the sequence contains the group: `ids.contains($0.id)` prints
  /// `("t"."a", "t"."b") IN (VALUES …)`.
  public func contains<E: QueryExpression>(_ expression: E) -> SQLQueryExpression<Bool>
  where E.QueryValue.Unwrapped == Element { expression.in(Array(self)) }
}
