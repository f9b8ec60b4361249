import MartletHTTP
import MartletJSON

/// An error to be sent to the client as a problem document (RFC 9457).
///
/// Routes throw it. The type says what kind of error it is, the detail what went wrong this time,
/// and the errors which members of the body or query parameters are at fault.
public struct APIProblem: Error, Sendable {
  /// The kind of problem: its `type`, title and status.
  public var type: ProblemType
  /// An explanation, and what the client can do, in one or two sentences for people.
  public var detail: String
  /// The faults in the body or the query; empty if the problem is not about single fields.
  public var errors: [FieldError]
  /// The `Retry-After` field in seconds; `nil` sends no such field.
  public var retryAfter: Int?
  /// The `Location` field: the path of the item that is in the way of a new one.
  public var location: String?
  /// The operation of a batch that failed, and the type of its own problem.
  struct Cause: Sendable {
    var operation: Int
    var type: ProblemType
  }
  var cause: Cause?
  /// The parameters after the realm in the `WWW-Authenticate` field of a 401 or 403 (RFC 9110
  /// section 11.6.1); `nil` for no such field.
  var challenge: String?
  /// Whether a 401 offers the Basic scheme as well (RFC 7617).
  var offersBasic = false

  /// Creates a problem. `retryAfter` is in seconds.
  public init(
    _ type: ProblemType, _ detail: String, errors: [FieldError] = [], retryAfter: Int? = nil
  ) {
    self.type = type
    self.detail = detail
    self.errors = errors
    self.retryAfter = retryAfter
  }

  /// The same problem with all pointers prefixed by `pointer`, for a body nested in another body.
  func within(_ pointer: String) -> APIProblem {
    var problem = self
    problem.errors = errors.map { error in
      guard case .pointer(let inner) = error.place else { return error }
      return FieldError(.pointer(pointer + inner), error.detail)
    }
    return problem
  }

  /// Whether a request had no credential or an invalid one.
  enum Credentials { case missing, invalid }

  static func unauthorized(_ detail: String, _ shown: Credentials) -> APIProblem {
    var problem = APIProblem(.unauthorized, detail)
    problem.challenge = shown == .missing ? "" : ", error=\"invalid_token\""
    return problem
  }

  /// A 403 whose `WWW-Authenticate` field names `scope` as the scope that the request needs.
  static func forbidden(_ detail: String, needs scope: Rights.Scope) -> APIProblem {
    var problem = APIProblem(.forbidden, detail)
    problem.challenge = ", error=\"insufficient_scope\", scope=\"\(scope.rawValue)\""
    return problem
  }

  /// A 404 with `what` as its detail.
  public static func notFound(_ what: String) -> APIProblem { APIProblem(.notFound, what) }

  /// A 404 that names the missing item: `There is no list 7.`, `There is no tag "car".`
  public static func missing(_ noun: String, _ name: String) -> APIProblem {
    let isNumber =
      (1...20).contains(name.utf8.count) && name.utf8.allSatisfy { (48...57).contains($0) }
    return .notFound("There is no \(noun) \(isNumber ? name : shown(name)).")
  }

  /// A 404 for a path that matches a route but whose item does not exist.
  ///
  /// The item is named by the first path segment that is a key of `nouns` and has a parameter after
  /// it.
  static func missing(_ request: Request, _ nouns: [String: String]) -> APIProblem {
    let words = (request.route ?? "").split(separator: "/")
    for (word, parameter) in zip(words, words.dropFirst()) where parameter.hasPrefix("{") {
      if let noun = nouns[String(word)],
        let name = request.parameter(String(parameter.dropFirst().dropLast()))
      {
        return missing(noun, name)
      }
    }
    return .notFound("There is nothing at \(shown(request.path)).")
  }

  /// The problem document for the request with the ID `instance`. `realm` is what a caller needs a
  /// key for (``APISettings/realm``).
  func document(instance: String, realm: String) -> Problem {
    var fields = Fields()
    if let retryAfter { fields.append("Retry-After", String(retryAfter)) }
    if let location { fields.append("Location", location) }
    if let challenge {
      // A quoted string (RFC 9110 section 5.6.4).
      var quoted = ""
      for character in realm {
        if character == "\"" || character == "\\" { quoted.append("\\") }
        quoted.append(character)
      }
      if offersBasic {
        fields.append("WWW-Authenticate", "Basic realm=\"\(quoted)\", charset=\"UTF-8\"")
      }
      fields.append("WWW-Authenticate", "Bearer realm=\"\(quoted)\"\(challenge)")
    }
    let errors = errors
    let cause = cause
    var members: (@Sendable (inout JSONObjectWriter) -> Void)?
    if !errors.isEmpty || cause != nil {
      members = { object in
        if let cause {
          object.member("operation", cause.operation)
          object.member("cause", cause.type.path)
          object.member("causeStatus", Int(cause.type.status.rawValue))
        }
        if errors.isEmpty { return }
        object.member("errors") { buffer in
          JSONWriter.array(into: buffer) { array in
            for error in errors { array.element { error.write(to: $0) } }
          }
        }
      }
    }
    return Problem(
      type, detail: detail, instance: "urn:request:\(instance)", fields: fields, members: members)
  }
}

/// One fault in a body or a query, an element of the `errors` member of a problem document.
public struct FieldError: Hashable, Sendable {
  /// Where a fault is.
  public enum Place: Hashable, Sendable {
    /// A JSON Pointer into the body (RFC 6901).
    case pointer(String)
    /// The name of a query parameter.
    case parameter(String)
  }

  /// The maximum number of faults in one problem, so that a small request cannot cause a large
  /// response.
  static let most = 100

  /// The member or parameter at fault.
  public var place: Place
  /// The fault, and what was expected.
  public var detail: String

  /// Creates a fault.
  public init(_ place: Place, _ detail: String) {
    self.place = place
    self.detail = detail
  }

  func write(to buffer: ByteBuffer) {
    JSONWriter.object(into: buffer) { object in
      switch place {
      case .pointer(let pointer): object.member("pointer", pointer)
      case .parameter(let name): object.member("parameter", name)
      }
      object.member("detail", detail)
    }
  }
}
