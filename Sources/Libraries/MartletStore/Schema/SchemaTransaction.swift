import MartletSQLite

/// The transaction of a schema change. It is all or nothing, and migrations cannot end it.
struct SchemaTransaction {
  let connection: Connection
  /// Whether the connection enforces foreign keys outside this transaction.
  let enforcesForeignKeys: Bool
  private let rules = ClosureRules()

  private init(_ connection: Connection, enforcesForeignKeys: Bool) {
    self.connection = connection
    self.enforcesForeignKeys = enforcesForeignKeys
  }

  /// Runs `body` in an immediate transaction with foreign keys disabled, and restores the setting
  /// afterwards.
  static func run<T>(
    on connection: Connection, _ body: (SchemaTransaction) throws -> T
  ) throws -> T {
    // Rebuilding a table drops and renames it, which foreign key enforcement would treat as
    // deletes. The pragma has no effect inside a transaction
    // (https://sqlite.org/lang_altertable.html#otheralter).
    let enforcesForeignKeys = try connection.pragma("foreign_keys") == 1
    try connection.pragma("foreign_keys", set: "OFF")
    let transaction = SchemaTransaction(connection, enforcesForeignKeys: enforcesForeignKeys)
    let rules = transaction.rules
    let decisions = connection.authorizer.decide
    let commits = connection.commitHook
    connection.authorizer.decide = { request in
      // How a constraint is added without copying a table
      // (https://sqlite.org/lang_altertable.html#otheralter).
      let isDefinition =
        request.action == SQLITE_PRAGMA && request.first?.lowercased() == "writable_schema"
      if rules.isInside, !isDefinition, let reason = ClosureRules.refusal(of: request) {
        return .deny(reason)
      }
      return decisions?(request) ?? .allow
    }
    connection.onCommit { !rules.isInside && commits?() ?? true }
    let result = Result {
      // Immediate, so that one of two processes that start at the same time waits before it reads
      // anything.
      try connection.transaction(.immediate) { try body(transaction) }
    }
    connection.onCommit(commits)
    connection.authorizer.decide = decisions
    try connection.pragma("writable_schema", set: "OFF")
    if enforcesForeignKeys { try connection.pragma("foreign_keys", set: "ON") }
    return try result.get()
  }

  /// Runs a migration. Throws if the migration caught an error that had rolled back the
  /// transaction.
  func perform(_ migration: () throws -> Void) throws {
    rules.isInside = true
    defer { rules.isInside = false }
    try migration()
    guard !connection.isAutocommit else {
      throw SQLiteError(
        code: SQLITE_ABORT, message: "the transaction of the migrations was rolled back")
    }
  }

  /// Throws ``MigrationError/foreignKeys(table:rowID:parent:count:)`` if a row references a missing
  /// row.
  func checkForeignKeys() throws {
    let violations = try connection.foreignKeyViolations()
    guard let first = violations.first else { return }
    throw MigrationError.foreignKeys(
      table: first.table, rowID: first.rowID, parent: first.parent, count: violations.count)
  }
}
