import MartletJSON

/// The key pair with which a server identifies itself to push services (RFC 8292). Browsers bind a
/// subscription to the public key.
///
/// ``Courier/makeKey(completion:)`` makes one. Descriptions never contain the private key.
public struct VAPIDKey: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// The private key of P-256: 32 bytes.
  let privateBytes: [UInt8]
  /// The public key: a point of P-256, 65 bytes, uncompressed.
  let publicBytes: [UInt8]

  /// Reads both keys in Base64 for URLs. Returns `nil` if their lengths are wrong. Whether they
  /// belong together is checked when a message is sent.
  public init?(privateKey: String, publicKey: String) {
    guard let privateBytes = Base64.decode(url: privateKey),
      let publicBytes = Base64.decode(url: publicKey)
    else { return nil }
    self.init(privateBytes: privateBytes, publicBytes: publicBytes)
  }

  init?(privateBytes: [UInt8], publicBytes: [UInt8]) {
    guard privateBytes.count == 32, VAPIDKey.isPoint(publicBytes) else { return nil }
    self.privateBytes = privateBytes
    self.publicBytes = publicBytes
  }

  /// Whether the bytes have the form of an uncompressed point of P-256 (SEC 1 section 2.3.3).
  static func isPoint(_ bytes: [UInt8]) -> Bool { bytes.count == 65 && bytes.first == 4 }

  /// The private key in Base64 for URLs.
  public var privateKey: String { Base64.encode(url: privateBytes) }
  /// The public key in Base64 for URLs: the `applicationServerKey` of `pushManager.subscribe`.
  public var publicKey: String { Base64.encode(url: publicBytes) }

  public var description: String { publicKey }
  /// Hides the private key from `dump` and from failure messages of tests.
  public var customMirror: Mirror { Mirror(self, children: ["publicKey": publicKey]) }
}
