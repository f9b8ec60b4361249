import MartletTime

/// Why the engine refused or interrupted a read.
public enum ReadError: Error, Sendable, Equatable {
  /// The queue of reads that wait for a worker is full: ``Configuration/workerQueueLimit``.
  case overloaded(waiting: Int)
  /// The read timed out waiting for a worker and was not executed:
  /// ``Configuration/workerQueueTimeout``.
  case expired(after: Duration)
  /// The read exceeded its time limit and was interrupted. A read that was too slow for an event
  /// loop may be retried on a worker.
  case overBudget(limit: Duration)
  /// The result is larger than ``Configuration/resultBytes``.
  case tooLarge(limit: Int)
}

extension ReadError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .overloaded(let waiting): "too many reads: \(waiting) are already waiting for a worker"
    case .expired(let timeout):
      "the read waited \(timeout.wholeMilliseconds) ms for a worker and was not executed"
    case .overBudget(let limit):
      "the read took longer than \(limit.wholeNanoseconds / 1_000) µs"
    case .tooLarge(let limit): "the result is larger than \(limit) bytes"
    }
  }
}

/// Sets time limits for parts of a read on the connection it was passed with.
public struct ReadLimit {
  let budget: ReadBudget

  /// Runs `body` and interrupts its statements after `limit`. Throws
  /// ``ReadError/overBudget(limit:)`` if they were interrupted.
  ///
  /// With `ownWork`, only the time counts in which the thread works, and not the time in which the
  /// machine was busy with other work.
  public func within<T>(
    _ limit: Duration, ownWork: Bool = false, _ body: () throws -> T
  ) throws -> T {
    try budget.limiting(to: limit, ownWork: ownWork, body)
  }
}
