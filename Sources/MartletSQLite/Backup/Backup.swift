import CMartletSQLite

extension Connection {
  /// How far a backup is: pages of the source, at the time of the last step.
  public struct BackupProgress: Hashable, Sendable {
    public let remainingPages: Int
    public let totalPages: Int
    public var isDone: Bool { remainingPages == 0 }
  }

  /// Copies the database into another one, whose content is replaced (https://sqlite.org/backup.html).
  ///
  /// Between steps others write; what they change is copied again. A step that meets a lock is tried again.
  /// - Parameters:
  ///   - pagesPerStep: 0 or less for all at once.
  ///   - patienceMilliseconds: How long locks are waited for, in all; then it throws `SQLITE_BUSY`.
  ///   - progress: Called after each step; what it throws ends the backup.
  public func backup(
    to other: Connection, pagesPerStep: Int = 256, patienceMilliseconds: Int = 60_000,
    progress: ((BackupProgress) throws -> Void)? = nil
  ) throws {
    guard sqlite3_txn_state(handle, "main") != SQLITE_TXN_WRITE else {
      throw SQLiteError(
        code: SQLITE_MISUSE,
        message: "a backup inside of a transaction that writes would wait for it")
    }
    guard let backup = sqlite3_backup_init(other.handle, "main", handle, "main") else {
      throw SQLiteError(handle: other.handle, code: sqlite3_errcode(other.handle))
    }
    var isFinished = false
    let patience = ContinuousClock.now + .milliseconds(patienceMilliseconds)
    defer { if !isFinished { sqlite3_backup_finish(backup) } }
    var result = SQLITE_OK
    repeat {
      result = sqlite3_backup_step(backup, pagesPerStep > 0 ? Int32(clamping: pagesPerStep) : -1)
      guard [SQLITE_OK, SQLITE_DONE, SQLITE_BUSY, SQLITE_LOCKED].contains(result) else { break }
      try progress?(
        BackupProgress(
          remainingPages: Int(sqlite3_backup_remaining(backup)),
          totalPages: Int(sqlite3_backup_pagecount(backup))))
      // Whoever holds the lock needs the time to finish.
      if result == SQLITE_BUSY || result == SQLITE_LOCKED {
        guard ContinuousClock.now < patience else { break }
        sqlite3_sleep(10)
      }
    } while result != SQLITE_DONE
    isFinished = true
    let finished = sqlite3_backup_finish(backup)
    guard finished == SQLITE_OK, result == SQLITE_DONE else {
      throw SQLiteError(handle: other.handle, code: finished == SQLITE_OK ? result : finished)
    }
  }

  /// Rebuilds the file, so that it has no free pages.
  public func vacuum() throws(SQLiteError) { try execute("VACUUM") }

  /// Writes a rebuilt copy into a new file, which must not exist.
  public func vacuum(into path: String) throws(SQLiteError) {
    try run("VACUUM INTO ?", .text(path))
  }
}
