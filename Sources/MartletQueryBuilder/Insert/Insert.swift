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
  /// `INSERT INTO "lists" AS "r"`
  var alias: String?
  /// It was made from a query with conditions or the like, which no INSERT has.
  var dropsClauses = false

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
    // DEFAULT VALUES makes one row, and knows no conflict: otherwise each row gets a NULL for its number.
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
    if columns.contains("") { return inserting(stored: columns, query) }
    // After a SELECT without WHERE the parser takes ON for a join's
    // (https://sqlite.org/lang_upsert.html#parsing_ambiguity).
    let select: QueryFragment =
      conflict == nil ? query.fragment : "SELECT * FROM (\(query.fragment)) WHERE 1"
    return Query("\(head(columns)) \(select)\(conflictClause)", isEmpty: query.isEmpty)
  }

  /// Without the columns that SQLite generates, which have no name here.
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
  /// The name by which its expressions know the table.
  var qualifier: String { alias ?? Target.qualifiedName }
  private func head(_ columns: [String]) -> QueryFragment {
    "INSERT INTO \(target) (\(columns.map { QueryFragment(quote: $0) }.joined(", ")))"
  }

  private var conflictClause: QueryFragment { conflict.map { " \($0.clause)" } ?? QueryFragment() }
}

extension Table {
  @ConflictForms
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
  /// `insert { $0 } values: { row }` inserts the row.
  @ConflictForms
  public static func insert<Columns: InsertColumns>(
    @InsertColumnsBuilder<Self> _ columns: (TableColumns) -> Columns,
    @InsertValuesBuilder<Columns.Value> values: () -> [InsertedRow]
  ) -> Insert<Self> {
    let names = columns(Self.columns).names
    return Insert(source: .rows(values().map { $0.assignments(names) }))
  }
  @ConflictForms
  public static func insert<V: QueryRepresentable>(
    _ column: KeyPath<TableColumns, TableColumn<Self, V>>,
    @InsertValuesBuilder<V> values: () -> [InsertedRow]
  ) -> Insert<Self> {
    let names = InsertColumnsBuilder<Self>.buildExpression(Self.columns[keyPath: column]).names
    return Insert(source: .rows(values().map { $0.assignments(names) }))
  }

  /// The rows of a query: `insert { ($0.a, $0.b) } select: { Other.select { ($0.c, $0.d) } }`. What the
  /// query chose has the columns' types and representations.
  @ConflictForms
  public static func insert<Columns: InsertColumns, Rows: SelectStatement>(
    @InsertColumnsBuilder<Self> _ columns: (TableColumns) -> Columns, select: () -> Rows
  ) -> Insert<Self> where Rows.Picked == Columns.Value {
    Insert(source: .select(columns: columns(Self.columns).names, select().part))
  }
  /// The rows of a query, whole: `insert { $0 } select: { Archived.where(\.isRestored) }`.
  @ConflictForms
  public static func insert<Columns: InsertColumns>(
    @InsertColumnsBuilder<Self> _ columns: (TableColumns) -> Columns,
    select: () -> some SelectStatement<Self>
  ) -> Insert<Self> where Columns.Value == WholeRow<Self> {
    Insert(source: .select(columns: columns(Self.columns).names, select().part))
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
