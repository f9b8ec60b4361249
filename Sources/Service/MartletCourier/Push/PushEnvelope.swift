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
  /// A message replaces one with the same topic that waits for the device (RFC 8030 section 5.4).
  public var topic: String?

  /// Makes the parts.
  public init(
    to recipient: PushRecipient, from sender: VAPIDKey, subject: String, timeToLive: Duration,
    urgency: Urgency = .normal, topic: String? = nil
  ) {
    self.recipient = recipient
    self.sender = sender
    self.subject = subject
    self.timeToLive = timeToLive
    self.urgency = urgency
    self.topic = topic
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

  /// Why no message can be sent with these parts; `nil` if one can.
  var problem: String? {
    guard (.zero...PushEnvelope.longestTimeToLive).contains(timeToLive) else {
      return "the time to live is not from 0 to 30 days"
    }
    let isContact = subject.hasPrefix("mailto:") || subject.hasPrefix("https://")
    guard isContact, subject.utf8.count <= PushEnvelope.longestSubject,
      subject.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
    else { return "the subject does not begin with mailto: or https://, or has other characters" }
    if let topic {
      // Apple decodes it, and no Base64 has 4n + 1 characters.
      guard (1...32).contains(topic.utf8.count), topic.utf8.count % 4 != 1,
        topic.utf8.allSatisfy(PushEnvelope.isBase64)
      else { return "the topic is not Base64 for URLs with at most 32 characters" }
    }
    return nil
  }

  private static func isBase64(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
