/// Queued output, and timeouts.
extension HTTP1 {
  /// Reports how much output is queued, and whether the socket accepted any.
  mutating func wrote(queued: Int, didMove: Bool) {
    if self.queued == 0 {
      queuedSince = loop.now
      queuedInAll = 0
    }
    queuedInAll += max(queued - self.queued, 0)
    self.queued = queued
    if didMove { progress = loop.now }
  }

  /// The time at which to call ``expire()``. `Int64.max` if no timeout applies.
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
    // A source of content may pause no longer than a handler may take for a whole response.
    case .sending: return min(progress + times.handler, sendingEnd)
    case .flushing, .closed: return .max
    }
  }

  /// The time by which a client has to take the content sent so far. The limit is the one for a
  /// request body of the same size, so a client that reads a byte now and then cannot keep the
  /// connection open.
  private var sendingEnd: Int64 {
    state == .sending ? since + loop.times.time(forBytes: exchange.sent) : .max
  }

  /// The same for queued output: complete responses, and events.
  private var queuedEnd: Int64 { queuedSince + loop.times.time(forBytes: queuedInAll) }

  /// Handles a deadline that may have passed.
  ///
  /// The resulting actions come from ``next()``. Returns the reason if the connection or the
  /// request is given up.
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
      // An idle connection that has served a request closes without a report.
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
