import JSON

/// One client's event stream. Belongs to its loop: used only inside the closures that get it.
///
/// Pull, never push: the stream asks ``next`` what to send when it was woken and its socket has
/// taken everything before. So a slow reader costs its position, not a queue.
public final class EventStream {
  public enum Next {
    /// Nothing now; ask again after ``EventStream/wake()``.
    case wait
    case send(EventFrame)
    case sendAndEnd(EventFrame?)
  }

  /// Why the server ends a stream.
  public enum EndReason: Sendable {
    /// It is about to stop.
    case shutdown
    /// The stream has lived as long as ``Limits/streamLifetime``.
    case rotation
  }

  /// What comes next. Called on the loop.
  public var next: (EventStream) -> Next = { _ in .wait }
  /// Called once on the loop when the stream is gone, however it ended.
  public var onClose: (EventStream) -> Void = { _ in }
  /// For the source's own bookkeeping.
  public var tag: AnyObject?

  /// Non-`nil` until the connection is closed.
  private(set) weak var connection: Connection?
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

  /// Has ``next`` asked soon. Only on the stream's loop; from elsewhere use a ``Broadcast``.
  public func wake() {
    isAwake = true
    connection?.loop.ask(self)
  }

  /// Asks for events as long as the socket takes them, at most 16 in one turn of the loop.
  func pump() {
    isListed = false
    var count = 0
    while isAwake, !isEnding, let connection, connection.canStream {
      guard count < 16 else {
        connection.loop.ask(self)
        return
      }
      count += 1
      switch next(self) {
      case .wait: isAwake = false
      case .send(let frame): connection.send(frame)
      case .sendAndEnd(let frame): end(frame)
      }
    }
    connection?.turn()
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
  func sayGoodbye(_ reason: EndReason) {
    guard !isEnding else { return }
    end(bye(reason))
  }

  private func end(_ frame: EventFrame?) {
    guard let connection else { return }
    isEnding = true
    if let frame { connection.send(frame) }
    connection.endStream()
  }

  func join(_ group: Broadcast.Group) { broadcasts.append(group) }

  var mailbox: Mailbox? { connection?.loop.mailbox }

  /// The connection is gone.
  func closed() {
    connection = nil
    for group in broadcasts { group.leave(self) }
    broadcasts.removeAll()
    onClose(self)
    next = { _ in .wait }
    onClose = { _ in }
  }
}
