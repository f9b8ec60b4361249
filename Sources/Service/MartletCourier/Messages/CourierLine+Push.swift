import MartletJSON

extension CourierLine {
  /// The members of a push.
  static func members(_ request: CourierRequest, _ push: PushEnvelope) -> JSONObject {
    var object: JSONObject = [
      "endpoint": .string(request.url),
      "payload": .string(Base64.encode(url: request.body)),
      "p256dh": .string(push.recipient.p256dh),
      "auth": .string(push.recipient.auth),
      "privateKey": .string(push.sender.privateKey),
      "publicKey": .string(push.sender.publicKey),
      "subject": .string(push.subject),
      "ttl": .integer(push.timeToLive.components.seconds),
      "urgency": .string(push.urgency.rawValue),
    ]
    if let about = push.about { object["about"] = .string(about) }
    return object
  }

  /// Reads a push. Returns `nil` if it is invalid.
  static func push(_ value: JSONValue) -> CourierRequest? {
    guard let endpoint = value["endpoint"]?.string,
      let payload = value["payload"]?.string.flatMap({ Base64.decode(url: $0) }),
      let p256dh = value["p256dh"]?.string, let auth = value["auth"]?.string,
      let recipient = PushRecipient(p256dh: p256dh, auth: auth),
      let privateKey = value["privateKey"]?.string, let publicKey = value["publicKey"]?.string,
      let sender = VAPIDKey(privateKey: privateKey, publicKey: publicKey),
      let subject = value["subject"]?.string, let seconds = value["ttl"]?.int64,
      let urgency = value["urgency"]?.string.flatMap({ PushEnvelope.Urgency(rawValue: $0) })
    else { return nil }
    let envelope = PushEnvelope(
      to: recipient, from: sender, subject: subject, timeToLive: .seconds(seconds),
      urgency: urgency, about: value["about"]?.string)
    return CourierRequest(push: envelope, endpoint: endpoint, payload: payload)
  }
}
