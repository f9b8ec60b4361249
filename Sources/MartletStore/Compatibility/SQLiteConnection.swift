import Dispatch
import MartletSQLite

/// The database under the name that programs know it by which hold one connection: what they do with
/// it goes through the one writer here.
public typealias SQLiteConnection = EmbeddedDatabase

extension EmbeddedDatabase {
  /// Where a database lives.
  public enum Storage: Sendable, Hashable {
    /// A file, which is made if it does not exist. Readers and writer have a connection each, so a
    /// database in memory, which one connection alone sees, would be none.
    case file(path: String)
  }

  /// Opens the database with the usual settings.
  ///
  /// ```swift
  /// let connection = try SQLiteConnection.open(storage: .file(path: "users.db"))
  /// ```
  public static func open(storage: Storage) throws -> SQLiteConnection {
    switch storage {
    case .file(let path): try EmbeddedDatabase(path: path)
    }
  }

  /// As the synchronous form; the caller's thread is free meanwhile.
  public static func open(storage: Storage) async throws -> SQLiteConnection {
    let blocking: @Sendable (Storage) throws -> SQLiteConnection = { try open(storage: $0) }
    return try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(with: Result { try blocking(storage) })
      }
    }
  }

  /// Runs `body` in a transaction and returns once it is durable. When it throws, what it changed is
  /// undone.
  ///
  /// ```swift
  /// try await connection.transaction { conn in
  ///   try conn.query("INSERT INTO users (name) VALUES (?)", [.text(name)])
  /// }
  /// ```
  ///
  /// `body` does not wait: the writer serves everybody. It may run more than once before it counts,
  /// and has no effect outside its connection.
  @discardableResult
  public func transaction<T: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> T
  ) async throws -> T { try await write(body) }

  /// Runs one statement and gives its rows: on a reader where it changes nothing, else in a transaction of its own.
  @discardableResult
  public func query(_ sql: String, _ bindings: [Value] = []) async throws -> [Row] {
    // A statement that is no SQL fails as a write, with the writer's error.
    let rows = try await read { db -> [Row]? in
      guard let statement = try? db.prepare(sql: sql), statement.isReadOnly else { return nil }
      return try db.query(sql, bindings)
    }
    return if let rows { rows } else { try await write { try $0.query(sql, bindings) } }
  }
}
