import Glibc
import MartletJSON

/// One socket and its HTTP connection. No other type reads from or writes to connections.
///
/// It belongs to its event loop. ``HTTP1`` decides what to do, and ``perform(_:)`` does it.
final class Connection {
  let id: ConnectionID
  let peer: Peer
  /// The loop closes its connections before it ends and is the only owner of them. A checked
  /// reference would cost two atomic operations per use, a few percent of a small request.
  unowned(unsafe) let loop: EventLoop
  let descriptor: Int32
  /// The client in whose share this connection's bytes are counted; `nil` if its address has no
  /// share of its own.
  let client: Peer?
  /// Whether the rate limit applies to the peer's own requests. Requests that a trusted proxy
  /// forwards are decided one by one.
  private let isCounted: Bool
  @exclusivity(unchecked) var http: HTTP1
  @exclusivity(unchecked) var output = OutputQueue()
  /// Whether the socket may have bytes to read. epoll reports it only once (edge-triggered).
  @exclusivity(unchecked) private var mayRead = false
  /// The peer has announced the end of its output, so a short read does not mean that everything
  /// was read.
  @exclusivity(unchecked) private var endIsNear = false
  /// The peer has reset the connection. Bytes that it sent before may be unread.
  @exclusivity(unchecked) private var isBroken = false
  /// Whether closing discards the kernel's send buffer and resets the connection.
  @exclusivity(unchecked) private var isReset = false
  @exclusivity(unchecked) var isBlocked = false
  /// How much of this connection's output is counted in the budget.
  @exclusivity(unchecked) var accounted = 0
  @exclusivity(unchecked) private(set) var isClosed = false
  @exclusivity(unchecked) private var isTurning = false
  /// The rest of the current time slice.
  @exclusivity(unchecked) private var share = Turn()
  /// Whether it is in the loop's list of connections with more work.
  @exclusivity(unchecked) var isListed = false
  @exclusivity(unchecked) var stream: EventStream?
  @exclusivity(unchecked) var observed: ObservedRequest?
  /// The responder of the current request, which is canceled if the client goes away. Weak, so that
  /// a responder that is released without an answer is noticed.
  @exclusivity(unchecked) private weak var responder: Responder?
  @exclusivity(unchecked) private var awaitsStream = false
  /// The request whose body is being read, as its route admitted it, and the limit of that body.
  @exclusivity(unchecked) private var admitted: Request?
  @exclusivity(unchecked) private var bodyLimit = 0
  /// The content that is being sent.
  @exclusivity(unchecked) var content: Content?

  init(_ descriptor: Int32, id: ConnectionID, peer: Peer, loop: EventLoop) {
    self.descriptor = descriptor
    self.id = id
    self.peer = peer
    self.loop = loop
    client = loop.connectionCounter.isCounted(peer) ? peer.client : nil
    isCounted = loop.rates != nil && client != nil
    http = HTTP1(loop: loop.state, peer: peer, client: client)
  }

  // MARK: Events

  /// Handles the readiness that epoll reported.
  func ready(_ readiness: Epoll.Readiness) {
    if readiness.contains(.broken) {
      isBroken = true
      // Otherwise read first what came before the reset, up to the error.
      if !readiness.contains(.read) { return perform(http.close()) }
    }
    if readiness.contains(.readEnd) { endIsNear = true }
    closeIfForsaken()
    if !readiness.isDisjoint(with: [.read, .readEnd]) { mayRead = true }
    // Write to a broken socket once more, so that the write fails.
    if !readiness.isDisjoint(with: [.write, .broken]) { isBlocked = false }
    // A listed connection waits for its turn, so a client that keeps sending gets no more turns
    // than others.
    if !isListed { turn() }
  }

  /// Handles the connection's deadline.
  func expire() {
    // The answer is already in the mailbox, behind others.
    if http.isWaitedFor, responder.map(\.isAnswered) ?? true {
      return loop.setDeadline(id, loop.state.now + 1)
    }
    if let expiry = http.expire() {
      loop.observe(.trouble) { .connectionExpired(peer, expiry) }
      // The client reads nothing, so the kernel would keep its data for minutes.
      isReset = expiry == .write
    }
    turn()
  }

  /// Handles the outcome of a request that is answered later.
  func answer(_ outcome: Outcome) {
    guard http.isWaitedFor else { return }
    take(outcome)
    turn()
  }

