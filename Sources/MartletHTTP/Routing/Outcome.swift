/// What a handler gives back: the seam between routes and the server.
public enum Outcome: Sendable {
  case respond(Response)
  /// The answer comes later, from any thread. The closure is called at once, on the loop; it hands
  /// the responder to whoever will answer.
  case later(@Sendable (Responder) -> Void)
  /// The same, where the answer is to be an event stream: a client that closes its side while it
  /// waits is taken to be gone, as it is during a stream (``Responder/onCancel(_:)``).
  case laterStream(@Sendable (Responder) -> Void)
  /// An event stream, the last answer of its connection.
  case stream(StreamResponse)
  /// What the closure gives, which is called on the connection's loop: the way back to it from another
  /// thread (``Responder/proceed(_:)``).
  case onLoop(@Sendable (RequestContext) -> Outcome)
  /// The request's body is to be read, and then this request to be handed to the route's handler. Only from an admission
  /// (``Router/on(_:_:bodyLimit:admit:_:)``).
  case readBody(Request)
  /// An outcome whose answer has these lines besides its own, whenever it comes.
  indirect case adding(Fields, Outcome)
}
