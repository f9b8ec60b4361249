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
  /// The value of `{{secret}}` in a template.
  public var secret: String?
  /// Whether the messages of a template are for people: an alarm that does not ring any more is not
  /// sent.
  public var people: Bool?
  /// The address of the sender of mail.
  public var from: String?
  /// The address of the recipient of mail.
  public var to: String?
  /// The user name for a mail server.
  public var user: String?
  /// The password for a mail server.
  public var password: String?
  /// The encryption of the connection to a mail server: `MailEnvelope.Security`.
  public var security: String?
  /// Whether the reader of a message may answer its alarm.
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
    /// The value of `{{secret}}`.
    public var secret: String??
    /// Whether the messages of a template are for people.
    public var people: Bool??
    /// The sender of mail.
    public var from: String??
    /// The recipient of mail.
    public var to: String??
    /// The user name for a mail server.
    public var user: String??
    /// The password for a mail server.
    public var password: String??
    /// The encryption of the connection to a mail server.
    public var security: MailEnvelope.Security??
    /// Whether the reader of a message may answer its alarm.
    public var answers: Bool??

    /// Values that set nothing.
    public init() {}

    /// Values that remove everything.
    public static let removed: Values = {
      var values = Values()
      (values.topic, values.token, values.method) = (.some(nil), .some(nil), .some(nil))
      (values.headers, values.body, values.secret) = (.some(nil), .some(nil), .some(nil))
      (values.people, values.from, values.to) = (.some(nil), .some(nil), .some(nil))
      (values.user, values.password, values.security) = (.some(nil), .some(nil), .some(nil))
      values.answers = .some(nil)
      return values
    }()
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
    ChannelSettings.set(&token, values.token)
    ChannelSettings.set(&secret, values.secret)
    ChannelSettings.set(&password, values.password)
    if let people = values.people { self.people = people == true ? true : nil }
    if let from = values.from { self.from = from }
    if let to = values.to { self.to = to }
    if let user = values.user { self.user = user }
    if let security = values.security { self.security = security?.rawValue }
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

  /// Sets a secret. A mask keeps one that is stored.
  private static func set(_ secret: inout String?, _ value: String??) {
    if let value, value != mask || secret == nil { secret = value }
  }

  /// Sets what may be missing, and throws ``DomainError/invalid(_:_:)`` if something else is
  /// missing, is of another kind of channel or is invalid.
  mutating func check(for kind: ChannelKind) throws(DomainError) {
    let given: [(String, Bool, ChannelKind)] = [
      ("topic", topic != nil, .ntfy), ("token", token != nil, .ntfy),
      ("method", method != nil, .template), ("headers", headers != nil, .template),
      ("body", body != nil, .template), ("secret", secret != nil, .template),
      ("people", people != nil, .template), ("from", from != nil, .mail), ("to", to != nil, .mail),
      ("user", user != nil, .mail), ("password", password != nil, .mail),
      ("security", security != nil, .mail),
    ]
    for (name, isGiven, owner) in given where isGiven && owner != kind {
      throw .invalid("settings/\(name)", "is for channels of the kind \(owner.label)")
    }
    if answers == true, kind == .webhook {
      throw .invalid("settings/answers", "is for channels of the kinds ntfy, template and mail")
    }
    for (name, value) in [("token", token), ("secret", secret), ("password", password)]
    where value == ChannelSettings.mask {
      throw .invalid("settings/\(name)", "expected the \(name), because none is stored")
    }
    switch kind {
    case .webhook, .push: break
    case .ntfy:
      guard let topic else { throw .invalid("settings/topic", "is required") }
      guard ChannelSettings.isTopic(topic) else {
        throw .invalid(
          "settings/topic", "expected 1 to 64 letters, digits, hyphens and underscores")
      }
      guard (token ?? "-").utf8.allSatisfy({ (0x21...0x7e).contains($0) }), token != "" else {
        throw .invalid("settings/token", "expected ASCII characters without spaces")
      }
    case .template: try checkTemplate()
    case .mail: try checkMail()
    }
  }

  private func checkMail() throws(DomainError) {
    for (name, value) in [("from", from), ("to", to)] {
      guard let value else { throw .invalid("settings/\(name)", "is required") }
      guard MailEnvelope.isAddress(value) else {
        throw .invalid(
          "settings/\(name)", "expected a mail address in ASCII, such as anna@example.com")
      }
    }
    guard (user == nil) == (password == nil) else {
      throw .invalid(
        "settings/\(user == nil ? "user" : "password")", "is required: both, or neither of them")
    }
    for (name, value) in [("user", user), ("password", password)] {
      guard value.map({ MailEnvelope.isCredential($0) }) ?? true else {
        throw .invalid("settings/\(name)", "expected no control characters")
      }
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
    if let secret, !MailEnvelope.isCredential(secret) {
      throw .invalid("settings/secret", "expected no control characters")
    }
    if let problem = (headers ?? [:]).values.lazy
      .compactMap({ MessageTemplate(field: $0).problem }).first
    {
      throw .invalid("settings/headers", problem)
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
  /// The value of `{{secret}}` in a template.
  var value: String?
  var password: String?

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
    all.people = stored?["people"]?.bool == true ? true : nil
    all.from = stored?["from"]?.string
    all.to = stored?["to"]?.string
    all.user = stored?["user"]?.string
    all.security = stored?["security"]?.string
    all.answers = stored?["answers"]?.bool == true ? true : nil
    let secrets = secrets
    (all.token, all.headers) = (secrets.token, secrets.headers)
    (all.secret, all.password) = (secrets.value, secrets.password)
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
    secrets.value = stored?["value"]?.string
    secrets.password = stored?["password"]?.string
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
      if new.secret != nil { object.member("secret", ChannelSettings.mask) }
      if new.people == true { object.member("people", true) }
      if let from = new.from { object.member("from", from) }
      if let to = new.to { object.member("to", to) }
      if let user = new.user { object.member("user", user) }
      if new.password != nil { object.member("password", ChannelSettings.mask) }
      if let security = new.security { object.member("security", security) }
      if new.answers == true { object.member("answers", true) }
    }
    var secrets = secrets
    (secrets.token, secrets.headers) = (new.token, new.headers)
    (secrets.value, secrets.password) = (new.secret, new.password)
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
      if let value = new.value { object.member("value", value) }
      if let password = new.password { object.member("password", password) }
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
