/// `INSERT INTO "tags" ("title") VALUES (?), (?)`
///
/// Rows that give different columns (drafts whose `nil` members are left out) are brought to the same
/// columns: where some row gives a value, the others give NULL.
public struct Insert<Target: Table>: ChangeStatement {
  enum Source: Sendable {
    case rows([[Assignment]])
    case select(columns: [String], Query)
  }

  let source: Source
  var conflict: OnConflict?
  /// An upsert says NULL where a draft says `nil`: the row may be there, with another value.
  var setsNULL = false

  public var query: Query {
    switch source {
    case .rows(let rows): rows.isEmpty ? Query("", isEmpty: true) : Query(values(rows))
    case .select(let columns, let query): inserting(columns, query)
    }
  }

  private func values(_ rows: [[Assignment]]) -> QueryFragment {
    // Reversed, so that the refusal is found before the value.
    let rows = rows.map { row in
      Set(row.map(\.column)).count == row.count ? row : row.refusingDuplicates.reversed()
    }
    var names = Self.names(of: rows) { !$0.isOmittable || setsNULL }
    // One statement can make only one row of defaults alone: several get a NULL for their key each.
    if names.isEmpty, rows.count > 1 {
      names = [Target.TableColumns.all.first(where: \.isKey)?.name ?? "rowid"]
    }
    if names.isEmpty { return "INSERT INTO \(Target.self) DEFAULT VALUES" }
    let lists = rows.map { row in
      let values = names.map { name in row.first { $0.column == name }?.value ?? "NULL" }
      return "(\(values.joined(", ")))" as QueryFragment
    }
    return "\(head(names)) VALUES \(lists.joined(", "))\(conflictClause)"
  }

  /// The columns that the rows give, each once.
  static func names(
    of rows: [[Assignment]], where isWanted: (Assignment) -> Bool = { _ in true }
  ) -> [String] {
    var names: [String] = []
    for row in rows {
      for part in row where !names.contains(part.column) && isWanted(part) {
        names.append(part.column)
      }
    }
    return names
  }

  private func inserting(_ columns: [String], _ query: Query) -> Query {
    // After a SELECT without WHERE the parser takes ON for a join's
    // (https://sqlite.org/lang_upsert.html#parsing_ambiguity).
    let select: QueryFragment =
      conflict == nil ? query.fragment : "SELECT * FROM (\(query.fragment)) WHERE 1"
    return Query("\(head(columns)) \(select)\(conflictClause)", isEmpty: query.isEmpty)
  }

  private func head(_ columns: [String]) -> QueryFragment {
    "INSERT INTO \(Target.self) (\(columns.map { QueryFragment(quote: $0) }.joined(", ")))"
  }

  private var conflictClause: QueryFragment { conflict.map { " \($0.clause)" } ?? QueryFragment() }
}

extension Table {
  public static func insert(
    @InsertBuilder<Self> _ rows: () -> [[Assignment]]
  ) -> Insert<Self> { Insert(source: .rows(rows())) }

  public static func insert(_ rows: [some Insertable<Self>]) -> Insert<Self> {
    Insert(source: .rows(rows.map(\.assignments)))
  }
  public static func insert(_ rows: [Self]) -> Insert<Self> {
    Insert(source: .rows(rows.map(\.assignments)))
  }

  /// `INSERT INTO "tags" DEFAULT VALUES`
  public static func insert() -> Insert<Self> { Insert(source: .rows([[]])) }

  /// Some columns, and values for them: `insert { ($0.a, $0.b) } values: { ("x", 1); ("y", 2) }`.
  public static func insert<each V: QueryRepresentable>(
    _ columns: (TableColumns) -> (repeat TableColumn<Self, each V>),
    @InsertValuesBuilder<(repeat each V)> values: () -> [[QueryFragment]]
  ) -> Insert<Self> {
    let names = names(of: repeat each columns(Self.columns))
    return Insert(
      source: .rows(values().map { row in assigned(names, row) }))
  }
  public static func insert<V: QueryRepresentable>(
    _ column: KeyPath<TableColumns, TableColumn<Self, V>>,
    @InsertValuesBuilder<V> values: () -> [[QueryFragment]]
  ) -> Insert<Self> {
    let names = names(of: Self.columns[keyPath: column])
    return Insert(
      source: .rows(values().map { row in assigned(names, row) }))
  }

