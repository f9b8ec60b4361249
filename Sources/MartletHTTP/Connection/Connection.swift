import Glibc
import MartletJSON

/// One socket and its HTTP: the only place that reads and writes connections.
///
/// Belongs to its loop. ``HTTP1`` decides, ``perform(_:)`` does.
final class Connection {
  let id: ConnectionID
  let peer: Peer
  /// The loop cuts its connections before it goes, and nobody else keeps them; a checked reference
  /// would cost two atomic operations at each use, a few percent of a small request.
  unowned(unsafe) let loop: EventLoop
  let descriptor: Int32
  /// For whom what it holds is counted; `nil` where the client is not told from others.
  let client: Peer?
  /// Whether the client's requests are counted.
  private let isCounted: Bool
  @exclusivity(unchecked) var http: HTTP1
  @exclusivity(unchecked) var output = OutputQueue()
  /// Whether the socket may have bytes: epoll tells it once (edge-triggered).
  @exclusivity(unchecked) private var mayRead = false
  /// The peer's end was announced; a short read does not mean that everything was read.
  @exclusivity(unchecked) private var endIsNear = false
  /// The peer has reset the connection; what it sent before may be unread.
  @exclusivity(unchecked) private var isBroken = false
  /// Closing drops what the kernel holds, and tells the client by a reset.
  @exclusivity(unchecked) private var isReset = false
  @exclusivity(unchecked) var isBlocked = false
  /// How much of its output is counted among that of all connections.
  @exclusivity(unchecked) var accounted = 0
  @exclusivity(unchecked) private(set) var isClosed = false
  @exclusivity(unchecked) private var isTurning = false
  /// What is left of the turn that it is having.
  @exclusivity(unchecked) private var share = Turn()
  /// In the loop's list of connections that have more to do.
  @exclusivity(unchecked) var isListed = false
  @exclusivity(unchecked) var stream: EventStream?
  @exclusivity(unchecked) var observed: ObservedRequest?
  /// Who has the request that is to be answered later, to be told when the client goes away; not
  /// kept alive, so that a request nobody will answer is noticed.
  @exclusivity(unchecked) private weak var responder: Responder?
  @exclusivity(unchecked) private var awaitsStream = false
  /// The request whose body is being read, as its route has admitted it, and how much is read of it.
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

  // MARK: What happens to it

  /// epoll's event.
  func ready(_ readiness: Epoll.Readiness) {
    if readiness.contains(.broken) {
      isBroken = true
      // Otherwise what came before the reset is read first, up to the error.
      if !readiness.contains(.read) { return perform(http.close()) }
    }
    if readiness.contains(.readEnd) { endIsNear = true }
    closeIfForsaken()
    if !readiness.isDisjoint(with: [.read, .readEnd]) { mayRead = true }
    // A broken socket is written once more, to fail.
    if !readiness.isDisjoint(with: [.write, .broken]) { isBlocked = false }
    // Its turn comes: a client that sends on and on has no more of them than others.
    if !isListed { turn() }
  }

  /// Its deadline came.
  func expire() {
    // The answer is in the mailbox, behind others.
    if http.isWaitedFor, responder.map(\.isAnswered) ?? true {
      return loop.setDeadline(id, loop.state.now + 1)
    }
    if let expiry = http.expire() {
      loop.observe(.trouble) { .connectionExpired(peer, expiry) }
      // A client that takes nothing: what the kernel has for it would stay there for minutes.
      isReset = expiry == .write
    }
    turn()
  }

  /// The answer to a request that was to be answered later.
  func answer(_ outcome: Outcome) {
    guard http.isWaitedFor else { return }
    take(outcome)
    turn()
  }

  /// Closes at once, whatever it is doing.
  func cut() { perform(http.close()) }

  /// The same, so that the client sees an error and no end.
  func reset() {
    isReset = true
    cut()
  }

  /// The server is about to end: idle connections close, streams say goodbye, requests in the
  /// middle are still answered.
  func drain() {
    if let stream { stream.sendGoodbye(.shutdown) }
    // A request that epoll did not speak of yet is in the socket already, and closing over it would
    // be a reset.
    if !isClosed, http.wantsInput { read() }
    turn()
  }

  // MARK: The turn

  /// Does what can be done now: actions, then reading, until the socket or the protocol waits, or the
  /// turn is over.
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
        // What waited for room may go on; the last answer may be gone.
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

  /// Does what the protocol asks for. False where more requests are here and others come first.
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

  /// Whether a piece of content more is sent in this turn.
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

  /// The only reader of ``HTTP1/Action``.
  func perform(_ action: HTTP1.Action) {
    switch action {
    case .wait: break
    case .admit(let request): if begin(request) { admit(request) }
    // One with a body was begun when it was to be admitted.
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

  /// Counts a request of the client; answers it where it is one too many.
  private func begin(_ request: Request) -> Bool {
    share.countRequest()
    if let fields = loop.answerFields { http.exchange.more = fields(request) }
    guard let rates = loop.rates, isCounted || request.isProxied else { return true }
    let client = request.client
    // Whoever the proxy names in a way of its own counts as the proxy, wherever that is.
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
      // Its handler has the body already: a mistake of the program.
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
    // The end may have come together with the request.
    closeIfForsaken()
  }

  /// Nothing is read while an answer is awaited, so a client that went away would go unnoticed: here
  /// what epoll said is enough. A client that has only closed its side waits still, unless it awaits
  /// a stream.
  private func closeIfForsaken() {
    if http.state == .sending, isBroken { return perform(http.close()) }
    guard http.isWaitedFor, isBroken || (awaitsStream && endIsNear) else { return }
    // An answer that is in the mailbox is sent; a client that reads on gets it.
    if !isBroken, responder.map(\.isAnswered) ?? true { return }
    perform(http.close())
  }

  /// The handler has had its time.
  private func giveUp() {
    // Another thread may have answered a moment ago: that answer comes with the mailbox.
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
    // Its end would be taken for that of the content.
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

  // MARK: What is told of it

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
