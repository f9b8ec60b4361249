import CMartletSQLite
import Glibc

extension Connection {
  /// The rows that the last `INSERT`, `UPDATE` or `DELETE` changed itself, without triggers.
  public var changes: Int { Int(sqlite3_changes64(handle)) }
  /// The rows changed since the connection was opened, with triggers.
  public var totalChanges: Int { Int(sqlite3_total_changes64(handle)) }
  /// The rowid of the last insert that succeeded on this connection.
  public var lastInsertRowID: Int64 { sqlite3_last_insert_rowid(handle) }
  /// Whether no transaction is open (https://sqlite.org/c3ref/get_autocommit.html).
  public var isAutocommit: Bool { sqlite3_get_autocommit(handle) != 0 }
  /// Whether the main database is being read or written in a transaction that is still open; also
  /// by a statement that has not finished (https://sqlite.org/c3ref/txn_state.html).
  public var isReading: Bool { sqlite3_txn_state(handle, "main") != SQLITE_TXN_NONE }
  /// Whether the main database refuses writes.
  public var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }
  /// The path of the main database; nil in memory.
  public var path: String? {
    guard let name = sqlite3_db_filename(handle, "main") else { return nil }
    let path = String(cString: name)
    return path.isEmpty ? nil : path
  }

  /// Whether deferred foreign keys are violated now; `COMMIT` would fail
  /// (`SQLITE_DBSTATUS_DEFERRED_FKS`).
  public var hasDeferredForeignKeyViolations: Bool {
    status(SQLITE_DBSTATUS_DEFERRED_FKS).current != 0
  }

  /// One of the counters of https://sqlite.org/c3ref/c_dbstatus_options.html.
  public func status(_ counter: Int32) -> (current: Int, highest: Int) {
    var current: Int32 = 0
    var highest: Int32 = 0
    sqlite3_db_status(handle, counter, &current, &highest, 0)
    return (Int(current), Int(highest))
  }

  /// Waits so long for locks of other connections; 0 does not wait.
  public func setBusyTimeout(_ time: Duration) {
    sqlite3_busy_timeout(handle, Connection.milliseconds(time))
  }

  /// As ``setBusyTimeout(_:)``, looking once a millisecond and not ever less often: it gets its turn also
  /// beside a program that writes without end.
  public func insist(for time: Duration) {
    sqlite3_busy_handler(
      handle,
      { limit, count in
        guard Int(count) < Int(bitPattern: limit) else { return 0 }
        usleep(1000)
        return 1
      }, UnsafeMutableRawPointer(bitPattern: Int(Connection.milliseconds(time))))
  }

  /// As far as SQLite counts.
  private static func milliseconds(_ time: Duration) -> Int32 {
    Int32(min(max(time / .milliseconds(1), 0), Double(Int32.max)))
  }

  /// The current and all later running statements fail with `SQLITE_INTERRUPT` until none is left.
  /// An interrupted write rolls its whole transaction back.
  public func interrupt() { sqlite3_interrupt(handle) }

  /// Resets every statement that was stepped and not finished; it could keep a snapshot open.
  public func resetBusyStatements() {
    var next = sqlite3_next_stmt(handle, nil)
    while let statement = next {
      if sqlite3_stmt_busy(statement) != 0 { sqlite3_reset(statement) }
      next = sqlite3_next_stmt(handle, statement)
    }
  }

  // MARK: Pragmas

  /// The first value of `PRAGMA name`; nil when it answers nothing. `name` is trusted SQL.
  public func pragma(_ name: String) throws(SQLiteError) -> Value? {
    let statement = try prepare(sql: "PRAGMA \(name)")
    guard try statement.step() else { return nil }
    let value = statement.value(at: 0)
    // What it changes is committed at its end, which can fail after the row.
    while try statement.step() {}
    return value
  }

  /// Sets a pragma and gives what it answers. Both are trusted SQL.
  @discardableResult
  public func pragma(_ name: String, set value: String) throws(SQLiteError) -> Value? {
    try pragma("\(name) = \(value)")
  }

  /// A number that moves when another connection has changed the file (`PRAGMA data_version`).
  public func dataVersion() throws(SQLiteError) -> Int64 {
    let statement = try cached("PRAGMA data_version")
    return try statement.step() ? statement.int64(at: 0) : 0
  }

  // MARK: Checkpoints

  /// How hard a checkpoint tries (https://sqlite.org/c3ref/wal_checkpoint_v2.html).
  public enum CheckpointMode: Sendable {
    case passive, full, restart, truncate

    var code: Int32 {
      switch self {
      case .passive: SQLITE_CHECKPOINT_PASSIVE
      case .full: SQLITE_CHECKPOINT_FULL
      case .restart: SQLITE_CHECKPOINT_RESTART
      case .truncate: SQLITE_CHECKPOINT_TRUNCATE
      }
    }
  }

  /// Copies the write-ahead log into the database.
  /// - Returns: the frames in the log, and how many of them are in the database; -1 without a log.
  @discardableResult
  public func walCheckpoint(
    _ mode: CheckpointMode = .passive
  ) throws(SQLiteError) -> (frames: Int, checkpointed: Int) {
    var frames: Int32 = 0
    var checkpointed: Int32 = 0
    let code = sqlite3_wal_checkpoint_v2(handle, nil, mode.code, &frames, &checkpointed)
    guard code == SQLITE_OK else { throw SQLiteError(handle: handle, code: code) }
    return (Int(frames), Int(checkpointed))
  }
}
