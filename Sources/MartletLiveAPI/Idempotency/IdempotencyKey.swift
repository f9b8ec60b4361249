import MartletHTTP
import MartletLiveQueries
import MartletStore

/// What tells a request that comes again from another one: `Idempotency-Key` on a `POST`
/// (https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/).
struct IdempotencyKey: Sendable {
  /// The API key, where there is one, method, path and query: a key stands for one request to one place.
  let scope: String
  let key: String
  /// Of the body.
  let fingerprint: Int64

  /// `nil` where there is none. Quotes, which the draft asks for and few clients send, are left out.
  init?(_ request: Request) throws(APIProblem) {
    guard request.method == .post, let field = request.fields["Idempotency-Key"] else {
      return nil
    }
    guard request.fields.list("Idempotency-Key") == field else {
      throw APIProblem(.invalidIdempotencyKey, "Idempotency-Key is there more than once.")
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
        "Idempotency-Key is 1 to \(IdempotencyKey.longest) visible ASCII characters."
      )
    }
    self.key = String(key)
    let caller = request.access.keyID.map { "\($0) " } ?? ""
    let query = request.query.map { "?\($0)" } ?? ""
    scope = "\(caller)POST \(request.path)\(query)"
    fingerprint = Int64(bitPattern: ETag(hashing: request.body.bytes).hash)
  }

  private static let longest = 255
}
