import MartletCourier
import MartletHTTP
import MartletJSON
import MartletLiveAPI
import MartletReminders
import MartletTime

/// The body of a request that creates or changes a channel.
struct ChannelBody {
  /// The kind of a new channel.
  private(set) var kind: ChannelKind?
  /// The fields to set.
  private(set) var values = ChannelRepository.Values()
  /// Read-only members of the body, which must equal the stored values.
  private(set) var readOnly: [JSONObject.Member] = []

  /// The maximum number of lists that a channel names.
  static let mostLists = 1_000

  /// The body of a new channel: `{"kind": "webhook", "name": …, "url": …}`.
  init(creating request: Request, _ rules: OutgoingRules) throws(APIProblem) {
    var body = try Body(request)
    kind = body.oneOf("kind", ChannelKind.made.map { ($0.label, $0) })
    body.require("kind", kind != nil)
    read(&body)
    body.require("name", values.name != nil)
    body.require("url", values.url != nil)
    if values.events == nil { values.events = [ChannelEvent.alarmRinging.rawValue] }
    try finish(&body, rules)
  }

  /// A JSON Merge Patch (RFC 7396) of a channel.
  init(changing request: Request, _ rules: OutgoingRules) throws(APIProblem) {
    var body = try Body(request)
    read(&body)
    body.readOnly("id", "kind", "failingSince", "lastError", "brokenAt", "createdAt")
    readOnly = body.readOnly
    try finish(&body, rules)
  }

  private mutating func read(_ body: inout Body) {
    values.name = body.string("name", 1...200)
    values.url = body.string("url", 1...2_000)
    values.events = events(&body)
    // No list at all would send nothing.
    values.lists = body.nullableIDs("lists", most: ChannelBody.mostLists, all: "all lists")
      .map { $0.map { Set($0).sorted() } }
    values.settings = body.nullableObject("settings", ChannelBody.settings).map {
      $0 ?? .removed
    }
    values.isEnabled = body.bool("isEnabled")
    values.waits = ChannelBody.waits(&body)
  }

  /// The times at which a channel sends alarms.
  static func waits(_ body: inout Body) -> ChannelWaits {
    var waits = ChannelWaits()
    let expected = "a duration from PT1M to PT12H"
    waits.after = body.nullableFormatted("after", expected).map { text in
      guard let text else { return nil }
      let duration = CivilDuration(text)
      if let duration, duration.days == 0, ChannelWaits.range.contains(duration.milliseconds) {
        return duration
      }
      body.fail("after", "expected \(expected), got \"\(text)\"")
      return nil
    }
    waits.quiet = body.nullableObject("quiet") { body in
      var values = QuietHours.Values()
      values.from = time("from", &body)
      values.to = time("to", &body)
      values.mode = body.oneOf("mode", QuietHours.Mode.allCases.map { ($0.rawValue, $0) })
      values.timeZone = body.nullableString("timeZone", 1...100).map { name in
        name.flatMap { body.zone(named: $0)?.identifier }
      }
      return values
    }
    return waits
  }

  private static func time(_ name: String, _ body: inout Body) -> String? {
    let expected = "a time of day such as 22:00"
    guard let text = body.formatted(name, expected) else { return nil }
    if QuietHours.minutes(text) == nil { body.fail(name, "expected \(expected), got \"\(text)\"") }
    return text
  }

  /// Checks where messages would go, as far as that is known without a network.
  private func finish(_ body: inout Body, _ rules: OutgoingRules) throws(APIProblem) {
    let security = values.settings?.security.flatMap { $0 }
    let problem = values.url.flatMap { ChannelURL.problem(with: $0, security, by: rules) }
    if let problem, !problem.isRefusal { body.fail("url", problem.detail) }
    try body.finish()
    guard let problem else { return }
    throw APIProblem(
      .targetNotAllowed, "Requests to this URL are not allowed: \(problem.detail).",
      errors: [FieldError(.pointer("/url"), problem.detail)])
  }

  private func events(_ body: inout Body) -> [String]? {
    let choices = [ChannelEvent.all] + ChannelEvent.choices
    let before = body.errors.count
    let events = body.strings("events", until: { $0.count > choices.count }) { text in
      choices.contains(text)
        ? .success(text)
        : .failure(FieldReason("expected one of \(choices.joined(separator: ", "))"))
    }
    guard let events, body.errors.count == before else { return nil }
    guard !events.isEmpty, Set(events).count == events.count else {
      body.fail("events", events.isEmpty ? "expected at least one type" : "has a type twice")
      return nil
    }
    return events
  }

  private static func settings(_ body: inout Body) -> ChannelSettings.Values {
    var values = ChannelSettings.Values()
    values.topic = body.nullableString("topic", 1...64)
    values.token = body.nullableString("token", 1...500)
    values.method = body.nullableOneOf(
      "method", ChannelSettings.methods.map { ($0.rawValue, $0.rawValue) })
    values.body = body.nullableString("body", 1...ChannelSettings.longestBody)
    values.secret = body.nullableString("secret", 1...500)
    values.people = body.nullableBool("people")
    values.from = body.nullableString("from", 1...254)
    values.to = body.nullableString("to", 1...254)
    values.user = body.nullableString("user", 1...500)
    values.password = body.nullableString("password", 1...500)
    values.security = body.nullableOneOf(
      "security", MailEnvelope.Security.allCases.map { ($0.rawValue, $0) })
    values.answers = body.nullableBool("answers")
    values.headers = body.nullableObject("headers") { body in
      var fields: [String: String?] = [:]
      for name in body.names {
        guard fields.count <= ChannelSettings.mostHeaders else { break }
        if let value = body.nullableString(name, 0...4_000) { fields[name] = .some(value) }
      }
      return fields
    }
    return values
  }
}
