import MartletHTTP
import MartletJSON
import MartletStore

/// One operation of a batch: a request without a connection of its own.
///
///     {"name": "home", "method": "POST", "path": "/v1/lists", "body": {"title": "Home"}}
///     {"method": "POST", "path": "/v1/lists/{home}/reminders", "body": {"title": "Paint"}}
///     {"method": "POST", "path": "/v1/reminders",
///      "body": {"listID": {"$id": "home"}, "title": "Sweep"}}
struct BatchOperation: Sendable {
  /// The name by which later operations refer to the row that this one creates.
  let name: String?
  let method: Method
  let path: String
  let body: JSONValue?
  let ifMatch: String?

  private static let methods: [(String, Method)] = [
    ("POST", .post), ("PUT", .put), ("PATCH", .patch), ("DELETE", .delete),
  ]

  init(_ value: JSONValue) throws(APIProblem) {
    guard case .object(let object) = value else {
      throw APIProblem(
        .invalidBody, "An operation must be an object.",
        errors: [FieldError(.pointer(""), "expected an object, got \(value.kind)")])
    }
    var body = Body(object)
    name = body.string("name", 1...100)
    if let name, !name.utf8.allSatisfy(isNameCharacter) {
      body.fail("name", "may have only letters, digits, - and _")
    }
    let method = body.oneOf("method", BatchOperation.methods)
    let path = body.string("path", 1...2_000)
    ifMatch = body.string("ifMatch", 1...1_000)
    self.body = body.value("body")
    body.require("method", method != nil)
    body.require("path", path != nil)
    try body.finish()
    self.method = method ?? .post
    self.path = path ?? ""
  }

  // MARK: References

  /// The row that a name refers to.
  struct Made {
    /// The row's segment in a path, percent-encoded.
    let segment: String
    /// The row's `id` for a body, or the last segment of its path if it has none.
    let id: JSONValue

    init(_ answer: WrittenAnswer, _ location: String, peer: Peer) throws {
      segment = location.split(separator: "/").last.map(String.init) ?? ""
      let row = try answer.body.map { try JSONValue.parse($0.bytes) }?.object
      let text = try Request(.get, target: location, peer: peer).target.segments.last ?? ""
      id = row?["id"] ?? .string(text)
    }
  }

  /// The operation as a request. `made` has the rows that earlier operations created, by name.
  func request(
    _ made: [String: Made], like request: Request
  ) throws -> Request {
    let buffer = ByteBuffer(capacity: 256)
    try body.map { try BatchOperation.resolve($0, made) }?.writeJSON(into: buffer)
    var fields = Fields()
    if let ifMatch, !fields.append("If-Match", ifMatch) {
      throw APIProblem(
        .invalidBody, "The ETag in ifMatch is invalid.",
        errors: [FieldError(.pointer("/ifMatch"), "contains a control character")])
    }
    do {
      var made = try Request(
        method, target: try resolvedPath(made), fields: fields, body: buffer.share(),
        peer: request.peer)
      made.id = request.id
      made.jsonDepth = request.jsonDepth
      made.caller = request.caller
      return made
    } catch let error as ProtocolError {
      throw APIProblem(
        .invalidBody, "The path is invalid.",
        errors: [FieldError(.pointer("/path"), "\(error.detail)")])
    }
  }

  /// `/v1/lists/{home}` → `/v1/lists/7`
  private func resolvedPath(_ made: [String: Made]) throws -> String {
    try path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
      guard segment.hasPrefix("{"), segment.hasSuffix("}") else { return String(segment) }
      return try BatchOperation.find(String(segment.dropFirst().dropLast()), made, "/path").segment
    }.joined(separator: "/")
  }

  /// `{"$id": "home"}` → `7`
  private static func resolve(_ value: JSONValue, _ made: [String: Made]) throws -> JSONValue {
    switch value {
    case .object(let object):
      if object.count == 1, let name = object["$id"]?.string {
        return try find(name, made, "/body").id
      }
      return .object(
        JSONObject(
          members: try object.members.map {
            JSONObject.Member(name: $0.name, value: try resolve($0.value, made))
          }))
    case .array(let elements): return .array(try elements.map { try resolve($0, made) })
    default: return value
    }
  }

  private static func find(
    _ name: String, _ made: [String: Made], _ pointer: String
  ) throws -> Made {
    if let found = made[name] { return found }
    throw APIProblem(
      .invalidBody, "Unknown reference.",
      errors: [FieldError(.pointer(pointer), "no earlier operation creates \"\(name)\"")])
  }
}
