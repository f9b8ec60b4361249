/// A token in a message about an alarm, with which the reader of the message answers the alarm:
/// `ma_912_5f0c…`, the ID of the delivery and a secret.
///
/// It permits nothing else, so a message may go through hands that must not have a key. It is
/// stored in clear, as the message is.
public struct AnswerToken: Sendable {
  /// The ID of the delivery.
  let delivery: Int
  private let secret: [UInt8]

  private static let prefix = "ma_"

  /// The secret of a new delivery: 160 random bits in hexadecimal digits.
  static func makeSecret() -> String {
    var generator = SystemRandomNumberGenerator()
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: (0..<40).map { _ in digits[Int(generator.next(upperBound: UInt8(16)))] },
      as: UTF8.self)
  }

  /// Reads a token. Returns `nil` if the text is invalid.
  public init?(_ text: String) {
    guard text.hasPrefix(AnswerToken.prefix), text.utf8.count <= 100 else { return nil }
    let parts = text.dropFirst(AnswerToken.prefix.utf8.count).split(
      separator: "_", omittingEmptySubsequences: false)
    guard parts.count == 2, let id = Int(parts[0]), id > 0 else { return nil }
    delivery = id
    secret = Array(parts[1].utf8)
  }

  /// The text of the token of a delivery.
  static func text(of delivery: Int, _ secret: String) -> String {
    "\(prefix)\(delivery)_\(secret)"
  }

  /// Whether this is the token with a stored secret. It takes as long for every wrong secret of the
  /// same length.
  func matches(_ stored: String) -> Bool {
    let stored = Array(stored.utf8)
    guard stored.count == secret.count, !stored.isEmpty else { return false }
    return zip(stored, secret).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
