/// The encryption of a Web Push message (RFC 8291), as one record of `aes128gcm` (RFC 8188).
enum PushEncryption {
  /// The bytes of a message besides its payload: the header with the salt, the record size and the
  /// sender's key, the delimiter, and the tag.
  static let overhead = 16 + 4 + 1 + 65 + 1 + 16

  /// The record size that the header names. A record may be shorter if it is the last one.
  private static let recordSize: UInt32 = 4096

  /// Encrypts a payload.
  ///
  /// - Parameters:
  ///   - padding: The number of zeros after the payload.
  ///   - key: A key pair that is used for this message only.
  ///   - salt: 16 random bytes.
  /// - Returns: The body of the request; `nil` if libcrypto fails.
  static func body(
    _ payload: [UInt8], padding: Int, to recipient: PushRecipient, _ recipientKey: CurveKey,
    key: CurveKey, salt: [UInt8]
  ) -> [UInt8]? {
    // HKDF (RFC 5869): extract is one HMAC, and expand to at most 32 bytes another one.
    guard let publicKey = key.publicKey, let shared = key.agreement(with: recipientKey),
      let combined = Libraries.hmac(key: recipient.secret, data: shared),
      let input = Libraries.hmac(
        key: combined, data: info("WebPush: info") + recipient.publicKey + publicKey + [1]),
      let random = Libraries.hmac(key: salt, data: input),
      let contentKey = Libraries.hmac(
        key: random, data: info("Content-Encoding: aes128gcm") + [1]),
      let nonce = Libraries.hmac(key: random, data: info("Content-Encoding: nonce") + [1]),
      let record = Libraries.seal(
        payload + [2] + [UInt8](repeating: 0, count: padding), key: Array(contentKey.prefix(16)),
        nonce: Array(nonce.prefix(12)))
    else { return nil }
    let size = (0..<4).map { UInt8(truncatingIfNeeded: recordSize >> (24 - 8 * $0)) }
    return salt + size + [UInt8(publicKey.count)] + publicKey + record
  }

  private static func info(_ text: String) -> [UInt8] { Array(text.utf8) + [0] }
}
