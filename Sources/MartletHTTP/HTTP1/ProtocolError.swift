/// A request that is not answered by a route but by the server: what is wrong, and who says so.
public struct ProtocolError: Error, Sendable {
  /// Several errors may be of one kind; `detail` says which.
  public let kind: ProblemType
  /// What was expected, for the sender of the request. Never holds anything the sender sent.
  public let detail: String
  /// The section that demands it, `RFC 9112 3.2`; or `limit` or `policy`.
  public let section: StaticString

  init(_ kind: ProblemType, _ detail: String, _ section: StaticString) {
    self.kind = kind
    self.detail = detail
    self.section = section
  }

  public var status: Status { kind.status }

  /// A request that does not follow the grammar: 400.
  static func malformed(_ detail: String, _ section: StaticString) -> ProtocolError {
    ProtocolError(.badRequest, detail, section)
  }

  static func targetTooLong(_ limits: Limits) -> ProtocolError {
    ProtocolError(
      .uriTooLong, "A request line has at most \(limits.requestLine) bytes here.", "limit")
  }
  static func headTooLarge(_ limits: Limits) -> ProtocolError {
    ProtocolError(
      .headersTooLarge,
      "A header field has at most \(limits.fieldLine) bytes here, all together \(limits.headerSection).",
      "limit")
  }
  static func tooManyFields(_ limits: Limits) -> ProtocolError {
    ProtocolError(
      .headersTooLarge, "A request has at most \(limits.fieldCount) header fields here.", "limit")
  }
  static func trailerTooLarge(_ limits: Limits) -> ProtocolError {
    ProtocolError(
      .headersTooLarge,
      "A trailer has at most \(limits.trailerSection) bytes in \(limits.trailerCount) fields here.",
      "limit")
  }
  /// `most`: what the route reads, in bytes.
  static func contentTooLarge(most: Int) -> ProtocolError {
    ProtocolError(
      .payloadTooLarge, "The body is larger than the \(most) bytes that this route reads.", "limit")
  }
  static let unknownMethod = ProtocolError(
    .notImplemented, "The method is not known to this server.", "RFC 9110 9.1")
  static let unknownCoding = ProtocolError(
    .notImplemented, "The only transfer coding read is chunked.", "RFC 9112 6.1")
  static let versionNotSupported = ProtocolError(
    .httpVersion, "This server speaks HTTP/1.1 and HTTP/1.0.", "RFC 9110 2.5")
  static let unknownExpectation = ProtocolError(
    .expectationFailed, "The only expectation met is 100-continue.", "RFC 9110 10.1.1")
  static let misdirected = ProtocolError(
    .misdirectedRequest, "This server does not serve that host.", "policy")
  static let headTimeout = ProtocolError(
    .requestTimeout, "The header section did not arrive in time.", "limit")
  static let bodyTimeout = ProtocolError(
    .requestTimeout, "The body did not arrive in time.", "limit")
  static let tooManyConnections = ProtocolError(
    .overloaded, "The server has as many connections as it takes.", "limit")
  static let tooManyStreams = ProtocolError(
    .overloaded, "The server has as many event streams as it takes.", "limit")
  static let tooManyRequests = ProtocolError(
    .rateLimited, "More requests come from this address than the server takes.", "limit")
  static let tooManyBodies = ProtocolError(
    .overloaded, "The server holds as many bytes of request bodies as it takes.", "limit")
  static let tooMuchOutput = ProtocolError(
    .overloaded, "Too many answers wait for clients that do not read them.", "limit")
  static let handlerTimeout = ProtocolError(
    .overloaded, "The answer took longer than this server waits for one. Nothing was done.", "limit"
  )
  static let outcomeUnknown = ProtocolError(
    .outcomeUnknown,
    "The time for an answer was over while the change was being saved. Look whether it is there.",
    "limit")
  static let noAnswer = ProtocolError(.internalError, "The request was not answered.", "policy")
}
