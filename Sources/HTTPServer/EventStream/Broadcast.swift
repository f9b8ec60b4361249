import Synchronization

/// Streams of any loops that are woken together.
///
/// A wake from any thread is one message for each loop that has members, and none while the one
/// before is still unread. The loop then asks each of its streams what is next.
public final class Broadcast: Sendable {
  private let groups = Mutex<[ObjectIdentifier: Group]>([:])

  public init() {}

  /// Adds the stream until it closes. Only on the stream's loop.
  public func join(_ stream: EventStream) {
    guard let mailbox = stream.mailbox else { return }
    let group = groups.withLock { groups in
      let loop = ObjectIdentifier(mailbox)
      if let group = groups[loop] { return group }
      let group = Group(mailbox)
      groups[loop] = group
      return group
    }
    group.enter(stream)
    stream.join(group)
  }

  /// Removes the stream before it closes. Only on the stream's loop.
  public func leave(_ stream: EventStream) {
    guard let mailbox = stream.mailbox else { return }
    groups.withLock { $0[ObjectIdentifier(mailbox)] }?.leave(stream)
  }

  /// Has every stream asked for its next event. From any thread.
  public func wake() {
    groups.withLock { groups in
      for group in groups.values { group.wake() }
    }
  }

  /// How many streams there are, over all loops.
  public var count: Int {
    groups.withLock { $0.values.reduce(0) { $0 + $1.count } }
  }

  /// The members on one loop.
  ///
  /// `@unchecked Sendable`: `members` is touched only on that loop; the rest is behind a lock.
  final class Group: @unchecked Sendable {
    private struct Shared {
      var count = 0
      var isPosted = false
    }

    private let mailbox: Mailbox
    private let shared = Mutex(Shared())
    private var members: [ObjectIdentifier: EventStream] = [:]

    init(_ mailbox: Mailbox) { self.mailbox = mailbox }

    var count: Int { shared.withLock { $0.count } }

    func enter(_ stream: EventStream) {
      members[ObjectIdentifier(stream)] = stream
      shared.withLock { $0.count = members.count }
    }

    func leave(_ stream: EventStream) {
      members[ObjectIdentifier(stream)] = nil
      shared.withLock { $0.count = members.count }
    }

    func wake() {
      let posts = shared.withLock { shared in
        guard shared.count > 0, !shared.isPosted else { return false }
        shared.isPosted = true
        return true
      }
      if posts { mailbox.post(.wake(self)) }
    }

    /// On the loop: the message has arrived.
    func arrived() {
      // First, so that a wake during the walk is not lost.
      shared.withLock { $0.isPosted = false }
      for stream in members.values { stream.wake() }
    }
  }
}
