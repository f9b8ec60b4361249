extension HTTP1 {
  /// The next step of the owner of the socket.
  enum Action {
    /// Nothing, until bytes arrive, a response is made, output is sent, or time passes.
    case wait
    /// Set the limit of this request's body (``HTTP1/readBody(most:)``) or answer it, now or later.
    case admit(Request)
    /// Call the handler, and pass its response to ``HTTP1/send(_:)``.
    case dispatch(Request)
    /// Send the head in ``LoopState/head``, then this body.
    case write(Response.Body)
    /// Send a piece of the response's content, then call ``HTTP1/wrote(queued:didMove:)`` or
    /// ``HTTP1/endContent()``, or set ``Exchange/awaitsContent``.
    case feed
    /// Answer the request that was dispatched or is to be admitted, because its handler has timed
    /// out.
    case giveUp
    /// Send a comment line on the silent event stream.
    case heartbeat
    /// End the event stream, because it has reached its lifetime.
    case rotate
    /// Close the sending side, but continue to read.
    case halfClose
    /// Close the socket.
    case close
  }
}
