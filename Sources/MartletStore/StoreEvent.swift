import MartletSQLite
import MartletTime

/// What happens in the store that its operator may want to know. Unless a program says otherwise,
/// what is a trouble is told on standard error (``trouble``).
public enum StoreEvent: Sendable {
  /// A group of writes was committed; how long `COMMIT` took, fsync included.
  case committed(writes: Int, duration: Duration)
  /// A read's statement took longer than ``Settings/slowQuery``; its plan as SQLite explains it.
  case slowStatement(sql: String, duration: Duration, plan: [String])
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

extension StoreEvent {
  /// What is wrong, in a sentence; `nil` where nothing is.
  public var trouble: String? {
    switch self {
    case .committed, .foreignCommit, .checkpoint: nil
    case .slowStatement(let sql, let duration, _):
      "a statement took \(duration.wholeMilliseconds) ms: \(sql)"
    case .outcomeUnknown(let error, let writes):
      "whether \(writes) writes were saved is known after the next start, nothing is written until then: \(error)"
    case .storageFull(let error, let writes): "there is no room for \(writes) writes: \(error)"
    case .transactionLost(let cause, let repeated):
      "a write ended its group's transaction, \(repeated) others run again: \(cause)"
    case .busy(let writes): "another program held the database too long for \(writes) writes"
    case .checkpointFailed(let error):
      "the write-ahead log could not be copied into the database, nothing is written any more: \(error)"
    case .fileLost(let path):
      "\(path) was deleted or replaced while it was in use, nothing is written any more"
    case .maintenanceFailed(let error): "work that will be tried again failed: \(error)"
    }
  }

  /// Whether no further write starts and the process is expected to end.
  public var isFatal: Bool {
    switch self {
    case .outcomeUnknown, .checkpointFailed, .fileLost: true
    default: false
    }
  }

  /// Tells troubles on standard error.
  @Sendable public static func log(_ event: StoreEvent) {
    if let trouble = event.trouble { StandardError.print(trouble) }
  }
}
