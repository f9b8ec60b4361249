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
    if group.enter(stream) { stream.joined(group) }
  }

  /// Removes the stream before it closes. Only on the stream's loop.
  public func leave(_ stream: EventStream) {
    guard let mailbox = stream.mailbox else { return }
    guard let group = groups.withLock({ $0[ObjectIdentifier(mailbox)] }) else { return }
    group.leave(stream)
    stream.left(group)
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
  /// `@unchecked Sendable`: all but what is behind the lock is touched only on that loop.
  final class Group: @unchecked Sendable {
    private struct Shared {
      var count = 0
      var isPosted = false
    }

    private let mailbox: Mailbox
    private let shared = Mutex(Shared())
    /// In a row, so that the walk over thousands finds each where the processor looks for it next.
    /// Those that left during a walk are `nil`.
    private var members: [EventStream?] = []
    private var places: [ObjectIdentifier: Int] = [:]
    /// The walk: who is asked next, and how many are to be asked from there, around the end.
    private var next = 0
    private var rest = 0

    init(_ mailbox: Mailbox) { self.mailbox = mailbox }

    var count: Int { shared.withLock { $0.count } }

    /// Returns whether it was not a member.
    func enter(_ stream: EventStream) -> Bool {
      guard places[ObjectIdentifier(stream)] == nil else { return false }
      places[ObjectIdentifier(stream)] = members.count
      members.append(stream)
      if isWalking { rest += 1 }
      shared.withLock { $0.count = places.count }
      return true
    }

    func leave(_ stream: EventStream) {
      guard let place = places.removeValue(forKey: ObjectIdentifier(stream)) else { return }
      members[place] = nil
      if !isWalking { close(place) }
      shared.withLock { $0.count = places.count }
    }

    func wake() {
      let posts = shared.withLock { shared in
        guard shared.count > 0, !shared.isPosted else { return false }
        shared.isPosted = true
        return true
      }
      if posts { mailbox.post(.wake(self)) }
    }

    // MARK: The walk, on the loop

    /// Not everybody has been asked since the last wake.
    var isWalking: Bool { rest > 0 }

    /// The message has arrived: everybody is to be asked from here on. Returns whether a walk begins.
    func arrived() -> Bool {
      // First, so that a wake during the walk is not lost.
      shared.withLock { $0.isPosted = false }
      // Under wakes without a pause no walk ever ends.
      if members.count > 2 * places.count { closeUp() }
      let wasWalking = isWalking
      rest = members.count
      return !wasWalking
    }

    /// Asks the next streams, at most `most`; returns how many it were.
    func walk(most: Int) -> Int {
      var count = 0
      while count < most, rest > 0 {
        if next >= members.count { next = 0 }
        let stream = members[next]
        next += 1
        rest -= 1
        guard let stream else { continue }
        count += 1
        stream.pump()
      }
      if !isWalking, members.count > places.count { closeUp() }
      return count
    }

    /// Puts the last member where one has left.
    private func close(_ place: Int) {
      let last = members.removeLast()
      guard place < members.count, let last else { return }
      members[place] = last
      places[ObjectIdentifier(last)] = place
    }

    /// Takes out the places of all who have left. The walk goes on where it was.
    private func closeUp() {
      next = members.prefix(next).count { $0 != nil }
      members.removeAll { $0 == nil }
      for (place, stream) in members.enumerated() {
        if let stream { places[ObjectIdentifier(stream)] = place }
      }
    }
  }
}
