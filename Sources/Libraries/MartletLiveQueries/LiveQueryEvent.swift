import MartletStore

/// An event of the live queries, for logs and metrics.
public enum LiveQueryEvent: Sendable {
  /// `queries` queries ran together, because of commits or for the first time, and `changed` of
  /// them gave a different result.
  case refreshed(queries: Int, changed: Int, duration: Duration)
  /// Results were delivered to their subscribers, this long after the first commit that made the
  /// queries run.
  case delivered(after: Duration)
  /// A query failed. Its subscribers receive the error, and the query is tried again.
  case failed(key: String, any Error)
}

extension LiveQueryEvent {
  /// Prints failed queries to standard error, except failures that a limit caused on purpose
  /// (`ReadError`, ``LiveQueryError``).
  @Sendable public static func log(_ event: LiveQueryEvent) {
    guard case .failed(let key, let error) = event, !(error is ReadError),
      !(error is LiveQueryError)
    else { return }
    StandardError.print("the live query \(key) failed: \(error)")
  }
}
