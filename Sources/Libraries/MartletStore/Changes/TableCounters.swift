import MartletSQLite

/// Counters in the file that say which tables another program has changed. Triggers in plain SQL
/// increment a table's counter with each row, whichever program writes.
enum TableCounters {
  /// The table of the counters. A table without a row has not been changed yet.
  static let table = "tableVersions"

  static let sql = """
    CREATE TABLE tableVersions (
      name TEXT PRIMARY KEY,
      version INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    """

  /// The triggers that count every change of a table.
  ///
  /// REPLACE deletes rows without delete triggers, but the statement that replaces them inserts or
  /// updates a row of the same table (https://sqlite.org/lang_conflict.html).
  static func triggers(of table: String) -> [(name: String, sql: String)] {
    ["Insert", "Update", "Delete"].map { trigger(on: table, $0) }
  }

  /// The trigger for one operation: `Insert`, `Update` or `Delete`.
  static func trigger(on table: String, _ operation: String) -> (name: String, sql: String) {
    trigger(on: table, operation, "AFTER \(operation.uppercased())")
  }

  /// A trigger that increments a table's counter.
  ///
  /// It inserts the first value, so that no program has to. An upsert keeps its meaning in a
  /// statement with a conflict clause, which applies to the other statements of its triggers
  /// (https://sqlite.org/lang_createtrigger.html).
  static func trigger(
    on table: String, _ name: String, _ event: String, when condition: String? = nil
  ) -> (name: String, sql: String) {
    let name = "\(TriggerInstaller.prefix)\(table)_count\(name)"
    return (
      name,
      """
      CREATE TRIGGER "\(name)" \(event) ON "\(table)"\(condition.map { " WHEN \($0)" } ?? "") BEGIN
        \(increment(of: table));
      END
      """
    )
  }

  /// The statement that increments a table's counter.
  static func increment(of table: String) -> String {
    """
    INSERT INTO tableVersions (name, version) VALUES ('\(table)', 1)
    ON CONFLICT (name) DO UPDATE SET version = version + 1
    """
  }

  /// Whether the file has a table of counters.
  static func exist(_ connection: Connection) throws(SQLiteError) -> Bool {
    let columns = try connection.rows("SELECT name FROM pragma_table_info('tableVersions')")
    return Set(columns.map { $0[0].text }).isSuperset(of: ["name", "version"])
  }

  /// The values of all counters, from a file that has a table of counters.
  static func values(_ connection: Connection) throws(SQLiteError) -> [String: Int64] {
    var values: [String: Int64] = [:]
    let statement = try connection.cached("SELECT name, version FROM main.tableVersions")
    while try statement.step() { values[statement.text(at: 0) ?? ""] = statement.int64(at: 1) }
    return values
  }
}

extension SchemaPart {
  /// Counters of changes, so that commits of other programs are followed table by table.
  ///
  /// ```swift
  /// migrator.parts.append(.counters(of: ["rooms", "bookings"]))
  /// ```
  ///
  /// When another program has committed, the store reads the counters. Live queries and cached
  /// results that read only tables whose counters have not changed stay as they are. A table
  /// without counters counts as changed by each such commit; without any counter, everything does.
  ///
  /// Each row that is inserted, updated or deleted in one of the tables costs an update of a row of
  /// `tableVersions`. List every table that the live queries read. A virtual table cannot have
  /// triggers and has no counter.
  ///
  /// - Parameter tables: The names of the tables as in their `CREATE TABLE` statements, without
  ///   quotation marks. If one does not exist when the part is installed, the migration fails with
  ///   an error.
  public static func counters(of tables: [String]) -> SchemaPart {
    precondition(!tables.contains { $0.contains("'") || $0.contains("\"") }, "an unquoted name")
    return SchemaPart(
      "counters of changes", sql: TableCounters.sql,
      triggers: tables.flatMap { TableCounters.triggers(of: $0) })
  }
}
