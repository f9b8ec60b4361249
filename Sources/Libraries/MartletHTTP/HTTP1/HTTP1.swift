import MartletJSON

/// The HTTP/1.1 protocol of one connection, without its socket.
///
/// Bytes go in through ``read(_:)``, responses through ``send(_:)``, and time through ``expire()``.
/// Then the owner calls ``next()`` for one action after the other, until it returns
/// ``Action/wait``. At most one request is being handled; pipelined requests wait in the input
/// buffer (RFC 9112 section 9.3.2), which is not filled meanwhile.
struct HTTP1 {
  /// How many bytes are read from a socket at once.
  static let readSize = 16 << 10

  let loop: LoopState
  private(set) var state = State.idle
  private let peer: Peer
  /// The client whose share its bodies are counted in. `nil` if it is not counted separately.
  private let client: Peer?
  private let isTrusted: Bool
  private var parser = RequestParser()
  private(set) var decoder: BodyDecoder?
  /// The request being read or handled. It is kept until the handler's reference is gone.
  private(set) var storage: RequestStorage?
  /// Received bytes. Those before `start` have been used. `nil` while the connection is idle.
  private var input: ByteBuffer?
  private var start = 0
  private var hasEnded = false
  var pending: Action?
  private(set) var requests = 0
  /// The error with which ``fail(_:)`` answered a request, for the owner to report.
  var rejection: ProtocolError?
  /// The bytes to come of a short body that was refused. The next request follows them.
  private var unread = 0
  /// The bytes read and dropped after the last response.
  private var dropped = 0

  /// The state of the current request and response, reset for each request.
  var exchange = Exchange()

  /// The time at which the state began.
  var since: Int64
  /// The time at which a byte last moved in the expected direction.
  var progress: Int64
  /// The bytes of responses that the socket has not accepted yet.
  var queued = 0
  /// The time since which output is queued without interruption, and how many bytes were queued
  /// since.
  var queuedSince: Int64 = 0
  var queuedInAll = 0

  init(loop: LoopState, peer: Peer, client: Peer? = nil) {
    self.loop = loop
    self.peer = peer
    self.client = client
    isTrusted = loop.isTrusted(peer)
    since = loop.now
    progress = loop.now
  }

  // MARK: Input

  /// Whether incoming bytes would be processed now. Otherwise they stay in the socket buffer, and
  /// the sender has to wait.
  var wantsInput: Bool {
    switch state {
    case .idle: queued <= loop.limits.queuedOutput
    case .head, .body, .streaming, .lingering: true
    case .admitting, .handling, .sending, .flushing, .closed: false
    }
  }

  /// Whether there are received bytes that belong to later requests.
  var hasInput: Bool { input.map { start < $0.count } ?? false }

  /// Whether bytes of the next request are here and can be processed at once.
  var hasRequestAhead: Bool { state == .idle && pending == nil && hasInput }

  /// Whether a handler or an admission owes an answer.
  var isWaitedFor: Bool { state == .handling || state == .admitting }

  /// Lets `fill` write received bytes. `fill` returns their number, 0 at the end of the input, or a
  /// negative number for none.
  mutating func read(_ fill: (UnsafeMutableBufferPointer<UInt8>) -> Int) -> Int {
    let buffer = input ?? loop.takeInput()
    if start == buffer.count {
      buffer.removeAll()
      start = 0
    }
    var result = 0
    _ = buffer.append(upTo: HTTP1.readSize) { (bytes: UnsafeMutableBufferPointer<UInt8>) -> Int in
      result = fill(bytes)
      return max(result, 0)
    }
    input = buffer
    if result == 0 { hasEnded = true }
    if result > 0, state == .body { progress = loop.now }
    return result
  }

  /// Returns the input buffer if it is used up, so that an idle connection has none. Otherwise
  /// moves the remaining bytes to its front.
  mutating func settleInput() {
    guard let buffer = input else { return }
    if start == buffer.count {
      input = nil
      start = 0
      loop.give(input: buffer)
    } else if start > 0 {
      buffer.removeFirst(start)
      start = 0
    }
  }

  // MARK: Actions

