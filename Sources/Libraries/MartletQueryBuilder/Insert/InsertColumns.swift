/// The columns that an INSERT assigns: `{ ($0.id, $0.title) }`, or `{ $0 }` for whole rows.
public protocol InsertColumns<Value>: Sendable {
  /// The representations of the columns that ``InsertValuesBuilder`` takes, or ``WholeRow``.
  associatedtype Value
  /// The names of the stored columns from left to right. Empty for a column that SQLite generates.
  var names: [String] { get }
}

/// The columns that a closure chooses, as ``InsertColumnsBuilder`` builds them.
public struct ChosenColumns<Value>: InsertColumns {
  /// The names of the stored columns from left to right. Empty for a column that SQLite generates.
  public let names: [String]
}

/// Stands for all columns of a table. Rows are then inserted as `Table.insert(_:)` does it.
public enum WholeRow<Row: Table> {}

/// A ``TableColumn`` of any table and value.
public protocol InsertColumn: QueryExpression {
  /// The names of the stored columns. Empty for a column that SQLite generates.
  func names<T: Table>(in table: T.Type) -> [String]
}

extension TableColumn: InsertColumn {
  /// The names of the stored columns. Empty for a column that SQLite generates.
  public func names<T: Table>(in table: T.Type) -> [String] {
    // A column of another table keeps its qualifier, so that SQLite rejects the statement.
    parts.map { $0.isGenerated ? "" : Root.self == T.self ? $0.name : "\(qualifier).\($0.name)" }
  }
}

/// Builds the columns of `insert { … } values: { … }`.
@resultBuilder
public enum InsertColumnsBuilder<Target: Table> {
  /// A column, or a tuple of columns.
  public static func buildExpression<each C: InsertColumn>(
    _ columns: (repeat each C)
  ) -> ChosenColumns<(repeat (each C).QueryValue)> {
    var names: [String] = []
    for column in repeat each columns { names += column.names(in: Target.self) }
    return ChosenColumns(names: names)
  }
  /// All columns of the table.
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

/// A row that ``InsertValuesBuilder`` builds.
public enum InsertedRow: Sendable {
  /// Values for the chosen columns.
  case values([QueryFragment])
  /// A whole row.
  case row([Assignment])

  func assignments(_ names: [String]) -> [Assignment] {
    switch self {
    case .row(let row): row
    // Columns that SQLite generates have no name here and are left out.
    case .values(let values):
      zip(names, values).filter { !$0.0.isEmpty }.map { Assignment($0, $1) }
    }
  }
}

/// Builds the rows for chosen columns, one per line.
///
/// A row has as many values as there are columns, in the same order and of the same types. A Swift
/// value is bound as its column stores it.
///
/// ```swift
/// Item.insert { ($0.title, $0.soldAt) } values: { ("x", Date()); ("y", nil) }
/// Item.insert { $0 } values: { Item(id: 1, title: "x"); Item.Draft(title: "y") }
/// ```
/// A row consists either of Swift values or of expressions. Among expressions, a Swift value that
/// is its own representation can stand as it is; write any other as `#bind(value)`.
@resultBuilder
public enum InsertValuesBuilder<Value> {
  /// A row of expressions with the representations of the columns.
  public static func buildExpression<each E: QueryExpressible>(
    _ row: (repeat each E)
  ) -> [InsertedRow] where Value == (repeat (each E).QueryValue) {
    var values: [QueryFragment] = []
    for value in repeat each row { values += value.selection.map(\.fragment) }
    return [.values(values)]
  }
  /// A row of expressions that are optional where the column is not, or the other way round. SQLite
  /// checks NOT NULL.
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
  /// A row of Swift values.
  @_disfavoredOverload
  public static func buildExpression<each V: QueryRepresentable>(
    _ row: (repeat (each V).QueryOutput)
  ) -> [InsertedRow] where Value == (repeat each V) {
    var values: [QueryFragment] = []
    for (type, value) in repeat ((each V).self, each row) { values += bound(value, as: type) }
    return [.values(values)]
  }

  /// A whole row.
  public static func buildExpression<Row: Table>(_ row: Row) -> [InsertedRow]
  where Value == WholeRow<Row> { [.row(row.assignments)] }
  /// A draft or `T.Columns(…)`.
  public static func buildExpression<Row: Table>(_ row: some Insertable<Row>) -> [InsertedRow]
  where Value == WholeRow<Row> { [.row(row.assignments)] }
  /// An array of whole rows.
  public static func buildExpression<Row: Table>(_ rows: [Row]) -> [InsertedRow]
  where Value == WholeRow<Row> { rows.map { .row($0.assignments) } }
  /// An array of drafts or of `T.Columns(…)`.
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
