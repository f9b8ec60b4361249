import MartletSQLite
import MartletStore

// What the commands do to a file, and ask of it.
extension RemindersDatabase {
  /// Brings a database file to this program's schema and triggers. Where a trigger was missing or changed, and where
  /// the search index was emptied, the index is made what the tables say; the report tells.
  /// - Parameter checksSearch: Compares all of the index with the tables in any case, which takes as long as to read both.
  @discardableResult
  public static func migrate(path: String, checksSearch: Bool = false) throws -> Migrator.Report {
    try mendingMigrator(checksSearch: checksSearch).migrate(path: path)
  }

  /// What ``migrate(path:checksSearch:)`` would do to a file that exists, or would throw. The file stays as it is.
  public static func rehearseMigration(path: String) throws -> Migrator.Report {
    try mendingMigrator(checksSearch: false).rehearse(path: path)
  }

  private static func mendingMigrator(checksSearch: Bool) throws -> Migrator {
    var migrator = try lastingMigrator
    migrator.mend = { connection, report in
      let isRenewed = report.triggersRenewed || !report.applied.isEmpty
      let depth: SearchIndex.Depth = checksSearch ? .everything : isRenewed ? .rows : .ends
      var notes: [String] = []
      if report.applied.contains(where: { (6...7).contains($0.number) }) {
        let count = try connection.value("SELECT count(*) FROM repairs")?.integer ?? 0
        if count > 0 {
          notes.append(
            Count(
              Int(count), "old value was put right; what it was is in the table repairs",
              "old values were put right; what they were is in the table repairs"
            ).description)
        }
      }
      if let rows = try SearchIndex.mend(connection, depth) {
        notes.append(
          "the search index differed from the tables and was mended"
            + (rows == 0
              ? "" : ": " + Count(rows, "row was made anew", "rows were made anew").description))
      }
      return notes
    }
    return migrator
  }

  /// Whether the database is one of reminders, of this version or an older one; throws where this program
  /// could not migrate it.
  public static func isKnown(_ connection: Connection) throws -> Bool {
    try pendingMigrations(connection).count < migrations.count
  }

  /// The migrations that the next ``migrate(path:checksSearch:)`` will run; throws where this program could not.
  public static func pendingMigrations(_ connection: Connection) throws -> [Migration] {
    try migrator.pending(connection)
  }

  // MARK: What is otherwise than it should be

  /// The tables that a file of this version has lost, but for those of the search index, which is made anew.
  public static func lostTables(_ connection: Connection) throws -> [String] {
    try migrator.pending(connection).isEmpty ? lastingMigrator.lostTables(connection) : []
  }

  private static var lastingMigrator: Migrator {
    get throws {
      var migrator = migrator
      migrator.lastingTables = try freshObjects().filter { $0.type == "table" }.map(\.name).filter {
        !$0.hasPrefix("reminderTexts")
      }
      return migrator
    }
  }

  /// The triggers that the file lacks, has otherwise, or has besides. The next start puts them right.
  public static func triggerDifferences(
    _ connection: Connection
  ) throws(SQLiteError) -> [TriggerInstaller.Difference] {
    try TriggerInstaller(triggers).differences(connection)
  }

  /// A table or an index of this version's schema.
  public struct SchemaObject: Hashable, Sendable {
    /// `table` or `index`.
    public let type: String
    public let name: String
    /// What makes it.
    public let sql: String
  }

  /// The tables and indexes that a file of this version lacks, or has otherwise.
  public static func missingObjects(_ connection: Connection) throws -> [SchemaObject] {
    let present = Set(try objects(of: connection))
    return try freshObjects().filter { !present.contains($0) }
  }

  /// Texts that no client could have sent, which this version refuses: a place and what is wrong, the first ten.
  public static func unfitTexts(_ connection: Connection) throws -> [String] {
    var faults: [String] = []
    for (table, key, column, longest) in [
      ("remindersLists", "id", "title", 1_000), ("reminders", "id", "title", 1_000),
      ("reminders", "id", "notes", 100_000), ("tags", "title", "title", 100),
      ("remindersTags", "id", "tagID", 100),
    ] {
      let statement = try connection.cached("SELECT \(key), \(column) FROM \(table)")
      defer { statement.reset() }
      while faults.count < 10, try statement.step() {
        guard let bytes = statement.textBytes(at: 1) else { continue }
        let place = "\(table).\(column) of \(key) \(statement.value(at: 0))"
        guard let text = String(validating: bytes, as: UTF8.self) else {
          faults.append("\(place) is not UTF-8: clients are told U+FFFD for each fault")
          continue
        }
        // Few texts are so long in bytes that they can be in characters.
        if bytes.count > longest, text.unicodeScalars.count > longest {
          faults.append("\(place) is longer than \(longest) characters")
        }
        if bytes.contains(0) { faults.append("\(place) holds a NUL character") }
      }
    }
    return faults
  }

  /// The SQL of a table of this version.
  static func definition(of name: String) throws -> String {
    guard let object = try freshObjects().first(where: { $0.name == name }) else {
      preconditionFailure("no migration makes \(name)")
    }
    return object.sql
  }

  private static func freshObjects() throws -> [SchemaObject] {
    let fresh = try Connection(location: .inMemory)
    _ = try migrator.migrate(fresh)
    return try objects(of: fresh)
  }

  private static func objects(of connection: Connection) throws(SQLiteError) -> [SchemaObject] {
    try connection.rows(
      """
      SELECT type, name, sql FROM main.sqlite_schema \
      WHERE type IN ('table', 'index') AND sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' \
      ORDER BY rowid
      """
    ).map {
      SchemaObject(type: $0[0].text ?? "", name: $0[1].text ?? "", sql: $0[2].text ?? "")
    }
  }

  private static var migrator: Migrator {
    var migrator = Migrator(migrations, triggers: triggers)
    migrator.adoptsOthers = false
    migrator.tables = tables
    return migrator
  }
}
