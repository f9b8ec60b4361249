import Glibc
import MartletJSON

/// One core's share of the server: its listening sockets, connections, buffers and deadlines.
///
/// ``run()`` occupies a serial dispatch queue. All of the loop's state is used only on that queue;
/// other threads post to its ``Mailbox``.
final class EventLoop {
  let index: Int
  let state: LoopState
  let routes: RouteTree
  let connectionCounter: ConnectionCounter
  let rates: RateLimiter<Peer>?
  let answerFields: (@Sendable (Request) -> Fields)?
  let mailbox: Mailbox
  let interests: ServerEvent.Interests
  private let observer: @Sendable (ServerEvent) -> Void
  private let epoll: Epoll
  private var listeners: [Listener]
  private let acceptor: Acceptor
  @exclusivity(unchecked) private var acceptPausedUntil: Int64?
  private var failureReportedAt: Int64?
  @exclusivity(unchecked) private var table = ConnectionTable()
  @exclusivity(unchecked) private var deadlines = Deadlines()
  @exclusivity(unchecked) private var departures = ClosingSockets()
  /// Messages from the mailbox. Those before `nextMessage` have been handled.
  @exclusivity(unchecked) private var messages: [Mailbox.Message] = []
  @exclusivity(unchecked) private var nextMessage = 0
  /// Work for the next iteration: connections with more input, streams to poll, and broadcasts
  /// whose streams are to be polled.
  @exclusivity(unchecked) private var unfinished: [Connection] = []
  @exclusivity(unchecked) private var asked: [EventStream] = []
  @exclusivity(unchecked) private var walks: [Broadcast.Group] = []
  @exclusivity(unchecked) private var turnStart: UInt64 = 0
  @exclusivity(unchecked) private var cutAt: Int64?
  @exclusivity(unchecked) private var isStopped = false

  init(
    index: Int, listeners: [Listener], state: LoopState, routes: RouteTree,
    connectionCounter: ConnectionCounter,
    rates: RateLimiter<Peer>?, answerFields: (@Sendable (Request) -> Fields)?, acceptor: Acceptor,
    mailbox: Mailbox, interests: ServerEvent.Interests,
    observer: @escaping @Sendable (ServerEvent) -> Void
  ) throws(SystemError) {
    self.index = index
    self.listeners = listeners
    self.state = state
    self.routes = routes
    self.connectionCounter = connectionCounter
    self.rates = rates
    self.answerFields = answerFields
    self.acceptor = acceptor
    self.mailbox = mailbox
    self.interests = interests
    self.observer = observer
    epoll = try Epoll()
    guard epoll.add(event: mailbox.descriptor, token: EventLoop.mailboxToken) else {
      throw SystemError("epoll_ctl")
    }
    for (place, listener) in listeners.enumerated() {
      guard epoll.add(listener: listener.descriptor, token: EventLoop.listenerToken(place)) else {
        throw SystemError("epoll_ctl")
      }
    }
  }

  // The generations of connections stay below 0xFFFFFFFF.
  private static let mailboxToken = UInt64.max
  private static func listenerToken(_ place: Int) -> UInt64 { 0xFFFF_FFFF << 32 | UInt64(place) }

  // MARK: The loop

  /// Runs until the server is stopped, or is drained and its last connection is closed.
  ///
  /// Each iteration handles events first, because they are already late. Messages follow, so that
  /// responses made meanwhile leave in the same iteration. Then come deadlines, some of which have
  /// been met by now, then connections whose time slice ended before their requests did, and last
  /// streams, because no request waits for their events. Each part is limited, so one client or
  /// thousands of responses delay the others only by a share of the iteration (``Turn``,
  /// ``LoopState/isLate``).
  func run() {
    while !isStopped {
      let count = epoll.wait(timeout: timeout())
      state.tick()
      turnStart = state.shareStart
      for place in 0..<count { handle(epoll[place]) }
      handleMessages()
      handleDeadlines()
      handleDepartures()
      handleUnfinished()
      handleStreams()
      if state.isDraining, table.count == 0 { break }
    }
    end()
  }

  private func timeout() -> Int32 {
    guard unfinished.isEmpty, asked.isEmpty, walks.isEmpty, messages.isEmpty, mailbox.maySleep()
    else { return 0 }
    var next = deadlines.earliest ?? .max
    next = min(next, acceptPausedUntil ?? .max, cutAt ?? .max, departures.due ?? .max)
    guard next != .max else { return -1 }
    return Int32(clamping: max(next - state.now, 0))
  }

