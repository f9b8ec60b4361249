extension Connection {
  func startStream(_ response: StreamResponse) {
    guard http.state == .handling else {
      // A stream before the request's body was read is a programming error.
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
    // Send the head first: it has to be on its way before the source is created.
    perform(http.next())
    guard !isClosed else { return }
    stream.source = response.opened(stream)
    stream.wake()
    // The stream was requested before the drain started, which therefore did not end it.
    if loop.state.isDraining { stream.sendGoodbye(.shutdown) }
  }

  /// Whether an event would go directly to the socket.
  var canStream: Bool { !isClosed && http.state == .streaming && output.isEmpty && !isBlocked }

  /// Sends a frame by reference, after the lines of another one. If the socket accepts only a part,
  /// the rest is queued.
  func send(_ frame: EventFrame, after lines: EventFrame? = nil) {
    let range = http.isChunked ? frame.framed : frame.payload
    guard !range.isEmpty else { return }
    withExtendedLifetime(lines) {
      var before = Connection.nothing
      if let lines {
        let range = http.isChunked ? lines.framed : lines.payload
        before = lines.bytes.bytes[slice: range.lowerBound, range.upperBound]
      }
      write(before, frame.bytes, range, waiters: frame.waiters)
    }
    guard !isClosed, !output.isEmpty else { return }
    if !isBlocked { flush() }
    guard !isClosed else { return }
    // The time by which the socket has to accept the rest. If nothing is queued, the next heartbeat
    // has moved later, which ``Deadlines`` notices when the old time is reached.
    loop.setDeadline(id, http.deadline)
  }

  /// Ends the stream after the queued output.
  func endStream() {
    guard http.state == .streaming else { return }
    if http.isChunked { output.append(EventFrame.lastChunk.bytes, EventFrame.lastChunk.framed) }
    http.endStream()
    flush()
    turn()
  }
}
