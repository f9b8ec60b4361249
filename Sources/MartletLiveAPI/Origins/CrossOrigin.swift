import MartletHTTP

/// What pages of other origins may do that are on the list: read answers, and write
/// (https://fetch.spec.whatwg.org/#http-cors-protocol). Without cookies there are no credentials to allow.
public struct CrossOrigin: Sendable {
  private let allowed: Set<String>

  /// `origins`: as browsers send them, `https://todo.example.org`.
  public init(_ origins: Set<String>) { allowed = origins }

  /// The lines that the answer to a request has besides its own.
  public func fields(_ request: Request) -> Fields {
    // Also for those who are not on the list: a cache must not give them the others' answers.
    guard let origin = request.fields["Origin"], allowed.contains(origin) else {
      return CrossOrigin.varies
    }
    var fields = CrossOrigin.varies
    fields.append("Access-Control-Allow-Origin", origin)
    if request.method == .options, request.fields["Access-Control-Request-Method"] != nil {
      fields.append(CrossOrigin.preflight)
    } else {
      fields.append(CrossOrigin.exposed)
    }
    return fields
  }

  private static let varies = Fields(["Vary": "Origin"])
  private static let exposed = Fields([
    "Access-Control-Expose-Headers":
      "ETag, Location, Allow, Retry-After, RateLimit, RateLimit-Policy, X-Request-ID, Idempotency-Replayed"
  ])
  private static let preflight = Fields([
    "Access-Control-Allow-Methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
    "Access-Control-Allow-Headers":
      "Content-Type, If-Match, If-None-Match, Last-Event-ID, Authorization, Idempotency-Key, X-Request-ID",
    "Access-Control-Max-Age": "600",
  ])
}
