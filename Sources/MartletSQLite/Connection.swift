// The result codes (`SQLITE_MISUSE`, …) belong to this module's vocabulary, as in the C interface.
@_exported import CMartletSQLite

/// One connection to a database. It belongs to one thread or queue at a time: not `Sendable`.
///
/// Everything that hangs on a connection (statements, functions, hooks) is finalized with it.
public final class Connection {
  /// SQLite's handle. Valid until ``close()``.
  public let handle: OpaquePointer
  /// Sees every statement that is prepared. Installed before the first one and never replaced:
  /// a change of the callback would make SQLite prepare every statement again.
  public let authorizer = Authorizer()

  /// Told of each statement that runs. Held: let go of it when it has seen enough.
  public var observer: (any StatementObserver)?

  /// Bounds what is read into one result.
  @exclusivity(unchecked) package var rowGuard: (any RowGuard)?

  let isOwned: Bool
  let statements = StatementCache(capacity: 256)
  let functionFailures = FunctionFailures()
  var hooks = InstalledHooks()
  var transactionActions: [() -> Void] = []
  /// Told which part of the running transaction is undone, beside ``afterCommit(_:)``'s closures.
  package var rollbackObserver: (any RollbackObserver)?
  /// Whether somebody else commits and then runs what ``afterCommit(_:)`` was given: it waits for him
  /// also where a statement has ended the transaction under a closure that goes on.
  package var othersCommit = false
  public private(set) var isClosed = false

  /// Opens a database.
  public convenience init(location: Location, options: Options = .default) throws(SQLiteError) {
    try Version.check()
    _ = Library.isConfigured
    var handle: OpaquePointer?
    let code = sqlite3_open_v2(location.path, &handle, options.flags, nil)
    guard code == SQLITE_OK, let opened = handle else {
      var error = SQLiteError(handle: handle, code: code)
      if case .file(let path) = location { error.message += ": \(path)" }
      // Also a handle that could not be opened has to be closed.
      sqlite3_close_v2(handle)
      throw error
    }
    self.init(adopting: opened, owned: true)
  }

  /// Wraps a handle that someone else opened. With `owned`, this object closes it; otherwise it
  /// removes its hooks and leaves the handle open. The handle's authorizer is replaced.
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

  /// Finalizes the cached statements, removes the hooks and closes the handle, if it is owned.
  /// Statements that are still in use keep the file open until they go.
  public func close() {
    guard !isClosed else { return }
    isClosed = true
    statements.removeAll()
    removeHooks()
    authorizer.uninstall(from: handle)
    if isOwned { sqlite3_close_v2(handle) }
  }

  // MARK: Statements

  /// Runs one or several statements, separated by semicolons, and ignores their rows.
  public func execute(_ sql: String) throws(SQLiteError) {
    var sql = sql
    // One buffer for the whole text: SQLite says where it stopped by a pointer into it.
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

  /// Prepares one statement that the caller keeps.
  public func prepare(sql: String) throws(SQLiteError) -> PreparedStatement {
    let prepared = try prepareOne(sql, flags: 0)
    return PreparedStatement(prepared, of: self, returnsToCache: false)
  }

  /// A statement from the connection's cache. It goes back when the last reference to it does;
  /// while it is in use, a second request for the same SQL gets a statement of its own.
  public func cached(_ sql: String) throws(SQLiteError) -> PreparedStatement {
    try cached(sql, hash: sql.hashValue)
  }

  /// The same, where the text's `hashValue` is known.
  public func cached(_ sql: String, hash: Int) throws(SQLiteError) -> PreparedStatement {
    let key = StatementCache.Key(sql: sql, hash: hash)
    if let prepared = statements.take(key) {
      return PreparedStatement(prepared, of: self, returnsToCache: true)
    }
    let prepared = try prepareOne(sql, flags: UInt32(SQLITE_PREPARE_PERSISTENT))
    return PreparedStatement(prepared, of: self, returnsToCache: statements.keep(prepared, key))
  }

  /// Finalizes every cached statement that is not in use, for example before the handle goes back
  /// to whoever opened it.
  public func finalizeCachedStatements() { statements.removeAll() }

  private func prepareOne(_ sql: String, flags: UInt32) throws(SQLiteError) -> Prepared {
    var copy = sql
    let result: Result<Prepared, SQLiteError> = copy.withUTF8 { text in
      do throws(SQLiteError) {
        guard let start = text.baseAddress else { throw Self.noStatement(sql) }
        let end = start + text.count
        let (prepared, rest) = try prepare(from: start, to: end, flags: flags, sql: sql)
        guard let prepared else { throw Self.noStatement(sql) }
        // What follows must be white space and comments; a second statement would be lost silently.
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

  /// Prepares the first statement of a text; nil when there is none before `end`.
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
      // SQLite reads no further than a NUL: what stands behind would be asked for again and again.
      guard rest > start || start == end else {
        throw SQLiteError(
          code: SQLITE_MISUSE, message: "a NUL, where SQLite takes the text to end", sql: sql)
      }
      return (nil, rest)
    }
    let text =
      sql ?? String(decoding: UnsafeBufferPointer(start: start, count: rest - start), as: UTF8.self)
    return (Prepared(handle: statement, sql: text, accesses: accesses), rest)
  }
}
