import MartletSQLite

extension Connection {
  /// Makes commits survive a power loss: enables WAL mode, with a sync at each commit
  /// (https://sqlite.org/pragma.html#pragma_synchronous).
  ///
  /// If WAL mode cannot be enabled, SQLite keeps the previous mode without an error
  /// (https://sqlite.org/pragma.html#pragma_journal_mode). This method throws one.
  func makeDurable() throws(SQLiteError) {
    let mode = try pragma("journal_mode", set: "WAL")?.text
    guard mode == "wal" else {
      throw SQLiteError(
        code: SQLITE_CANTOPEN,
        message: "WAL mode could not be enabled; the journal mode is \(mode ?? "unknown")")
    }
    try pragma("synchronous", set: "FULL")
  }
}
