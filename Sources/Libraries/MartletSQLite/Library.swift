/// The configuration of SQLite for the whole process.
enum Library {
  /// Runs once, before the first connection. It has no effect if SQLite was already in use in this
  /// process.
  static let isConfigured: Bool = {
    // The statement journal, which holds what a statement or a savepoint can undo, stays in memory
    // up to this size and then moves to a file. SQLite's default of 64 KiB is fifteen pages: one
    // insert into a table with a search index changes more, and most system calls of a commit were
    // writes to this file.
    let journal = sqlite3_config_number(SQLITE_CONFIG_STMTJRNL_SPILL, 4 << 20)
    // Memory statistics are not used, and counting takes a lock for each allocation.
    let counting = sqlite3_config_number(SQLITE_CONFIG_MEMSTATUS, 0)
    guard journal == SQLITE_OK else { return false }
    precondition(SpilledJournal.install(), "SQLite has no default VFS")
    return counting == SQLITE_OK
  }()
}