  /// Closes the connection at once, whatever its state.
  func cut() { perform(http.close()) }

  /// Closes the connection with a reset, so that the client sees an error instead of a regular end.
  func reset() {
    isReset = true
    cut()
  }

  /// Starts the graceful shutdown: idle connections close, streams send their last event, and
  /// requests in progress are still answered.
  func drain() {
    if let stream { stream.sendGoodbye(.shutdown) }
    // A request can be in the socket before epoll reports it. Closing without reading it would
    // reset the connection.
    if !isClosed, http.wantsInput { read() }
    turn()
  }

  // MARK: Time slices

  /// Performs actions and reads, until the socket or the protocol has to wait or the time slice is
  /// used up.
  func turn() {
    guard !isTurning, !isClosed else { return }
    isTurning = true
    share = Turn()
    http.exchange.awaitsContent = false
    while !isClosed {
      let isOver = !advance()
      if isClosed { break }
      if !output.isEmpty {
        if !isBlocked { flush() }
        // Actions that waited for room can continue, and the last response may be gone.
        if !isClosed, !isOver, output.isEmpty { continue }
      }
      if isOver {
        if !isClosed { loop.again(self) }
        break
      }
      guard mayRead, http.wantsInput, !isClosed else { break }
      guard share.takeRead() else {
        loop.again(self)
        break
      }
      read()
    }
    isTurning = false
    guard !isClosed else { return }
    if let stream, canStream { stream.resume() }
    http.settleInput()
    loop.setDeadline(id, http.deadline)
  }

  /// Performs the protocol's actions. Returns false if the time slice is used up before the
  /// requests are.
  private func advance() -> Bool {
    while true {
      let action = http.next()
      if case .wait = action { return true }
      perform(action)
      if http.hasRequestAhead, isTurnOver() { return false }
    }
  }

  private func isTurnOver() -> Bool {
    let state = loop.state
    guard !state.allowsOne else { return true }
    let now = state.nanoseconds()
    state.noteLateness(at: now)
    return share.isOver(at: now)
  }

  /// Whether this time slice allows another piece of content.
  func takePiece() -> Bool { share.takePiece() && !isTurnOver() }

  private func read() {
    let size = HTTP1.readSize
    let count = http.read { recv(descriptor, $0.baseAddress!, $0.count, 0) }
    if count > 0 {
      mayRead = count == size || endIsNear
    } else if count == 0 {
      mayRead = false
    } else {
      switch errno {
      case EINTR: break
      case EAGAIN: mayRead = false
      case ETIMEDOUT:
        loop.observe(.trouble) { .connectionExpired(peer, .write) }
        perform(http.close())
      default: perform(http.close())
      }
    }
  }

  /// Performs an action of ``HTTP1``.
  func perform(_ action: HTTP1.Action) {
    switch action {
    case .wait: break
    case .admit(let request): if begin(request) { admit(request) }
    // A request with a body was counted when it was admitted.
    case .dispatch(let request):
      if request.storage.hasBody {
        dispatch(admitted.take() ?? request)
      } else if begin(request) {
        dispatch(request)
      }
    case .write(let body): write(body)
    case .feed: feed()
    case .giveUp: giveUp()
    case .heartbeat: stream?.beat()
    case .rotate: stream?.sendGoodbye(.rotation)
    case .halfClose: shutdown(descriptor, Int32(SHUT_WR))
    case .close: close()
    }
  }

  /// Counts a request for the rate limit. Returns false after refusing it.
  private func begin(_ request: Request) -> Bool {
    share.countRequest()
    if let fields = loop.answerFields { http.exchange.more = fields(request) }
    guard let rates = loop.rates, isCounted || request.isProxied else { return true }
    let client = request.client
    // A client that the proxy names without an address counts as the proxy, even on loopback.
    let isNameless = request.isForwarded && client == peer
    guard isCounted || isNameless || request.isForwarded && loop.connectionCounter.isCounted(client)
    else {
      return true
    }
    let standing = rates.take(client.client, at: loop.state.now)
    http.exchange.standing = standing
    guard !standing.isAllowed else { return true }
    loop.observe(.trouble) { .requestLimited(client) }
    take(.respond(loop.refusal(.tooManyRequests, retryAfter: standing.retryAfter)))
    return false
  }

