import MartletHTTP

/// CORS: permits pages of the listed origins to read responses and to write
/// (https://fetch.spec.whatwg.org/#http-cors-protocol). There are no cookies, so credentials need
/// no permission.
public struct CrossOrigin: Sendable {
  private let allowed: Set<String>

  /// Permits `origins`, in the form in which browsers send them: `https://todo.example.org`.
  public init(_ origins: Set<String>) { allowed = origins }

  /// The CORS fields for the response to a request.
  public func fields(_ request: Request) -> Fields {
    // `Vary` is also sent for other origins, so that a cache does not give them responses that are
    // meant for listed ones.
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
      "ETag, Location, Allow, Retry-After, RateLimit, RateLimit-Policy, X-Request-ID, Idempotency-Replayed, Martlet-Age"
  ])
  private static let preflight = Fields([
    "Access-Control-Allow-Methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
    "Access-Control-Allow-Headers":
      "Content-Type, If-Match, If-None-Match, Last-Event-ID, Authorization, Idempotency-Key, X-Request-ID",
    "Access-Control-Max-Age": "600",
  ])
}
