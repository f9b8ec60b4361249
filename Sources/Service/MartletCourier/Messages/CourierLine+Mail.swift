import MartletJSON

extension CourierLine {
  /// The members of a mail.
  static func members(_ request: CourierRequest, _ mail: MailEnvelope) -> JSONObject {
    var object: JSONObject = [
      "server": .string(request.url),
      "text": .string(Base64.encode(url: request.body)),
      "from": .string(mail.sender),
      "to": .string(mail.recipient),
      "security": .string(mail.security.rawValue),
    ]
    if let user = mail.user { object["user"] = .string(user) }
    if let password = mail.password { object["password"] = .string(password) }
    return object
  }

  /// Reads a mail. Returns `nil` if it is invalid.
  static func mail(_ value: JSONValue) -> CourierRequest? {
    guard let server = value["server"]?.string,
      let text = value["text"]?.string.flatMap({ Base64.decode(url: $0) }),
      let sender = value["from"]?.string, let recipient = value["to"]?.string,
      let security = value["security"]?.string.flatMap({ MailEnvelope.Security(rawValue: $0) })
    else { return nil }
    let envelope = MailEnvelope(
      from: sender, to: recipient, user: value["user"]?.string,
      password: value["password"]?.string, security: security)
    return CourierRequest(mail: envelope, server: server, text: text)
  }
}
