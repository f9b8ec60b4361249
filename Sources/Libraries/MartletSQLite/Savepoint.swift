import CMartletSQLite

/// Notified when part of a transaction is rolled back, so that it can discard what it collected in
/// that part.
package protocol RollbackObserver: AnyObject {
  /// The amount collected so far.
  var position: Int { get }
  /// Discards what was collected after `position`.
  func discard(after position: Int)
}

/// A savepoint: a point in a transaction to which it can be rolled back
/// (https://sqlite.org/lang_savepoint.html).
public struct Savepoint {
  let name: String
  let actions: Int
  let observed: Int
}

extension Connection {
  /// The name used by ``savepoint(_:)`` at every depth: SQLite resolves it to the innermost
  /// savepoint.
  static let nestedSavepoint = "martlet_nested"

  /// Opens a savepoint, which in autocommit mode also begins a transaction. `name` is an identifier
  /// of letters, digits and underscores.
  public func beginSavepoint(_ name: String) throws(SQLiteError) -> Savepoint {
    try cached("SAVEPOINT \(name)").run()
    return Savepoint(
      name: name, actions: transactionActions.count, observed: rollbackObserver?.position ?? 0)
  }

  /// Closes the savepoint and keeps its changes as part of the enclosing transaction. If the
  /// savepoint began the transaction, this commits.
  public func release(_ savepoint: Savepoint) throws(SQLiteError) {
    try cached("RELEASE \(savepoint.name)").run()
  }

  /// Rolls back the changes since the savepoint and closes it.
  public func rollBack(to savepoint: Savepoint) throws(SQLiteError) {
    discard(to: savepoint)
    // An error or a trigger may have rolled back the whole transaction already.
    guard !isAutocommit else { return }
    try cached("ROLLBACK TO \(savepoint.name)").run()
    try cached("RELEASE \(savepoint.name)").run()
  }

  private func discard(to savepoint: Savepoint) {
    if transactionActions.count > savepoint.actions {
      transactionActions.removeLast(transactionActions.count - savepoint.actions)
    }
    rollbackObserver?.discard(after: savepoint.observed)
  }

  /// Runs `body` in a savepoint. If it throws, only its own changes are rolled back. Savepoints can
  /// be nested.
  public func savepoint<T>(_ body: () throws -> T) throws -> T {
    let isOutermost = isAutocommit
    let savepoint = try beginSavepoint(Self.nestedSavepoint)
    let result: T
    do {
      result = try body()
      try release(savepoint)
    } catch let cause {
      try undoing(cause) { () throws(SQLiteError) in try rollBack(to: savepoint) }
      throw cause
    }
    if isOutermost { runActions() }
    return result
  }

  /// How a transaction begins: deferred, immediate or exclusive
  /// (https://sqlite.org/lang_transaction.html).
  public enum TransactionKind: String, Sendable { case deferred, immediate, exclusive }

  /// Runs `body` in a transaction and commits. If it throws, the transaction is rolled back.
  /// Transactions cannot be nested.
  public func transaction<T>(
    _ kind: TransactionKind = .immediate, _ body: () throws -> T
  ) throws -> T {
    try cached("BEGIN \(kind.rawValue)").run()
    let result: T
    do {
      result = try body()
      try cached("COMMIT").run()
    } catch let cause {
      try undoing(cause) { () throws(SQLiteError) in try rollBackTransaction() }
      throw cause
    }
    runActions()
    return result
  }

  /// How a transaction or savepoint ends: with a commit or a rollback.
  public enum Completion: Sendable { case commit, rollback }

  /// Runs `body` in a transaction and ends it as `body` returns. If it throws, the transaction is
  /// rolled back.
  public func inTransaction(
    _ kind: TransactionKind = .immediate, _ body: () throws -> Completion
  ) throws {
    struct RolledBack: Error {}
    do {
      try transaction(kind) { if try body() == .rollback { throw RolledBack() } }
    } catch is RolledBack {}
  }

  /// Runs `body` in a savepoint and ends it as `body` returns. Savepoints can be nested.
  public func inSavepoint(_ body: () throws -> Completion) throws {
    struct RolledBack: Error {}
    do {
      try savepoint { if try body() == .rollback { throw RolledBack() } }
    } catch is RolledBack {}
  }

  /// If the rollback fails too, its error carries the original one as ``SQLiteError/underlying``.
  private func undoing(
    _ cause: any Error, _ undo: () throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    do { try undo() } catch {
      var error = error
      error.underlying = cause
      throw error
    }
  }

  /// Rolls back the transaction if one is still open.
  package func rollBackTransaction() throws(SQLiteError) {
    transactionActions.removeAll()
    rollbackObserver?.discard(after: 0)
    if !isAutocommit { try cached("ROLLBACK").run() }
  }

  // MARK: After the commit

  /// Runs `action` after the current transaction has committed. It is dropped if the transaction or
  /// the enclosing savepoint is rolled back. Outside a transaction it runs immediately.
  public func afterCommit(_ action: @escaping () -> Void) {
    if isAutocommit, !isCommitManagedExternally {
      action()
    } else {
      transactionActions.append(action)
    }
  }

  /// Removes and returns the closures given to ``afterCommit(_:)``, for a caller that commits
  /// itself.
  package func takeAfterCommitActions() -> [() -> Void] {
    defer { transactionActions = [] }
    return transactionActions
  }

  private func runActions() {
    for action in takeAfterCommitActions() { action() }
  }
}
