import SQLite

/// What happens in the store that its operator may want to know. The library does not log.
public enum Occurrence: Sendable {
  /// A group of writes was committed; how long `COMMIT` took, fsync included.
  case committed(writes: Int, nanoseconds: UInt64)
  /// A read's statement took longer than ``Settings/slowMilliseconds``; its plan as SQLite explains it.
  case slowStatement(sql: String, nanoseconds: UInt64, plan: [String])
  /// `COMMIT` failed such that the group may or may not be there after a restart. No further write
  /// starts; the process is expected to end, and recovery decides.
  case outcomeUnknown(SQLiteError, writes: Int)
  /// There was no room for a commit; nothing of it was saved.
  case storageFull(SQLiteError, writes: Int)
  /// A write ended the transaction of its group; `repeated` others run again.
  case transactionLost(cause: String, repeated: Int)
  /// Another program held the file for longer than the writer waits.
  case busy(writes: Int)
  /// Another program has changed the file, known by this commit number from now on.
  case foreignCommit(number: UInt64)
  /// The write-ahead log was copied into the database, as far as readers let it.
  case checkpoint(frames: Int, checkpointed: Int)
  /// Copying the log into the database failed. As after ``outcomeUnknown(_:writes:)``, no further
  /// write starts and the process is expected to end; nothing acknowledged is lost.
  case checkpointFailed(SQLiteError)
  /// A file of the database was deleted, renamed or replaced under the writer. As after
  /// ``outcomeUnknown(_:writes:)``, no further write starts and the process is expected to end.
  case fileLost(path: String)
  /// Work beside the requests failed; it will be tried again.
  case maintenanceFailed(SQLiteError)
}
