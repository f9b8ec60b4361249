/// A kind of requests, which has places of its own in the courier's process, so that none waits for
/// another one.
public enum CourierLane: Hashable, CaseIterable, Sendable {
  /// Webhooks, ntfy and templates.
  case request
  /// Pushes. They go to two or three services, which answer quickly.
  case push
  /// Mails. A mail server may take long to answer.
  case mail

  /// The most requests that are sent at the same time.
  public var concurrency: Int {
    switch self {
    case .request: 8
    case .push: 16
    case .mail: 4
    }
  }
}
