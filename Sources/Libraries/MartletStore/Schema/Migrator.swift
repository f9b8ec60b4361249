import MartletQueryBuilder
import MartletSQLite

/// Migrates a file's schema: runs all pending migrations and updates the triggers in one
/// transaction. If the file is up to date, nothing is written.
///
/// ```swift
/// var migrator = Migrator()
/// migrator.registerMigration("Create FTS5 table") { db in
///   try #sql("CREATE VIRTUAL TABLE \"reminderTexts\" USING fts5(\"title\")").execute(db)
/// }
/// try migrator.migrate(path: "app.db")
/// ```
///
/// A migration runs once per file. Do not change one after its release, and add new ones at the
/// end. Write its SQL as text, because names in Swift change. A migration is a closure with a name,
/// or a ``Migration`` with a number and SQL text, for example of a file; its checksum is kept in
/// the file.
public struct Migrator: Sendable {
  /// The result of a run of the migrator.
  public struct Report: Sendable, Equatable {
    /// The migrations that ran.
    public var applied: [Migration]
    /// Whether the triggers were dropped and created again.
    public var triggersRenewed: Bool
    /// The messages of ``Migrator/mend``, one sentence for each repair.
    public var notes: [String] = []
  }

  /// The migrations, in ascending order.
  public private(set) var migrations: [Migration]
  /// The program's persistent triggers.
  public let triggers: TriggerInstaller
  /// Whether a file that has tables but no migrations is accepted. If false, it is refused with
  /// ``MigrationError/otherDatabase(table:)``. The default is `true`.
  public var adoptsOthers = true
  /// Repairs data that the triggers maintain, in the same transaction and at each start. Its report
  /// lists what the migrator did before. It returns one sentence for each repair, and must not
  /// write if nothing is wrong.
  public var mend: (@Sendable (Connection, Report) throws -> [String])?
  /// Tables of libraries, created in the same transaction. Set this before the migrator runs.
  public var parts: [SchemaPart] = []
  /// Table types that are compared with the migrated schema at each start, with `checkSchema`.
  public var tables: [any Table.Type] = []

  /// Tables that must exist once all migrations have run. If one is missing, the migrator stops:
  /// its rows can only be restored from a backup.
  public var lastingTables: [String] = []

  /// Creates a migrator. `triggers` are `CREATE TRIGGER` statements by name.
  public init(_ migrations: [Migration] = [], triggers: [(name: String, sql: String)] = []) {
    self.migrations = migrations.sorted { $0.number < $1.number }
    self.triggers = TriggerInstaller(triggers)
  }

  /// Creates a migrator from tuples, with the SQL as the bytes of embedded files.
  public init(
    files migrations: [(number: Int, name: String, sql: [UInt8])],
    triggers: [(name: String, sql: String)] = []
  ) {
    self.init(
      migrations.map { Migration(number: $0.number, name: $0.name, sql: $0.sql) },
      triggers: triggers)
  }

  /// Adds a migration after all others. Its name must be unique.
  public mutating func registerMigration(
    _ name: String, _ migrate: @escaping @Sendable (Connection) throws -> Void
  ) {
    let number = (migrations.last?.number ?? 0) + 1
    migrations.append(Migration(number: number, name: name, work: .closure(migrate)))
  }

  /// Returns the migrations that have not run on this file. Throws ``MigrationError`` if the file's
  /// migrations and the program's do not match.
  public func pending(_ connection: Connection) throws -> [Migration] {
    try checkUnique()
    let applied = try appliedMigrations(connection)
    if applied.isEmpty, !adoptsOthers,
      let other = try connection.tables().first(where: { $0 != "martlet_migrations" })
    {
      throw MigrationError.otherDatabase(table: other)
    }
    let known = Dictionary(uniqueKeysWithValues: migrations.map { ($0.number, $0) })
    let unknown = applied.filter { known[$0.number] == nil }
    guard unknown.isEmpty else {
      throw MigrationError.newerDatabase(
        unknown: Self.list(unknown), known: migrations.last.map(String.init(describing:)) ?? "none")
    }
    for row in applied {
      guard let migration = known[row.number] else { continue }
      if migration.checksum.isEmpty || row.checksum.isEmpty {
        guard migration.name == row.name else {
          throw MigrationError.renamed(migration, applied: row.name)
        }
      } else if migration.checksum != row.checksum {
        throw MigrationError.edited(migration, appliedChecksum: row.checksum)
      }
    }
    let done = Set(applied.map(\.number))
    let pending = migrations.filter { !done.contains($0.number) }
    if let last = applied.last, let first = pending.first, first.number < last.number {
      throw MigrationError.outOfOrder(first, applied: "\(last.number) '\(last.name)'")
    }
    return pending
  }

