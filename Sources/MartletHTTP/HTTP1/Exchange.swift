/// What a connection knows of one request and its answer; the request's storage may be gone before the answer is.
struct Exchange {
  var isHead = false
  /// Whether the request changes nothing: an answer that says that nothing was done is true of it.
  var isGet = false
  var isHTTP10 = false
  /// Whether the client wants to send another request on the connection.
  var mayPersist = true
  /// Whether a short body that its route does not want is skipped.
  var skipsBody = false

  /// What the answer tells the client of its rate of requests.
  var standing: RateStanding?
  /// Further lines of the answer.
  var more = Fields.none
  /// Whether the answer that is being sent is the connection's last one.
  var isLastAnswer = false
  /// Whether the answer may be cut off by closing at once: the client may be sending still.
  var lingers = false
  /// The content that is being sent has no more for now.
  var awaitsContent = false
  /// How much of it was given to the socket, in bytes.
  var sent = 0
  /// The end of the connection is that of the answer's content (HTTP/1.0).
  var endsWithConnection = false
  /// When the event stream ends that the answer is.
  var streamEnd = Int64.max
}
