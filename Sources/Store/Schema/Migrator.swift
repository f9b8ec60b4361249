import SQLite

/// Brings a file's schema to what the program knows: all missing migrations and the triggers, in
/// one transaction. Writes nothing when nothing differs.
public struct Migrator: Sendable {
  /// What was done.
  public struct Report: Sendable, Equatable {
    /// The migrations that ran.
    public var applied: [Migration]
    /// Whether the triggers were made anew.
    public var triggersRenewed: Bool
  }

  public let migrations: [Migration]
  public let triggers: TriggerInstaller
  /// Whether a file that holds other tables, and no migrations, is taken over. Otherwise it is refused.
  public var adoptsOthers = true

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
      let other = try connection.value(
        """
        SELECT name FROM main.sqlite_schema WHERE type IN ('table', 'view') \
        AND name NOT LIKE 'sqlite%' AND name <> 'martlet_migrations'
        """)?.text
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
    // Tables are rebuilt by dropping and renaming, which foreign keys would take for deletes; the
    // pragma does nothing inside a transaction
    // (https://sqlite.org/lang_altertable.html#otheralter).
    let enforcesForeignKeys = try connection.pragma("foreign_keys") == 1
    try connection.pragma("foreign_keys", set: "OFF")
    let rules = ClosureRules()
    let others = connection.authorizer.decide
    connection.authorizer.decide = { request in
      if rules.isInside, let reason = ClosureRules.refusal(of: request) { return .deny(reason) }
      return others?(request) ?? .allow
    }
    let result = Result {
      // Immediate, before anything is read: of two processes that start at once, one waits.
      try connection.transaction(.immediate) { try migrateInTransaction(connection, rules) }
    }
    connection.authorizer.decide = others
    if enforcesForeignKeys { try connection.pragma("foreign_keys", set: "ON") }
    return try result.get()
  }

  private func migrateInTransaction(
    _ connection: Connection, _ rules: ClosureRules
  ) throws -> Report {
    let pending = try pending(connection)
    let isInStep = try triggers.isInStep(connection)
    if pending.isEmpty, isInStep { return Report(applied: [], triggersRenewed: false) }
    try triggers.dropAll(connection)
    if !pending.isEmpty { try createTable(connection) }
    for migration in pending {
      try connection.savepoint {
        try run(migration, connection, rules)
        try connection.run(
          """
          INSERT INTO main.martlet_migrations(number, name, checksum, appliedAt)
          VALUES (?, ?, ?, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
          """, .integer(Int64(migration.number)), .text(migration.name), .text(migration.checksum))
      }
    }
    try triggers.createAll(connection)
    if !pending.isEmpty { try checkForeignKeys(connection) }
    return Report(applied: pending, triggersRenewed: !isInStep || !triggers.triggers.isEmpty)
  }

  private func run(
    _ migration: Migration, _ connection: Connection, _ rules: ClosureRules
  ) throws {
    rules.isInside = true
    defer { rules.isInside = false }
    do throws(SQLiteError) {
      try connection.execute(migration.sql)
    } catch {
      throw MigrationError.failed(migration, error)
    }
  }

  private func checkForeignKeys(_ connection: Connection) throws {
    let violations = try connection.prepare(sql: "PRAGMA foreign_key_check").rows()
    guard let first = violations.first else { return }
    throw MigrationError.foreignKeys(
      table: first[0].text ?? "", rowID: first[1].integer, parent: first[2].text ?? "",
      count: violations.count)
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
    let exists = try connection.value(
      "SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = 'martlet_migrations'")
    guard exists != nil else { return [] }
    return try connection.rows(
      "SELECT number, name, checksum FROM main.martlet_migrations ORDER BY number"
    ).map {
      Applied(
        number: Int($0[0].integer ?? 0), name: $0[1].text ?? "", checksum: $0[2].text ?? "")
    }
  }
}
