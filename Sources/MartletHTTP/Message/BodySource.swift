import MartletJSON

/// An answer's content that is made while it is sent, in constant memory.
///
/// Pulled, never pushed: it is asked for a piece when the socket has taken all of those before, so that a slow client
/// makes nobody wait but itself. It is sent in chunks (RFC 9112 section 7.1), to HTTP/1.0 up to the end of the
/// connection.
public protocol BodySource: AnyObject, Sendable {
  /// The head is on its way. `wake` is called from any thread when there is more to read than there was, or the end.
  func start(_ wake: @escaping @Sendable () -> Void)
  /// Appends at most `most` bytes. Called on the connection's loop; must not wait.
  func read(upTo most: Int, into buffer: ByteBuffer) -> BodyProgress
  /// Nobody will read any more, whether all was read or not. Not called where the answer never came to its connection: the
  /// source is then let go.
  func stop()
}

/// What came of asking a ``BodySource``.
public enum BodyProgress: Sendable {
  /// There are bytes, and there may be more.
  case more
  /// There is nothing now; the source wakes who reads it.
  case wait
  /// That was all.
  case end
  /// The rest cannot be had. The connection is cut, so that nobody takes a part for the whole (RFC 9112 section 8).
  case failed
}
