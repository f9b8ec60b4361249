import MartletQueryBuilder
import MartletSQLite

/// Migrates a file's schema: runs all pending migrations and updates the triggers in one
/// transaction. If the file is up to date, nothing is written.
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
  public let migrations: [Migration]
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
  public init(_ migrations: [Migration], triggers: [(name: String, sql: String)] = []) {
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

  /// Returns the migrations that have not run on this file. Throws ``MigrationError`` if the file's
  /// migrations and the program's do not match.
  public func pending(_ connection: Connection) throws -> [Migration] {
    for (first, second) in zip(migrations, migrations.dropFirst())
    where first.number == second.number {
      throw MigrationError.duplicate(first, second)
    }
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
      guard migration.checksum == row.checksum else {
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

  /// Migrates the schema. The connection must not have an open transaction. Throws
  /// ``MigrationError``; then nothing was changed.
  public func migrate(_ connection: Connection) throws -> Report {
    try SchemaTransaction.run(on: connection) { try migrate(in: $0) }
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
    if pending.isEmpty, isInStep, missing.isEmpty {
      return try mended(Report(applied: [], triggersRenewed: false), connection)
    }
    try installer.dropAll(connection)
    if !pending.isEmpty { try createTable(connection) }
    for migration in pending {
      try connection.savepoint {
        try run(migration, transaction)
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
    if !pending.isEmpty { try transaction.checkForeignKeys() }
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

  private func run(_ migration: Migration, _ transaction: SchemaTransaction) throws {
    do {
      try transaction.perform { try transaction.connection.execute(migration.sql) }
    } catch let error as SQLiteError {
      throw MigrationError.failed(migration, error)
    }
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

  private func appliedMigrations(_ connection: Connection) throws(SQLiteError) -> [Applied] {
    guard try connection.tableExists("martlet_migrations") else { return [] }
    return try connection.rows(
      "SELECT number, name, checksum FROM main.martlet_migrations ORDER BY number"
    ).map {
      Applied(
        number: Int($0[0].integer ?? 0), name: $0[1].text ?? "", checksum: $0[2].text ?? "")
    }
  }
}
