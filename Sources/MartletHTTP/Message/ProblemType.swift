/// A kind of problem: what clients tell problems apart by (RFC 9457 section 3.1.1), with the status and the title that all
/// problems of the kind have.
///
/// Kinds are static members where they belong: those of HTTP here, those of a service in its own code.
///
///     extension ProblemType {
///       static let allLent = ProblemType("all-lent", .conflict, "All copies are lent")
///     }
public struct ProblemType: Sendable {
  /// The last part of ``path``. Two kinds are the same when their slugs are.
  public let slug: String
  public let status: Status
  public let title: String
  /// Whether it says that a limit works as it should, which is for the client to act on: no fault that an operator has
  /// to look into, however often it comes.
  public let isRefusal: Bool

  /// `slug`: lower-case words with hyphens; anything else is a mistake of the program, and stops it. `isRefusal`: unless
  /// it is said, every status below 500.
  public init(_ slug: String, _ status: Status, _ title: String, isRefusal: Bool? = nil) {
    precondition(
      !slug.isEmpty && slug.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x2D },
      "a problem's slug is lower-case words with hyphens: \(slug)")
    self.slug = slug
    self.status = status
    self.title = title
    self.isRefusal = isRefusal ?? (status.rawValue < 500)
  }

  /// The document's `type`: `/problems/not-found`.
  public var path: String { "/problems/\(slug)" }
}

extension ProblemType: Hashable {
  public static func == (one: ProblemType, other: ProblemType) -> Bool { one.slug == other.slug }

  public func hash(into hasher: inout Hasher) { hasher.combine(slug) }
}

/// What the server itself answers with.
extension ProblemType {
  public static let badRequest = Self("bad-request", .badRequest, "Bad request")
  public static let requestTimeout = Self("request-timeout", .requestTimeout, "Request timeout")
  public static let payloadTooLarge = Self(
    "payload-too-large", .contentTooLarge, "Payload too large")
  public static let uriTooLong = Self("uri-too-long", .uriTooLong, "URI too long")
  public static let expectationFailed = Self(
    "expectation-failed", .expectationFailed, "Expectation failed")
  public static let misdirectedRequest = Self(
    "misdirected-request", .misdirectedRequest, "Misdirected request")
  public static let headersTooLarge = Self(
    "headers-too-large", .requestHeaderFieldsTooLarge, "Header fields too large")
  public static let rateLimited = Self("rate-limited", .tooManyRequests, "Rate limited")
  public static let internalError = Self("internal", .internalServerError, "Internal error")
  /// Whether a change was saved is not known.
  public static let outcomeUnknown = Self(
    "outcome-unknown", .internalServerError, "Outcome unknown")
  public static let notImplemented = Self("not-implemented", .notImplemented, "Not implemented")
  public static let overloaded = Self(
    "overloaded", .serviceUnavailable, "Overloaded", isRefusal: true)
  public static let httpVersion = Self(
    "http-version", .versionNotSupported, "HTTP version not supported")

  /// All of them.
  public static let ofHTTP = [
    badRequest, requestTimeout, payloadTooLarge, uriTooLong, expectationFailed, misdirectedRequest,
    headersTooLarge, rateLimited, internalError, outcomeUnknown, notImplemented, overloaded,
    httpVersion,
  ]
}
