import CMartletSQLite
import Glibc

extension Connection {
  /// The number of rows changed by the last `INSERT`, `UPDATE` or `DELETE` itself, without its
  /// triggers.
  public var changes: Int { Int(sqlite3_changes64(handle)) }
  /// The number of rows changed since the connection was opened, including by triggers.
  public var totalChanges: Int { Int(sqlite3_total_changes64(handle)) }
  /// The rowid of the last successful insert on this connection.
  public var lastInsertRowID: Int64 { sqlite3_last_insert_rowid(handle) }
  /// Whether no transaction is open (https://sqlite.org/c3ref/get_autocommit.html).
  public var isAutocommit: Bool { sqlite3_get_autocommit(handle) != 0 }
  /// Whether a read or write transaction on the main database is open, which includes a running
  /// statement (https://sqlite.org/c3ref/txn_state.html).
  public var isReading: Bool { sqlite3_txn_state(handle, "main") != SQLITE_TXN_NONE }
  /// Whether the main database is read-only (https://sqlite.org/c3ref/db_readonly.html).
  public var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }
  /// The path of the main database, or `nil` for an in-memory or temporary database.
  public var path: String? {
    guard let name = sqlite3_db_filename(handle, "main") else { return nil }
    let path = String(cString: name)
    return path.isEmpty ? nil : path
  }

  /// Whether deferred foreign key constraints are violated now, so that `COMMIT` would fail
  /// (`SQLITE_DBSTATUS_DEFERRED_FKS`).
  public var hasDeferredForeignKeyViolations: Bool {
    status(SQLITE_DBSTATUS_DEFERRED_FKS).current != 0
  }

  /// The current and highest value of a counter of
  /// https://sqlite.org/c3ref/c_dbstatus_options.html.
  public func status(_ counter: Int32) -> (current: Int, highest: Int) {
    var current: Int32 = 0
    var highest: Int32 = 0
    sqlite3_db_status(handle, counter, &current, &highest, 0)
    return (Int(current), Int(highest))
  }

  /// Sets how long a statement waits for locks of other connections
  /// (https://sqlite.org/c3ref/busy_timeout.html). 0 does not wait.
  public func setBusyTimeout(_ time: Duration) {
    sqlite3_busy_timeout(handle, Connection.milliseconds(time))
  }

  /// Like ``setBusyTimeout(_:)``, but retries every millisecond instead of backing off.
  ///
  /// The connection therefore gets the lock even if another program writes without pause.
  public func insist(for time: Duration) {
    sqlite3_busy_handler(
      handle,
      { limit, count in
        guard Int(count) < Int(bitPattern: limit) else { return 0 }
        usleep(1000)
        return 1
      }, UnsafeMutableRawPointer(bitPattern: Int(Connection.milliseconds(time))))
  }

  /// The duration in milliseconds, clamped to the range of `Int32`.
  private static func milliseconds(_ time: Duration) -> Int32 {
    Int32(min(max(time / .milliseconds(1), 0), Double(Int32.max)))
  }

  /// Makes all running statements fail with `SQLITE_INTERRUPT`
  /// (https://sqlite.org/c3ref/interrupt.html).
  ///
  /// This includes statements that start before the last of them has ended. An interrupted write
  /// rolls back its whole transaction.
  public func interrupt() { sqlite3_interrupt(handle) }

  /// Resets every unfinished statement, since each can hold a snapshot open.
  public func resetBusyStatements() {
    var next = sqlite3_next_stmt(handle, nil)
    while let statement = next {
      if sqlite3_stmt_busy(statement) != 0 { sqlite3_reset(statement) }
      next = sqlite3_next_stmt(handle, statement)
    }
  }

  // MARK: Pragmas

  /// The first value returned by `PRAGMA name`, or `nil` if it returns no row. `name` must be
  /// trusted SQL.
  public func pragma(_ name: String) throws(SQLiteError) -> Value? {
    let statement = try prepare(sql: "PRAGMA \(name)")
    guard try statement.step() else { return nil }
    let value = statement.value(at: 0)
    // Runs to the end: a pragma that writes commits there, and the commit can fail.
    while try statement.step() {}
    return value
  }

  /// Sets a pragma and returns the value it reports. Both arguments must be trusted SQL.
  @discardableResult
  public func pragma(_ name: String, set value: String) throws(SQLiteError) -> Value? {
    try pragma("\(name) = \(value)")
  }

  /// A number that changes when another connection has changed the file (`PRAGMA data_version`).
  public func dataVersion() throws(SQLiteError) -> Int64 {
    let statement = try cached("PRAGMA data_version")
    return try statement.step() ? statement.int64(at: 0) : 0
  }

  /// Switches the triggers of the main database and of attached ones on or off. Temporary triggers
  /// always run (https://sqlite.org/c3ref/c_dbconfig_defensive.html#sqlitedbconfigenabletrigger).
  public func setTriggersEnabled(_ isEnabled: Bool) {
    sqlite3_db_config_flag(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, isEnabled ? 1 : 0)
  }

  // MARK: Checkpoints

  /// The mode of a checkpoint (https://sqlite.org/c3ref/wal_checkpoint_v2.html).
  ///
  /// `passive` copies what it can without waiting; `full` waits for writers; `restart` also waits
  /// for readers, so that the next write starts the WAL from its beginning; `truncate` then
  /// truncates the WAL file.
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

  /// Copies the WAL into the database (a checkpoint).
  /// - Returns: The number of frames in the WAL, and how many of them are in the database. Both are
  ///   -1 if the database is not in WAL mode.
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
