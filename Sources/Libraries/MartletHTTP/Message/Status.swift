/// A response's status code (RFC 9110 section 15). The reason phrase is always the registered one.
public struct Status: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  public let rawValue: UInt16

  public var description: String { "\(rawValue)" }

  /// Makes a status. A code outside of 200…599 becomes 500, because only the server itself sends
  /// interim responses.
  public init(rawValue code: UInt16) {
    rawValue = 200...599 ~= code ? code : 500
  }

  /// Makes a status, like ``init(rawValue:)``.
  public init(_ code: UInt16) { self.init(rawValue: code) }

  /// 200 OK (RFC 9110 section 15.3.1).
  public static let ok = Status(200)
  /// 201 Created (RFC 9110 section 15.3.2).
  public static let created = Status(201)
  /// 202 Accepted (RFC 9110 section 15.3.3).
  public static let accepted = Status(202)
  /// 204 No Content (RFC 9110 section 15.3.5).
  public static let noContent = Status(204)
  /// 207 Multi-Status (RFC 4918 section 11.1).
  public static let multiStatus = Status(207)
  /// 301 Moved Permanently (RFC 9110 section 15.4.2).
  public static let movedPermanently = Status(301)
  /// 302 Found (RFC 9110 section 15.4.3).
  public static let found = Status(302)
  /// 303 See Other (RFC 9110 section 15.4.4).
  public static let seeOther = Status(303)
  /// 304 Not Modified (RFC 9110 section 15.4.5).
  public static let notModified = Status(304)
  /// 307 Temporary Redirect (RFC 9110 section 15.4.8).
  public static let temporaryRedirect = Status(307)
  /// 308 Permanent Redirect (RFC 9110 section 15.4.9).
  public static let permanentRedirect = Status(308)
  /// 400 Bad Request (RFC 9110 section 15.5.1).
  public static let badRequest = Status(400)
  /// 401 Unauthorized (RFC 9110 section 15.5.2).
  public static let unauthorized = Status(401)
  /// 403 Forbidden (RFC 9110 section 15.5.4).
  public static let forbidden = Status(403)
  /// 404 Not Found (RFC 9110 section 15.5.5).
  public static let notFound = Status(404)
  /// 405 Method Not Allowed (RFC 9110 section 15.5.6).
  public static let methodNotAllowed = Status(405)
  /// 406 Not Acceptable (RFC 9110 section 15.5.7).
  public static let notAcceptable = Status(406)
  /// 408 Request Timeout (RFC 9110 section 15.5.9).
  public static let requestTimeout = Status(408)
  /// 409 Conflict (RFC 9110 section 15.5.10).
  public static let conflict = Status(409)
  /// 410 Gone (RFC 9110 section 15.5.11).
  public static let gone = Status(410)
  /// 412 Precondition Failed (RFC 9110 section 15.5.13).
  public static let preconditionFailed = Status(412)
  /// 413 Content Too Large (RFC 9110 section 15.5.14).
  public static let contentTooLarge = Status(413)
  /// 414 URI Too Long (RFC 9110 section 15.5.15).
  public static let uriTooLong = Status(414)
  /// 415 Unsupported Media Type (RFC 9110 section 15.5.16).
  public static let unsupportedMediaType = Status(415)
  /// 416 Range Not Satisfiable (RFC 9110 section 15.5.17).
  public static let rangeNotSatisfiable = Status(416)
  /// 417 Expectation Failed (RFC 9110 section 15.5.18).
  public static let expectationFailed = Status(417)
  /// 421 Misdirected Request (RFC 9110 section 15.5.20).
  public static let misdirectedRequest = Status(421)
  /// 422 Unprocessable Content (RFC 9110 section 15.5.21).
  public static let unprocessableContent = Status(422)
  /// 428 Precondition Required (RFC 6585 section 3).
  public static let preconditionRequired = Status(428)
  /// 429 Too Many Requests (RFC 6585 section 4).
  public static let tooManyRequests = Status(429)
  /// 431 Request Header Fields Too Large (RFC 6585 section 5).
  public static let requestHeaderFieldsTooLarge = Status(431)
  /// 500 Internal Server Error (RFC 9110 section 15.6.1).
  public static let internalServerError = Status(500)
  /// 501 Not Implemented (RFC 9110 section 15.6.2).
  public static let notImplemented = Status(501)
  /// 502 Bad Gateway (RFC 9110 section 15.6.3).
  public static let badGateway = Status(502)
  /// 503 Service Unavailable (RFC 9110 section 15.6.4).
  public static let serviceUnavailable = Status(503)
  /// 504 Gateway Timeout (RFC 9110 section 15.6.5).
  public static let gatewayTimeout = Status(504)
  /// 505 HTTP Version Not Supported (RFC 9110 section 15.6.6).
  public static let versionNotSupported = Status(505)
  /// 507 Insufficient Storage (RFC 4918 section 11.5).
  public static let insufficientStorage = Status(507)

  /// Whether the code is 400 or above.
  public var isError: Bool { rawValue >= 400 }

  /// 204 and 304 never have content (RFC 9110 sections 15.3.5 and 15.4.5).
  var forbidsContent: Bool { rawValue == 204 || rawValue == 304 }

  /// The registered reason phrase. Empty for a code without one.
  public var phrase: StaticString {
    switch rawValue {
    case 200: "OK"
    case 201: "Created"
    case 202: "Accepted"
    case 203: "Non-Authoritative Information"
    case 204: "No Content"
    case 205: "Reset Content"
    case 206: "Partial Content"
    case 207: "Multi-Status"
    case 300: "Multiple Choices"
    case 301: "Moved Permanently"
    case 302: "Found"
    case 303: "See Other"
    case 304: "Not Modified"
    case 307: "Temporary Redirect"
    case 308: "Permanent Redirect"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 402: "Payment Required"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 406: "Not Acceptable"
    case 407: "Proxy Authentication Required"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 410: "Gone"
    case 411: "Length Required"
    case 412: "Precondition Failed"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 415: "Unsupported Media Type"
    case 416: "Range Not Satisfiable"
    case 417: "Expectation Failed"
    case 421: "Misdirected Request"
    case 422: "Unprocessable Content"
    case 423: "Locked"
    case 424: "Failed Dependency"
    case 425: "Too Early"
    case 426: "Upgrade Required"
    case 428: "Precondition Required"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 451: "Unavailable For Legal Reasons"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 502: "Bad Gateway"
    case 503: "Service Unavailable"
    case 504: "Gateway Timeout"
    case 505: "HTTP Version Not Supported"
    case 507: "Insufficient Storage"
    default: ""
    }
  }
}