  private func checkUnique() throws(MigrationError) {
    var numbers: [Int: Migration] = [:]
    var names: [String: Migration] = [:]
    for migration in migrations {
      if let first = numbers.updateValue(migration, forKey: migration.number)
        ?? names.updateValue(migration, forKey: migration.name)
      {
        throw MigrationError.duplicate(first, migration)
      }
    }
  }

  /// Migrates the schema. The connection must not have an open transaction. Throws
  /// ``MigrationError``; then nothing was changed.
  ///
  /// Foreign keys are not enforced meanwhile. If the connection enforces them, all rows are checked
  /// after the migrations.
  @discardableResult
  public func migrate(_ connection: Connection) throws -> Report {
    try SchemaTransaction.run(on: connection) { try migrate(in: $0) }
  }

  /// Migrates the schema up to and including the migration `name`, for example to test the next
  /// one with rows. Triggers and parts are left out, because later migrations may create their
  /// tables.
  @discardableResult
  public func migrate(_ connection: Connection, upTo name: String) throws -> Report {
    guard let last = migrations.firstIndex(where: { $0.name == name }) else {
      throw MigrationError.notRegistered(name)
    }
    // Its triggers and tables are those of the last migration.
    let first = Migrator(Array(migrations[...last]))
    let applied = Set(try appliedMigrations(connection).map(\.number))
    if first.migrations.allSatisfy({ applied.contains($0.number) }) {
      _ = try pending(connection)
      return Report(applied: [], triggersRenewed: false)
    }
    return try first.migrate(connection)
  }

  /// Returns whether the migrations that ran on this file would produce a different schema today,
  /// because one was edited. During development, start over with an empty file in that case.
  public func hasSchemaChanges(_ connection: Connection) throws -> Bool {
    let applied = Set(try appliedMigrations(connection).map(\.number))
    let fresh = try Connection(location: .inMemory)
    defer { fresh.close() }
    var same = self
    same.migrations.removeAll { !applied.contains($0.number) }
    try same.migrate(fresh)
    return try Self.schema(of: fresh) != Self.schema(of: connection)
  }

  /// The statements of a schema without the record of the migrations.
  private static func schema(of connection: Connection) throws -> [Value] {
    try connection.rows(
      """
      SELECT sql FROM main.sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
      AND name NOT IN ('martlet_migrations', ?) ORDER BY type, name
      """, .text(formerRecord)
    ).map { $0[0] }
  }

  /// Runs ``migrate(_:)`` and rolls it back. Returns the report of the next ``migrate(_:)``, or
  /// throws the same error. Holds the write lock meanwhile.
  public func rehearse(_ connection: Connection) throws -> Report {
    do {
      return try SchemaTransaction.run(on: connection) {
        throw Rehearsal(report: try migrate(in: $0))
      }
    } catch let rehearsal as Rehearsal {
      return rehearsal.report
    }
  }

  /// Thrown to roll back the transaction.
  private struct Rehearsal: Error {
    let report: Report
  }

  private func migrate(in transaction: SchemaTransaction) throws -> Report {
    let connection = transaction.connection
    let pending = try pending(connection)
    if pending.isEmpty { try checkLastingTables(connection) }
    let installer = installer
    let isInStep = try installer.isInStep(connection)
    let missing = try parts.flatMap { try $0.missing(connection) }
    let hasFormerRecord = try connection.tableExists(Self.formerRecord)
    if pending.isEmpty, isInStep, missing.isEmpty, !hasFormerRecord {
      return try mended(Report(applied: [], triggersRenewed: false), connection)
    }
    try installer.dropAll(connection)
    if !pending.isEmpty || hasFormerRecord { try createTable(connection) }
    if hasFormerRecord { try takeOverFormerRecord(connection) }
    for migration in pending {
      try connection.savepoint {
        do { try transaction.perform { try migration.run(on: connection) } } catch {
          throw MigrationError.failed(migration, error)
        }
        try connection.run(
          """
          INSERT INTO main.martlet_migrations(number, name, checksum, appliedAt)
          VALUES (?, ?, ?, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
          """, .integer(Int64(migration.number)), .text(migration.name), .text(migration.checksum))
      }
    }
    // After the migrations, because an old one may create a table that belongs to a part today.
    for statement in try parts.flatMap({ try $0.missing(connection) }) {
      try connection.execute(statement)
    }
    try installer.createAll(connection)
    if !pending.isEmpty, transaction.enforcesForeignKeys { try transaction.checkForeignKeys() }
    return try mended(
      Report(applied: pending, triggersRenewed: !isInStep || !installer.triggers.isEmpty),
      connection)
  }

