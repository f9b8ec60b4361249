import CMartletSQLite

/// Told when a part of a transaction is undone, so that what was collected in it can be thrown
/// away.
package protocol RollbackObserver: AnyObject {
  /// How much was collected up to now.
  var position: Int { get }
  /// Throws away what was collected after `position`.
  func discard(after position: Int)
}

/// A place in a transaction to which it can be rolled back
/// (https://sqlite.org/lang_savepoint.html).
public struct Savepoint {
  let name: String
  let actions: Int
  let observed: Int
}

extension Connection {
  /// The name that ``savepoint(_:)`` uses, at every depth: SQLite means the innermost.
  static let nestedSavepoint = "martlet_nested"

  /// Opens a savepoint; in autocommit mode it also begins a transaction. `name` is an identifier of
  /// letters, digits and underscores.
  public func beginSavepoint(_ name: String) throws(SQLiteError) -> Savepoint {
    try cached("SAVEPOINT \(name)").run()
    return Savepoint(
      name: name, actions: transactionActions.count, observed: rollbackObserver?.position ?? 0)
  }

  /// Makes the changes since the savepoint part of what surrounds it.
  public func release(_ savepoint: Savepoint) throws(SQLiteError) {
    try cached("RELEASE \(savepoint.name)").run()
  }

  /// Undoes the changes since the savepoint and closes it.
  public func rollBack(to savepoint: Savepoint) throws(SQLiteError) {
    discard(to: savepoint)
    // Already undone where an error or a trigger rolled the whole transaction back.
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

  /// Runs `body` in a savepoint; when it throws, its changes alone are undone. May be nested.
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

  /// How a transaction begins (https://sqlite.org/lang_transaction.html).
  public enum TransactionKind: String, Sendable { case deferred, immediate, exclusive }

  /// Runs `body` in a transaction; when it throws, everything is rolled back. Must not be nested.
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

  /// What becomes of a transaction whose closure says so itself.
  public enum Completion: Sendable { case commit, rollback }

  /// A transaction that ends as `body` says; when it throws, it is rolled back.
  public func inTransaction(
    _ kind: TransactionKind = .immediate, _ body: () throws -> Completion
  ) throws {
    struct RolledBack: Error {}
    do {
      try transaction(kind) { if try body() == .rollback { throw RolledBack() } }
    } catch is RolledBack {}
  }

  /// A savepoint that ends as `body` says. May be nested.
  public func inSavepoint(_ body: () throws -> Completion) throws {
    struct RolledBack: Error {}
    do {
      try savepoint { if try body() == .rollback { throw RolledBack() } }
    } catch is RolledBack {}
  }

  /// Where undoing fails as well, its error carries the cause.
  private func undoing(
    _ cause: any Error, _ undo: () throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    do { try undo() } catch {
      var error = error
      error.underlying = cause
      throw error
    }
  }

  /// Rolls back the transaction, if one is still open.
  package func rollBackTransaction() throws(SQLiteError) {
    transactionActions.removeAll()
    rollbackObserver?.discard(after: 0)
    if !isAutocommit { try cached("ROLLBACK").run() }
  }

  // MARK: After the commit

  /// Runs `action` once the running transaction is durable, never if it or the enclosing savepoint
  /// is rolled back. Outside of a transaction it runs at once.
  public func afterCommit(_ action: @escaping () -> Void) {
    if isAutocommit, !othersCommit { action() } else { transactionActions.append(action) }
  }

  /// The closures given to ``afterCommit(_:)``, for whoever commits by himself.
  package func takeAfterCommitActions() -> [() -> Void] {
    defer { transactionActions = [] }
    return transactionActions
  }

  private func runActions() {
    for action in takeAfterCommitActions() { action() }
  }
}
