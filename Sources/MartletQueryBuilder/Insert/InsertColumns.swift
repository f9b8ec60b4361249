/// The columns that an INSERT gives values for: `{ ($0.id, $0.title) }`, or `{ $0 }` for whole rows.
public protocol InsertColumns<Value>: Sendable {
  /// What ``InsertValuesBuilder`` takes: the columns' representations, or ``WholeRow``.
  associatedtype Value
  /// The stored columns from left to right; empty for one that SQLite generates.
  var names: [String] { get }
}

/// See ``InsertColumns``.
public struct ChosenColumns<Value>: InsertColumns {
  public let names: [String]
}

/// All columns of a table: rows are inserted as ``Table/insert(_:)`` does.
public enum WholeRow<Row: Table> {}

/// ``TableColumn``, of any table and value.
public protocol InsertColumn: QueryExpression {
  /// The stored columns; empty for one that SQLite generates.
  func names<T: Table>(in table: T.Type) -> [String]
}

extension TableColumn: InsertColumn {
  public func names<T: Table>(in table: T.Type) -> [String] {
    // Another table's column is none of this one: SQLite refuses it by its full name.
    parts.map { $0.isGenerated ? "" : Root.self == T.self ? $0.name : "\(qualifier).\($0.name)" }
  }
}

/// The first closure of `insert { … } values: { … }`.
@resultBuilder
public enum InsertColumnsBuilder<Target: Table> {
  public static func buildExpression<each C: InsertColumn>(
    _ columns: (repeat each C)
  ) -> ChosenColumns<(repeat (each C).QueryValue)> {
    var names: [String] = []
    for column in repeat each columns { names += column.names(in: Target.self) }
    return ChosenColumns(names: names)
  }
  public static func buildExpression(
    _ columns: Target.TableColumns
  ) -> ChosenColumns<WholeRow<Target>> {
    ChosenColumns(names: Target.TableColumns.all.map { $0.isGenerated ? "" : $0.name })
  }
  @available(
    *, unavailable,
    message: "Choose columns of the table: '$0.title', '($0.id, $0.title)', or '$0' for whole rows"
  )
  @_disfavoredOverload
  public static func buildExpression<T>(_ columns: T) -> ChosenColumns<T> {
    ChosenColumns(names: [])
  }
  public static func buildBlock<C: InsertColumns>(_ columns: C) -> C { columns }
}

/// A row of ``InsertValuesBuilder``: values for the chosen columns, or a whole row.
public enum InsertedRow: Sendable {
  case values([QueryFragment])
  case row([Assignment])

  func assignments(_ names: [String]) -> [Assignment] {
    switch self {
    case .row(let row): row
    // Without what SQLite generates, which has no name here.
    case .values(let values):
      zip(names, values).filter { !$0.0.isEmpty }.map { Assignment($0, $1) }
    }
  }
}

/// Values for chosen columns, a row a line: as many as there are columns, in their order, each of its
/// column's type. A Swift value is bound as its column stores it.
///
/// ```swift
/// Item.insert { ($0.title, $0.soldAt) } values: { ("x", Date()); ("y", nil) }
/// Item.insert { $0 } values: { Item(id: 1, title: "x"); Item.Draft(title: "y") }
/// ```
/// A row is all Swift values or all expressions; among expressions, a Swift value that has its own type as
/// representation may stand as it is, another one as `#bind(value)`.
@resultBuilder
public enum InsertValuesBuilder<Value> {
  public static func buildExpression<each E: QueryExpressible>(
    _ row: (repeat each E)
  ) -> [InsertedRow] where Value == (repeat (each E).QueryValue) {
    var values: [QueryFragment] = []
    for value in repeat each row { values += value.selection.map(\.fragment) }
    return [.values(values)]
  }
  /// Of expressions that are optional, or not, where the column is not, or is: NOT NULL is SQLite's to check.
  @_disfavoredOverload
  public static func buildExpression<each V: QueryRepresentable, each E: QueryExpression>(
    _ row: (repeat each E)
  ) -> [InsertedRow]
  where
    Value == (repeat each V), (repeat (each V).Unwrapped) == (repeat (each E).QueryValue.Unwrapped)
  {
    var values: [QueryFragment] = []
    for value in repeat each row { values += value.selection.map(\.fragment) }
    return [.values(values)]
  }
  @_disfavoredOverload
  public static func buildExpression<each V: QueryRepresentable>(
    _ row: (repeat (each V).QueryOutput)
  ) -> [InsertedRow] where Value == (repeat each V) {
    var values: [QueryFragment] = []
    for (type, value) in repeat ((each V).self, each row) { values += bound(value, as: type) }
    return [.values(values)]
  }

  // Whole rows, drafts, rows of expressions, and arrays of them.
  public static func buildExpression<Row: Table>(_ row: Row) -> [InsertedRow]
  where Value == WholeRow<Row> { [.row(row.assignments)] }
  public static func buildExpression<Row: Table>(_ row: some Insertable<Row>) -> [InsertedRow]
  where Value == WholeRow<Row> { [.row(row.assignments)] }
  public static func buildExpression<Row: Table>(_ rows: [Row]) -> [InsertedRow]
  where Value == WholeRow<Row> { rows.map { .row($0.assignments) } }
  public static func buildExpression<Row: Table>(_ rows: [some Insertable<Row>]) -> [InsertedRow]
  where Value == WholeRow<Row> { rows.map { .row($0.assignments) } }

  @available(
    *, unavailable,
    message: """
      The values do not fit the columns: give as many, in the same order and of the same types. Beside \
      an expression, write a Swift value as '#bind(value)'
      """
  )
  @_disfavoredOverload
  public static func buildExpression<T>(_ row: T) -> [InsertedRow] { [] }

  public static func buildBlock(_ parts: [InsertedRow]...) -> [InsertedRow] { parts.flatMap { $0 } }
  public static func buildOptional(_ part: [InsertedRow]?) -> [InsertedRow] { part ?? [] }
  public static func buildEither(first: [InsertedRow]) -> [InsertedRow] { first }
  public static func buildEither(second: [InsertedRow]) -> [InsertedRow] { second }
  public static func buildArray(_ parts: [[InsertedRow]]) -> [InsertedRow] { parts.flatMap { $0 } }
}

/// A Swift value as its representation stores it: one binding, or those of a row.
func bound<V: QueryRepresentable>(
  _ value: V.QueryOutput, as type: V.Type
) -> [QueryFragment] {
  if let column = type as? any ColumnRepresentation<V.QueryOutput>.Type {
    return [QueryFragment(binding(value, as: column))]
  }
  return (V(queryOutput: value) as? any QueryExpressible)?.selection.map(\.fragment)
    ?? [QueryFragment(.invalid(reason: "\(typeName(V.self)) cannot be inserted"))]
}

private func binding<V, C: ColumnRepresentation<V>>(_ value: V, as column: C.Type) -> QueryBinding {
  C.bind(value)
}
