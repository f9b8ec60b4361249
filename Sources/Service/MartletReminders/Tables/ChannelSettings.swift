import MartletCourier
import MartletJSON
import MartletTime

/// The settings of a channel besides its URL, by kind. A webhook needs nothing.
public struct ChannelSettings: Codable, Equatable, Sendable {
  /// The topic of ntfy.
  public var topic: String?
  /// The access token of ntfy.
  public var token: String?
  /// The method of a template.
  public var method: String?
  /// The header fields of a template.
  public var headers: [String: String]?
  /// The body of a template: ``MessageTemplate``.
  public var body: String?
  /// Whether the reader of a message of ntfy, or of a template, may answer its alarm.
  public var answers: Bool?

  /// No settings.
  public init() {}

  /// The text in place of a secret. A client that sends it back keeps the secret.
  public static let mask = "***"

  /// The values of the settings that a client sets. Outer `nil` leaves a member unchanged; inner
  /// `nil` removes it.
  public struct Values: Equatable, Sendable {
    /// The topic of ntfy.
    public var topic: String??
    /// The access token of ntfy.
    public var token: String??
    /// The method of a template.
    public var method: String??
    /// Header fields of a template; `nil` removes one.
    public var headers: [String: String?]??
    /// The body of a template.
    public var body: String??
    /// Whether the reader of a message may answer its alarm.
    public var answers: Bool??

    /// Values that set nothing.
    public init() {}
  }

  /// The allowed methods of a template.
  public static let methods = [CourierRequest.Method.post, .put]
  /// The maximum number of header fields of a template.
  public static let mostHeaders = 20
  /// The maximum length of a template in characters.
  public static let longestBody = 16_000

  /// Changes members. A mask keeps what is stored.
  mutating func merge(_ values: Values) {
    if let topic = values.topic { self.topic = topic }
    if let token = values.token, token != ChannelSettings.mask || self.token == nil {
      self.token = token
    }
    if let method = values.method { self.method = method }
    if let body = values.body { self.body = body }
    if let answers = values.answers { self.answers = answers == true ? true : nil }
    guard let fields = values.headers else { return }
    guard let fields else { return headers = nil }
    var merged = headers ?? [:]
    for (name, value) in fields {
      let old = merged.keys.first { $0.lowercased() == name.lowercased() }
      let kept = old.flatMap { merged.removeValue(forKey: $0) }
      if let value { merged[name] = value == ChannelSettings.mask ? kept ?? value : value }
    }
    headers = merged.isEmpty ? nil : merged
  }

  /// Sets what may be missing, and throws ``DomainError/invalid(_:_:)`` if something else is
  /// missing, is of another kind of channel or is invalid.
  mutating func check(for kind: ChannelKind) throws(DomainError) {
    let given: [(String, Bool, ChannelKind)] = [
      ("topic", topic != nil, .ntfy), ("token", token != nil, .ntfy),
      ("method", method != nil, .template), ("headers", headers != nil, .template),
      ("body", body != nil, .template),
    ]
    for (name, isGiven, owner) in given where isGiven && owner != kind {
      throw .invalid("settings/\(name)", "is for channels of the kind \(owner.label)")
    }
    if answers == true, kind == .webhook {
      throw .invalid("settings/answers", "is for channels of the kinds ntfy and template")
    }
    switch kind {
    case .webhook, .push: break
    case .ntfy:
      guard let topic else { throw .invalid("settings/topic", "is required") }
      guard ChannelSettings.isTopic(topic) else {
        throw .invalid(
          "settings/topic", "expected 1 to 64 letters, digits, hyphens and underscores")
      }
      guard token != ChannelSettings.mask else {
        throw .invalid("settings/token", "expected the token, because none is stored")
      }
      guard (token ?? "-").utf8.allSatisfy({ (0x21...0x7e).contains($0) }), token != "" else {
        throw .invalid("settings/token", "expected ASCII characters without spaces")
      }
    case .template: try checkTemplate()
    }
  }

  private mutating func checkTemplate() throws(DomainError) {
    guard let body else { throw .invalid("settings/body", "is required") }
    method = method ?? CourierRequest.Method.post.rawValue
    for (name, value) in headers ?? [:] where value == ChannelSettings.mask {
      throw .invalid("settings/headers", "expected the value of \(name), because none is stored")
    }
    guard (headers ?? [:]).count <= ChannelSettings.mostHeaders else {
      throw .invalid(
        "settings/headers", "expected at most \(ChannelSettings.mostHeaders) header fields")
    }
    if let problem = CourierRequest("https://example.com", fields: fields).problem {
      throw .invalid("settings/headers", problem)
    }
    if let problem = MessageTemplate(body, mediaType: mediaType).problem {
      throw .invalid("settings/body", problem)
    }
  }

