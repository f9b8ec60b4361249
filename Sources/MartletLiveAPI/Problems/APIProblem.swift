import MartletHTTP
import MartletJSON

/// A refusal on its way to the client: what kind, what in particular, and which members or parameters
/// are at fault.
public struct APIProblem: Error, Sendable {
  public var type: ProblemType
  public var detail: String
  public var errors: [FieldError]
  /// Seconds after which to try again.
  public var retryAfter: Int?
  /// Which part of a batch it was, and what kind of problem.
  struct Cause: Sendable {
    var operation: Int
    var type: ProblemType
  }
  var cause: Cause?
  /// What would let the client in (RFC 9110 section 11.6.1).
  var challenge: String?

  public init(
    _ type: ProblemType, _ detail: String, errors: [FieldError] = [], retryAfter: Int? = nil
  ) {
    self.type = type
    self.detail = detail
    self.errors = errors
    self.retryAfter = retryAfter
  }

  /// The same, of a body that is part of another one.
  func within(_ pointer: String) -> APIProblem {
    var problem = self
    problem.errors = errors.map { error in
      guard case .pointer(let inner) = error.place else { return error }
      return FieldError(.pointer(pointer + inner), error.detail)
    }
    return problem
  }

  /// What a credential was that does not let in.
  enum Credentials { case missing, invalid }

  static func unauthorized(_ detail: String, _ shown: Credentials) -> APIProblem {
    var problem = APIProblem(.unauthorized, detail)
    problem.challenge =
      shown == .missing
      ? "Bearer realm=\"martlet\"" : "Bearer realm=\"martlet\", error=\"invalid_token\""
    return problem
  }

  /// `needs`: the scope that would do.
  static func forbidden(_ detail: String, needs scope: Rights.Scope) -> APIProblem {
    var problem = APIProblem(.forbidden, detail)
    problem.challenge =
      "Bearer realm=\"martlet\", error=\"insufficient_scope\", scope=\"\(scope.rawValue)\""
    return problem
  }

  public static func notFound(_ what: String) -> APIProblem { APIProblem(.notFound, what) }

  /// `There is no list 7.`, `There is no tag "car".`
  public static func missing(_ noun: String, _ name: String) -> APIProblem {
    let isNumber =
      (1...20).contains(name.utf8.count) && name.utf8.allSatisfy { (48...57).contains($0) }
    return .notFound("There is no \(noun) \(isNumber ? name : shown(name)).")
  }

  /// What a path stands for that a route knows and that is not there: named by the first word before a parameter that is
  /// one of `nouns`.
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

  /// The document, for the request with this id.
  func document(instance: String) -> Problem {
    var fields = Fields()
    if let retryAfter { fields.append("Retry-After", String(retryAfter)) }
    if let challenge { fields.append("WWW-Authenticate", challenge) }
    let errors = errors
    let cause = cause
    var members: (@Sendable (inout JSONObjectWriter) -> Void)?
    if !errors.isEmpty || cause != nil {
      members = { object in
        if let cause {
          object.member("operation", cause.operation)
          object.member("cause", cause.type.path)
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

/// One fault in a body or a query.
public struct FieldError: Hashable, Sendable {
  public enum Place: Hashable, Sendable {
    /// RFC 6901, into the body.
    case pointer(String)
    /// A query parameter's name.
    case parameter(String)
  }

  /// How many faults one problem lists: a small request is not to get a large answer.
  static let most = 100

  public var place: Place
  /// What is wrong, and what would have been right.
  public var detail: String

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
