import MartletHTTP
import MartletLiveQueries
import MartletStore

/// Identifies a repeated request: the `Idempotency-Key` of a `POST`
/// (https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/).
struct IdempotencyKey: Sendable {
  /// The API key, if any, and the method, path and query: an idempotency key identifies one request
  /// to one URL.
  let scope: String
  let key: String
  /// A hash of the body.
  let fingerprint: Int64
  /// Whether another node of the cluster identifies the request, and not the client.
  let isForwarded: Bool

  /// The ID of a request that another node of the cluster has forwarded, with any method; `nil` for
  /// a request of a client.
  init?(forwarded request: Request) {
    guard let forwarding = request.forwarding else { return nil }
    isForwarded = true
    key = forwarding.id
    scope = "forwarded"
    fingerprint = 0
  }

  /// Reads the field; `nil` if the request has none. Quotation marks, which the draft requires and
  /// few clients send, are optional.
  init?(_ request: Request) throws(APIProblem) {
    guard request.method == .post, let field = request.fields["Idempotency-Key"] else {
      return nil
    }
    guard request.fields.list("Idempotency-Key") == field else {
      throw APIProblem(.invalidIdempotencyKey, "Idempotency-Key was sent more than once. Send one.")
    }
    var key = Substring(field)
    if key.utf8.count >= 2, key.hasPrefix("\""), key.hasSuffix("\"") {
      key = key.dropFirst().dropLast()
    }
    guard (1...IdempotencyKey.longest).contains(key.utf8.count),
      key.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else {
      throw APIProblem(
        .invalidIdempotencyKey,
        "Idempotency-Key must be 1 to \(IdempotencyKey.longest) visible ASCII characters, such as a UUID."
      )
    }
    self.key = String(key)
    isForwarded = false
    let caller = request.access.keyID.map { "\($0) " } ?? ""
    let query = request.query.map { "?\($0)" } ?? ""
    scope = "\(caller)POST \(request.path)\(query)"
    fingerprint = Int64(bitPattern: ETag(hashing: request.body.bytes).hash)
  }

  private static let longest = 255
}
