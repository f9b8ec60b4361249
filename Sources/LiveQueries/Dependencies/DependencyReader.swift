import SQLite

/// Collects what the statements of a run read, from the connection's authorizer.
struct DependencyReader {
  /// What the tables are made of: virtual tables, and the tables behind them.
  private var shadows: [String: [String]] = [:]
  private var schemaVersion: Int64?

  /// Runs `body` and says what its statements read.
  mutating func collect<T>(
    _ connection: Connection, _ body: () throws -> T
  ) throws -> (T, Dependencies) {
    if !connection.authorizer.collects {
      connection.authorizer.collects = true
      // Those were prepared by somebody who did not ask what they read.
      connection.finalizeCachedStatements()
    }
    let collector = Collector()
    connection.onUse = { collector.dependencies.add($0) }
    defer { connection.onUse = nil }
    let value = try body()
    var dependencies = collector.dependencies
    // A virtual table's changes show in its shadow tables: it reads and writes them with statements of
    // its own, that the authorizer of this statement never hears of.
    for table in dependencies.tables { dependencies.add(tables: shadows[table] ?? []) }
    return (value, dependencies)
  }

  private final class Collector { var dependencies = Dependencies() }

  /// Once in each read transaction, before its runs.
  mutating func learnSchema(_ connection: Connection) throws {
    let version = try connection.value("PRAGMA schema_version")?.integer
    guard version != schemaVersion else { return }
    let tables = try connection.rows("SELECT name, sql FROM sqlite_schema WHERE type = 'table'")
      .compactMap { row in row[0].text.map { (name: $0, sql: row[1].text ?? "") } }
    shadows = [:]
    for table in tables where table.sql.uppercased().hasPrefix("CREATE VIRTUAL TABLE") {
      shadows[table.name] = tables.map(\.name).filter { $0.hasPrefix(table.name + "_") }
    }
    schemaVersion = version
  }
}
