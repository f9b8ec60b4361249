import MartletJSON
import MartletTime

extension PushEnvelope {
  /// The header fields and the body of one attempt, encrypted with a new key and salt.
  ///
  /// - Parameter tokens: The tokens of this process.
  func attempt(
    _ payload: [UInt8], _ destination: Destination, _ tokens: PushTokens, now: Instant
  ) throws(CourierResult.Failure) -> (fields: [CourierRequest.Field], body: [UInt8]) {
    guard let size = PushEnvelope.size(payload: payload.count) else {
      throw .init(.refused, "the payload is too long")
    }
    guard let recipientKey = CurveKey(publicKey: recipient.publicKey) else {
      throw .init(.refused, "the subscription's key is not a point of the curve P-256")
    }
    let authorization = try tokens.authorization(self, origin: destination.origin, now: now)
    var generator = SystemRandomNumberGenerator()
    let salt = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
    guard let key = CurveKey.random(),
      let body = PushEncryption.body(
        payload, padding: size - PushEncryption.overhead - payload.count, to: recipient,
        recipientKey, key: key, salt: salt)
    else { throw .init(.courier, "the message cannot be encrypted") }
    var fields = [
      CourierRequest.Field("TTL", "\(timeToLive.components.seconds)"),
      CourierRequest.Field("Urgency", urgency.rawValue),
      CourierRequest.Field("Content-Encoding", "aes128gcm"),
      CourierRequest.Field("Content-Type", "application/octet-stream"),
      CourierRequest.Field("Authorization", authorization),
    ]
    if let about {
      guard let topic = topic(of: about) else {
        throw .init(.courier, "the message cannot be encrypted")
      }
      fields.append(CourierRequest.Field("Topic", topic))
    }
    return (fields, body)
  }

  /// The value of `Topic`: 32 characters, the most allowed. Apple decodes it, so it is the Base64
  /// of some bytes.
  private func topic(of about: String) -> String? {
    Libraries.hmac(key: recipient.secret, data: Array(about.utf8)).map {
      Base64.encode(url: Array($0.prefix(24)))
    }
  }
}