  private func handle(_ event: (token: UInt64, readiness: Epoll.Readiness)) {
    let id = ConnectionID(token: event.token)
    if id.generation != 0xFFFF_FFFF {
      table[id]?.ready(event.readiness)
    } else if event.token != EventLoop.mailboxToken {
      accept(Int(id.slot))
    }
  }

  /// The number of messages per iteration. The others keep their order and wait for the next one.
  private static let messagesInTurn = 256

  private func handleMessages() {
    if messages.isEmpty { mailbox.take(into: &messages) }
    guard !messages.isEmpty else { return }
    if state.isLate { state.beginShare(forEvents: true) }
    var left = EventLoop.messagesInTurn
    repeat {
      handle(messages[nextMessage])
      nextMessage += 1
      left -= 1
    } while left > 0 && nextMessage < messages.count && !state.isLate
    guard nextMessage == messages.count else { return }
    messages.removeAll(keepingCapacity: messages.capacity <= 1024)
    nextMessage = 0
  }

  private func handle(_ message: Mailbox.Message) {
    switch message {
    case .answer(let id, let outcome): table[id]?.answer(outcome)
    case .content(let id): table[id]?.turn()
    case .wake(let group): if group.arrived() { walks.append(group) }
    case .run(let body): body(index)
    case .drain(let deadline): drain(until: deadline)
    case .stop: isStopped = true
    }
  }

  private func handleDeadlines() {
    while let slot = deadlines.popExpired(state.now) { table[slot: slot]?.expire() }
    if let until = acceptPausedUntil, until <= state.now { resumeAccepting() }
    if let cutAt, cutAt <= state.now {
      for connection in table.all { connection.cut() }
    }
  }

  private func handleUnfinished() {
    guard !unfinished.isEmpty else { return }
    state.beginShare(forEvents: false)
    // Connections that are listed again go to the end, behind those of the next iteration.
    let count = unfinished.count
    var taken = 0
    repeat {
      let connection = unfinished[taken]
      taken += 1
      connection.isListed = false
      connection.turn()
    } while taken < count && !state.isLate
    unfinished.removeFirst(taken)
  }

  /// Polls streams in slices.
  ///
  /// A broadcast to ten thousand streams must not delay requests, and busy connections must not
  /// delay a broadcast. Streams get as much time as the rest of the iteration took.
  private func handleStreams() {
    guard !asked.isEmpty || !walks.isEmpty else { return }
    let start = state.nanoseconds()
    let fair = start + (start - turnStart)
    var rounds = 0
    var now = start
    repeat {
      ask(most: 16)
      walk(most: 16)
      rounds += 1
      now = state.nanoseconds()
    } while (!asked.isEmpty || !walks.isEmpty)
      && (rounds < 4 && now < start + Turn.nanoseconds || now < fair)
  }

  private func ask(most: Int) {
    let slice = asked.prefix(most)
    guard !slice.isEmpty else { return }
    asked.removeFirst(slice.count)
    for stream in slice {
      stream.isListed = false
      stream.pump()
    }
  }

  private func walk(most: Int) {
    var left = most
    var taken = 0
    while left > 0, taken < walks.count {
      let group = walks[taken]
      left -= group.walk(most: left)
      taken += 1
      if group.isWalking { walks.append(group) }
    }
    walks.removeFirst(taken)
  }

  private func end() {
    for connection in table.all { connection.cut() }
    departures.removeAll { depart($0.descriptor, $0.peer) }
    closeListeners()
    mailbox.close()
  }

  // MARK: For connections

  var context: RequestContext {
    RequestContext(loop: index, scratch: state.scratch, now: state.wall, milliseconds: state.now)
  }

  func setDeadline(_ id: ConnectionID, _ time: Int64) { deadlines.set(Int(id.slot), time) }

  /// Schedules another time slice for the connection, behind those already scheduled.
  func again(_ connection: Connection) {
    guard !connection.isListed else { return }
    connection.isListed = true
    unfinished.append(connection)
  }

  func ask(_ stream: EventStream) {
    guard !stream.isListed else { return }
    stream.isListed = true
    asked.append(stream)
  }

  /// Closes the connection's socket, at once or when its client has received the `unsent` bytes in
  /// the kernel's send buffer.
  func forget(_ connection: Connection, unsent: Int) {
    deadlines.set(Int(connection.id.slot), Deadlines.never)
    table.remove(connection.id)
    guard unsent > ClosingSockets.much, !isStopped else {
      return depart(connection.descriptor, connection.peer)
    }
    // Its input is not read any more.
    epoll.remove(connection.descriptor)
    shutdown(connection.descriptor, Int32(SHUT_WR))
    departures.add(
      connection.descriptor, connection.peer, unsent: unsent, now: state.now,
      end: state.now + state.times.time(forBytes: unsent))
  }