  /// The header fields of a template, by name.
  var fields: [CourierRequest.Field] {
    var fields = (headers ?? [:]).sorted { $0.key < $1.key }
      .map { CourierRequest.Field($0.key, $0.value) }
    if !fields.contains(where: { $0.name.lowercased() == "content-type" }) {
      fields.append(CourierRequest.Field("Content-Type", "application/json"))
    }
    return fields
  }

  /// The type of the body of a template, without parameters.
  var mediaType: String {
    let type = fields.first { $0.name.lowercased() == "content-type" }?.value ?? ""
    return type.prefix { $0 != ";" && $0 != " " }.lowercased()
  }

  /// ntfy's own rule for topics.
  private static func isTopic(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}

/// The secrets of a channel. They are stored in clear, because messages are signed with them.
struct ChannelCredentials: Equatable, Sendable {
  /// The key of a webhook's signatures.
  var secret: WebhookSecret?
  /// The key before it, and how long messages are signed with it as well.
  var previous: WebhookSecret?
  var previousUntil: Instant?
  var token: String?
  var headers: [String: String]?

  /// How long both keys sign after a rotation.
  static let overlap = Duration.seconds(86_400)

  /// The keys that sign a message now.
  func secrets(at now: Instant) -> [WebhookSecret] {
    [secret, previousUntil.map { now < $0 } == true ? previous : nil].compactMap { $0 }
  }
}

// What is stored.
extension Channel {
  /// The settings with their secrets.
  var allSettings: ChannelSettings {
    var all = ChannelSettings()
    let stored = JSONValue.stored(settings)?.object
    all.topic = stored?["topic"]?.string
    all.method = stored?["method"]?.string
    all.body = stored?["body"]?.string
    all.answers = stored?["answers"]?.bool == true ? true : nil
    let secret = secrets
    all.token = secret.token
    all.headers = secret.headers
    return all
  }

  /// The secrets.
  var secrets: ChannelCredentials {
    let stored = JSONValue.stored(credentials)?.object
    var secrets = ChannelCredentials()
    secrets.secret = stored?["secret"]?.string.flatMap { WebhookSecret($0) }
    secrets.previous = stored?["previous"]?.string.flatMap { WebhookSecret($0) }
    secrets.previousUntil = stored?["previousUntil"]?.string.flatMap { SQLiteTime.parse($0) }
    secrets.token = stored?["token"]?.string
    if let members = stored?["headers"]?.object?.members {
      secrets.headers = Dictionary(
        members.compactMap { member in member.value.string.map { (member.name, $0) } },
        uniquingKeysWith: { $1 })
    }
    return secrets
  }

  /// Stores settings: their secrets in ``credentials``.
  mutating func set(_ new: ChannelSettings) {
    settings = Channel.object { object in
      if let topic = new.topic { object.member("topic", topic) }
      if new.token != nil { object.member("token", ChannelSettings.mask) }
      if let method = new.method { object.member("method", method) }
      if let headers = new.headers {
        object.member("headers") {
          Channel.write(headers.mapValues { _ in ChannelSettings.mask }, into: $0)
        }
      }
      if let body = new.body { object.member("body", body) }
      if new.answers == true { object.member("answers", true) }
    }
    var secrets = secrets
    (secrets.token, secrets.headers) = (new.token, new.headers)
    set(secrets)
  }

  /// Stores secrets.
  mutating func set(_ new: ChannelCredentials) {
    credentials = Channel.object { object in
      if let secret = new.secret { object.member("secret", secret.text) }
      if let previous = new.previous { object.member("previous", previous.text) }
      if let until = new.previousUntil {
        object.member("previousUntil", SQLiteTime.string(until))
      }
      if let token = new.token { object.member("token", token) }
      if let headers = new.headers { object.member("headers") { Channel.write(headers, into: $0) } }
    }
  }

  static func object(_ write: (inout JSONObjectWriter) -> Void) -> String {
    let buffer = ByteBuffer(capacity: 256)
    JSONWriter.object(into: buffer) { write(&$0) }
    return String(decoding: buffer.bytes, as: UTF8.self)
  }

  private static func write(_ members: [String: String], into buffer: ByteBuffer) {
    JSONWriter.object(into: buffer) { object in
      for (name, value) in members.sorted(by: { $0.key < $1.key }) {
        object.name(dynamic: name)
        JSONWriter.string(value, into: buffer)
      }
    }
  }
}
