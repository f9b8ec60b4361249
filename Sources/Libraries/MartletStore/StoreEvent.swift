import Glibc
import MartletSQLite
import MartletTime

/// An event in the store that is of interest to an operator. By default, problems are written to
/// standard error (``trouble``).
public enum StoreEvent: Sendable {
  /// A group of writes was committed. `duration` is the time that `COMMIT` took, including fsync.
  case committed(writes: Int, duration: Duration)
  /// A statement of a read took longer than ``Configuration/slowQuery``. `plan` is the output of
  /// `EXPLAIN QUERY PLAN`.
  case slowStatement(sql: String, duration: Duration, plan: [String])
  /// `COMMIT` failed, and the group may or may not be in the database after a restart. No more
  /// writes are accepted. The process should exit; recovery at the next start decides.
  case outcomeUnknown(SQLiteError, writes: Int)
  /// The disk was full during a commit. None of its writes was saved.
  case storageFull(SQLiteError, writes: Int)
  /// A write rolled back the transaction of its group. The `repeated` other writes run again.
  case transactionLost(cause: String, repeated: Int)
  /// Another program held the lock for longer than ``Configuration/busyTimeout``.
  case busy(writes: Int)
  /// Another program changed the file. Its change counts as the commit with this number.
  case foreignCommit(number: UInt64)
  /// The WAL was checkpointed, as far as active readers allowed. `frames` is its length,
  /// `checkpointed` the number of frames copied.
  case checkpoint(frames: Int, checkpointed: Int)
  /// Another program keeps a read transaction open, so that the WAL cannot restart. It has this
  /// size, and goes on growing. Sent once until the WAL restarts.
  case walPinned(bytes: Int)
  /// A checkpoint failed. No more writes are accepted and the process should exit, as after
  /// ``outcomeUnknown(_:writes:)``. No acknowledged write is lost.
  case checkpointFailed(SQLiteError)
  /// A file of the database was deleted, renamed or replaced while in use. No more writes are
  /// accepted and the process should exit, as after ``outcomeUnknown(_:writes:)``.
  case fileLost(path: String)
  /// Background maintenance failed. It will be retried.
  case maintenanceFailed(SQLiteError)
}

extension StoreEvent {
  /// A description of the problem; `nil` if the event is not a problem.
  public var trouble: String? {
    switch self {
    case .committed, .foreignCommit, .checkpoint: nil
    case .slowStatement(let sql, let duration, _):
      "slow statement (\(duration.wholeMilliseconds) ms): \(sql)"
    case .outcomeUnknown(let error, let writes):
      "a commit of \(writes) writes failed and may or may not have been saved; no more writes are accepted, restart the process: \(error)"
    case .storageFull(let error, let writes):
      "the disk is full, \(writes) writes were rolled back: \(error)"
    case .transactionLost(let cause, let repeated):
      "a write rolled back its group's transaction, \(repeated) other writes run again: \(cause)"
    case .busy(let writes): "another program held the write lock too long, \(writes) writes failed"
    case .walPinned(let bytes):
      "the WAL has \(bytes >> 20) MiB and cannot restart: another program keeps a read transaction open"
    case .checkpointFailed(let error):
      "WAL checkpoint failed; no more writes are accepted, restart the process: \(error)"
    case .fileLost(let path):
      "\(path) was deleted or replaced while in use; no more writes are accepted, restart the process"
    case .maintenanceFailed(let error):
      "background maintenance failed and will be retried: \(error)"
    }
  }

  /// Whether no more writes are accepted and the process should exit.
  public var isFatal: Bool {
    switch self {
    case .outcomeUnknown, .checkpointFailed, .fileLost: true
    default: false
    }
  }

  /// Writes the event to standard error if it is a problem.
  @Sendable public static func log(_ event: StoreEvent) {
    if let trouble = event.trouble { StandardError.print(trouble) }
  }
}

/// Writes problems to standard error, for programs that set no other handler.
package enum StandardError {
  /// Writes one line with a single `write(2)`, so that lines of several threads do not interleave.
  /// Line breaks become spaces.
  package static func print(_ sentence: String) {
    let line = sentence.utf8.map { $0 == 0x0A ? 0x20 : $0 } + [0x0A]
    // If standard error is closed or full, the message is lost.
    _ = line.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
  }
}
