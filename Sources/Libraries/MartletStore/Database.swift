import MartletSQLite

/// Gives repositories access to a database engine: they pass closures, and the engine runs each on
/// a connection.
///
/// A closure must not block on anything but SQLite. A write's closure may run more than once before
/// its result counts, so it must have no effect outside the connection; put side effects into
/// `connection.afterCommit`. Statements that begin or end a transaction, and pragmas that change
/// settings, are refused.
public protocol Database: Sendable {
  /// Runs `body` on a read-only connection, blocking the caller. All its statements see the same
  /// snapshot.
  func read<T>(_ body: (Connection) throws -> T) throws -> T

  /// Runs `body` in a transaction, blocking the caller until the commit is durable. The transaction
  /// may be shared with other writes.
  ///
  /// If `body` throws, its own changes are rolled back and the error is rethrown. Throws
  /// ``WriteError`` if the engine refuses the write.
  func write<T>(_ body: (Connection) throws -> T) throws -> T

  /// Runs `body` on a read-only connection without blocking the thread. All its statements see the
  /// same snapshot.
  func read<T: Sendable>(_ body: @escaping @Sendable (Connection) throws -> T) async throws -> T

  /// Runs `body` in a transaction without blocking the thread, and returns once the commit is
  /// durable.
  func write<T: Sendable>(_ body: @escaping @Sendable (Connection) throws -> T) async throws -> T

  /// Calls `body` after each commit, on the writer's thread and in commit order. The writes of the
  /// commit get their results afterwards. `body` must not block and must not write.
  func onCommit(_ body: @escaping @Sendable (CommitNotification) -> Void)
}
