import MartletSQLite

/// The transaction of a group on the writer's connection: which errors end it, which write caused
/// them, and what the result codes of `COMMIT` mean.
final class GroupTransaction {
  enum Outcome {
    /// The write's changes are part of the transaction.
    case done
    /// The write's changes were rolled back, and only those.
    case undone(any Error)
    /// The transaction has ended or is unusable. The changes of all writes in the group are lost.
    case transactionLost(any Error)
    /// The write takes too long to share a group. The transaction must be rolled back, and the
    /// write must run again alone.
    case setApart
  }

  private var others: OtherWriters
  private var changesSchema = false
  /// Whether another program may have changed the schema since the last ``begin()``.
  private var isSchemaUnread = false
  private let connection: Connection
  private let recorder: ChangeRecorder
  private let rules: ClosureRules
  private let budget: WriteBudget
  private let beginStatement: PreparedStatement
  private let commitStatement: PreparedStatement

  init(
    _ connection: Connection, recorder: ChangeRecorder, budget: WriteBudget,
    changeTable: ChangeTable?,
    isReplicated: Bool = false
  ) throws(SQLiteError) {
    self.connection = connection
    self.budget = budget
    self.recorder = recorder
    connection.isCommitManagedExternally = true
    rules = ClosureRules.install(on: connection, allowsSchemaChanges: !isReplicated)
    // One transaction: otherwise a commit in between would be missed.
    try connection.cached("BEGIN").run()
    others = try OtherWriters(connection, changeTable: changeTable, recorder.watch)
    try connection.cached("COMMIT").run()
    beginStatement = try connection.prepare(sql: "BEGIN IMMEDIATE")
    commitStatement = try connection.prepare(sql: "COMMIT")
  }

  var isInsideClosure: Bool { rules.isInside }

  /// Begins the transaction, waiting for other programs if necessary.
  /// - Returns: what other programs have changed since the last call; `nil` if nothing.
  func begin() throws -> ForeignChanges? {
    // A transaction is still open only if an earlier rollback failed.
    if !connection.isAutocommit { try rollBack() }
    do throws(SQLiteError) {
      try beginStatement.run()
    } catch  where error.isBusy {
      throw WriteError.busy(error)
    }
    do {
      return try prepareRecorder()
    } catch {
      try rollBack()
      throw error
    }
  }

  private func prepareRecorder() throws(SQLiteError) -> ForeignChanges? {
    var next = others
    let changes = try next.changes(connection)
    try recorder.begin(
      on: connection,
      schemaMayHaveChanged: changes?.everything == true || changesSchema || isSchemaUnread)
    changesSchema = false
    isSchemaUnread = false
    others = next
    return changes
  }

  /// Between two groups, returns what other programs have changed since the last call; `nil` if
  /// nothing.
  func changesOfOthers() throws(SQLiteError) -> ForeignChanges? {
    guard try others.haveWritten(connection) else { return nil }
    try connection.cached("BEGIN").run()
    do {
      var next = others
      let changes = try next.changes(connection)
      try connection.cached("COMMIT").run()
      others = next
      if changes?.everything == true { isSchemaUnread = true }
      return changes
    } catch {
      try rollBack()
      throw error
    }
  }

