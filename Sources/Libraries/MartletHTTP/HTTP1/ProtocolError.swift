/// An error that the server answers itself, instead of a route.
public struct ProtocolError: Error, Sendable {
  /// The problem type. Several errors can have the same type; `detail` distinguishes them.
  public let kind: ProblemType
  /// The fault, for the client. Never contains anything that the client sent.
  public let detail: String
  /// The section that requires it, such as `RFC 9112 3.2`, or `limit` or `policy`.
  public let section: StaticString

  init(_ kind: ProblemType, _ detail: String, _ section: StaticString) {
    self.kind = kind
    self.detail = detail
    self.section = section
  }

  /// The status of the response.
  public var status: Status { kind.status }

  /// A request that violates the grammar: 400.
  static func malformed(_ detail: String, _ section: StaticString) -> ProtocolError {
    ProtocolError(.badRequest, detail, section)
  }

  static func targetTooLong(_ limits: Limits) -> ProtocolError {
    ProtocolError(
      .uriTooLong, "The request line is longer than \(limits.requestLine) bytes.", "limit")
  }
  static func headTooLarge(_ limits: Limits) -> ProtocolError {
    ProtocolError(
      .headersTooLarge,
      "A header field exceeds \(limits.fieldLine) bytes, or all together exceed \(limits.headerSection).",
      "limit")
  }
  static func tooManyFields(_ limits: Limits) -> ProtocolError {
    ProtocolError(
      .headersTooLarge, "The request has more than \(limits.fieldCount) header fields.", "limit")
  }
  static func trailerTooLarge(_ limits: Limits) -> ProtocolError {
    ProtocolError(
      .headersTooLarge,
      "The trailer exceeds \(limits.trailerSection) bytes or \(limits.trailerCount) fields.",
      "limit")
  }
  /// A body that exceeds the limit of its route. `most` is the limit in bytes.
  static func contentTooLarge(most: Int) -> ProtocolError {
    ProtocolError(
      .payloadTooLarge, "The body is larger than the \(most) bytes that this route reads.", "limit")
  }
  static let unknownMethod = ProtocolError(
    .notImplemented, "The method is not known to this server.", "RFC 9110 9.1")
  static let unknownCoding = ProtocolError(
    .notImplemented, "The only supported transfer coding is chunked.", "RFC 9112 6.1")
  static let versionNotSupported = ProtocolError(
    .httpVersion, "This server speaks HTTP/1.1 and HTTP/1.0.", "RFC 9110 2.5")
  static let unknownExpectation = ProtocolError(
    .expectationFailed, "The only supported expectation is 100-continue.", "RFC 9110 10.1.1")
  static let misdirected = ProtocolError(
    .misdirectedRequest, "This server does not serve that host.", "policy")
  static let headTimeout = ProtocolError(
    .requestTimeout, "The header section did not arrive in time.", "limit")
  static let bodyTimeout = ProtocolError(
    .requestTimeout, "The body did not arrive in time.", "limit")
  static let tooManyConnections = ProtocolError(
    .overloaded, "Too many connections are open. Try again later.", "limit")
  static let tooManyStreams = ProtocolError(
    .overloaded, "Too many event streams are open. Try again later.", "limit")
  static let tooManyRequests = ProtocolError(
    .rateLimited, "This address has sent too many requests. Try again later.", "limit")
  static let tooManyBodies = ProtocolError(
    .overloaded, "The server has no room for more request bodies. Try again later.", "limit")
  static let tooMuchOutput = ProtocolError(
    .overloaded, "Too many responses wait for slow clients. Try again later.", "limit")
  static let handlerTimeout = ProtocolError(
    .overloaded, "The request timed out. Nothing was done.", "limit"
  )
  static let outcomeUnknown = ProtocolError(
    .outcomeUnknown,
    "The request timed out while its change was being saved. Check whether it was saved.",
    "limit")
  static let noAnswer = ProtocolError(
    .internalError, "Internal error: the server did not produce a response.", "policy")
}
