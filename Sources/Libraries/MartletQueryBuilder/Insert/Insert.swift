/// An INSERT statement: `INSERT INTO "tags" ("title") VALUES (?), (?)`
/// (https://sqlite.org/lang_insert.html).
///
/// All rows of a statement have the same columns. A draft leaves out columns that are `nil`; if
/// another row has a value for such a column, the draft's row has NULL there.
public struct Insert<Target: Table>: ChangeStatement {
  enum Source: Sendable {
    case rows([[Assignment]])
    case select(columns: [String], Query)
  }

  let source: Source
  var conflict: OnConflict?
  /// Whether a draft's `nil` is inserted as NULL. An upsert does so, because the row may exist with
  /// another value.
  var setsNULL = false
  /// The alias of the table: `INSERT INTO "lists" AS "r"`.
  var alias: String?
  /// Whether it was made from a query with conditions or other clauses, which an INSERT cannot
  /// have.
  var dropsClauses = false

  public var query: Query {
    switch source {
    case .rows(let rows): rows.isEmpty ? Query("", isEmpty: true) : Query(values(rows))
    case .select(let columns, let query): inserting(columns, query)
    }
  }

  private func values(_ rows: [[Assignment]]) -> QueryFragment {
    // Reversed, so that the error for a duplicate is found before the first value.
    let rows = rows.map { row in
      Set(row.map(\.column)).count == row.count ? row : row.refusingDuplicates.reversed()
    }
    var names = Self.names(of: rows) { !$0.isOmittable || setsNULL }
    // DEFAULT VALUES inserts a single row and takes no ON CONFLICT. In all other cases each row
    // inserts NULL as its integer key or rowid.
    if names.isEmpty, rows.count > 1 || conflict != nil {
      let key = Target.TableColumns.all.first { $0.isKey && $0.kind == .integer }
      names = [key?.name ?? "rowid"]
    }
    if names.isEmpty { return "INSERT INTO \(target) DEFAULT VALUES" }
    let lists = rows.map { row in
      let values = names.map { name in row.first { $0.column == name }?.value ?? "NULL" }
      return "(\(values.joined(", ")))" as QueryFragment
    }
    return "\(head(names)) VALUES \(lists.joined(", "))\(conflictClause)"
  }

  /// The columns that the rows assign, each once.
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
    if columns.contains("") { return inserting(stored: columns, query) }
    // Without WHERE, SQLite takes an ON after SELECT for that of a join
    // (https://sqlite.org/lang_upsert.html#parsing_ambiguity).
    let select: QueryFragment =
      conflict == nil ? query.fragment : "SELECT * FROM (\(query.fragment)) WHERE 1"
    return Query("\(head(columns)) \(select)\(conflictClause)", isEmpty: query.isEmpty)
  }

  /// Leaves out the columns that SQLite generates, whose names are empty here.
  private func inserting(stored columns: [String], _ query: Query) -> Query {
    let all = columns.indices.map { QueryFragment(quote: "column\($0 + 1)") }
    let stored = zip(all, columns).filter { !$0.1.isEmpty }.map(\.0)
    var select = query
    select.fragment = """
      WITH "rows" (\(all.joined(", "))) AS (\(query.fragment)) \
      SELECT \(stored.joined(", ")) FROM "rows"
      """
    return inserting(columns.filter { !$0.isEmpty }, select)
  }

  private var target: QueryFragment {
    if dropsClauses {
      let reason = "an INSERT has no clauses of a query: insert into the table or its alias"
      return QueryFragment(.invalid(reason: reason))
    }
    return alias.map { "\(Target.self) AS \(quote: $0)" } ?? "\(Target.self)"
  }
  /// The name that qualifies the table's columns in expressions.
  var qualifier: String { alias ?? Target.qualifiedName }
  private func head(_ columns: [String]) -> QueryFragment {
    "INSERT INTO \(target) (\(columns.map { QueryFragment(quote: $0) }.joined(", ")))"
  }

  private var conflictClause: QueryFragment { conflict.map { " \($0.clause)" } ?? QueryFragment() }
}

