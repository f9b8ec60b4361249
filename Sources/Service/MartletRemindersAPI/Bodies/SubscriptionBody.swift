import MartletCourier
import MartletHTTP
import MartletJSON
import MartletLiveAPI
import MartletReminders

/// The body of a request that adds or changes a push subscription.
struct SubscriptionBody {
  /// The subscription; `nil` if the server has no address for the operators of push services.
  private(set) var subscription: PushSubscription?
  /// The fields to set.
  private(set) var values = PushRepository.Values()
  /// Read-only members of the body, which must equal the stored values.
  private(set) var readOnly: [JSONObject.Member] = []

  /// The longest endpoint in bytes.
  private static let longestEndpoint = 1_000

  /// The body of a new subscription: the JSON that `PushSubscription.toJSON` of a browser gives,
  /// and the name of the device.
  init(
    subscribing request: Request, _ settings: RemindersAPISettings
  ) throws(APIProblem) {
    var body = try Body(request)
    let endpoint = body.string("endpoint", 1...SubscriptionBody.longestEndpoint)
    body.require("endpoint", endpoint != nil)
    // Browsers add it. No service of theirs sets it.
    _ = body.value("expirationTime")
    body.require("keys", body.names.contains("keys") && !body.isNull("keys"))
    let keys = body.nullableObject("keys") { body -> PushRecipient? in
      let (p256dh, auth) = (body.string("p256dh", 1...200), body.string("auth", 1...100))
      body.require("p256dh", p256dh != nil)
      body.require("auth", auth != nil)
      guard let p256dh, let auth else { return nil }
      let recipient = PushRecipient(p256dh: p256dh, auth: auth)
      if recipient == nil {
        body.fail("p256dh", "expected the keys that a browser gives, in Base64 for URLs")
      }
      return recipient
    }
    let recipient = keys.flatMap { $0 }.flatMap { $0 }
    read(&body)
    body.require("name", values.name != nil)
    let problem = endpoint.flatMap { settings.outgoing.problem(withEndpoint: $0) }
    if let problem, !problem.isRefusal { body.fail("endpoint", problem.detail) }
    try body.finish()
    if let problem {
      throw APIProblem(
        .targetNotAllowed, "Requests to this push service are not allowed: \(problem.detail).",
        errors: [FieldError(.pointer("/endpoint"), problem.detail)])
    }
    let origin = request.fields["Origin"].flatMap { $0.hasPrefix("https://") ? $0 : nil }
    guard let endpoint, let recipient, settings.pushContact != nil || origin != nil else { return }
    subscription = PushSubscription(endpoint: endpoint, recipient: recipient, contact: origin)
  }

  /// A JSON Merge Patch (RFC 7396) of a subscription.
  init(changing request: Request) throws(APIProblem) {
    var body = try Body(request)
    read(&body)
    body.readOnly(
      "id", "host", "keyID", "createdAt", "sentAt", "seenAt", "lostAt", "failingSince",
      "lastError", "brokenAt")
    readOnly = body.readOnly
    try body.finish()
  }

  private mutating func read(_ body: inout Body) {
    values.name = body.string("name", 1...200)
    values.lists = body.nullableIDs("lists", most: ChannelBody.mostLists, all: "all lists")
      .map { $0.map { Set($0).sorted() } }
    values.waits = ChannelBody.waits(&body)
  }

  /// The problem of a server without an address for the operators of push services.
  static let noContact = APIProblem(
    .pushContactMissing,
    """
    Push services want an address of this server's operator. Open the app by https, or start the server with \
    --push-contact mailto:you@example.org or with --public-url and an https address.
    """)
}
