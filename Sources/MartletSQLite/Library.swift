/// What holds for all connections of the process.
enum Library {
  /// Done once, before the first connection. Where somebody else in the process has used SQLite before, it stays as it was.
  static let isConfigured: Bool = {
    // A statement and a savepoint keep what they change until they are released, in memory up to this size and in a file
    // beyond. 64 KiB, SQLite's own, are fifteen pages: with an index for search one insert changes more, and most of the
    // system calls of a commit were writes of these.
    let journal = sqlite3_config_number(SQLITE_CONFIG_STMTJRNL_SPILL, 4 << 20)
    // Nobody asks how much memory SQLite has taken; to count it takes a lock at each allocation.
    let counting = sqlite3_config_number(SQLITE_CONFIG_MEMSTATUS, 0)
    guard journal == SQLITE_OK else { return false }
    precondition(SpilledJournal.install(), "SQLite has no file system")
    return counting == SQLITE_OK
  }()
}
