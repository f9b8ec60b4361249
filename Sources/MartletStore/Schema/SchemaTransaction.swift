import MartletSQLite

/// The transaction in which a schema changes: all of it or nothing, and no migration can end it.
struct SchemaTransaction {
  let connection: Connection
  private let rules = ClosureRules()

  private init(_ connection: Connection) { self.connection = connection }

  /// Runs `body` in an immediate transaction without foreign keys, which are as before afterwards.
  static func run<T>(
    on connection: Connection, _ body: (SchemaTransaction) throws -> T
  ) throws -> T {
    // Tables are rebuilt by dropping and renaming, which foreign keys would take for deletes; the
    // pragma does nothing inside a transaction
    // (https://sqlite.org/lang_altertable.html#otheralter).
    let enforcesForeignKeys = try connection.pragma("foreign_keys") == 1
    try connection.pragma("foreign_keys", set: "OFF")
    let transaction = SchemaTransaction(connection)
    let rules = transaction.rules
    let decisions = connection.authorizer.decide
    let commits = connection.commitHook
    connection.authorizer.decide = { request in
      if rules.isInside, let reason = ClosureRules.refusal(of: request) { return .deny(reason) }
      return decisions?(request) ?? .allow
    }
    connection.onCommit { !rules.isInside && commits?() ?? true }
    let result = Result {
      // Immediate, before anything is read: of two processes that start at once, one waits.
      try connection.transaction(.immediate) { try body(transaction) }
    }
    connection.onCommit(commits)
    connection.authorizer.decide = decisions
    if enforcesForeignKeys { try connection.pragma("foreign_keys", set: "ON") }
    return try result.get()
  }

  /// Runs what a migration does. After an error that rolled everything back, which the migration
  /// may have caught, nothing more is done.
  func perform(_ migration: () throws -> Void) throws {
    rules.isInside = true
    defer { rules.isInside = false }
    try migration()
    guard !connection.isAutocommit else {
      throw SQLiteError(
        code: SQLITE_ABORT, message: "the transaction of the migrations was rolled back")
    }
  }

  /// Throws where a row points to one that does not exist.
  func checkForeignKeys() throws {
    let violations = try connection.foreignKeyViolations()
    guard let first = violations.first else { return }
    throw MigrationError.foreignKeys(
      table: first.table, rowID: first.rowID, parent: first.parent, count: violations.count)
  }
}
