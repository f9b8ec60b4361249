import MartletSQLite

extension Connection {
  /// A commit survives a loss of power: a write-ahead log, synced at each commit
  /// (https://sqlite.org/pragma.html#pragma_synchronous).
  ///
  /// A file that cannot get the log stays as it was, and SQLite does not call that an error
  /// (https://sqlite.org/pragma.html#pragma_journal_mode): here it is one.
  func makeDurable() throws(SQLiteError) {
    let mode = try pragma("journal_mode", set: "WAL")?.text
    guard mode == "wal" else {
      throw SQLiteError(
        code: SQLITE_CANTOPEN,
        message: "no write-ahead log could be made; the journal mode is \(mode ?? "unknown")")
    }
    try pragma("synchronous", set: "FULL")
  }
}
