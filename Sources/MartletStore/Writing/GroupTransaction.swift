import MartletSQLite

/// The transaction of a group on the writer's connection: what can end it, who is to blame, and
/// what the answers of `COMMIT` mean.
final class GroupTransaction {
  enum Outcome {
    /// Its changes are part of the transaction.
    case done
    /// Its changes are gone, and only they.
    case undone(any Error)
    /// Everybody's changes are gone.
    case transactionLost(any Error)
    /// The same, because the write takes too long beside others: it is to run again, alone.
    case setApart
  }

  var others: OtherWriters
  private var changesSchema = false
  private let connection: Connection
  private let recorder: ChangeRecorder
  private let rules: ClosureRules
  private let budget: WriteBudget
  private let beginStatement: PreparedStatement
  private let commitStatement: PreparedStatement

  init(
    _ connection: Connection, recorder: ChangeRecorder, budget: WriteBudget
  ) throws(SQLiteError) {
    self.connection = connection
    self.budget = budget
    self.recorder = recorder
    connection.othersCommit = true
    rules = ClosureRules.install(on: connection)
    others = try OtherWriters(connection)
    beginStatement = try connection.prepare(sql: "BEGIN IMMEDIATE")
    commitStatement = try connection.prepare(sql: "COMMIT")
  }

  var isInsideClosure: Bool { rules.isInside }

  /// Begins, after waiting for other programs.
  /// - Returns: whether one of them has committed since the last look.
  func begin() throws -> Bool {
    // Left open only where an earlier rollback failed.
    if !connection.isAutocommit { try rollBack() }
    do throws(SQLiteError) {
      try beginStatement.run()
    } catch  where error.isBusy {
      throw WriteError.busy(error)
    }
    let before = others
    do {
      return try checkOtherPrograms()
    } catch {
      // What others have committed is still to be told of.
      others = before
      try rollBack()
      throw error
    }
  }

  private func checkOtherPrograms() throws(SQLiteError) -> Bool {
    let haveWritten = try others.haveWritten(connection)
    try recorder.begin(on: connection, schemaMayHaveChanged: haveWritten || changesSchema)
    changesSchema = false
    return haveWritten
  }

  /// Runs one write in a savepoint of its own, or without one as the only write of its group: with
  /// FTS5 a savepoint costs a fifth.
  func run(_ write: PendingWrite, isAlone: Bool) -> Outcome {
    do throws(SQLiteError) {
      let savepoint = isAlone ? nil : try connection.beginSavepoint(ClosureRules.savepoint)
      budget.begin(isAlone: isAlone)
      var failure = perform(write)
      budget.end()
      switch budget.excess {
      case .shared: return .setApart
      // Also where the closure went on after the interruption.
      case .refused(let error): failure = error
      case nil: break
      }
      // RAISE(ROLLBACK), OR ROLLBACK and a disk that is full while SQLite spills end the
      // transaction, and the next savepoint would begin one of its own.
      if connection.isAutocommit {
        return .transactionLost(failure ?? WriteError.transactionEnded)
      }
      // Passes RELEASE and would fail everybody's COMMIT.
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
      // Whose savepoint cannot be opened or closed is to blame: most likely the disk is bad.
      return .transactionLost(error)
    }
  }

  /// Runs a `RELEASE` or `COMMIT`. It is refused while a statement that writes has not finished:
  /// one that the closure keeps although it was not stepped to its end. Its changes are made; it is
  /// reset.
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

  /// Makes the transaction durable. Throws ``WriteError/outcomeUnknown(_:)`` where it may be
  /// durable or not; after every other error nothing of it is there.
  func commit() throws {
    do throws(SQLiteError) {
      changesSchema = try others.schemaHasChanged(connection)
      try finishing { () throws(SQLiteError) in try commitStatement.run() }
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
        // Above all SQLITE_IOERR, where the frames may be in the log and the fsync failed. The
        // connection is not used any more.
        throw WriteError.outcomeUnknown(error)
      }
    }
  }

  /// Undoes all, also what was collected about it.
  func rollBack() throws(SQLiteError) {
    connection.resetBusyStatements()
    try connection.rollBackTransaction()
  }

  /// What the committed transaction has changed.
  func notice(number: UInt64) -> CommitNotification {
    recorder.notice(number: number, everything: changesSchema)
  }

  func takeActions() -> [() -> Void] { connection.takeAfterCommitActions() }
}
