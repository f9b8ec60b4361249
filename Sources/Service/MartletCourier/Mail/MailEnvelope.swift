/// The parts of a mail besides the URL of its server and its text.
public struct MailEnvelope: Hashable, Sendable {
  /// The encryption of the connection to a mail server.
  public enum Security: String, CaseIterable, Sendable {
    /// TLS from the beginning (RFC 8314 section 3.3), with URLs that begin with `smtps://`.
    case tls
    /// TLS after the command STARTTLS (RFC 3207), with `smtp://`. Nothing is sent without it.
    case starttls
    /// None, with `smtp://`. The operator must allow it.
    case none
  }

  /// The address of the sender.
  public var sender: String
  /// The address of the recipient.
  public var recipient: String
  /// The user name for the server; `nil`: no authentication.
  public var user: String?
  /// The password of the user.
  public var password: String?
  /// The encryption.
  public var security: Security

  /// Makes the parts.
  public init(
    from sender: String, to recipient: String, user: String? = nil, password: String? = nil,
    security: Security
  ) {
    self.sender = sender
    self.recipient = recipient
    self.user = user
    self.password = password
    self.security = security
  }

  /// The longest address in bytes (RFC 5321 section 4.5.3.1.3).
  static let longestAddress = 254
  /// The longest user name or password in bytes.
  static let longestCredential = 500

  /// Whether a text is a mail address: `Dot-string@Domain` of RFC 5321 section 4.1.2, in ASCII.
  public static func isAddress(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    guard text.utf8.count <= longestAddress, parts.count == 2, (1...64).contains(parts[0].count)
    else { return false }
    let words = parts[0].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard words.allSatisfy({ !$0.isEmpty && $0.allSatisfy(isAtomByte) }),
      let host = String(parts[1]), !host.hasSuffix(".")
    else { return false }
    if case .name = try? Destination.host(host) { return true }
    return false
  }

  /// The part of an address behind the `@`.
  public static func domain(of address: String) -> Substring {
    address.firstIndex(of: "@").map { address[$0...].dropFirst() } ?? ""
  }

  /// Whether a text can be a user name or a password.
  public static func isCredential(_ text: String) -> Bool {
    (1...longestCredential).contains(text.utf8.count)
      && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
  }

  /// Why no mail can be sent with these parts; `nil` if one can.
  var problem: String? {
    guard MailEnvelope.isAddress(sender) else { return "the sender is not a mail address" }
    guard MailEnvelope.isAddress(recipient) else { return "the recipient is not a mail address" }
    let credentials = [user, password].compactMap { $0 }
    guard credentials.count != 1, credentials.allSatisfy(MailEnvelope.isCredential) else {
      return "the user or the password is invalid"
    }
    return nil
  }

  /// The characters of an atom (RFC 5322 section 3.2.3).
  private static func isAtomByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-/=?^_`{|}~".utf8.contains(byte)
    }
  }
}
