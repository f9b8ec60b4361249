import MartletJSON

/// A source of the events of one stream. Used only on the stream's event loop.
public protocol EventSource: AnyObject {
  /// Returns the next event, or ``EventStream/Next/wait``. Must not block.
  func next() -> EventStream.Next
  /// Called once when the stream has ended for any reason. The default does nothing.
  func closed()
}

extension EventSource {
  /// Does nothing.
  public func closed() {}
}

/// The event stream of one client. Use it only on its event loop, inside the closures that receive
/// it.
///
/// The stream pulls: when it was woken and its socket has accepted all earlier bytes, it asks its
/// ``EventSource`` for the next event. So a slow client costs a position in the source, not a
/// queue.
public final class EventStream {
  /// The answer of an ``EventSource``.
  public enum Next {
    /// No event is available. The source is asked again after ``EventStream/wake()``.
    case wait
    /// Sends an event, then asks again.
    case send(EventFrame)
    /// Sends an event and then waits, like ``send(_:)`` followed by ``wait`` without asking again.
    case sendAndWait(EventFrame)
    /// Sends an optional last event and ends the stream.
    case sendAndEnd(EventFrame?)
  }

  /// The reason why the server ends a stream.
  public enum EndReason: Sendable {
    /// The server shuts down.
    case shutdown
    /// The stream has reached ``Limits/streamLifetime``.
    case rotation
  }

  /// Non-`nil` until the connection closes. Not weak, because a weak reference would cost each
  /// event of a broadcast a few percent.
  private(set) var connection: Connection?
  var source: (any EventSource)?
  private let bye: @Sendable (EndReason) -> EventFrame?
  /// Goes into the first event: a `retry` line alone is a block without data, which some clients
  /// report as an event.
  private var retry: Duration?
  private var isEnding = false
  /// Whether the stream is in its loop's list of streams to poll.
  var isListed = false
  /// Whether the stream was woken and has not returned ``Next/wait`` since.
  private var isAwake = false
  private var broadcasts: [Broadcast.Group] = []

  /// The other end of the connection, also after the stream has ended.
  public let peer: Peer
  /// The index of the event loop that the stream belongs to.
  public let loop: Int

  init(_ connection: Connection, _ response: StreamResponse) {
    self.connection = connection
    bye = response.bye
    retry = response.retry
    peer = connection.peer
    loop = connection.loop.index
  }

  /// Whether the connection is open.
  public var isOpen: Bool { connection.map { !$0.isClosed } ?? false }

  /// Schedules a poll of the event source. Call it on the stream's event loop; from other threads
  /// use ``Broadcast``.
  public func wake() {
    isAwake = true
    connection?.loop.ask(self)
  }

  /// Polls the source while the socket accepts bytes, at most 16 times per iteration of the event
  /// loop.
  func pump() {
    guard let connection, let source else { return }
    isAwake = true
    var count = 0
    while !isEnding, connection.canStream {
      guard count < 16 else { return connection.loop.ask(self) }
      count += 1
      switch source.next() {
      case .wait:
        isAwake = false
        return
      case .send(let frame): send(frame)
      case .sendAndWait(let frame):
        isAwake = false
        return send(frame)
      case .sendAndEnd(let frame): end(frame)
      }
    }
  }

  /// Called when the socket accepts bytes again.
  func resume() {
    if isAwake { connection?.loop.ask(self) }
  }

  /// Sends a comment line after a period of silence.
  func beat() {
    guard let connection, connection.canStream, !isEnding else { return }
    connection.send(.heartbeat)
  }

  /// Ends the stream for the server, with its `bye` event.
  func sendGoodbye(_ reason: EndReason) {
    guard !isEnding else { return }
    end(bye(reason))
  }

  private func end(_ frame: EventFrame?) {
    guard let connection else { return }
    isEnding = true
    if let frame { send(frame) }
    connection.endStream()
  }

  private func send(_ frame: EventFrame) {
    guard let pause = retry, !frame.isComment else {
      connection?.send(frame)
      return
    }
    retry = nil
    connection?.send(frame, after: frame.hasRetry ? nil : Event.retryLine(pause))
  }

  func joined(_ group: Broadcast.Group) { broadcasts.append(group) }
  func left(_ group: Broadcast.Group) { broadcasts.removeAll { $0 === group } }

  var mailbox: Mailbox? { connection?.loop.mailbox }

  /// Called when the connection has closed.
  func closed() {
    connection = nil
    for group in broadcasts { group.leave(self) }
    broadcasts.removeAll()
    source?.closed()
    source = nil
  }
}
