import MartletHTTP
import MartletStore

/// Something that happened while a request was answered, for logs and metrics.
public enum APIEvent: Sendable {
  /// A response of 500 or above: the ID of the request, the problem type that the client received,
  /// and the underlying error, which the client did not receive.
  case failed(request: String, ProblemType, any Error)
  /// A response of 500 or above because a limit was reached (`ProblemType.isRefusal`). `toTell`
  /// is the number of such refusals since it was last reported, or `nil` within a second of that.
  case refused(ProblemType, toTell: Int?)
  /// A request was answered from the response cache.
  case cacheHit

  /// Writes faults, with the ID of the request, and counts of refused requests to standard error.
  @Sendable public static func log(_ event: APIEvent) {
    switch event {
    case .failed(let request, let type, let error):
      StandardError.print("request \(request) failed (\(type.slug)): \(error)")
    case .refused(let type, let count?):
      StandardError.print("requests refused (\(type.slug)): \(count)")
    case .refused(_, nil), .cacheHit: break
    }
  }
}
