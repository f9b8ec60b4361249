import MartletJSON

/// What an event stream sends. Used on the stream's loop alone.
public protocol EventSource: AnyObject {
  /// What comes next.
  func next() -> EventStream.Next
  /// The stream is gone, however it ended. Called once.
  func closed()
}

extension EventSource {
  public func closed() {}
}

/// One client's event stream. Belongs to its loop: used only inside the closures that get it.
///
/// Pull, never push: the stream asks its ``EventSource`` what to send when it was woken and its socket
/// has taken everything before. So a slow reader costs its position, not a queue.
public final class EventStream {
  public enum Next {
    /// Nothing now; ask again after ``EventStream/wake()``.
    case wait
    case send(EventFrame)
    /// There is no more behind it for now: as ``send(_:)`` and then ``wait``, with one question less.
    case sendAndWait(EventFrame)
    case sendAndEnd(EventFrame?)
  }

  /// Why the server ends a stream.
  public enum EndReason: Sendable {
    /// It is about to stop.
    case shutdown
    /// The stream has lived as long as ``Limits/streamLifetime``.
    case rotation
  }

  /// Non-`nil` until the connection is closed, as every connection is. Not weak, which would cost
  /// each of a broadcast's events a few percent.
  private(set) var connection: Connection?
  var source: (any EventSource)?
  private let bye: @Sendable (EndReason) -> EventFrame?
  private var isEnding = false
  /// In the loop's list of streams to ask.
  var isListed = false
  /// Woken, and not asked until it said ``Next/wait``.
  private var isAwake = false
  private var broadcasts: [Broadcast.Group] = []

  /// The peer, also after the end.
  public let peer: Peer
  /// The index of the loop that the stream belongs to.
  public let loop: Int

  init(_ connection: Connection, _ response: StreamResponse) {
    self.connection = connection
    bye = response.bye
    peer = connection.peer
    loop = connection.loop.index
  }

  public var isOpen: Bool { connection.map { !$0.isClosed } ?? false }

  /// Has the source asked soon. Only on the stream's loop; from elsewhere use a ``Broadcast``.
  public func wake() {
    isAwake = true
    connection?.loop.ask(self)
  }

  /// Asks for events as long as the socket takes them, at most 16 in one turn of the loop.
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
      case .send(let frame): connection.send(frame)
      case .sendAndWait(let frame):
        isAwake = false
        return connection.send(frame)
      case .sendAndEnd(let frame): end(frame)
      }
    }
  }

  /// The socket takes bytes again.
  func resume() {
    if isAwake { connection?.loop.ask(self) }
  }

  /// Sends a comment line after a silence.
  func beat() {
    guard let connection, connection.canStream, !isEnding else { return }
    connection.send(.heartbeat)
  }

  /// The server ends the stream.
  func sendGoodbye(_ reason: EndReason) {
    guard !isEnding else { return }
    end(bye(reason))
  }

  private func end(_ frame: EventFrame?) {
    guard let connection else { return }
    isEnding = true
    if let frame { connection.send(frame) }
    connection.endStream()
  }

  func joined(_ group: Broadcast.Group) { broadcasts.append(group) }
  func left(_ group: Broadcast.Group) { broadcasts.removeAll { $0 === group } }

  var mailbox: Mailbox? { connection?.loop.mailbox }

  /// The connection is gone.
  func closed() {
    connection = nil
    for group in broadcasts { group.leave(self) }
    broadcasts.removeAll()
    source?.closed()
    source = nil
  }
}
