/// The state of one request and its response. The request's storage can be gone before the response
/// is.
struct Exchange {
  var isHead = false
  /// Whether the request is a GET, so that a response can truthfully say that nothing was changed.
  var isGet = false
  var isHTTP10 = false
  /// Whether the client wants to send another request on the connection.
  var mayPersist = true
  /// Whether a short body that the route refuses is skipped.
  var skipsBody = false

  /// The state of the client's rate limit, for the response's fields.
  var standing: RateLimitStatus?
  /// Additional fields of the response.
  var more = Fields.none
  /// Whether the response is the last one on the connection.
  var isLastAnswer = false
  /// Whether to keep reading after the last response, because the client may still be sending and
  /// closing at once could discard the response.
  var lingers = false
  /// Whether the content that is being sent has no more bytes for now.
  var awaitsContent = false
  /// The number of bytes of that content that were passed to the socket.
  var sent = 0
  /// Whether the end of the connection marks the end of the content (HTTP/1.0).
  var endsWithConnection = false
  /// The time at which the event stream ends.
  var streamEnd = Int64.max
}
