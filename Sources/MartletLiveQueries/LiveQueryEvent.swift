import MartletStore

/// Something that happened among the live queries, for logs and metrics.
public enum LiveQueryEvent: Sendable {
  /// Queries were run because of commits (or for the first time), so many of them gave another result.
  case refreshed(queries: Int, changed: Int, duration: Duration)
  /// Queries were run, and their results handed to those who follow them: so long after the first commit that they
  /// were run for.
  case delivered(after: Duration)
  /// A query failed; its subscribers are told, and it is tried again.
  case failed(key: String, any Error)
}

extension LiveQueryEvent {
  /// Tells on standard error of queries that failed, unless a limit worked as it should.
  @Sendable public static func log(_ event: LiveQueryEvent) {
    guard case .failed(let key, let error) = event, !(error is ReadError),
      !(error is LiveQueryError)
    else { return }
    StandardError.print("the live query \(key) failed: \(error)")
  }
}
