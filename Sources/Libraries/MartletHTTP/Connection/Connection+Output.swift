import Glibc
import MartletJSON

/// Output: written at once if nothing is queued, otherwise queued.
extension Connection {
  static var nothing: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: nil, count: 0) }
  /// Bodies up to this size are copied behind the head, which is cheaper than a system call with
  /// two buffers.
  private static let copied = 4096

  /// Writes head and body with one system call. While more requests wait in the input, responses
  /// are collected instead, so a thousand pipelined requests need a few writes.
  func write(_ body: Response.Body) {
    let head = loop.state.head
    if let error = http.rejection {
      http.rejection = nil
      loop.observe(.trouble) { .requestRejected(peer, error) }
    }
    switch body {
    case .none, .source: write(head, Connection.nothing)
    case .scratch: write(head, loop.state.scratch.bytes)
    case .bytes(let bytes): bytes.withUnsafeBufferPointer { write(head, $0) }
    case .shared(let bytes) where bytes.count <= Connection.copied: write(head, bytes.bytes)
    case .shared(let bytes): write(head.bytes, bytes, 0..<bytes.count)
    }
    head.removeAll()
  }

  /// Writes head and body. A small body is appended to `head`.
  func write(_ head: ByteBuffer, _ body: UnsafeBufferPointer<UInt8>) {
    let isCopied = body.count <= Connection.copied
    if isCopied { head.append(body) }
    let rest = isCopied ? Connection.nothing : body
    guard let written = writeNow(head.bytes, rest) else { return }
    output.append(rest[slice: max(written - head.count, 0), rest.count])
    wrote(written)
  }

  /// Writes head and body like ``write(_:_:)``, but queues the rest of the body by reference.
  /// `waiters` is set for a shared frame, which is counted once for all streams.
  func write(
    _ head: UnsafeBufferPointer<UInt8>, _ body: SharedBytes, _ range: Range<Int>,
    waiters: FrameWaiters? = nil
  ) {
    guard let written = writeNow(head, body.bytes[slice: range.lowerBound, range.upperBound])
    else { return }
    let rest = range.lowerBound + max(written - head.count, 0)..<range.upperBound
    if let waiters, !rest.isEmpty {
      guard let claim = FrameClaim(waiters, of: loop.state.budgets.output, for: client) else {
        return overload()
      }
      output.append(body, rest, claim: claim)
    } else {
      output.append(body, rest)
    }
    wrote(written)
  }

  /// Passes both to the socket if nothing is queued, and queues the rest of the head.
  ///
  /// Returns how many bytes the socket took, or `nil` if nothing is left to do.
  private func writeNow(
    _ head: UnsafeBufferPointer<UInt8>, _ body: UnsafeBufferPointer<UInt8>
  ) -> Int? {
    var written = 0
    if output.isEmpty, !isBlocked, !http.hasInput || head.count + body.count > 64 << 10 {
      written = Connection.write(descriptor, head, body)
      if written == head.count + body.count {
        http.wrote(queued: 0, didMove: true)
        return nil
      }
      if written < 0 {
        guard errno == EAGAIN || errno == EINTR else {
          perform(http.close())
          return nil
        }
        written = 0
      }
    }
    if written < head.count { output.append(head[slice: written, head.count]) }
    return written
  }

  private func wrote(_ written: Int) {
    http.wrote(queued: output.count, didMove: written > 0)
    if isBlocked {
      account()
    } else if output.count > loop.state.limits.queuedOutput {
      flush()
    }
  }

  // MARK: The output budget

  /// Whether a large response has no room because too much output waits for slow clients.
  ///
  /// Only responses to GET are replaced: a write has already taken effect.
  func lacksRoom(for response: Response) -> Bool {
    let count = length(of: response.body)
    return count > ByteBudget.large && http.exchange.isGet
      && !loop.state.budgets.output.hasRoom(for: count, of: client)
  }

  /// Updates how much of this connection's output is counted. A connection that exceeds the budget
  /// is reset, because its client does not read what it requested.
  func account() {
    let count = output.ownCount
    guard count != accounted else { return }
    if count < accounted {
      loop.state.budgets.output.give(accounted - count, of: client)
      accounted = count
    } else if loop.state.budgets.output.take(count - accounted, onTopOf: accounted, for: client) {
      accounted = count
    } else {
      overload()
    }
  }

  private func overload() {
    loop.observe(.trouble) { .connectionExpired(peer, .overload) }
    reset()
  }

  private static func write(
    _ descriptor: Int32, _ head: UnsafeBufferPointer<UInt8>, _ body: UnsafeBufferPointer<UInt8>
  ) -> Int {
    // `send` and `sendmsg` are 5 % faster on sockets than `write` and `writev`.
    if body.count == 0 { return Glibc.send(descriptor, head.baseAddress!, head.count, 0) }
    if head.count == 0 { return Glibc.send(descriptor, body.baseAddress!, body.count, 0) }
    var pieces = (
      iovec(iov_base: UnsafeMutableRawPointer(mutating: head.baseAddress), iov_len: head.count),
      iovec(iov_base: UnsafeMutableRawPointer(mutating: body.baseAddress), iov_len: body.count)
    )
    return withUnsafeMutablePointer(to: &pieces) {
      $0.withMemoryRebound(to: iovec.self, capacity: 2) {
        var message = msghdr()
        message.msg_iov = $0
        message.msg_iovlen = 2
        return sendmsg(descriptor, &message, 0)
      }
    }
  }

  func flush() {
    let before = output.count
    switch output.flush(descriptor) {
    case .flushed: break
    case .blocked: isBlocked = true
    case .failed: return perform(http.close())
    }
    http.wrote(queued: output.count, didMove: output.count < before)
    account()
  }
}