  private func checkLastingTables(_ connection: Connection) throws {
    let lost = try lostTables(connection)
    guard lost.isEmpty else { throw MigrationError.lostTables(lost) }
  }

  /// Returns the tables of ``lastingTables`` that do not exist.
  public func lostTables(_ connection: Connection) throws -> [String] {
    try lastingTables.filter { try !connection.tableExists($0) }
  }

  /// Installs the program's triggers and those of its parts.
  private var installer: TriggerInstaller {
    TriggerInstaller(triggers.triggers + parts.flatMap(\.triggers))
  }

  private func mended(_ report: Report, _ connection: Connection) throws -> Report {
    var report = report
    report.notes = try mend?(connection, report) ?? []
    try connection.checkSchema(tables)
    return report
  }

  // MARK: The record

  private struct Applied {
    var number: Int
    var name: String
    var checksum: String
  }

  /// `the migration 18 'a'`, `the migrations 18 'a' and 19 'b'`, `the migrations 18 'a' to 20 'c'`
  private static func list(_ rows: [Applied]) -> String {
    let names = rows.map { "\($0.number) '\($0.name)'" }
    guard let last = names.last, names.count > 1 else { return "the migration \(names.joined())" }
    return "the migrations \(names[0]) \(names.count == 2 ? "and" : "to") \(last)"
  }

  private func createTable(_ connection: Connection) throws(SQLiteError) {
    try connection.execute(
      """
      CREATE TABLE IF NOT EXISTS main.martlet_migrations(
        number INTEGER PRIMARY KEY,
        name TEXT NOT NULL,
        checksum TEXT NOT NULL,
        appliedAt TEXT NOT NULL
      ) STRICT
      """)
  }

  /// The record of migrations that are closures, until 0.2: a name and a time for each.
  private static let formerRecord = "martlet_named_migrations"

  private func takeOverFormerRecord(_ connection: Connection) throws {
    for row in try formerMigrations(connection) {
      try connection.run(
        """
        INSERT INTO main.martlet_migrations(number, name, checksum, appliedAt)
        SELECT ?, name, '', appliedAt FROM main.\(Self.formerRecord) WHERE name = ?
        """, .integer(Int64(row.number)), .text(row.name))
    }
    try connection.execute("DROP TABLE main.\(Self.formerRecord)")
  }

  /// The migrations of the former record, which had names and no numbers. Each has the number of
  /// the program's migration with its name; one that the program does not have follows the last.
  private func formerMigrations(_ connection: Connection) throws(SQLiteError) -> [Applied] {
    guard try connection.tableExists(Self.formerRecord) else { return [] }
    var next = migrations.last?.number ?? 0
    return try connection.rows("SELECT name FROM main.\(Self.formerRecord) ORDER BY rowid").map {
      let name = $0[0].text ?? ""
      if let known = migrations.first(where: { $0.name == name }) {
        return Applied(number: known.number, name: name, checksum: "")
      }
      next += 1
      return Applied(number: next, name: name, checksum: "")
    }
  }

  private func appliedMigrations(_ connection: Connection) throws(SQLiteError) -> [Applied] {
    var applied = try formerMigrations(connection)
    if try connection.tableExists("martlet_migrations") {
      applied += try connection.rows("SELECT number, name, checksum FROM main.martlet_migrations")
        .map {
          Applied(
            number: Int($0[0].integer ?? 0), name: $0[1].text ?? "", checksum: $0[2].text ?? "")
        }
    }
    return applied.sorted { $0.number < $1.number }
  }
}
