import MartletHTTP

/// The problem types of the library's own routes and helpers.
extension ProblemType {
  /// 400: the body is not valid JSON (RFC 8259).
  public static let malformedJSON = Self("malformed-json", .badRequest, "Malformed JSON")
  /// 400: the query has a parameter that the route does not accept.
  public static let unknownParameter = Self("unknown-parameter", .badRequest, "Unknown parameter")
  /// 400: a parameter of the query or the path has an invalid value.
  public static let invalidParameter = Self("invalid-parameter", .badRequest, "Invalid parameter")
  /// 400: `cursor` was not issued by this server or belongs to another query.
  public static let invalidCursor = Self("invalid-cursor", .badRequest, "Invalid cursor")
  /// 400: `Idempotency-Key` is malformed or was sent more than once.
  public static let invalidIdempotencyKey = Self(
    "invalid-idempotency-key", .badRequest, "Invalid Idempotency-Key")
  /// 401: the request has no credential, or an invalid one.
  public static let unauthorized = Self("unauthorized", .unauthorized, "Unauthorized")
  /// 403: the key is valid but does not permit the request.
  public static let forbidden = Self("forbidden", .forbidden, "Forbidden")
  /// 403: a browser sent a write for a page of an origin that is not allowed to write.
  public static let crossOrigin = Self("cross-origin", .forbidden, "Cross-origin write")
  /// 404: no route matches the path, or the item does not exist.
  public static let notFound = Self("not-found", .notFound, "Not found")
  /// 405: the path exists, but not with this method.
  public static let methodNotAllowed = Self(
    "method-not-allowed", .methodNotAllowed, "Method not allowed")
  /// 406: `Accept` permits none of the available media types.
  public static let notAcceptable = Self("not-acceptable", .notAcceptable, "Not acceptable")
  /// 409: the change conflicts with the stored data. Meant for services; the library itself uses it
  /// only in ``APIProblem/ofConstraint(_:)``.
  public static let conflict = Self("conflict", .conflict, "Conflict")
  /// 409: there are as many valid keys as there can be.
  public static let tooManyKeys = Self("too-many-keys", .conflict, "Too many keys")
  /// 409: the service has no keys, so that a device cannot get one of its own.
  public static let noKeys = Self("no-keys", .conflict, "No keys")
  /// 412: `If-Match` or `If-None-Match` does not hold for the current state.
  public static let preconditionFailed = Self(
    "precondition-failed", .preconditionFailed, "Precondition failed")
  /// 415: the body has a `Content-Encoding`.
  public static let unsupportedMediaType = Self(
    "unsupported-media-type", .unsupportedMediaType, "Unsupported media type")
  /// 422: the body is JSON, but members are missing, unknown or invalid.
  public static let invalidBody = Self("invalid-body", .unprocessableContent, "Invalid body")
  /// 422: a pairing code does not exist, was used, or has expired.
  public static let invalidPairingCode = Self(
    "invalid-pairing-code", .unprocessableContent, "Invalid pairing code")
  /// 422: the `Idempotency-Key` was already used with a different body.
  public static let idempotencyKeyReused = Self(
    "idempotency-key-reused", .unprocessableContent, "Idempotency-Key reused")
  /// 422: one operation of a batch failed, so none was done.
  public static let batchFailed = Self("batch-failed", .unprocessableContent, "Batch failed")
  /// 422: the change would modify more rows than the server permits in one request.
  public static let changeTooLarge = Self(
    "change-too-large", .unprocessableContent, "Change too large")
  /// 422: the result is larger than the server permits.
  public static let resultTooLarge = Self(
    "result-too-large", .unprocessableContent, "Result too large")
  /// 503: a read or a change exceeded its time limit and was interrupted.
  public static let queryTimeout = Self(
    "query-timeout", .serviceUnavailable, "Query timeout", isRefusal: true)
  /// 503: most servers of the cluster cannot be reached, or they are electing a primary.
  public static let noQuorum = Self(
    "no-quorum", .serviceUnavailable, "No quorum", isRefusal: true)
  /// 507: the disk is full.
  public static let storageFull = Self("storage-full", .insufficientStorage, "Storage full")

  /// All problem types of the library, including those of `MartletHTTP`, without ``conflict``.
  public static let ofAPI =
    ofHTTP + [
      malformedJSON, unknownParameter, invalidParameter, invalidCursor, invalidIdempotencyKey,
      unauthorized, forbidden, crossOrigin, notFound, methodNotAllowed, notAcceptable,
      preconditionFailed, unsupportedMediaType, invalidBody, idempotencyKeyReused, batchFailed,
      changeTooLarge, resultTooLarge, queryTimeout, noQuorum, tooManyKeys, noKeys,
      invalidPairingCode,
      storageFull,
    ]
}