  private func depart(_ descriptor: Int32, _ peer: Peer) {
    close(descriptor)
    connectionCounter.leave(peer)
    observe(.connections) { .connectionClosed(peer) }
  }

  private func handleDepartures() {
    guard let due = departures.due, due <= state.now else { return }
    departures.scan(
      now: state.now, timeout: state.times.write, unsent: SocketOption.unsent
    ) { entry, isStalled in
      if isStalled {
        observe(.trouble) { .connectionExpired(entry.peer, .write) }
        SocketOption.setReset(entry.descriptor)
      }
      depart(entry.descriptor, entry.peer)
    }
  }

  /// Creates and reports an event if its kind is observed.
  @inline(__always)
  func observe(_ kind: ServerEvent.Interests, _ event: () -> ServerEvent) {
    if interests.contains(kind) { observer(event()) }
  }

  func refusal(_ error: ProtocolError, retryAfter: Int? = nil) -> Response {
    state.refusal(error, retryAfter: retryAfter)
  }

  // MARK: Accepting

  /// Accepts a limited number of connections, so that existing connections are not delayed.
  private func accept(_ place: Int, most: Int = 64) {
    guard place < listeners.count else { return }
    for _ in 0..<most {
      switch acceptor.accept(listeners[place].descriptor) {
      case .accepted(let descriptor, let peer): welcome(descriptor, peer)
      case .none: return
      case .failed(let code):
        if code == EMFILE || code == ENFILE { reportFailure(code) }
      case .exhausted(let code):
        reportFailure(code)
        return pauseAccepting()
      }
    }
  }

  /// Reports at most once a second, because every new client causes a failure.
  private func reportFailure(_ code: Int32) {
    if let reported = failureReportedAt, state.now - reported < 1000 { return }
    failureReportedAt = state.now
    observe(.trouble) { .acceptFailed(code) }
  }

  private func welcome(_ descriptor: Int32, _ peer: Peer) {
    let isCounted = connectionCounter.enter(peer)
    let id = table.reserve()
    guard isCounted, epoll.add(connection: descriptor, token: id.token) else {
      table.remove(id)
      if isCounted { connectionCounter.leave(peer) }
      return turnAway(descriptor, peer)
    }
    let connection = Connection(descriptor, id: id, peer: peer, loop: self)
    table.insert(connection)
    observe(.connections) { .connectionAccepted(peer) }
    connection.turn()
  }

  /// Sends 503 and closes the socket. Its send buffer is empty, so the response fits.
  private func turnAway(_ descriptor: Int32, _ peer: Peer) {
    observe(.trouble) { .connectionRefused(peer) }
    var http = HTTP1(loop: state, peer: peer)
    http.refuse(refusal(.tooManyConnections))
    if case .write(.bytes(let body)) = http.next() {
      state.head.append(body)
      _ = write(descriptor, state.head.bytes.baseAddress!, state.head.count)
      state.head.removeAll()
    }
    shutdown(descriptor, Int32(SHUT_WR))
    // Read the request that is already here. Otherwise closing would reset the connection and
    // discard the response.
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) {
      _ = recv(descriptor, $0.baseAddress!, 4096, 0)
    }
    close(descriptor)
  }

  private func pauseAccepting() {
    for listener in listeners { epoll.remove(listener.descriptor) }
    acceptPausedUntil = state.now + 100
  }

  private func resumeAccepting() {
    acceptPausedUntil = nil
    for (place, listener) in listeners.enumerated()
    where !epoll.add(listener: listener.descriptor, token: EventLoop.listenerToken(place)) {
      acceptPausedUntil = state.now + 100
    }
  }

  // MARK: Ending

  private func drain(until deadline: Int64) {
    guard !state.isDraining else {
      cutAt = min(cutAt ?? deadline, deadline)
      return
    }
    // The kernel has completed the handshake of the connections in its queue, so accept all of
    // them.
    for place in listeners.indices { accept(place, most: Int(Listener.backlog)) }
    closeListeners()
    acceptPausedUntil = nil
    cutAt = deadline
    state.isDraining = true
    for connection in table.all { connection.drain() }
  }

  private func closeListeners() {
    for listener in listeners { listener.close() }
    listeners = []
  }
}
