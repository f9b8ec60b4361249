import MartletJSON
import MartletTime
import Synchronization

/// The tokens that tell push services which server sends a message (RFC 8292 section 2).
///
/// A token is signed once an hour for each push service, key and subject.
final class PushTokens: Sendable {
  /// How long a token is valid. At most a day is allowed.
  private static let validity: Duration = .seconds(12 * 3600)
  /// How long a token is used.
  private static let use: Duration = .seconds(3600)
  /// The most tokens that are stored. There are few push services.
  private static let most = 64

  private struct Audience: Hashable {
    let origin: String
    let sender: VAPIDKey
    let subject: String
  }

  private struct Token {
    let text: String
    let madeAt: Instant
  }

  private let tokens = Mutex<[Audience: Token]>([:])

  /// The value of `Authorization` for a request.
  ///
  /// - Parameter origin: The origin of the endpoint.
  func authorization(
    _ envelope: PushEnvelope, origin: String, now: Instant
  ) throws(CourierResult.Failure) -> String {
    let audience = Audience(origin: origin, sender: envelope.sender, subject: envelope.subject)
    if let token = tokens.withLock({ $0[audience] }), token.madeAt <= now,
      now.milliseconds - token.madeAt.milliseconds < PushTokens.use.wholeMilliseconds
    {
      return token.text
    }
    let text = try PushTokens.authorization(audience, now: now)
    tokens.withLock { tokens in
      if tokens.count >= PushTokens.most { tokens = [:] }
      tokens[audience] = Token(text: text, madeAt: now)
    }
    return text
  }

  private static func authorization(
    _ audience: Audience, now: Instant
  ) throws(CourierResult.Failure) -> String {
    let sender = audience.sender
    guard let key = CurveKey(privateKey: sender.privateBytes), key.publicKey == sender.publicBytes
    else { throw .init(.refused, "the server's push keys do not belong together") }
    let expiry = (now.milliseconds + Int64(validity.wholeMilliseconds)) / 1000
    let claims: JSONObject = [
      "aud": .string(audience.origin), "exp": .integer(expiry), "sub": .string(audience.subject),
    ]
    let text = part(["typ": "JWT", "alg": "ES256"]) + "." + part(claims)
    guard let signature = key.signature(of: Array(text.utf8)) else {
      throw .init(.courier, "the message cannot be signed")
    }
    return "vapid t=\(text).\(Base64.encode(url: signature)),k=\(sender.publicKey)"
  }

  private static func part(_ members: JSONObject) -> String {
    Base64.encode(url: Array("\(JSONValue.object(members))".utf8))
  }
}
