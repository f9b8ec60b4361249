import SQLite

extension Connection {
  /// A commit survives a loss of power: a write-ahead log, synced at each commit
  /// (https://sqlite.org/pragma.html#pragma_synchronous).
  func makeDurable() throws(SQLiteError) {
    try pragma("journal_mode", set: "WAL")
    try pragma("synchronous", set: "FULL")
  }
}