extension Table {
  /// Inserts rows and drafts: `INSERT INTO "tags" ("title") VALUES (?), (?)`. Without rows nothing
  /// is executed.
  @ConflictForms
  public static func insert(
    @InsertBuilder<Self> _ rows: () -> [[Assignment]]
  ) -> Insert<Self> { Insert(source: .rows(rows())) }

  /// Inserts an array of drafts or of `T.Columns(…)`. An empty array executes nothing.
  public static func insert(_ rows: [some Insertable<Self>]) -> Insert<Self> {
    Insert(source: .rows(rows.map(\.assignments)))
  }
  /// Inserts an array of rows. An empty array executes nothing.
  public static func insert(_ rows: [Self]) -> Insert<Self> {
    Insert(source: .rows(rows.map(\.assignments)))
  }

  /// Inserts a row of default values: `INSERT INTO "tags" DEFAULT VALUES`.
  public static func insert() -> Insert<Self> { Insert(source: .rows([[]])) }

  /// Inserts values for chosen columns: `insert { ($0.a, $0.b) } values: { ("x", 1); ("y", 2) }`.
  ///
  /// `insert { $0 } values: { row }` inserts whole rows.
  @ConflictForms
  public static func insert<Columns: InsertColumns>(
    @InsertColumnsBuilder<Self> _ columns: (TableColumns) -> Columns,
    @InsertValuesBuilder<Columns.Value> values: () -> [InsertedRow]
  ) -> Insert<Self> {
    let names = columns(Self.columns).names
    return Insert(source: .rows(values().map { $0.assignments(names) }))
  }
  /// Inserts values for a single column: `insert(\.title) { "a"; "b" }`.
  @ConflictForms
  public static func insert<V: QueryRepresentable>(
    _ column: KeyPath<TableColumns, TableColumn<Self, V>>,
    @InsertValuesBuilder<V> values: () -> [InsertedRow]
  ) -> Insert<Self> {
    let names = InsertColumnsBuilder<Self>.buildExpression(Self.columns[keyPath: column]).names
    return Insert(source: .rows(values().map { $0.assignments(names) }))
  }

  /// Inserts the rows of a query:
  /// `insert { ($0.a, $0.b) } select: { Other.select { ($0.c, $0.d) } }`.
  ///
  /// The selected columns must have the types and representations of the chosen columns.
  @ConflictForms
  public static func insert<Columns: InsertColumns, Rows: SelectStatement>(
    @InsertColumnsBuilder<Self> _ columns: (TableColumns) -> Columns, select: () -> Rows
  ) -> Insert<Self> where Rows.Picked == Columns.Value {
    Insert(source: .select(columns: columns(Self.columns).names, select().part))
  }
  /// Inserts the whole rows of a query: `insert { $0 } select: { Archived.where(\.isRestored) }`.
  @ConflictForms
  public static func insert<Columns: InsertColumns>(
    @InsertColumnsBuilder<Self> _ columns: (TableColumns) -> Columns,
    select: () -> some SelectStatement<Self>
  ) -> Insert<Self> where Columns.Value == WholeRow<Self> {
    Insert(source: .select(columns: columns(Self.columns).names, select().part))
  }
}

/// Builds the rows of an INSERT: rows, drafts, `T.Columns(…)`, and arrays of these, one per line.
/// Supports `if`, `else` and `for`.
@resultBuilder
public enum InsertBuilder<Target: Table> {
  /// A row.
  public static func buildExpression(_ row: Target) -> [[Assignment]] { [row.assignments] }
  /// A draft or `T.Columns(…)`.
  public static func buildExpression(_ row: some Insertable<Target>) -> [[Assignment]] {
    [row.assignments]
  }
  /// An array of rows. This is also the meaning of `[]`, whose type nothing determines.
  public static func buildExpression(_ rows: [Target]) -> [[Assignment]] {
    rows.map(\.assignments)
  }
  /// An array of drafts or of `T.Columns(…)`.
  public static func buildExpression(_ rows: [some Insertable<Target>]) -> [[Assignment]] {
    rows.map(\.assignments)
  }
  @available(
    *, unavailable,
    message:
      "Give rows of the table, drafts of it, 'T.Columns(…)' of expressions, or arrays of these"
  )
  @_disfavoredOverload
  public static func buildExpression<T>(_ row: T) -> [[Assignment]] { [] }

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
