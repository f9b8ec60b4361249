import Synchronization

/// Answers one request later, from any thread, once. When the last reference goes without an
/// answer, the client gets 500.
///
///     .later { responder in
///       let work = queue.add { responder.respond(Response(body: .bytes($0))) }
///       responder.onCancel { work.cancel() }
///     }
public final class Responder: Sendable {
  private enum State {
    /// With what is to be told of a cancellation. `isCommitted`: what the request asks for may be done by now.
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

  /// Sends the answer. A second one is ignored. A connection that is gone by then drops it.
  /// ``Response/Body/scratch`` means nothing here and is sent as an empty body.
  public func respond(_ response: Response) {
    var response = response
    if case .scratch = response.body { response.body = .none }
    answer(.respond(response))
  }

  /// Goes on with the request on its loop, where what `body` gives is its outcome.
  public func proceed(_ body: @escaping @Sendable (RequestContext) -> Outcome) {
    answer(.onLoop(body))
  }

  /// Starts an event stream as the answer.
  public func stream(_ stream: StreamResponse) { answer(.stream(stream)) }

  /// Calls `body` once if nobody waits for the answer any more before it is given: the connection
  /// has closed, or ``Limits/handlerTimeout`` is over. On the connection's loop, or at once when
  /// that has happened already; never after an answer, with which `body` is let go.
  ///
  /// A client that has only closed its own side still waits, except for
  /// ``Outcome/laterStream(_:)``.
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

  /// To be called right before what the request asks for is made to stay, as before a commit. False where the request
  /// was given up meanwhile: its client was told that nothing was done, and nothing may be done. From here on a
  /// client whose time is over is told that the outcome is unknown.
  public func commit() -> Bool {
    state.withLock { state in
      guard case .waiting(let bodies, _) = state else { return false }
      state = .waiting(bodies, isCommitted: true)
      return true
    }
  }

  /// Whether an answer would reach nobody, so that the work for it can be spared.
  public var isCancelled: Bool {
    state.withLock { if case .cancelled = $0 { true } else { false } }
  }

  var isAnswered: Bool {
    state.withLock { if case .answered = $0 { true } else { false } }
  }

  /// On the connection's loop: nobody waits for the answer any more. Gives whether what the request asks for may
  /// be done by now; `nil` where it was answered before.
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

  /// Ends the waiting. `nil` when it has ended before; otherwise what would be told of a
  /// cancellation, which is thus let go outside of the lock.
  private func finish(_ end: State) -> (bodies: [@Sendable () -> Void], isCommitted: Bool)? {
    state.withLock { state in
      guard case .waiting(let bodies, let isCommitted) = state else { return nil }
      state = end
      return (bodies, isCommitted)
    }
  }
}
