import Synchronization

/// Answers one request later, from any thread, exactly once.
///
/// If the last reference is released without an answer, the client gets 500.
///
///     .later { responder in
///       let work = queue.add { responder.respond(Response(body: .bytes($0))) }
///       responder.onCancel { work.cancel() }
///     }
public final class Responder: Sendable {
  private enum State {
    /// No answer yet, with the handlers of a cancellation. `isCommitted` is true once the request's
    /// effects may be permanent.
    case waiting([@Sendable () -> Void], isCommitted: Bool)
    case answered
    case cancelled
  }

  private let mailbox: Mailbox
  private let connection: ConnectionID
  private let state = Mutex(State.waiting([], isCommitted: false))

  init(mailbox: Mailbox, connection: ConnectionID) {
    self.mailbox = mailbox
    self.connection = connection
  }

  deinit {
    answer(.respond(Problem(.noAnswer).response()))
  }

  /// Sends the response.
  ///
  /// A second response is ignored, and one for a closed connection is dropped.
  /// ``Response/Body/scratch`` cannot be used here and is sent as an empty body.
  public func respond(_ response: Response) {
    var response = response
    if case .scratch = response.body { response.body = .none }
    answer(.respond(response))
  }

  /// Calls `body` on the request's event loop and continues with its outcome.
  public func proceed(_ body: @escaping @Sendable (RequestContext) -> Outcome) {
    answer(.onLoop(body))
  }

  /// Starts an event stream as the response.
  public func stream(_ stream: StreamResponse) { answer(.stream(stream)) }

  /// Registers a closure that is called once if the request is canceled: its connection closed, or
  /// ``Limits/handlerTimeout`` passed.
  ///
  /// The closure runs on the connection's event loop, or immediately if the request is already
  /// canceled. It never runs after an answer, which releases it. A client that has only closed its
  /// sending side still waits, except with ``Outcome/laterStream(_:)``.
  public func onCancel(_ body: @escaping @Sendable () -> Void) {
    let isLate = state.withLock { state in
      switch state {
      case .waiting(let bodies, let isCommitted):
        state = .waiting(bodies + [body], isCommitted: isCommitted)
        return false
      case .answered: return false
      case .cancelled: return true
      }
    }
    if isLate { body() }
  }

  /// Marks the request as committed. Call it right before its effects become permanent, for example
  /// before a commit.
  ///
  /// Returns false if the request was canceled. Its client has been told that nothing was changed,
  /// so the caller must not commit. After a successful call, a timeout reports an unknown outcome
  /// to the client.
  public func commit() -> Bool {
    state.withLock { state in
      guard case .waiting(let bodies, _) = state else { return false }
      state = .waiting(bodies, isCommitted: true)
      return true
    }
  }

  /// Whether the request was canceled, so that work for its answer is useless.
  public var isCancelled: Bool {
    state.withLock { if case .cancelled = $0 { true } else { false } }
  }

  var isAnswered: Bool {
    state.withLock { if case .answered = $0 { true } else { false } }
  }

  /// Cancels the request, on the connection's event loop.
  ///
  /// Returns whether the request's effects may be permanent. `nil` if it was answered or canceled
  /// before.
  @discardableResult
  func cancel() -> Bool? {
    guard let (bodies, isCommitted) = finish(.cancelled) else { return nil }
    for body in bodies { body() }
    return isCommitted
  }

  private func answer(_ outcome: Outcome) {
    guard finish(.answered) != nil else { return }
    mailbox.post(.answer(connection, outcome))
  }

  /// Ends the waiting state and returns the cancellation handlers, so that they are released
  /// outside of the lock. `nil` if it has already ended.
  private func finish(_ end: State) -> (bodies: [@Sendable () -> Void], isCommitted: Bool)? {
    state.withLock { state in
      guard case .waiting(let bodies, let isCommitted) = state else { return nil }
      state = end
      return (bodies, isCommitted)
    }
  }
}