  mutating func next() -> Action {
    if let action = pending {
      pending = nil
      return action
    }
    switch state {
    case .idle, .head: return readHead()
    case .body: return readBody()
    case .admitting, .handling: return .wait
    case .sending: return queued == 0 && !exchange.awaitsContent ? .feed : .wait
    case .streaming:
      // A client that closes its sending side during a stream is considered gone.
      drop()
      return hasEnded || dropped > HTTP1.readSize ? close() : .wait
    case .flushing:
      guard queued == 0 else { return .wait }
      guard exchange.lingers, !hasEnded else { return close() }
      move(.flushed)
      dropped = 0
      return .halfClose
    case .lingering:
      drop()
      return hasEnded || dropped > loop.limits.lingerBytes ? close() : .wait
    case .closed: return .wait
    }
  }

  private mutating func readHead() -> Action {
    recycle()
    skip()
    guard queued <= loop.limits.queuedOutput else { return .wait }
    guard let buffer = input, start < buffer.count else {
      // Send the responses that the client has not taken yet before closing.
      guard hasEnded || loop.isDraining, queued == 0 else { return .wait }
      return state == .idle ? close() : fail(HTTP1.cutOff)
    }
    if state == .idle {
      move(.begin)
      exchange = Exchange()
    }
    let storage = self.storage ?? loop.requests.take()
    self.storage = storage
    do throws(ProtocolError) {
      let bytes = buffer.bytes[slice: start, buffer.count]
      guard case .head(let count) = try parser.parse(bytes, into: storage, limits: loop.limits)
      else {
        return hasEnded ? fail(HTTP1.cutOff) : .wait
      }
      start += count
      try TargetParser.decode(storage)
      storage.isProxied = isTrusted
      exchange.isHead = storage.method == .head
      exchange.isGet = storage.method == .get
      exchange.isHTTP10 = storage.isHTTP10
      try FramingRules.apply(to: storage, allowedHosts: loop.allowedHosts)
    } catch {
      return fail(error)
    }
    exchange.mayPersist = storage.mayPersist
    storage.peer = peer
    requests += 1
    guard storage.hasBody else {
      move(.complete)
      return .dispatch(Request(storage))
    }
    move(.admit)
    return .admit(Request(storage))
  }

  /// Starts to read the body of the request of ``Action/admit(_:)``, at most `most` bytes.
  mutating func readBody(most: Int) {
    guard state == .admitting, let storage else { return }
    move(.body)
    do throws(ProtocolError) {
      decoder = try BodyDecoder(storage, most: most, limits: loop.limits)
      // If the budget has no room for a known length, refuse the body before it is sent.
      guard loop.budgets.bodies.hasRoom(for: storage.length, of: client) else {
        throw .tooManyBodies
      }
    } catch {
      pending = fail(error)
      return
    }
    if storage.expectsContinue, !hasInput {
      loop.head.append("HTTP/1.1 100 Continue\r\n\r\n")
      pending = .write(.none)
    }
  }

  private mutating func readBody() -> Action {
    guard decoder != nil, let storage else { return .wait }
    do throws(ProtocolError) {
      let bytes = input.map { $0.bytes[slice: start, $0.count] }
      let (used, isComplete) = try decoder!.decode(
        bytes ?? UnsafeBufferPointer(start: nil, count: 0))
      start += used
      guard storage.hold(decoder!.count, of: loop.budgets.bodies, for: client) else {
        throw .tooManyBodies
      }
      guard isComplete else { return hasEnded ? fail(HTTP1.cutOff) : .wait }
    } catch {
      return fail(error)
    }
    storage.body = decoder?.take()
    decoder = nil
    move(.complete)
    return .dispatch(Request(storage))
  }

  /// Skips the received bytes of a short body that was refused.
  private mutating func skip() {
    guard unread > 0, let buffer = input else { return }
    let count = min(unread, buffer.count - start)
    start += count
    unread -= count
  }

  private mutating func drop() {
    guard let buffer = input else { return }
    dropped += buffer.count - start
    start = buffer.count
  }

  private mutating func recycle() {
    guard state == .idle, storage != nil else { return }
    loop.requests.give(storage.take()!)
  }

  // MARK: Answers

