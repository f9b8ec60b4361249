import MartletHTTP
import MartletStore

/// Something that happened while requests were answered.
public enum APIEvent: Sendable {
  /// An answer of 500 or above: what the client is told, and the error behind it, which it is not.
  case failed(request: String, ProblemType, any Error)
  /// An answer of 500 or above that is a limit at work (``ProblemType/isRefusal``). `toTell`: how many of its kind there
  /// were since the last number; `nil` within a second of that.
  case refused(ProblemType, toTell: Int?)
  /// A request was answered from the response cache.
  case cacheHit

  /// Tells on standard error what went wrong, with the request's id, and how often limits worked.
  @Sendable public static func log(_ event: APIEvent) {
    switch event {
    case .failed(let request, let type, let error):
      StandardError.print("request \(request) failed (\(type.slug)): \(error)")
    case .refused(let type, let count?):
      StandardError.print("refused (\(type.slug)): \(count) requests")
    case .refused(_, nil), .cacheHit: break
    }
  }
}
