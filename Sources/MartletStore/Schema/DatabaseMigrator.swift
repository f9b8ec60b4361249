import MartletSQLite

/// Migrations by name, each a closure, for programs that have no files of SQL.
///
/// ```swift
/// var migrator = DatabaseMigrator()
/// migrator.registerMigration("Create FTS5 table") { db in
///   try #sql("CREATE VIRTUAL TABLE \"reminderTexts\" USING fts5(\"title\")").execute(db)
/// }
/// try migrator.migrate(path: "app.db")
/// ```
///
/// They run in the order they were registered, those that ran on a file never again. What was
/// released stays as it is: its SQL is best written as text, because names in Swift change.
/// ``Migrator`` keeps checksums of the SQL too, and persistent triggers.
public struct DatabaseMigrator: Sendable {
  private struct Registered: Sendable {
    var name: String
    var migrate: @Sendable (Connection) throws -> Void
  }

  private var registered: [Registered] = []
  /// Tables of libraries, made in the same transaction: ``SchemaPart``.
  public var parts: [SchemaPart] = []

  public init() {}

  /// The names, in the order of their registration.
  public var names: [String] { registered.map(\.name) }

  /// Adds a migration. Its name, by which a file remembers it, is its own among all of them.
  public mutating func registerMigration(
    _ name: String, _ migrate: @escaping @Sendable (Connection) throws -> Void
  ) {
    registered.append(Registered(name: name, migrate: migrate))
  }

  /// The names of those that have not run on this file yet. Throws ``MigrationError`` where a name
  /// was registered twice, and where the file has one that is not known.
  public func pending(_ connection: Connection) throws -> [String] {
    try missing(connection).map(\.name)
  }

  /// Runs the missing migrations in one transaction and gives their names, on a connection without
  /// an open transaction. Throws ``MigrationError``, and then nothing was changed.
  ///
  /// Foreign keys are not enforced meanwhile; where the connection enforces them, all rows are
  /// checked at the end.
  @discardableResult
  public func migrate(_ connection: Connection) throws -> [String] {
    try migrate(connection, upTo: nil)
  }

  /// Only those up to a name, it included.
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

  /// The same on a file, which is made if it does not exist, before it is opened as a database.
  ///
  /// What `configuration` prepares is there for the migrations, functions for instance.
  @discardableResult
  public func migrate(
    path: String, configuration: Configuration = Configuration()
  ) throws -> [String] {
    let connection = try Connection(location: .file(path))
    connection.setBusyTimeout(configuration.busyTimeout)
    // Before anything is written: a file that does not fit is left as it is.
    _ = try missing(connection)
    try connection.makeDurable()
    try connection.pragma("foreign_keys", set: "ON")
    try configuration.prepareMigration(connection)
    return try migrate(connection)
  }

  // MARK: What ran

  /// The names of the migrations that ran on this file, in their order; also those that are not registered.
  public func appliedMigrations(_ connection: Connection) throws -> [String] {
    try appliedNames(connection)
  }

  /// Did all registered migrations run?
  public func hasCompletedMigrations(_ connection: Connection) throws -> Bool {
    Set(names).isSubset(of: try appliedNames(connection))
  }

  /// Did a migration run that is not registered: one of a newer program?
  public func hasBeenSuperseded(_ connection: Connection) throws -> Bool {
    !Set(try appliedNames(connection)).isSubset(of: names)
  }

  /// Would the migrations that ran on this file make another schema today, because one was edited? While a
  /// program is being developed, that is the time to begin with an empty file.
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
