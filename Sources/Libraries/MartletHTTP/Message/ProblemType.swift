/// A type of problems, with the status and the title that its problems have in common (RFC 9457
/// section 3.1.1).
///
/// The types of this module are static members. A service adds its own:
///
///     extension ProblemType {
///       static let allLent = ProblemType("all-lent", .conflict, "All copies are lent")
///     }
public struct ProblemType: Sendable {
  /// The last part of ``path``. Two types are equal if their slugs are.
  public let slug: String
  /// The status of responses with this problem.
  public let status: Status
  /// The `title` of the document.
  public let title: String
  /// Whether the server refused the request as intended, because of the request or a limit, and did
  /// not fail. The client has to act on it, and it is not an error that an operator has to
  /// investigate, however often it occurs.
  public let isRefusal: Bool

  /// Makes a problem type.
  ///
  /// `slug` consists of lowercase words with hyphens; anything else is a programming error that
  /// stops the process. `isRefusal` defaults to true for every status below 500.
  public init(_ slug: String, _ status: Status, _ title: String, isRefusal: Bool? = nil) {
    precondition(
      !slug.isEmpty && slug.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x2D },
      "a problem's slug must be lowercase words with hyphens: \(slug)")
    self.slug = slug
    self.status = status
    self.title = title
    self.isRefusal = isRefusal ?? (status.rawValue < 500)
  }

  /// The document's `type`, such as `/problems/not-found`.
  public var path: String { "/problems/\(slug)" }
}

extension ProblemType: Hashable {
  public static func == (one: ProblemType, other: ProblemType) -> Bool { one.slug == other.slug }

  public func hash(into hasher: inout Hasher) { hasher.combine(slug) }
}

/// The problems that the server itself reports.
extension ProblemType {
  /// 400: The request is malformed.
  public static let badRequest = Self("bad-request", .badRequest, "Bad request")
  /// 408: The request did not arrive in time.
  public static let requestTimeout = Self("request-timeout", .requestTimeout, "Request timeout")
  /// 413: The body exceeds the limit of its route.
  public static let payloadTooLarge = Self(
    "payload-too-large", .contentTooLarge, "Payload too large")
  /// 414: The request line exceeds its limit.
  public static let uriTooLong = Self("uri-too-long", .uriTooLong, "URI too long")
  /// 417: The `Expect` field has an unsupported expectation.
  public static let expectationFailed = Self(
    "expectation-failed", .expectationFailed, "Expectation failed")
  /// 421: The requested host is not served.
  public static let misdirectedRequest = Self(
    "misdirected-request", .misdirectedRequest, "Misdirected request")
  /// 431: The header section or the trailer section exceeds its limits.
  public static let headersTooLarge = Self(
    "headers-too-large", .requestHeaderFieldsTooLarge, "Header fields too large")
  /// 429: The client exceeded its rate limit.
  public static let rateLimited = Self("rate-limited", .tooManyRequests, "Rate limited")
  /// 500: The server has an internal error.
  public static let internalError = Self("internal", .internalServerError, "Internal error")
  /// 500: Whether a change was saved is unknown, after a timeout or a disk error.
  public static let outcomeUnknown = Self(
    "outcome-unknown", .internalServerError, "Outcome unknown")
  /// 501: The method or the transfer coding is not supported.
  public static let notImplemented = Self("not-implemented", .notImplemented, "Not implemented")
  /// 503: A limit of the server is reached.
  public static let overloaded = Self(
    "overloaded", .serviceUnavailable, "Overloaded", isRefusal: true)
  /// 505: The HTTP version is not supported.
  public static let httpVersion = Self(
    "http-version", .versionNotSupported, "HTTP version not supported")

  /// All problem types of this module.
  public static let ofHTTP = [
    badRequest, requestTimeout, payloadTooLarge, uriTooLong, expectationFailed, misdirectedRequest,
    headersTooLarge, rateLimited, internalError, outcomeUnknown, notImplemented, overloaded,
    httpVersion,
  ]
}
