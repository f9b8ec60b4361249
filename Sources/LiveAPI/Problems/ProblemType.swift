import HTTPServer

/// Every kind of problem that the API answers with: its slug, status and title. Stable: clients tell
/// problems apart by the type.
///
/// `docs/problems.md` and `openapi.yaml` have an entry for each; tests hold them together.
public enum ProblemType: String, CaseIterable, Sendable {
  case badRequest = "bad-request"
  case malformedJSON = "malformed-json"
  case unknownParameter = "unknown-parameter"
  case invalidParameter = "invalid-parameter"
  case invalidCursor = "invalid-cursor"
  case invalidIdempotencyKey = "invalid-idempotency-key"
  case unauthorized
  case forbidden
  case crossOrigin = "cross-origin"
  case notFound = "not-found"
  case methodNotAllowed = "method-not-allowed"
  case notAcceptable = "not-acceptable"
  case requestTimeout = "request-timeout"
  case tooManyTags = "too-many-tags"
  case tagExists = "tag-exists"
  case preconditionFailed = "precondition-failed"
  case payloadTooLarge = "payload-too-large"
  case uriTooLong = "uri-too-long"
  case unsupportedMediaType = "unsupported-media-type"
  case expectationFailed = "expectation-failed"
  case misdirectedRequest = "misdirected-request"
  case invalidBody = "invalid-body"
  case unknownList = "unknown-list"
  case idempotencyKeyReused = "idempotency-key-reused"
  case batchFailed = "batch-failed"
  case changeTooLarge = "change-too-large"
  case resultTooLarge = "result-too-large"
  case rateLimited = "rate-limited"
  case headersTooLarge = "headers-too-large"
  case internalError = "internal"
  case outcomeUnknown = "outcome-unknown"
  case notImplemented = "not-implemented"
  case overloaded
  case queryTimeout = "query-timeout"
  case httpVersion = "http-version"
  case storageFull = "storage-full"

  /// The document's `type`.
  public var path: String { "/problems/\(rawValue)" }

  public var status: Status {
    switch self {
    case .badRequest, .malformedJSON, .unknownParameter, .invalidParameter, .invalidCursor,
      .invalidIdempotencyKey:
      .badRequest
    case .unauthorized: .unauthorized
    case .forbidden, .crossOrigin: .forbidden
    case .notFound: .notFound
    case .methodNotAllowed: .methodNotAllowed
    case .notAcceptable: .notAcceptable
    case .requestTimeout: .requestTimeout
    case .tooManyTags, .tagExists: .conflict
    case .preconditionFailed: .preconditionFailed
    case .payloadTooLarge: .contentTooLarge
    case .uriTooLong: .uriTooLong
    case .unsupportedMediaType: .unsupportedMediaType
    case .expectationFailed: .expectationFailed
    case .misdirectedRequest: .misdirectedRequest
    case .invalidBody, .unknownList, .idempotencyKeyReused, .batchFailed, .changeTooLarge,
      .resultTooLarge:
      .unprocessableContent
    case .rateLimited: .tooManyRequests
    case .headersTooLarge: .requestHeaderFieldsTooLarge
    case .internalError, .outcomeUnknown: .internalServerError
    case .notImplemented: .notImplemented
    case .overloaded, .queryTimeout: .serviceUnavailable
    case .httpVersion: .versionNotSupported
    case .storageFull: .insufficientStorage
    }
  }

  /// Whether it says that a limit works as it should, which is for the client to act on: no fault that an
  /// operator has to look into, however often it comes.
  public var isRefusal: Bool {
    switch self {
    case .overloaded, .queryTimeout, .rateLimited: true
    default: status.rawValue < 500
    }
  }

  public var title: String {
    switch self {
    case .badRequest: "Bad request"
    case .malformedJSON: "Malformed JSON"
    case .unknownParameter: "Unknown parameter"
    case .invalidParameter: "Invalid parameter"
    case .invalidCursor: "Invalid cursor"
    case .invalidIdempotencyKey: "Invalid Idempotency-Key"
    case .unauthorized: "Unauthorized"
    case .forbidden: "Forbidden"
    case .crossOrigin: "Cross-origin write"
    case .notFound: "Not found"
    case .methodNotAllowed: "Method not allowed"
    case .notAcceptable: "Not acceptable"
    case .requestTimeout: "Request timeout"
    case .tooManyTags: "Too many tags"
    case .tagExists: "Tag exists"
    case .preconditionFailed: "Precondition failed"
    case .payloadTooLarge: "Payload too large"
    case .uriTooLong: "URI too long"
    case .unsupportedMediaType: "Unsupported media type"
    case .expectationFailed: "Expectation failed"
    case .misdirectedRequest: "Misdirected request"
    case .invalidBody: "Invalid body"
    case .unknownList: "Unknown list"
    case .idempotencyKeyReused: "Idempotency-Key reused"
    case .batchFailed: "Batch failed"
    case .changeTooLarge: "Change too large"
    case .resultTooLarge: "Result too large"
    case .rateLimited: "Rate limited"
    case .headersTooLarge: "Header fields too large"
    case .internalError: "Internal error"
    case .outcomeUnknown: "Outcome unknown"
    case .notImplemented: "Not implemented"
    case .overloaded: "Overloaded"
    case .queryTimeout: "Query timeout"
    case .httpVersion: "HTTP version not supported"
    case .storageFull: "Storage full"
    }
  }
}
