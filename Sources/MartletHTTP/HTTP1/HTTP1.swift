import MartletJSON

/// One connection's HTTP/1.1, without its socket.
///
/// Bytes go in through ``read(_:)``, answers through ``send(_:)``, the passing of time through
/// ``expire()``. Then ``next()`` is asked for actions, one by one, until it says ``Action/wait``.
/// At most one request is in a handler's hands; those that a client sends ahead wait in the input
/// (RFC 9112 section 9.3.2), which is not read meanwhile.
struct HTTP1 {
  /// How much is read from a socket at once.
  static let readSize = 16 << 10

  let loop: LoopState
  private(set) var state = State.idle
  private let peer: Peer
  /// For whom its bodies are counted; `nil` where the client is not told from others.
  private let client: Peer?
  private let isTrusted: Bool
  private var parser = RequestParser()
  private(set) var decoder: BodyDecoder?
  /// The request being read or handled. Kept until the handler's own reference is gone.
  private(set) var storage: RequestStorage?
  /// Bytes that came in; those before `start` were used. `nil` while there are none.
  private var input: ByteBuffer?
  private var start = 0
  private var hasEnded = false
  var pending: Action?
  private(set) var requests = 0
  /// The request that was answered by ``fail(_:)``, for the owner to report.
  var rejection: ProtocolError?
  /// Bytes to come of a short body that was answered unread: the next request is behind them.
  private var unread = 0
  /// Bytes read and dropped behind the last answer.
  private var dropped = 0

  /// The request that is being read or answered. Nothing of it is left for the next one.
  var exchange = Exchange()

  /// When the state began, and when a byte last moved in the awaited direction.
  var since: Int64
  var progress: Int64
  /// Bytes of answers that the socket did not take yet.
  var queued = 0
  /// Since when some wait without a break, and how many came to wait in that time.
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

  /// Whether bytes that arrive now would be looked at. Otherwise they stay in the socket, and the
  /// sender waits.
  var wantsInput: Bool {
    switch state {
    case .idle: queued <= loop.limits.queuedOutput
    case .head, .body, .streaming, .lingering: true
    case .admitting, .handling, .sending, .flushing, .closed: false
    }
  }

  /// Bytes that were received and belong to requests to come.
  var hasInput: Bool { input.map { start < $0.count } ?? false }

  /// Whether bytes of a next request are here, and nothing is to be done before it.
  var hasRequestAhead: Bool { state == .idle && pending == nil && hasInput }

  /// Whether somebody has the request and is to say what becomes of it.
  var isWaitedFor: Bool { state == .handling || state == .admitting }

  /// Lets `fill` write received bytes; it returns how many, 0 for the end, negative for none.
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

  /// Gives the input buffer back when it is used up, so that a resting connection has none;
  /// otherwise moves the rest to its front.
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
      // A client that closes its side of a stream is taken to be gone, as every event source is.
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
      // Answers that the client has not taken yet come before the end.
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

  /// Goes on to read the body of the request of ``Action/admit(_:)``, at most `most` bytes.
  mutating func readBody(most: Int) {
    guard state == .admitting, let storage else { return }
    move(.body)
    do throws(ProtocolError) {
      decoder = try BodyDecoder(storage, most: most, limits: loop.limits)
      // Refused before it is sent, where it is known that there is no room for it.
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

  /// Drops what has come of a short body that was answered unread.
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

  /// The answer to the request that was dispatched, or that was to be admitted.
  mutating func send(_ response: Response) {
    guard isWaitedFor else { return }
    // Answered before its body was read, which the client goes on sending.
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

  /// So many bytes more of the content have been given to the socket.
  mutating func gave(content count: Int) { exchange.sent += count }

  /// All of the content has been given to the socket.
  mutating func endContent() {
    if state == .sending { move(exchange.isLastAnswer ? .lastAnswer : .answer) }
  }

  /// Answers with the problem and ends the connection.
  mutating func fail(_ error: ProtocolError) -> Action {
    guard state != .closed, state != .flushing, state != .lingering else { return .wait }
    // The head may have failed behind its request line.
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

  /// Turns away a connection before any request.
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

  /// The head of an event stream, the last answer of its connection. Returns whether a stream
  /// follows: HEAD gets the head alone.
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

  /// Whether events, and content that is being made, are sent in chunks (RFC 9112 section 7.1); not to HTTP/1.0.
  var isChunked: Bool { !exchange.isHTTP10 }

  mutating func endStream() {
    if state == .streaming { move(.end) }
  }

  /// The peer is gone, or the owner wants the connection gone.
  mutating func close() -> Action {
    guard state != .closed else { return .wait }
    move(.close)
    return .close
  }

  private mutating func move(_ event: Event) {
    let wasIdle = state == .idle
    let isFirst = requests == 0
    state = HTTP1.state(after: state, event) ?? .closed
    // The first head's time began when the connection was accepted.
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
