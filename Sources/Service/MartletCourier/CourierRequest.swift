/// A request to another server.
///
/// Descriptions never contain the path of the URL or the body: they may be secrets.
public struct CourierRequest: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// A method that may have a body.
  public enum Method: String, CaseIterable, Sendable {
    /// A request without a body.
    case get = "GET"
    /// The method of webhooks.
    case post = "POST"
    /// Replaces what the URL names.
    case put = "PUT"
  }

  /// A header field.
  public struct Field: Hashable, Sendable {
    /// The name, in any case.
    public var name: String
    /// The value.
    public var value: String

    /// Makes a field.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The method.
  public var method: Method
  /// Where the request goes, with `http` or `https`.
  public var url: String
  /// Further header fields. Fields that the courier writes are not allowed.
  public var fields: [Field]
  /// The body; it must be empty for GET.
  public var body: [UInt8]
  /// The message's ID for Standard Webhooks, the same for all attempts; `nil` for other services.
  public var messageID: String?
  /// The keys that sign the message: none, the current one, or also the one before it.
  public var secrets: [WebhookSecret]
  /// The parts of a Web Push message besides ``url``, its endpoint, and ``body``, its payload. The
  /// courier encrypts it. `nil` for other requests.
  public private(set) var push: PushEnvelope?
  /// The parts of a mail besides ``url``, its server, and ``body``, its text with header fields.
  /// `nil` for other requests.
  public private(set) var mail: MailEnvelope?

  /// Makes a request.
  public init(
    _ method: Method, _ url: String, fields: [Field] = [], body: [UInt8] = [],
    messageID: String? = nil, secrets: [WebhookSecret] = []
  ) {
    self.method = method
    self.url = url
    self.fields = fields
    self.body = body
    self.messageID = messageID
    self.secrets = secrets
  }

  /// Makes a Web Push message, at most ``PushEnvelope/largestPayload`` bytes long.
  public init(push envelope: PushEnvelope, endpoint: String, payload: [UInt8]) {
    self.init(.post, endpoint, body: payload)
    push = envelope
  }

  /// Makes a mail.
  ///
  /// - Parameters:
  ///   - server: The URL of the mail server, `smtps://host:port` or `smtp://host:port`.
  ///   - text: Its header fields and its body (RFC 5322).
  public init(mail envelope: MailEnvelope, server: String, text: [UInt8]) {
    self.init(.post, server, body: text)
    mail = envelope
  }

  /// Makes a POST request.
  public init(
    _ url: String, fields: [Field] = [], body: [UInt8] = [], messageID: String? = nil,
    secrets: [WebhookSecret] = []
  ) {
    self.init(
      .post, url, fields: fields, body: body, messageID: messageID, secrets: secrets)
  }

  /// The largest body in bytes.
  public static let largestBody = 256 << 10

  /// The largest sum of the header fields in bytes.
  static let largestFields = 16 << 10

  /// Fields that the courier writes, and fields of a connection.
  private static let reserved: Set<String> = [
    "connection", "content-length", "expect", "host", "keep-alive", "proxy-authorization",
    "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade", "user-agent",
  ]

  /// Why the request cannot be sent whatever its destination is; `nil` if it can.
  public var problem: String? {
    if push != nil || mail != nil {
      guard method == .post, fields.isEmpty, messageID == nil, secrets.isEmpty else {
        return "a push or a mail has only what the courier writes"
      }
    }
    if let push {
      if body.count > PushEnvelope.largestPayload {
        return "the payload has more than \(PushEnvelope.largestPayload) bytes"
      }
      return push.problem
    }
    if body.count > CourierRequest.largestBody {
      return "the body has more than \(CourierRequest.largestBody) bytes"
    }
    if let mail { return mail.problem }
    if method == .get, !body.isEmpty { return "a GET request has no body" }
    if fields.reduce(0, { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 })
      > CourierRequest.largestFields
    {
      return "the header fields have more than \(CourierRequest.largestFields) bytes"
    }
    for field in fields {
      let name = field.name.lowercased()
      guard !name.isEmpty, name.utf8.allSatisfy(CourierRequest.isTokenByte) else {
        return "a header field has an invalid name"
      }
      guard !CourierRequest.reserved.contains(name), !name.hasPrefix("webhook-") else {
        return "the header field \(name) is written by the courier"
      }
      guard field.value.utf8.allSatisfy({ (0x20...0x7e).contains($0) || $0 >= 0x80 }) else {
        return "the header field \(name) has a control character"
      }
    }
    if let messageID {
      // A full stop would allow another division of the signed text.
      guard (1...128).contains(messageID.utf8.count),
        messageID.utf8.allSatisfy({ CourierRequest.isTokenByte($0) && $0 != UInt8(ascii: ".") })
      else { return "the message's ID is invalid" }
    } else if !secrets.isEmpty {
      return "a signed message needs an ID"
    }
    return secrets.count > 2 ? "a message has at most two signatures" : nil
  }

  /// Why the request cannot be sent by these rules; `nil` if it can, as far as that is known.
  func problem(with rules: OutgoingRules) -> OutgoingRules.Problem? {
    rules.problem(with: url, for: use)
  }

  /// The use of its URL.
  var use: OutgoingRules.Use {
    if let mail { return .mail(mail.security) }
    return push == nil ? .request : .push
  }

  /// The places that it takes.
  var lane: CourierLane {
    switch use {
    case .request: .request
    case .push: .push
    case .mail: .mail
    }
  }

  /// The characters of a field's name (RFC 9110 section 5.6.2).
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
  public var description: String {
    let name = lane == .request ? method.rawValue : "\(lane)"
    return "\(name) to \((try? Destination(url, use.schemes))?.origin ?? "?")"
  }
  /// Hides the members from `dump` and from failure messages of tests.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
