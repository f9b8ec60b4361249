/// A request that is not answered by a route but by the server: what is wrong, and who says so.
public struct ProtocolError: Error, Sendable {
  public let status: Status
  /// The last part of the problem's `type`: `/problems/<name>`.
  public let name: StaticString
  /// What was expected, for the sender of the request. Never holds anything the sender sent.
  public let detail: StaticString
  /// The section that demands it, `RFC 9112 3.2`; or `limit` or `policy`.
  public let section: StaticString

  init(
    _ status: Status, _ name: StaticString, _ detail: StaticString, _ section: StaticString
  ) {
    self.status = status
    self.name = name
    self.detail = detail
    self.section = section
  }

  /// A request that does not follow the grammar: 400.
  static func malformed(_ detail: StaticString, _ section: StaticString) -> ProtocolError {
    ProtocolError(.badRequest, "malformed-request", detail, section)
  }

  static let targetTooLong = ProtocolError(
    .uriTooLong, "target-too-long", "The request line is longer than this server reads.", "limit")
  static let headTooLarge = ProtocolError(
    .requestHeaderFieldsTooLarge, "head-too-large",
    "The header section is larger than this server reads.", "limit")
  static let tooManyFields = ProtocolError(
    .requestHeaderFieldsTooLarge, "too-many-fields",
    "The request has more header fields than this server reads.", "limit")
  static let contentTooLarge = ProtocolError(
    .contentTooLarge, "content-too-large", "The body is larger than this route reads.", "limit")
  static let unknownMethod = ProtocolError(
    .notImplemented, "unknown-method", "The method is not known to this server.", "RFC 9110 9.1")
  static let unknownCoding = ProtocolError(
    .notImplemented, "unknown-transfer-coding", "The only transfer coding read is chunked.",
    "RFC 9112 6.1")
  static let versionNotSupported = ProtocolError(
    .versionNotSupported, "version-not-supported", "This server speaks HTTP/1.1 and HTTP/1.0.",
    "RFC 9110 2.5")
  static let unknownExpectation = ProtocolError(
    .expectationFailed, "unknown-expectation", "The only expectation met is 100-continue.",
    "RFC 9110 10.1.1")
  static let misdirected = ProtocolError(
    .misdirectedRequest, "misdirected-request", "This server does not serve that host.", "policy")
  static let headTimeout = ProtocolError(
    .requestTimeout, "request-timeout", "The header section did not arrive in time.", "limit")
  static let bodyTimeout = ProtocolError(
    .requestTimeout, "request-timeout", "The body did not arrive in time.", "limit")
  static let tooManyConnections = ProtocolError(
    .serviceUnavailable, "too-many-connections", "The server has as many connections as it takes.",
    "limit")
  static let tooManyStreams = ProtocolError(
    .serviceUnavailable, "too-many-streams", "The server has as many event streams as it takes.",
    "limit")
  static let noAnswer = ProtocolError(
    .internalServerError, "internal-error", "The request was not answered.", "policy")
}
