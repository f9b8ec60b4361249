// Re-exported because callers need the result codes (`SQLITE_MISUSE`, …).
@_exported import CMartletSQLite

/// A connection to a database. It is not `Sendable`: use it from one thread or queue at a time.
///
/// Its statements, functions and hooks are finalized with it.
public final class Connection {
  /// SQLite's handle. It is valid until ``close()``.
  public let handle: OpaquePointer
  /// Called for every statement that is prepared. It is installed before the first statement and
  /// never replaced, because SQLite prepares every statement again when the callback changes.
  public let authorizer = Authorizer()

  /// Called for each statement that runs. The connection holds a strong reference; set `nil` to
  /// stop.
  public var observer: (any StatementObserver)?

  /// Limits the rows and bytes read into one result.
  @exclusivity(unchecked) package var rowGuard: (any RowGuard)?

  let isOwned: Bool
  let statements = StatementCache(capacity: 256)
  let functionFailures = FunctionFailures()
  var hooks = InstalledHooks()
  var transactionActions: [() -> Void] = []
  /// Notified when part of the transaction is rolled back, alongside the closures of
  /// ``afterCommit(_:)``.
  package var rollbackObserver: (any RollbackObserver)?
  /// Whether the owner of the transaction commits and runs the closures of ``afterCommit(_:)``
  /// itself. They are then queued even if a statement has already ended the transaction.
  package var isCommitManagedExternally = false
  /// Whether ``close()`` has been called.
  public private(set) var isClosed = false

  /// Opens a database. Throws if the file cannot be opened or the SQLite library is too old.
  public convenience init(location: Location, options: Options = .default) throws(SQLiteError) {
    try Version.check()
    _ = Library.isConfigured
    var handle: OpaquePointer?
    let code = sqlite3_open_v2(location.path, &handle, options.flags, nil)
    guard code == SQLITE_OK, let opened = handle else {
      var error = SQLiteError(handle: handle, code: code)
      if case .file(let path) = location { error.message += ": \(path)" }
      // SQLite requires closing the handle even if opening failed.
      sqlite3_close_v2(handle)
      throw error
    }
    self.init(adopting: opened, owned: true)
  }

  /// Wraps an existing handle and replaces its authorizer.
  /// - Parameters:
  ///   - handle: A handle returned by `sqlite3_open` or a variant of it.
  ///   - owned: Whether ``close()`` closes the handle. Otherwise it only removes the hooks.
  public convenience init(wrapping handle: OpaquePointer, owned: Bool) throws(SQLiteError) {
    try Version.check()
    self.init(adopting: handle, owned: owned)
  }

  private init(adopting handle: OpaquePointer, owned: Bool) {
    self.handle = handle
    isOwned = owned
    authorizer.install(on: handle)
  }

  deinit { close() }

  /// Finalizes the cached statements, removes the hooks and closes the handle if it is owned.
  ///
  /// Statements that are still in use keep the file open until they are released.
  public func close() {
    guard !isClosed else { return }
    isClosed = true
    statements.removeAll()
    removeHooks()
    authorizer.uninstall(from: handle)
    if isOwned { sqlite3_close_v2(handle) }
  }

  // MARK: Statements

  /// Runs one or more statements, separated by semicolons, and ignores their rows.
  public func execute(_ sql: String) throws(SQLiteError) {
    var sql = sql
    // One buffer for the whole text, since SQLite returns a pointer to the rest of it.
    let failure: SQLiteError? = sql.withUTF8 { (text) -> SQLiteError? in
      guard var next = text.baseAddress else { return nil }
      let end = next + text.count
      while next < end {
        do throws(SQLiteError) {
          let (prepared, rest) = try prepare(from: next, to: end, flags: 0)
          next = rest
          guard let prepared else { continue }
          let statement = PreparedStatement(prepared, of: self, returnsToCache: false)
          while try statement.step() {}
        } catch { return error }
      }
      return nil
    }
    if let failure { throw failure }
  }

