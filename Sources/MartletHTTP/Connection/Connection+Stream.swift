extension Connection {
  func startStream(_ response: StreamResponse) {
    guard http.state == .handling else {
      // A stream before the request's body was read: a mistake of the program.
      if http.state == .admitting { take(.respond(Problem(.noAnswer).response())) }
      return
    }
    guard loop.connectionCounter.enterStream(peer) else {
      loop.observe(.trouble) { .streamRefused(peer) }
      let refusal = response.refused?() ?? loop.refusal(.tooManyStreams)
      return take(.respond(refusal))
    }
    finishObserved(response.status, response.fields, 0)
    guard http.startStream(response.status, response.fields) else {
      loop.connectionCounter.leaveStream(peer)
      return
    }
    loop.observe(.streams) { .streamOpened(peer) }
    SocketOption.setSendBuffer(descriptor, loop.state.limits.streamBuffer)
    let stream = EventStream(self, response)
    self.stream = stream
    // The head first: it is to be on its way before the first event is made.
    perform(http.next())
    guard !isClosed else { return }
    stream.source = response.opened(stream)
    stream.wake()
    // Asked for before the drain, which therefore did not meet it.
    if loop.state.isDraining { stream.sendGoodbye(.shutdown) }
  }

  /// Whether an event would go to the socket now.
  var canStream: Bool { !isClosed && http.state == .streaming && output.isEmpty && !isBlocked }

  /// Sends a frame by reference; the rest waits when the socket takes only a part.
  func send(_ frame: EventFrame) {
    let range = http.isChunked ? frame.framed : frame.payload
    guard !range.isEmpty else { return }
    write(Connection.nothing, frame.bytes, range, waiters: frame.waiters)
    guard !isClosed, !output.isEmpty else { return }
    if !isBlocked { flush() }
    guard !isClosed else { return }
    // Until when the socket has to take the rest. Where there is none, the next heartbeat is later
    // now, which is found out when its old time comes.
    loop.setDeadline(id, http.deadline)
  }

  /// The stream ends behind what was sent.
  func endStream() {
    guard http.state == .streaming else { return }
    if http.isChunked { output.append(EventFrame.lastChunk.bytes, EventFrame.lastChunk.framed) }
    http.endStream()
    flush()
    turn()
  }
}
