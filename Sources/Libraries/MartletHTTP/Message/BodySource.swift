import MartletJSON

/// A source of response content that is produced while it is sent, in constant memory.
///
/// The connection pulls: it reads the next piece when the socket has accepted all earlier ones, so
/// a slow client delays only itself. Content is sent chunked (RFC 9112 section 7.1), to HTTP/1.0
/// clients until the end of the connection.
public protocol BodySource: AnyObject, Sendable {
  /// Called when the response's head is on its way.
  ///
  /// Call `wake`, from any thread, when more content is available or the content has ended.
  func start(_ wake: @escaping @Sendable () -> Void)
  /// Appends at most `most` bytes to `buffer`. Called on the connection's event loop, so it must
  /// not block.
  func read(upTo most: Int, into buffer: ByteBuffer) -> BodyProgress
  /// Called once when nothing more will be read, whether or not all was read.
  ///
  /// Not called if the response never reached its connection; then the source is only released.
  func stop()
}

/// The result of reading from a ``BodySource``.
public enum BodyProgress: Sendable {
  /// Bytes were appended, and there may be more.
  case more
  /// No content is available now. The source calls `wake` when there is.
  case wait
  /// The content is complete.
  case end
  /// The rest of the content cannot be produced. The connection is cut, so that the client does not
  /// mistake a part for the whole (RFC 9112 section 8).
  case failed
}
