import MartletHTTP

/// What routes answer with, whatever the service is about.
extension ProblemType {
  public static let malformedJSON = Self("malformed-json", .badRequest, "Malformed JSON")
  public static let unknownParameter = Self("unknown-parameter", .badRequest, "Unknown parameter")
  public static let invalidParameter = Self("invalid-parameter", .badRequest, "Invalid parameter")
  public static let invalidCursor = Self("invalid-cursor", .badRequest, "Invalid cursor")
  public static let invalidIdempotencyKey = Self(
    "invalid-idempotency-key", .badRequest, "Invalid Idempotency-Key")
  public static let unauthorized = Self("unauthorized", .unauthorized, "Unauthorized")
  public static let forbidden = Self("forbidden", .forbidden, "Forbidden")
  public static let crossOrigin = Self("cross-origin", .forbidden, "Cross-origin write")
  public static let notFound = Self("not-found", .notFound, "Not found")
  public static let methodNotAllowed = Self(
    "method-not-allowed", .methodNotAllowed, "Method not allowed")
  public static let notAcceptable = Self("not-acceptable", .notAcceptable, "Not acceptable")
  /// What is asked for does not go with what is there. For services; the libraries' own routes do not answer with it.
  public static let conflict = Self("conflict", .conflict, "Conflict")
  public static let preconditionFailed = Self(
    "precondition-failed", .preconditionFailed, "Precondition failed")
  public static let unsupportedMediaType = Self(
    "unsupported-media-type", .unsupportedMediaType, "Unsupported media type")
  public static let invalidBody = Self("invalid-body", .unprocessableContent, "Invalid body")
  public static let idempotencyKeyReused = Self(
    "idempotency-key-reused", .unprocessableContent, "Idempotency-Key reused")
  public static let batchFailed = Self("batch-failed", .unprocessableContent, "Batch failed")
  public static let changeTooLarge = Self(
    "change-too-large", .unprocessableContent, "Change too large")
  public static let resultTooLarge = Self(
    "result-too-large", .unprocessableContent, "Result too large")
  public static let queryTimeout = Self(
    "query-timeout", .serviceUnavailable, "Query timeout", isRefusal: true)
  public static let storageFull = Self("storage-full", .insufficientStorage, "Storage full")

  /// All of them, those of HTTP among them.
  public static let ofAPI =
    ofHTTP + [
      malformedJSON, unknownParameter, invalidParameter, invalidCursor, invalidIdempotencyKey,
      unauthorized, forbidden, crossOrigin, notFound, methodNotAllowed, notAcceptable,
      preconditionFailed, unsupportedMediaType, invalidBody, idempotencyKeyReused, batchFailed,
      changeTooLarge, resultTooLarge, queryTimeout, storageFull,
    ]
}
