import CMartletSQLite

extension Connection {
  /// The progress of a backup, in pages of the source database as of the last step.
  public struct BackupProgress: Hashable, Sendable {
    /// The number of pages still to copy.
    public let remainingPages: Int
    /// The number of pages in the source database.
    public let totalPages: Int
    /// Whether every page has been copied.
    public var isDone: Bool { remainingPages == 0 }
  }

  /// Copies the database over the content of another one (https://sqlite.org/backup.html).
  ///
  /// Other connections can write between steps; pages they change are copied again. A step that
  /// meets a lock is retried.
  /// - Parameters:
  ///   - other: The destination, whose content is replaced.
  ///   - pagesPerStep: The number of pages copied per step. 0 or less copies all pages in one step.
  ///   - timeoutMilliseconds: The total time to wait for locks. After that the backup throws
  ///     `SQLITE_BUSY`.
  ///   - progress: Called after each step. An error thrown from it ends the backup.
  /// - Throws: `SQLITE_MISUSE` inside a write transaction of this connection, and SQLite's errors.
  public func backup(
    to other: Connection, pagesPerStep: Int = 256, timeoutMilliseconds: Int = 60_000,
    progress: ((BackupProgress) throws -> Void)? = nil
  ) throws {
    guard sqlite3_txn_state(handle, "main") != SQLITE_TXN_WRITE else {
      throw SQLiteError(
        code: SQLITE_MISUSE,
        message: "cannot back up inside a write transaction")
    }
    guard let backup = sqlite3_backup_init(other.handle, "main", handle, "main") else {
      throw SQLiteError(handle: other.handle, code: sqlite3_errcode(other.handle))
    }
    var isFinished = false
    let timeout = ContinuousClock.now + .milliseconds(timeoutMilliseconds)
    defer { if !isFinished { sqlite3_backup_finish(backup) } }
    var result = SQLITE_OK
    repeat {
      result = sqlite3_backup_step(backup, pagesPerStep > 0 ? Int32(clamping: pagesPerStep) : -1)
      guard [SQLITE_OK, SQLITE_DONE, SQLITE_BUSY, SQLITE_LOCKED].contains(result) else { break }
      try progress?(
        BackupProgress(
          remainingPages: Int(sqlite3_backup_remaining(backup)),
          totalPages: Int(sqlite3_backup_pagecount(backup))))
      // Gives the holder of the lock time to finish.
      if result == SQLITE_BUSY || result == SQLITE_LOCKED {
        guard ContinuousClock.now < timeout else { break }
        sqlite3_sleep(10)
      }
    } while result != SQLITE_DONE
    isFinished = true
    let finished = sqlite3_backup_finish(backup)
    guard finished == SQLITE_OK, result == SQLITE_DONE else {
      throw SQLiteError(handle: other.handle, code: finished == SQLITE_OK ? result : finished)
    }
  }

  /// Rebuilds the database file without free pages (https://sqlite.org/lang_vacuum.html).
  public func vacuum() throws(SQLiteError) { try execute("VACUUM") }

  /// Writes a rebuilt copy of the database to a new file. Throws if the file exists.
  public func vacuum(into path: String) throws(SQLiteError) {
    try run("VACUUM INTO ?", .text(path))
  }
}