  private func admit(_ request: Request) {
    switch loop.routes.admission(of: request, default: loop.state.limits.body) {
    case .read(let most): http.readBody(most: most)
    case .answerNow: dispatch(request)
    case .ask(let admit, let most):
      bodyLimit = most
      http.exchange.skipsBody = true
      observe(request)
      loop.state.scratch.removeAll()
      take(admit(request, loop.context))
    }
  }

  private func observe(_ request: Request) {
    guard loop.interests.contains(.requests) else { return }
    observed = ObservedRequest(request: request, start: loop.state.nanoseconds())
  }

  private func dispatch(_ request: Request) {
    observe(request)
    loop.state.scratch.removeAll()
    take(loop.routes.answer(request, loop.context))
  }

  func take(_ outcome: Outcome) {
    switch outcome {
    case .respond(var response):
      if lacksRoom(for: response) { response = loop.refusal(.tooMuchOutput) }
      http.send(response)
      if case .source(let source) = response.body {
        start(source, response)
      } else {
        finishObserved(response.status, response.fields, length(of: response.body))
      }
    case .later(let start): wait(start, forStream: false)
    case .laterStream(let start): wait(start, forStream: true)
    case .stream(let response): startStream(response)
    case .onLoop(let body):
      loop.state.scratch.removeAll()
      take(body(loop.context))
    case .readBody(let request):
      // The request's handler already has the body: a programming error.
      guard http.state == .admitting else { return take(.respond(Problem(.noAnswer).response())) }
      admitted = request
      observed = nil
      http.readBody(most: bodyLimit)
    case .adding(let fields, let outcome):
      http.exchange.more.append(fields)
      take(outcome)
    }
  }

  private func wait(_ start: (Responder) -> Void, forStream: Bool) {
    let responder = Responder(mailbox: loop.mailbox, connection: id)
    self.responder = responder
    awaitsStream = forStream
    start(responder)
    // The end of the input may have come together with the request.
    closeIfForsaken()
  }

  /// Closes the connection if its client is gone.
  ///
  /// Nothing is read while a response is pending, so only epoll's report tells. A client that has
  /// closed only its sending side still waits, unless it waits for a stream.
  private func closeIfForsaken() {
    if http.state == .sending, isBroken { return perform(http.close()) }
    guard http.isWaitedFor, isBroken || (awaitsStream && endIsNear) else { return }
    // An answer in the mailbox is sent, because the client may still read it.
    if !isBroken, responder.map(\.isAnswered) ?? true { return }
    perform(http.close())
  }

  /// Handles the timeout of a handler.
  private func giveUp() {
    // Another thread may have answered a moment ago. That answer is in the mailbox.
    guard let isCommitted = responder?.cancel() else { return }
    var response = loop.refusal(isCommitted ? .outcomeUnknown : .handlerTimeout)
    response.isLast = true
    take(.respond(response))
  }

  private func close() {
    guard !isClosed else { return }
    isClosed = true
    responder?.cancel()
    admitted = nil
    // A regular end of the connection would look like the end of the content.
    if http.exchange.endsWithConnection, content != nil || !output.isEmpty { isReset = true }
    let hasMore = !output.isEmpty
    endContent()
    if let stream {
      self.stream = nil
      loop.connectionCounter.leaveStream(peer)
      loop.observe(.streams) { .streamClosed(peer) }
      stream.closed()
    }
    output.removeAll()
    account()
    if isReset { SocketOption.setReset(descriptor) }
    let unsent = isReset || isBroken || hasMore ? 0 : SocketOption.unsent(descriptor)
    loop.forget(self, unsent: unsent)
  }

  // MARK: Observation

  func length(of body: Response.Body) -> Int {
    switch body {
    case .none, .source: 0
    case .scratch: loop.state.scratch.count
    case .bytes(let bytes): bytes.count
    case .shared(let bytes): bytes.count
    }
  }

  func finishObserved(_ status: Status, _ fields: Fields, _ length: Int) {
    guard let observed else { return }
    self.observed = nil
    let bytes = observed.request.method == .head ? 0 : length
    let now = loop.state.nanoseconds()
    loop.observe(.requests) {
      .requestFinished(
        FinishedRequest(
          request: observed.request, status: status, fields: fields, bytes: bytes,
          duration: .nanoseconds(now > observed.start ? now - observed.start : 0)))
    }
  }

  struct ObservedRequest {
    let request: Request
    let start: UInt64
  }
}