  /// Runs one write in its own savepoint. The only write of a group runs without one: with FTS5, a
  /// savepoint makes a write about a fifth slower.
  func run(_ write: PendingWrite, of client: Int, isAlone: Bool) -> Outcome {
    do throws(SQLiteError) {
      let savepoint = isAlone ? nil : try connection.beginSavepoint(ClosureRules.savepoint)
      budget.begin(isAlone: isAlone, client: client)
      var failure = perform(write)
      budget.end()
      switch budget.excess {
      case .shared: return .setApart
      // The write fails even if its closure swallowed the interruption and continued.
      case .refused(let error): failure = error
      case nil: break
      }
      // `RAISE(ROLLBACK)`, `OR ROLLBACK`, and a full disk during a cache spill end the transaction.
      // The next savepoint would then start a new one.
      if connection.isAutocommit {
        return .transactionLost(failure ?? WriteError.transactionEnded)
      }
      // A deferred violation passes RELEASE, and would make the COMMIT of the whole group fail.
      if failure == nil, connection.hasDeferredForeignKeyViolations {
        failure = SQLiteError(code: 787, message: "FOREIGN KEY constraint failed")
      }
      if failure != nil { connection.resetBusyStatements() }
      if let savepoint {
        if failure == nil {
          try finishing { () throws(SQLiteError) in try connection.release(savepoint) }
        } else {
          try connection.rollBack(to: savepoint)
        }
      }
      return failure.map { .undone($0) } ?? .done
    } catch {
      // A savepoint that cannot be opened or closed most likely means a failing disk. The write is
      // reported as the cause.
      return .transactionLost(error)
    }
  }

  /// Runs a `RELEASE` or `COMMIT`. SQLite refuses it while a writing statement is unfinished, for
  /// example one that the closure stored and did not step to its end. The statement's changes are
  /// already made, so it is reset and the command retried.
  private func finishing(_ body: () throws(SQLiteError) -> Void) throws(SQLiteError) {
    do throws(SQLiteError) { try body() } catch  where error.isBusy {
      connection.resetBusyStatements()
      try body()
    }
  }

  private func perform(_ write: PendingWrite) -> (any Error)? {
    rules.isInside = true
    defer { rules.isInside = false }
    do {
      try write.run(connection)
      return nil
    } catch let error as SQLiteError where error.isFull {
      return WriteError.storageFull(error)
    } catch {
      return error
    }
  }

  /// The entry for the log with what the group has done; `nil` if it has done nothing.
  func entry(tag: UInt64) throws -> [UInt8]? {
    // FTS5 and FTS3 keep changes in memory, and write them before a savepoint begins or at COMMIT,
    // which is too late (https://sqlite.org/vtab.html#xsavepoint).
    let savepoint = try connection.beginSavepoint(ClosureRules.savepoint)
    try connection.release(savepoint)
    return try recorder.capture?.entry(connection, tag: tag)
  }

  /// Whether COMMIT itself has changed rows, which the entry does not have.
  var hasMissedRows: Bool { recorder.capture?.hasMissed == true }

  /// Changes the number of the last entry in the file.
  func set(seq: Int64) throws(SQLiteError) { try NodePosition.set(seq, connection) }

  /// Commits the transaction durably. Throws ``WriteError/outcomeUnknown(_:)`` if it may or may not
  /// be durable; after any other error it was rolled back.
  func commit() throws {
    do throws(SQLiteError) {
      var next = others
      changesSchema = try next.noteOwn(recorder, connection)
      try finishing { () throws(SQLiteError) in try commitStatement.run() }
      others = next
    } catch {
      switch error.code {
      case SQLITE_FULL:
        try rollBack()
        throw WriteError.storageFull(error)
      case SQLITE_BUSY:
        try rollBack()
        throw WriteError.busy(error)
      case SQLITE_CONSTRAINT:
        try rollBack()
        throw error
      default:
        // Typically `SQLITE_IOERR`: the frames may be in the WAL although the fsync failed. The
        // connection must not be used any more.
        throw WriteError.outcomeUnknown(error)
      }
    }
  }

  /// Rolls back the transaction and discards the recorded changes.
  func rollBack() throws(SQLiteError) {
    connection.resetBusyStatements()
    recorder.capture?.forgetSequences()
    try connection.rollBackTransaction()
  }

  /// Creates the notification for the committed transaction.
  func notice(number: UInt64) -> CommitNotification {
    recorder.notice(number: number, everything: changesSchema)
  }

  func takeActions() -> [() -> Void] { connection.takeAfterCommitActions() }
}
