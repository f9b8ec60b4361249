import MartletSQLite

/// The seam between repositories and an engine: closures on a connection, run by whoever owns it.
///
/// A closure does not wait for anything but SQLite. That of a write may be run more than once
/// before its answer counts, so it has no effect outside the connection; what has one goes through
/// `connection.afterCommit`. Transaction control and pragmas that change something are refused in
/// it.
public protocol Database: Sendable {
  /// Runs `body` on a read-only connection; all its statements see the same commit.
  func read<T>(_ body: (Connection) throws -> T) throws -> T

  /// Runs `body` in a transaction, alone or with others', and returns once it is durable. When it
  /// throws, what it changed is undone. Throws ``WriteError`` where the engine refuses.
  func write<T>(_ body: (Connection) throws -> T) throws -> T

  /// As the synchronous form, without blocking the thread.
  func read<T: Sendable>(_ body: @escaping @Sendable (Connection) throws -> T) async throws -> T

  /// As the synchronous form, without blocking the thread.
  func write<T: Sendable>(_ body: @escaping @Sendable (Connection) throws -> T) async throws -> T

  /// Calls `body` after each commit and before its writes are answered, in the order of commits, on
  /// the writer's thread. It must not block, and must not write.
  func onCommit(_ body: @escaping @Sendable (CommitNotification) -> Void)
}