  /// Sends the response to the request that was dispatched or was to be admitted.
  mutating func send(_ response: Response) {
    guard isWaitedFor else { return }
    // The response comes before the body was read, and the client continues to send it.
    let isUnread = state == .admitting
    unread = isUnread && exchange.skipsBody ? storage?.skippable ?? 0 : 0
    let isCut = isUnread && unread == 0 || response.isLast || loop.isDraining
    let isMade = if case .source = response.body { true } else { false }
    exchange.endsWithConnection = isMade && exchange.isHTTP10
    exchange.sent = 0
    let closes =
      isCut || !exchange.mayPersist || requests >= loop.limits.requestsPerConnection
      || exchange.endsWithConnection
    exchange.lingers = closes && (isUnread || exchange.mayPersist || hasInput)
    encode(response, closes: closes)
    guard isMade, !exchange.isHead, !response.status.forbidsContent else {
      return move(closes ? .lastAnswer : .answer)
    }
    exchange.isLastAnswer = closes
    exchange.awaitsContent = false
    move(.send)
  }

  /// Counts bytes of the content that were passed to the socket.
  mutating func gave(content count: Int) { exchange.sent += count }

  /// Ends the content after all of it was passed to the socket.
  mutating func endContent() {
    if state == .sending { move(exchange.isLastAnswer ? .lastAnswer : .answer) }
  }

  /// Answers with the error and ends the connection.
  mutating func fail(_ error: ProtocolError) -> Action {
    guard state != .closed, state != .flushing, state != .lingering else { return .wait }
    // The head may have failed after its request line.
    if state == .head { exchange.isHead = storage?.method == .head }
    exchange.lingers = true
    decoder = nil
    storage?.release()
    rejection = error
    let isOverload = error.status == .serviceUnavailable
    encode(
      isOverload ? loop.refusal(error) : Problem(error, hints: loop.hints).response(), closes: true)
    move(.lastAnswer)
    return pending.take() ?? .wait
  }

  /// Refuses a connection before any request.
  mutating func refuse(_ response: Response) {
    guard state == .idle else { return }
    exchange.lingers = true
    encode(response, closes: true)
    move(.lastAnswer)
  }

  private mutating func encode(_ response: Response, closes: Bool) {
    let framing: ResponseEncoder.Framing =
      switch response.body {
      case _ where response.status.forbidsContent: .none
      case .none: .length(0)
      case .scratch: .length(loop.scratch.count)
      case .bytes(let bytes): .length(bytes.count)
      case .shared(let bytes): .length(bytes.count)
      case .source: exchange.endsWithConnection ? .close : .chunked
      }
    ResponseEncoder.encode(
      response.status, response.fields, framing,
      closes ? .close : exchange.isHTTP10 ? .keepAlive : .implied, exchange.standing, exchange.more,
      loop)
    pending = .write(exchange.isHead || response.status.forbidsContent ? .none : response.body)
  }

  /// Starts an event stream, which is the last response of its connection. Returns false for HEAD,
  /// which gets only the head.
  mutating func startStream(_ status: Status, _ fields: Fields) -> Bool {
    guard state == .handling else { return false }
    ResponseEncoder.encode(
      status, fields, exchange.isHTTP10 ? .close : .chunked, .close, exchange.standing,
      exchange.more, loop)
    pending = .write(.none)
    dropped = 0
    exchange.lingers = true
    move(exchange.isHead ? .lastAnswer : .stream)
    return !exchange.isHead
  }

  /// Whether events and produced content are sent as chunks (RFC 9112 section 7.1), which HTTP/1.0
  /// does not have.
  var isChunked: Bool { !exchange.isHTTP10 }

  mutating func endStream() {
    if state == .streaming { move(.end) }
  }

  /// Closes the connection, because the peer is gone or the owner ends it.
  mutating func close() -> Action {
    guard state != .closed else { return .wait }
    move(.close)
    return .close
  }

  private mutating func move(_ event: Event) {
    let wasIdle = state == .idle
    let isFirst = requests == 0
    state = HTTP1.state(after: state, event) ?? .closed
    // The timeout of the first head starts when the connection is accepted.
    if !(wasIdle && event == .begin && isFirst) { since = loop.now }
    progress = loop.now
    guard event == .stream else { return }
    let lifetime = loop.times.lifetime
    exchange.streamEnd =
      loop.now + Int64.random(in: (lifetime - lifetime / 10)...(lifetime + lifetime / 10))
  }

  private static let cutOff = ProtocolError.malformed(
    "The connection ended within the request.", "RFC 9112 8")
}
