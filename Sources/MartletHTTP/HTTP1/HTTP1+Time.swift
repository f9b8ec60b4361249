/// Output that waits for the socket, and what becomes of the connection when time passes.
extension HTTP1 {
  /// Says how much output waits for the socket, and whether the socket took any of it.
  mutating func wrote(queued: Int, didMove: Bool) {
    if self.queued == 0 {
      queuedSince = loop.now
      queuedInAll = 0
    }
    queuedInAll += max(queued - self.queued, 0)
    self.queued = queued
    if didMove { progress = loop.now }
  }

  /// When ``expire()`` is to be called; `Int64.max` when nothing is awaited.
  var deadline: Int64 {
    let times = loop.times
    if queued > 0 { return min(progress + times.write, sendingEnd, queuedEnd) }
    switch state {
    case .idle: return since + (requests == 0 ? times.head : times.idle)
    case .head: return since + times.head
    case .body:
      let size = max(storage?.length ?? 0, decoder?.count ?? 0)
      return min(progress + times.bodyPause, since + times.time(forBytes: size))
    case .streaming: return min(progress + times.heartbeat, exchange.streamEnd)
    case .lingering: return since + times.linger
    case .admitting, .handling: return since + times.handler
    // Whoever makes the content may pause no longer than for a whole answer.
    case .sending: return min(progress + times.handler, sendingEnd)
    case .flushing, .closed: return .max
    }
  }

  /// A client that takes content a byte now and then has the time that it would have to send as much.
  private var sendingEnd: Int64 {
    state == .sending ? since + loop.times.time(forBytes: exchange.sent) : .max
  }

  /// The same for what waits: answers that were whole before they were sent, and events.
  private var queuedEnd: Int64 { queuedSince + loop.times.time(forBytes: queuedInAll) }

  /// The deadline may have passed. The actions that follow from it come from ``next()``. Gives what was
  /// given up without an answer from here.
  @discardableResult
  mutating func expire() -> ServerEvent.Expiry? {
    guard loop.now >= deadline else { return nil }
    if queued > 0 {
      pending = close()
      return .write
    }
    switch state {
    case .idle:
      pending = close()
      // That a client has no more requests is no trouble.
      return requests == 0 ? .idle : nil
    case .lingering: pending = close()
    case .head: pending = fail(.headTimeout)
    case .body: pending = fail(.bodyTimeout)
    case .streaming:
      progress = loop.now
      pending = loop.now < exchange.streamEnd ? .heartbeat : .rotate
    case .admitting, .handling:
      pending = .giveUp
      return .answer
    case .sending:
      pending = close()
      return .answer
    case .flushing, .closed: break
    }
    return nil
  }
}
