import MartletJSON

/// The keys of a push subscription: the message can be read only with the private key of the
/// browser (RFC 8291 section 3.1).
///
/// Descriptions never contain them.
public struct PushRecipient: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// The browser's public key: a point of P-256, 65 bytes, uncompressed.
  let publicKey: [UInt8]
  /// The secret that the browser has given to this server: 16 bytes.
  let secret: [UInt8]

  /// Reads the members `p256dh` and `auth` of a subscription's `keys`, in Base64 for URLs. Returns
  /// `nil` if they are invalid. Whether the point is on the curve is checked when a message is
  /// sent.
  public init?(p256dh: String, auth: String) {
    guard let publicKey = Base64.decode(url: p256dh), let secret = Base64.decode(url: auth),
      VAPIDKey.isPoint(publicKey), secret.count == 16
    else { return nil }
    self.publicKey = publicKey
    self.secret = secret
  }

  /// The member `p256dh`.
  public var p256dh: String { Base64.encode(url: publicKey) }
  /// The member `auth`.
  public var auth: String { Base64.encode(url: secret) }

  public var description: String { "a push subscription" }
  /// Hides the keys from `dump` and from failure messages of tests.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
