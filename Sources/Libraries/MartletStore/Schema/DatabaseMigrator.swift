import MartletSQLite

/// Runs named migrations, each a closure. For programs that do not keep their migrations in SQL
/// files.
///
/// ```swift
/// var migrator = DatabaseMigrator()
/// migrator.registerMigration("Create FTS5 table") { db in
///   try #sql("CREATE VIRTUAL TABLE \"reminderTexts\" USING fts5(\"title\")").execute(db)
/// }
/// try migrator.migrate(path: "app.db")
/// ```
///
/// Migrations run in the order of their registration, and once per file. Do not change a migration
/// after its release. Write its SQL as text, because names in Swift change. ``Migrator``
/// additionally stores checksums of the SQL and manages persistent triggers.
public struct DatabaseMigrator: Sendable {
  private struct Registered: Sendable {
    var name: String
    var migrate: @Sendable (Connection) throws -> Void
  }

  private var registered: [Registered] = []
  /// Tables of libraries, created in the same transaction.
  public var parts: [SchemaPart] = []

  /// Creates a migrator without migrations.
  public init() {}

  /// The names of the migrations, in the order of registration.
  public var names: [String] { registered.map(\.name) }

  /// Adds a migration. Its name identifies it in the file and must be unique.
  public mutating func registerMigration(
    _ name: String, _ migrate: @escaping @Sendable (Connection) throws -> Void
  ) {
    registered.append(Registered(name: name, migrate: migrate))
  }

  /// Returns the names of the migrations that have not run on this file. Throws ``MigrationError``
  /// if a name is registered twice or the file has a migration that is not registered.
  public func pending(_ connection: Connection) throws -> [String] {
    try missing(connection).map(\.name)
  }

  /// Runs the pending migrations in one transaction and returns their names. The connection must
  /// not have an open transaction. Throws ``MigrationError``; then nothing was changed.
  ///
  /// Foreign keys are not enforced meanwhile. If the connection enforces them, all rows are checked
  /// at the end.
  @discardableResult
  public func migrate(_ connection: Connection) throws -> [String] {
    try migrate(connection, upTo: nil)
  }

  /// Runs the pending migrations up to and including `name`.
  @discardableResult
  public func migrate(_ connection: Connection, upTo name: String) throws -> [String] {
    guard names.contains(name) else { throw MigrationError.notRegistered(name) }
    return try migrate(connection, upTo: Optional(name))
  }

  private func migrate(_ connection: Connection, upTo last: String?) throws -> [String] {
    let enforcesForeignKeys = try connection.pragma("foreign_keys") == 1
    return try SchemaTransaction.run(on: connection) { transaction in
      var missing = try missing(connection)
      if let last {
        let wanted = Set(names.prefix { $0 != last } + [last])
        missing.removeAll { !wanted.contains($0.name) }
      }
      if missing.isEmpty {
        for part in parts { try part.install(in: connection) }
        return []
      }
      try createTable(connection)
      for migration in missing {
        try connection.savepoint {
          do { try transaction.perform { try migration.migrate(connection) } } catch {
            throw MigrationError.failedByName(migration.name, error)
          }
          try connection.run(
            """
            INSERT INTO main.martlet_named_migrations(name, appliedAt)
            VALUES (?, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
            """, .text(migration.name))
        }
      }
      for part in parts { try part.install(in: connection) }
      if enforcesForeignKeys { try transaction.checkForeignKeys() }
      return missing.map(\.name)
    }
  }

  /// Migrates a file before it is opened as a database, and returns the names of the migrations
  /// that ran. The file is created if it does not exist.
  ///
  /// The migrations can use what `configuration` prepares, for example functions.
  @discardableResult
  public func migrate(
    path: String, configuration: Configuration = Configuration()
  ) throws -> [String] {
    let connection = try Connection(location: .file(path))
    connection.setBusyTimeout(configuration.busyTimeout)
    // Before anything is written, so that an incompatible file stays unchanged.
    _ = try missing(connection)
    try connection.makeDurable()
    try connection.pragma("foreign_keys", set: "ON")
    try configuration.prepareMigration(connection)
    return try migrate(connection)
  }

  // MARK: What ran

  /// Returns the names of the migrations that ran on this file, in order, including unregistered
  /// ones.
  public func appliedMigrations(_ connection: Connection) throws -> [String] {
    try appliedNames(connection)
  }

  /// Returns whether all registered migrations have run.
  public func hasCompletedMigrations(_ connection: Connection) throws -> Bool {
    Set(names).isSubset(of: try appliedNames(connection))
  }

  /// Returns whether a migration has run that is not registered, for example one of a newer
  /// program.
  public func hasBeenSuperseded(_ connection: Connection) throws -> Bool {
    !Set(try appliedNames(connection)).isSubset(of: names)
  }

  /// Returns whether the applied migrations would produce a different schema today, because one was
  /// edited. During development, start over with an empty file in that case.
  public func hasSchemaChanges(_ connection: Connection) throws -> Bool {
    let fresh = try Connection(location: .inMemory)
    let applied = Set(try appliedNames(connection))
    var same = self
    same.registered.removeAll { !applied.contains($0.name) }
    try same.migrate(fresh)
    return try fresh.dumpSchema() != connection.dumpSchema()
  }

  // MARK: The record

  private func missing(_ connection: Connection) throws -> [Registered] {
    var known = Set<String>()
    for migration in registered where !known.insert(migration.name).inserted {
      throw MigrationError.duplicateName(migration.name)
    }
    let applied = try appliedNames(connection)
    if let unknown = applied.first(where: { !known.contains($0) }) {
      throw MigrationError.unknownName(unknown, known: registered.last?.name)
    }
    let done = Set(applied)
    return registered.filter { !done.contains($0.name) }
  }

  private func createTable(_ connection: Connection) throws(SQLiteError) {
    try connection.execute(
      """
      CREATE TABLE IF NOT EXISTS main.martlet_named_migrations(
        name TEXT PRIMARY KEY,
        appliedAt TEXT NOT NULL
      ) STRICT
      """)
  }

  private func appliedNames(_ connection: Connection) throws(SQLiteError) -> [String] {
    guard try connection.tableExists("martlet_named_migrations") else { return [] }
    return try connection.rows("SELECT name FROM main.martlet_named_migrations ORDER BY rowid")
      .map { $0[0].text ?? "" }
  }
}
