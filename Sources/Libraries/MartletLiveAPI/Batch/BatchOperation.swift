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
    if let body {
      do throws(APIProblem) {
        try BatchOperation.resolve(body, made).writeJSON(into: buffer)
      } catch {
        throw error.within("/body")
      }
    }
    var fields = Fields()
    // Whose words the operations are does not depend on how they are sent.
    if let languages = request.fields.list("Accept-Language") {
      fields.append("Accept-Language", languages)
    }
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

  /// `{"$id": "home"}` → `7`. The pointer of an error is relative to the value.
  private static func resolve(
    _ value: JSONValue, _ made: [String: Made]
  ) throws(APIProblem) -> JSONValue {
    switch value {
    case .object(let object):
      if object.count == 1, let name = object["$id"]?.string {
        return try find(name, made, "").id
      }
      var members: [JSONObject.Member] = []
      for member in object.members {
        do throws(APIProblem) {
          members.append(.init(name: member.name, value: try resolve(member.value, made)))
        } catch {
          throw error.within("/\(Body.path(member.name))")
        }
      }
      return .object(JSONObject(members: members))
    case .array(let elements):
      var resolved: [JSONValue] = []
      for (place, element) in elements.enumerated() {
        do throws(APIProblem) {
          resolved.append(try resolve(element, made))
        } catch {
          throw error.within("/\(place)")
        }
      }
      return .array(resolved)
    default: return value
    }
  }

  private static func find(
    _ name: String, _ made: [String: Made], _ pointer: String
  ) throws(APIProblem) -> Made {
    if let found = made[name] { return found }
    let names = made.keys.sorted()
    let all =
      names.isEmpty
      ? "no earlier operation with a name creates anything"
      : "names so far: \(names.prefix(20).joined(separator: ", "))"
    throw APIProblem(
      .invalidBody, "Unknown reference.",
      errors: [
        FieldError(
          .pointer(pointer),
          "no earlier operation creates \(shown(name))"
            + Suggestion.text(for: name, among: names, else: all))
      ])
  }
}