  /// Prepares exactly one statement, without the cache.
  public func prepare(sql: String) throws(SQLiteError) -> PreparedStatement {
    let prepared = try prepareOne(sql, flags: 0)
    return PreparedStatement(prepared, of: self, returnsToCache: false)
  }

  /// A statement from the connection's cache, which it returns to with the last reference.
  ///
  /// If the cached statement is in use, a second request for the same SQL returns a new one.
  public func cached(_ sql: String) throws(SQLiteError) -> PreparedStatement {
    try cached(sql, hash: sql.hashValue)
  }

  /// The same, for a caller that already knows the text's `hashValue`.
  public func cached(_ sql: String, hash: Int) throws(SQLiteError) -> PreparedStatement {
    let key = StatementCache.Key(sql: sql, hash: hash)
    if let prepared = statements.take(key) {
      return PreparedStatement(prepared, of: self, returnsToCache: true)
    }
    let prepared = try prepareOne(sql, flags: UInt32(SQLITE_PREPARE_PERSISTENT))
    return PreparedStatement(prepared, of: self, returnsToCache: statements.keep(prepared, key))
  }

  /// Finalizes every cached statement that is not in use, for example before returning the handle
  /// to its owner.
  public func finalizeCachedStatements() { statements.removeAll() }

  private func prepareOne(_ sql: String, flags: UInt32) throws(SQLiteError) -> Prepared {
    var copy = sql
    let result: Result<Prepared, SQLiteError> = copy.withUTF8 { text in
      do throws(SQLiteError) {
        guard let start = text.baseAddress else { throw Self.noStatement(sql) }
        let end = start + text.count
        let (prepared, rest) = try prepare(from: start, to: end, flags: flags, sql: sql)
        guard let prepared else { throw Self.noStatement(sql) }
        // Only whitespace and comments may follow: a second statement would be ignored silently.
        var next = rest
        while next < end {
          let (second, rest) = try prepare(from: next, to: end, flags: 0)
          guard second == nil else {
            throw SQLiteError(
              code: SQLITE_MISUSE, message: "more than one statement; use execute", sql: sql,
              offset: next - start)
          }
          next = rest
        }
        return .success(prepared)
      } catch { return .failure(error) }
    }
    return try result.get()
  }

  private static func noStatement(_ sql: String) -> SQLiteError {
    SQLiteError(code: SQLITE_MISUSE, message: "no statement", sql: sql)
  }

  /// Prepares the first statement of a text. Its statement is `nil` if only whitespace and comments
  /// remain.
  private func prepare(
    from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>, flags: UInt32,
    sql: String? = nil
  ) throws(SQLiteError) -> (Prepared?, rest: UnsafePointer<UInt8>) {
    precondition(!isClosed, "the connection is closed")
    var statement: OpaquePointer?
    var tail: UnsafePointer<CChar>?
    let count = end - start
    let (code, accesses) = authorizer.collecting {
      start.withMemoryRebound(to: CChar.self, capacity: count) {
        sqlite3_prepare_v3(handle, $0, Int32(count), flags, &statement, &tail)
      }
    }
    let rest = tail.map { UnsafeRawPointer($0).assumingMemoryBound(to: UInt8.self) } ?? end
    guard code == SQLITE_OK else {
      var error = SQLiteError(handle: handle, code: code)
      error.sql =
        sql ?? String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
      if error.code == SQLITE_AUTH, let reason = authorizer.takeReason() { error.message = reason }
      throw error
    }
    guard let statement else {
      // SQLite stops at a NUL, so preparing the rest would never advance.
      guard rest > start || start == end else {
        throw SQLiteError(
          code: SQLITE_MISUSE, message: "unexpected NUL in the SQL text", sql: sql)
      }
      return (nil, rest)
    }
    let text =
      sql ?? String(decoding: UnsafeBufferPointer(start: start, count: rest - start), as: UTF8.self)
    return (Prepared(handle: statement, sql: text, accesses: accesses), rest)
  }
}
