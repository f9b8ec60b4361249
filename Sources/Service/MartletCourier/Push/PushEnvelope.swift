/// The parts of a Web Push message besides its endpoint and its payload.
public struct PushEnvelope: Hashable, Sendable {
  /// The urgency of a message (RFC 8030 section 5.3): a device that saves energy may get only
  /// urgent ones.
  public enum Urgency: String, CaseIterable, Sendable {
    /// A device that charges and has a Wi-Fi connection.
    case veryLow = "very-low"
    /// A device that charges or has a Wi-Fi connection.
    case low
    /// A device with either of them, or with enough energy.
    case normal
    /// Every device.
    case high
  }

  /// The keys that encrypt the message.
  public var recipient: PushRecipient
  /// The keys that sign the request.
  public var sender: VAPIDKey
  /// The address at which the operator of a push service reaches that of this server: `mailto:…` or
  /// `https://…`. Mozilla demands it, and so does Apple.
  public var subject: String
  /// How long the push service keeps the message for a device that is off, in whole seconds.
  public var timeToLive: Duration
  /// The urgency.
  public var urgency: Urgency
  /// The subject of the payload, such as `alarm 3`. A message replaces one about the same that
  /// waits for the device (RFC 8030 section 5.4). The push service sees a code of it, which is
  /// another one for each subscription.
  public var about: String?

  /// Makes the parts.
  public init(
    to recipient: PushRecipient, from sender: VAPIDKey, subject: String, timeToLive: Duration,
    urgency: Urgency = .normal, about: String? = nil
  ) {
    self.recipient = recipient
    self.sender = sender
    self.subject = subject
    self.timeToLive = timeToLive
    self.urgency = urgency
    self.about = about
  }

  /// The sizes of encrypted messages in bytes. A push service sees only which one it is.
  static let sizes = [512, 1024, 2048]

  /// The longest payload in bytes.
  public static let largestPayload = 2048 - PushEncryption.overhead

  /// The size of the encrypted message; `nil` if the payload is too long.
  static func size(payload count: Int) -> Int? {
    sizes.first { count + PushEncryption.overhead <= $0 }
  }

  /// Mozilla's limit is 30 days (https://mozilla-services.github.io/autopush-rs/http.html).
  static let longestTimeToLive: Duration = .seconds(30 * 86_400)

  /// The longest subject in bytes.
  static let longestSubject = 200

  /// Whether a text can be a ``subject``.
  public static func isContact(_ text: String) -> Bool {
    (text.hasPrefix("mailto:") || text.hasPrefix("https://"))
      && text.utf8.count <= longestSubject
      && text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
  }

  /// Why no message can be sent with these parts; `nil` if one can.
  var problem: String? {
    guard (.zero...PushEnvelope.longestTimeToLive).contains(timeToLive) else {
      return "the time to live is not from 0 to 30 days"
    }
    guard PushEnvelope.isContact(subject) else {
      return "the subject does not begin with mailto: or https://, or has other characters"
    }
    if let about, !(1...100).contains(about.utf8.count) {
      return "the text that says what the message is about has not 1 to 100 bytes"
    }
    return nil
  }
}