  /// The rows of a query: `insert { ($0.a, $0.b) } select: { Other.select { ($0.c, $0.d) } }`.
  public static func insert<each V: QueryRepresentable>(
    _ columns: (TableColumns) -> (repeat TableColumn<Self, each V>),
    select: () -> some SelectStatement<(repeat (each V).QueryOutput)>
  ) -> Insert<Self> {
    Insert(
      source: .select(
        columns: names(of: repeat each columns(Self.columns)), select().query))
  }

  /// Without what SQLite generates, which has no name here.
  private static func assigned(_ names: [String], _ values: [QueryFragment]) -> [Assignment] {
    zip(names, values).filter { !$0.0.isEmpty }.map { Assignment($0, $1) }
  }

  private static func names<each V: QueryRepresentable>(
    of columns: repeat TableColumn<Self, each V>
  ) -> [String] {
    var names: [String] = []
    for column in repeat each columns {
      names += column.parts.map { $0.isGenerated ? "" : $0.name }
    }
    return names
  }
}

/// Rows, drafts and arrays of them, one a line, with `if` and `for`.
@resultBuilder
public enum InsertBuilder<Target: Table> {
  public static func buildExpression(_ row: Target) -> [[Assignment]] { [row.assignments] }
  public static func buildExpression(_ row: some Insertable<Target>) -> [[Assignment]] {
    [row.assignments]
  }
  /// `[]` where nothing says of what.
  public static func buildExpression(_ rows: [Target]) -> [[Assignment]] {
    rows.map(\.assignments)
  }
  public static func buildExpression(_ rows: [some Insertable<Target>]) -> [[Assignment]] {
    rows.map(\.assignments)
  }
  public static func buildBlock(_ parts: [[Assignment]]...) -> [[Assignment]] {
    parts.flatMap { $0 }
  }
  public static func buildOptional(_ part: [[Assignment]]?) -> [[Assignment]] { part ?? [] }
  public static func buildEither(first: [[Assignment]]) -> [[Assignment]] { first }
  public static func buildEither(second: [[Assignment]]) -> [[Assignment]] { second }
  public static func buildArray(_ parts: [[[Assignment]]]) -> [[Assignment]] {
    parts.flatMap { $0 }
  }
}

/// Values for chosen columns, a row a line.
@resultBuilder
public enum InsertValuesBuilder<Value> {
  public static func buildExpression<each V: QueryRepresentable, each E: QueryExpressible>(
    _ row: (repeat each E)
  ) -> [[QueryFragment]] where Value == (repeat each V) {
    var values: [QueryFragment] = []
    for value in repeat each row { values += value.selection.map(\.fragment) }
    return [values]
  }
  @_disfavoredOverload
  public static func buildExpression<each V: ColumnRepresentation>(
    _ row: (repeat (each V).QueryOutput)
  ) -> [[QueryFragment]] where Value == (repeat each V) {
    var values: [QueryFragment] = []
    for (type, value) in repeat ((each V).self, each row) {
      values.append(QueryFragment(type.bind(value)))
    }
    return [values]
  }
  public static func buildBlock(_ parts: [[QueryFragment]]...) -> [[QueryFragment]] {
    parts.flatMap { $0 }
  }
  public static func buildOptional(_ part: [[QueryFragment]]?) -> [[QueryFragment]] { part ?? [] }
  public static func buildEither(first: [[QueryFragment]]) -> [[QueryFragment]] { first }
  public static func buildEither(second: [[QueryFragment]]) -> [[QueryFragment]] { second }
  public static func buildArray(_ parts: [[[QueryFragment]]]) -> [[QueryFragment]] {
    parts.flatMap { $0 }
  }
}
