import MartletQueryBuilder
import MartletSQLite

/// Brings a file's schema to what the program knows: all missing migrations and the triggers, in
/// one transaction. Writes nothing when nothing differs.
public struct Migrator: Sendable {
  /// What was done.
  public struct Report: Sendable, Equatable {
    /// The migrations that ran.
    public var applied: [Migration]
    /// Whether the triggers were made anew.
    public var triggersRenewed: Bool
    /// What ``Migrator/mend`` put right, a sentence each.
    public var notes: [String] = []
  }

  public let migrations: [Migration]
  public let triggers: TriggerInstaller
  /// Whether a file that holds other tables, and no migrations, is taken over. Otherwise it is refused.
  public var adoptsOthers = true
  /// Puts right what depends on the triggers, in the same transaction, at each start. Gives a sentence for each thing
  /// that it changed; where nothing is wrong it writes nothing. The report says what was done before it.
  public var mend: (@Sendable (Connection, Report) throws -> [String])?
  /// Tables of libraries, made in the same transaction: ``SchemaPart``. Set before the migrator runs.
  public var parts: [SchemaPart] = []
  /// Compared with the schema in the end, and at each start: ``Connection/checkSchema(_:)``.
  public var tables: [any Table.Type] = []

  /// Tables that are there once every migration has run. Where one is lost, nothing is done: what stood in it is only in a
  /// backup.
  public var lastingTables: [String] = []

  public init(_ migrations: [Migration], triggers: [(name: String, sql: String)] = []) {
    self.migrations = migrations.sorted { $0.number < $1.number }
    self.triggers = TriggerInstaller(triggers)
  }

  /// The same from tuples, the SQL as the bytes of embedded files.
  public init(
    files migrations: [(number: Int, name: String, sql: [UInt8])],
    triggers: [(name: String, sql: String)] = []
  ) {
    self.init(
      migrations.map { Migration(number: $0.number, name: $0.name, sql: $0.sql) },
      triggers: triggers)
  }

  /// The migrations that have not run on this file yet. Throws ``MigrationError`` where file and
  /// program do not fit together.
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
    for row in applied {
      guard let migration = known[row.number] else {
        throw MigrationError.newerDatabase(
          applied: "\(row.number) '\(row.name)'",
          known: migrations.last.map(String.init(describing:)) ?? "none")
      }
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

  /// Brings the schema up to date, on a connection without an open transaction. Throws
  /// ``MigrationError``, and then nothing was changed.
  public func migrate(_ connection: Connection) throws -> Report {
    try SchemaTransaction.run(on: connection) { try migrate(in: $0) }
  }

  /// Does what ``migrate(_:)`` does and rolls it back: the file is as it was. Reports what the next
  /// ``migrate(_:)`` will do, or throws what it would throw. Takes the write lock meanwhile.
  public func rehearse(_ connection: Connection) throws -> Report {
    do {
      return try SchemaTransaction.run(on: connection) {
        throw Rehearsal(report: try migrate(in: $0))
      }
    } catch let rehearsal as Rehearsal {
      return rehearsal.report
    }
  }

  /// Thrown to roll back.
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
    // After the migrations, of which an old one may make a table that a part has today.
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

  /// Those of ``lastingTables`` that are not there.
  public func lostTables(_ connection: Connection) throws -> [String] {
    try lastingTables.filter { try !connection.tableExists($0) }
  }

  /// The program's triggers and those of its parts.
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
