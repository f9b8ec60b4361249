import MartletJSON

extension CourierLine {
  static func bytes(_ order: Order, id: UInt64) -> [UInt8] {
    switch order {
    case .makeKey: bytes(["id": .integer(Int64(id)), "makeKey": true])
    case .send(let request): bytes(request, id: id)
    }
  }

  private static func bytes(_ request: CourierRequest, id: UInt64) -> [UInt8] {
    if let push = request.push {
      return bytes(["id": .integer(Int64(id)), "push": .object(members(request, push))])
    }
    if let mail = request.mail {
      return bytes(["id": .integer(Int64(id)), "mail": .object(members(request, mail))])
    }
    var object: JSONObject = [
      "id": .integer(Int64(id)),
      "method": .string(request.method.rawValue),
      "url": .string(request.url),
      "fields": .array(request.fields.map { [.string($0.name), .string($0.value)] }),
      "body": .string(Base64.encode(url: request.body)),
      "secrets": .array(request.secrets.map { .string($0.text) }),
    ]
    if let messageID = request.messageID { object["messageID"] = .string(messageID) }
    return bytes(object)
  }

  /// Reads an order. Returns `nil` if the line is invalid.
  static func order(_ line: [UInt8]) -> (id: UInt64, Order)? {
    guard let value = try? JSONValue.parse(line),
      let id = value["id"]?.int64.flatMap({ UInt64(exactly: $0) })
    else { return nil }
    if value["makeKey"]?.bool == true { return (id, .makeKey) }
    let request = value["push"].map(push) ?? value["mail"].map(mail) ?? request(value)
    return request.map { (id, .send($0)) }
  }

  private static func request(_ value: JSONValue) -> CourierRequest? {
    guard
      let method = value["method"]?.string.flatMap({ CourierRequest.Method(rawValue: $0) }),
      let url = value["url"]?.string, let fields = value["fields"]?.array,
      let body = value["body"]?.string.flatMap({ Base64.decode(url: $0) }),
      let secrets = value["secrets"]?.array
    else { return nil }
    var request = CourierRequest(method, url, body: body, messageID: value["messageID"]?.string)
    for field in fields {
      guard let name = field[0]?.string, let value = field[1]?.string else { return nil }
      request.fields.append(CourierRequest.Field(name, value))
    }
    for one in secrets {
      guard let secret = one.string.flatMap({ WebhookSecret($0) }) else { return nil }
      request.secrets.append(secret)
    }
    return request
  }
}
