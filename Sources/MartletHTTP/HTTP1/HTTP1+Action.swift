extension HTTP1 {
  /// What the owner of the socket has to do next.
  enum Action {
    /// Nothing, until more bytes come in, an answer is given, output gets away, or time passes.
    case wait
    /// Say how large this request's body may be (``HTTP1/readBody(most:)``), or answer it; now or later.
    case admit(Request)
    /// Call the handler, and give its answer to ``HTTP1/send(_:)``.
    case dispatch(Request)
    /// Send the head in ``LoopState/head``, then this body.
    case write(Response.Body)
    /// Send a piece of the answer's content, which is made meanwhile; then ``HTTP1/wrote(queued:didMove:)`` or
    /// ``HTTP1/endContent()``, or ``HTTP1/awaitsContent``.
    case feed
    /// Answer the request that was dispatched, or that is to be admitted: there was the time there may be.
    case giveUp
    /// A comment line for the event stream, which was silent.
    case heartbeat
    /// The event stream has gone on long enough.
    case rotate
    /// Send no more, but go on reading.
    case halfClose
    case close
  }
}
