import MartletJSON

/// The header fields of a signed message, according to Standard Webhooks 1.0.0.
enum WebhookSignature {
  typealias HMAC = (_ key: [UInt8], _ data: [UInt8]) -> [UInt8]?

  /// The header fields of a message.
  ///
  /// - Parameters:
  ///   - message: The message's ID, which is the same for all attempts.
  ///   - seconds: The time of this attempt, in seconds since 1970.
  ///   - hmac: Computes HMAC-SHA256.
  /// - Returns: `nil` if an HMAC could not be computed.
  static func fields(
    message: String, seconds: Int64, body: [UInt8], secrets: [WebhookSecret], hmac: HMAC
  ) -> [CourierRequest.Field]? {
    var fields = [
      CourierRequest.Field("webhook-id", message),
      CourierRequest.Field("webhook-timestamp", "\(seconds)"),
    ]
    let data = Array("\(message).\(seconds).".utf8) + body
    var signatures: [String] = []
    for secret in secrets {
      guard let code = hmac(secret.bytes, data) else { return nil }
      signatures.append("v1,\(base64(code))")
    }
    if !signatures.isEmpty {
      fields.append(
        CourierRequest.Field("webhook-signature", signatures.joined(separator: " ")))
    }
    return fields
  }

  /// The bytes in Base64 with padding.
  static func base64(_ bytes: [UInt8]) -> String {
    let buffer = ByteBuffer(capacity: 128)
    bytes.withUnsafeBytes { Base64.append($0, to: buffer) }
    return String(decoding: buffer.bytes, as: UTF8.self)
  }
}
