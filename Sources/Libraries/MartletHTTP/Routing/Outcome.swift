/// The result of a handler, which the server turns into a response.
public enum Outcome: Sendable {
  /// Sends this response now.
  case respond(Response)
  /// Sends a response later.
  ///
  /// The server calls the closure at once on the event loop and passes a ``Responder``, which can
  /// answer from any thread.
  case later(@Sendable (Responder) -> Void)
  /// Starts an event stream later, like ``later(_:)``.
  ///
  /// A client that closes its sending side while it waits is considered gone, as it is during a
  /// stream (``Responder/onCancel(_:)``).
  case laterStream(@Sendable (Responder) -> Void)
  /// Starts an event stream, which is the last response of its connection.
  case stream(StreamResponse)
  /// Calls the closure on the connection's event loop and continues with its outcome. It leads from
  /// another thread back to the loop (``Responder/proceed(_:)``).
  case onLoop(@Sendable (RequestContext) -> Outcome)
  /// Reads the body of the request and then passes this request to the route's handler. Only valid
  /// from the `admit` closure of a route (``Router/on(_:_:bodyLimit:admit:_:)``).
  case readBody(Request)
  /// Adds fields to the response of another outcome, whenever that response is sent.
  indirect case adding(Fields, Outcome)
}
