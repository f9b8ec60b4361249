/// A response's status code (RFC 9110 section 15). The reason phrase is always the registered one.
public struct Status: RawRepresentable, Hashable, Sendable {
  public let rawValue: UInt16

  /// `code` outside of 200…599 becomes 500: only the server itself writes interim responses.
  public init(rawValue code: UInt16) {
    rawValue = 200...599 ~= code ? code : 500
  }

  public init(_ code: UInt16) { self.init(rawValue: code) }

  public static let ok = Status(200)
  public static let created = Status(201)
  public static let accepted = Status(202)
  public static let noContent = Status(204)
  public static let movedPermanently = Status(301)
  public static let found = Status(302)
  public static let seeOther = Status(303)
  public static let notModified = Status(304)
  public static let temporaryRedirect = Status(307)
  public static let permanentRedirect = Status(308)
  public static let badRequest = Status(400)
  public static let unauthorized = Status(401)
  public static let forbidden = Status(403)
  public static let notFound = Status(404)
  public static let methodNotAllowed = Status(405)
  public static let notAcceptable = Status(406)
  public static let requestTimeout = Status(408)
  public static let conflict = Status(409)
  public static let gone = Status(410)
  public static let preconditionFailed = Status(412)
  public static let contentTooLarge = Status(413)
  public static let uriTooLong = Status(414)
  public static let unsupportedMediaType = Status(415)
  public static let rangeNotSatisfiable = Status(416)
  public static let expectationFailed = Status(417)
  public static let misdirectedRequest = Status(421)
  public static let unprocessableContent = Status(422)
  public static let preconditionRequired = Status(428)
  public static let tooManyRequests = Status(429)
  public static let requestHeaderFieldsTooLarge = Status(431)
  public static let internalServerError = Status(500)
  public static let notImplemented = Status(501)
  public static let badGateway = Status(502)
  public static let serviceUnavailable = Status(503)
  public static let gatewayTimeout = Status(504)
  public static let versionNotSupported = Status(505)
  public static let insufficientStorage = Status(507)

  public var isError: Bool { rawValue >= 400 }

  /// 204 and 304 never have content (RFC 9110 sections 15.3.5 and 15.4.5).
  var forbidsContent: Bool { rawValue == 204 || rawValue == 304 }

  /// The registered reason phrase; empty for a code without one.
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
