import MartletTime

/// Why the engine refused a read, or ended it.
public enum ReadError: Error, Sendable, Equatable {
  /// Too many reads are waiting for a worker.
  case overloaded(waiting: Int)
  /// The read waited too long for a worker and did not run: ``Settings/workerQueueTimeout``.
  case expired(after: Duration)
  /// The read took longer than it may on an event loop. Nothing came of it; a worker may run it
  /// again.
  case overBudget(limit: Duration)
  /// The result is larger than ``Settings/resultBytes``.
  case tooLarge(limit: Int)
}

extension ReadError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .overloaded(let waiting): "\(waiting) reads are waiting already"
    case .expired(let patience): "the read waited \(patience.wholeMilliseconds) ms and did not run"
    case .overBudget(let limit):
      "the read took longer than \(limit.wholeNanoseconds / 1_000) µs"
    case .tooLarge(let limit): "the result is larger than \(limit) bytes"
    }
  }
}
