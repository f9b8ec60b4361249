import Dispatch
import MartletSQLite

/// Another name for ``EmbeddedDatabase``, for programs written against a single-connection API. Its
/// writes go through the one writer.
public typealias SQLiteConnection = EmbeddedDatabase

extension EmbeddedDatabase {
  /// Where a database is stored.
  public enum Storage: Sendable, Hashable {
    /// A file, created if it does not exist.
    ///
    /// There is no in-memory case: an in-memory database is visible to one connection only, and the
    /// readers and the writer use separate connections.
    case file(path: String)
  }

  /// Opens the database with the default settings.
  ///
  /// ```swift
  /// let connection = try SQLiteConnection.open(storage: .file(path: "users.db"))
  /// ```
  public static func open(storage: Storage) throws -> SQLiteConnection {
    switch storage {
    case .file(let path): try EmbeddedDatabase(path: path)
    }
  }

  /// Opens the database with the default settings on a background thread.
  public static func open(storage: Storage) async throws -> SQLiteConnection {
    let blocking: @Sendable (Storage) throws -> SQLiteConnection = { try open(storage: $0) }
    return try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(with: Result { try blocking(storage) })
      }
    }
  }

  /// Runs `body` in a transaction and returns once the commit is durable. If `body` throws, its
  /// changes are rolled back.
  ///
  /// ```swift
  /// try await connection.transaction { conn in
  ///   try conn.query("INSERT INTO users (name) VALUES (?)", [.text(name)])
  /// }
  /// ```
  ///
  /// `body` must not block: it runs on the writer's thread, which serves all writes. It may run
  /// more than once before its result counts, so it must have no effect outside the connection.
  @discardableResult
  public func transaction<T: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> T
  ) async throws -> T { try await write(body) }

  /// Runs one statement and returns its rows. A read-only statement runs on a reader, any other in
  /// a transaction of its own.
  @discardableResult
  public func query(_ sql: String, _ bindings: [Value] = []) async throws -> [Row] {
    // A statement that does not compile goes to the writer, which reports the error.
    let rows = try await read { db -> [Row]? in
      guard let statement = try? db.prepare(sql: sql), statement.isReadOnly else { return nil }
      return try db.query(sql, bindings)
    }
    return if let rows { rows } else { try await write { try $0.query(sql, bindings) } }
  }
}
