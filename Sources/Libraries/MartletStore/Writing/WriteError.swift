import MartletSQLite
import MartletTime

/// Why the engine refused a write or could not save it.
///
/// Errors thrown by the write's own closure, and SQLite's errors about its statements, are passed
/// on unchanged.
public enum WriteError: Error, Sendable, Equatable {
  /// The queue of writes is full: ``Configuration/writeQueueLimit``.
  case overloaded(waiting: Int)
  /// The write timed out in the queue and was not executed: ``Configuration/writeQueueTimeout``.
  case expired(after: Duration)
  /// The write ran longer than ``Configuration/writeTimeout`` and was rolled back.
  case overTime(limit: Duration)
  /// The write was interrupted and rolled back after this time, because other writes would have
  /// timed out waiting for it, or because this client has made others wait before. `again` is when
  /// the same write may take as long as that of any client.
  case crowdedOut(after: Duration, again: Duration)
  /// The write changed more than ``Configuration/writeRows`` rows and was rolled back.
  case tooManyRows(limit: Int)
  /// Another program held the lock for longer than ``Configuration/busyTimeout``. Nothing was
  /// saved.
  case busy(SQLiteError)
  /// The disk is full. Nothing was saved.
  case storageFull(SQLiteError)
  /// The commit failed, and whether the write was saved is unknown until the file is opened again.
  case outcomeUnknown(SQLiteError)
  /// The store accepts no more writes, because it was closed, a commit's outcome is unknown, or a
  /// file of the database was lost.
  case stopped
  /// `write` was called inside another write, or on the writer's own thread by a commit handler.
  case nested
  /// The write rolled back the transaction that it shares with other writes, without throwing an
  /// error.
  case transactionEnded
  /// The database is a replica, or has just become one: another node of the cluster accepts writes.
  /// The write was not executed, or has had no effect.
  case notPrimary
  /// The changes of the write are too large for the log of the cluster, in bytes:
  /// ``RowEntry/sizeLimit``. It was rolled back.
  case tooLarge(limit: Int)
  /// The log of the cluster did not answer, and whether the write was saved is unknown.
  case undecided
}

extension WriteError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .overloaded(let waiting): "too many writes: \(waiting) are already waiting"
    case .expired(let timeout):
      "the write waited \(timeout.wholeMilliseconds) ms in the queue and was not executed"
    case .overTime(let limit): "the write took longer than \(limit.wholeMilliseconds) ms"
    case .crowdedOut(let time, _):
      "the write was interrupted after \(time.wholeMilliseconds) ms because other writes waited for it"
    case .tooManyRows(let limit): "the write changes more than \(limit) rows"
    case .busy(let error): "another program holds the write lock: \(error)"
    case .storageFull(let error): "the disk is full, nothing was saved: \(error)"
    case .outcomeUnknown(let error):
      "the commit failed and may or may not have been saved; reopen the database to find out: \(error)"
    case .stopped: "the database accepts no more writes"
    case .nested:
      "write was called inside a write or a commit handler; use the connection passed to the closure"
    case .transactionEnded: "the write rolled back the transaction that it shares with other writes"
    case .notPrimary: "another node of the cluster accepts writes"
    case .tooLarge(let limit):
      "the changes of the write need more than \(limit) bytes in the log of the cluster"
    case .undecided:
      "the log of the cluster did not answer, so the write may or may not have been saved"
    }
  }
}
