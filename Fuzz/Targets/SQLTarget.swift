import MartletSQLShape
import MartletSQLite

@testable import MartletLiveQueries

extension FuzzTarget {
  /// The text of a query. The rows that it reads are determined correctly: without all other rows,
  /// the result is the same.
  static let sql = FuzzTarget(name: "sql") {
    let database = try ObservedDatabase()
    return { bytes in try database.run(String(decoding: bytes, as: UTF8.self)) }
  }
}

/// A few tables, and the dependencies of queries on them.
private final class ObservedDatabase {
  private let connection: Connection
  private let reader = DependencyReader()
  private let schema: SchemaFacts

  init() throws {
    connection = try Connection(location: .inMemory)
    try connection.execute(
      """
      CREATE TABLE lists(id INTEGER PRIMARY KEY, title TEXT COLLATE NOCASE, color INTEGER);
      CREATE TABLE items(id INTEGER PRIMARY KEY, listID INTEGER REFERENCES lists,
        title TEXT, done INTEGER NOT NULL DEFAULT 0, rank REAL);
      CREATE TABLE loose(k, v);
      CREATE VIEW openItems AS SELECT id, listID, title FROM items WHERE done = 0;
      INSERT INTO lists VALUES (1, 'Home', 1), (2, 'work', 2), (3, 'Trip', NULL);
      INSERT INTO items VALUES (1, 1, 'milk', 0, 1), (2, 1, 'bread', 1, 2.5), (3, 2, 'call', 0, NULL),
        (4, 3, 'pack', 0, 1), (5, NULL, 'lost', 1, 3);
      INSERT INTO loose VALUES (1, 'one'), ('1', 'text'), (2.0, 'two'), (NULL, 'none');
      """)
    schema = try reader.learnSchema(connection)
    sqlite3_limit(connection.handle, SQLITE_LIMIT_LENGTH, 100_000)
    sqlite3_limit(connection.handle, SQLITE_LIMIT_COMPOUND_SELECT, 20)
    connection.authorizer.decide = Self.decide
    // Checks the setup, because an error here would make every text an invalid query.
    _ = try collect("SELECT title FROM items WHERE id = 1")
  }

  /// Denies pragmas and counters, whose results do not depend on tables alone.
  private static func decide(_ request: Authorizer.Request) -> Authorizer.Decision {
    let counters: Set<String> = ["changes", "total_changes", "last_insert_rowid"]
    switch request.action {
    case SQLITE_PRAGMA where request.first != "schema_version": return .deny("a pragma")
    case SQLITE_FUNCTION where counters.contains(request.second?.lowercased() ?? ""):
      return .deny("a counter")
    default: return .allow
    }
  }

  func run(_ sql: String) throws {
    guard QueryShape(sql, schema).isUnderstood, let first = try? collect(sql),
      !first.dependencies.isUnknown, !first.dependencies.readsClock
    else { return }
    let savepoint = try connection.beginSavepoint("fuzz")
    defer { try? connection.rollBack(to: savepoint) }
    for table in schema.tables.values {
      try leave(first.dependencies.tables[table.name], of: table)
    }
    guard let second = try? collect(sql) else { throw Finding("it failed the second time") }
    try expect(second.rows == first.rows, "\(first.rows) became \(second.rows)")
  }

  /// The sorted rows and the dependencies of a query. Throws if the text is not a query or the
  /// query takes too long.
  private func collect(_ sql: String) throws -> (rows: [String], dependencies: Dependencies) {
    var ticks = 0
    connection.onProgress(every: 1000) {
      ticks += 1
      return ticks < 100
    }
    defer { connection.onProgress(nil) }
    let (rows, dependencies) = try reader.collect(connection) {
      try connection.query(sql).map { "\($0.values)" }
    }
    return (rows.sorted(), dependencies)
  }

  /// Deletes the rows that a query with these dependencies does not read.
  private func leave(_ read: Dependencies.Table?, of table: SchemaFacts.Table) throws {
    guard let read else { return try connection.execute("DELETE FROM \(table.name)") }
    guard let pins = read.pins else { return }
    for row in try connection.query("SELECT rowid AS place, * FROM \(table.name)") {
      let isSeen = pins.contains { pin in
        let column = table.columns[pin.column.lowercased()]
        guard let value = row[pin.column], let collation = column?.collation else { return true }
        return ValueKey(value, collation) == pin.value
      }
      guard !isSeen, let place = row["place"]?.integer else { continue }
      try connection.execute("DELETE FROM \(table.name) WHERE rowid = \(place)")
    }
  }
}
