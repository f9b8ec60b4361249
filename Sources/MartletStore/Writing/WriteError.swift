import MartletSQLite
import MartletTime

/// Why the engine refused a write, or could not keep it. What the write's own closure throws, and
/// what SQLite says about its statements, comes as it is.
public enum WriteError: Error, Sendable, Equatable {
  /// Too many writes are waiting.
  case overloaded(waiting: Int)
  /// The write waited too long for its turn and did not run: ``Settings/writeQueueTimeout``.
  case expired(after: Duration)
  /// The write ran for longer than a write may. Nothing of it was saved.
  case overTime(limit: Duration)
  /// The write was interrupted after so long because others would have waited too long for it. Nothing of it was
  /// saved.
  case crowdedOut(after: Duration)
  /// The write changed more rows than a write may. Nothing of it was saved.
  case tooManyRows(limit: Int)
  /// Another program held the file too long. Nothing was saved.
  case busy(SQLiteError)
  /// The disk is full. Nothing was saved.
  case storageFull(SQLiteError)
  /// The commit failed such that nobody knows whether the write is there until the file is opened
  /// again.
  case outcomeUnknown(SQLiteError)
  /// After a commit of unknown outcome, or after the store was closed, nothing is written any more.
  case stopped
  /// A write was asked for inside a write, or by a listener on the writer's own thread.
  case nested
  /// The write ended the transaction that it shares with others, without an error of its own.
  case transactionEnded
}

extension WriteError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .overloaded(let waiting): "\(waiting) writes are waiting already"
    case .expired(let patience): "the write waited \(patience.wholeMilliseconds) ms and did not run"
    case .overTime(let limit): "the write took longer than \(limit.wholeMilliseconds) ms"
    case .crowdedOut(let time):
      "the write was interrupted after \(time.wholeMilliseconds) ms: others waited for it"
    case .tooManyRows(let limit): "the write changes more than \(limit) rows"
    case .busy(let error): "another program is writing: \(error)"
    case .storageFull(let error): "no room to write: \(error)"
    case .outcomeUnknown(let error): "whether the write was saved is not known: \(error)"
    case .stopped: "the store does not write any more"
    case .nested: "a write inside a write"
    case .transactionEnded: "the write ended a transaction that is not its own"
    }
  }
}
