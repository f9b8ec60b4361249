import MartletJSON

/// A key for the signatures of Standard Webhooks: `whsec_` and 24 to 64 bytes in Base64
/// (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md).
///
/// Descriptions never contain it.
public struct WebhookSecret: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// The secret as receivers get it: `whsec_…`.
  public let text: String
  /// The key.
  let bytes: [UInt8]

  private static let prefix = "whsec_"

  /// Reads a secret. Returns `nil` if it is invalid.
  public init?(_ text: String) {
    guard text.hasPrefix(WebhookSecret.prefix) else { return nil }
    let base64 = text.dropFirst(WebhookSecret.prefix.utf8.count)
    let digits = base64.utf8.reversed().drop { $0 == UInt8(ascii: "=") }.reversed()
    let isPadded = base64.utf8.count % 4 == 0 && base64.utf8.count - digits.count < 3
    guard isPadded || digits.count == base64.utf8.count,
      !digits.contains(where: { "-_".utf8.contains($0) })
    else { return nil }
    let url = digits.map { digit in
      switch digit {
      case UInt8(ascii: "+"): UInt8(ascii: "-")
      case UInt8(ascii: "/"): UInt8(ascii: "_")
      default: digit
      }
    }
    guard let bytes = Base64.decode(url: String(decoding: url, as: UTF8.self)),
      (24...64).contains(bytes.count)
    else { return nil }
    self.text = text
    self.bytes = bytes
  }

  /// A new secret of 32 random bytes.
  public static func random() -> WebhookSecret {
    var generator = SystemRandomNumberGenerator()
    let bytes = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
    guard let secret = WebhookSecret(prefix + WebhookSignature.base64(bytes)) else {
      preconditionFailure("32 bytes are a valid secret")
    }
    return secret
  }

  public var description: String { "whsec_…" }
  /// Hides the bytes from `dump` and from failure messages of tests.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
