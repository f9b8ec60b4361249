import Synchronization

/// A group of event streams, on any loops, that are woken together.
///
/// A wake from any thread posts one message to each loop that has members, and none while the
/// previous one is unread. The loop then asks each of its streams for the next event.
public final class Broadcast: Sendable {
  private let groups = Mutex<[ObjectIdentifier: Group]>([:])

  /// Makes a broadcast without streams.
  public init() {}

  /// Adds a stream until it closes. Call it on the stream's event loop.
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

  /// Removes a stream before it closes. Call it on the stream's event loop.
  public func leave(_ stream: EventStream) {
    guard let mailbox = stream.mailbox else { return }
    guard let group = groups.withLock({ $0[ObjectIdentifier(mailbox)] }) else { return }
    group.leave(stream)
    stream.left(group)
  }

  /// Schedules a poll of every stream's event source. Can be called from any thread.
  public func wake() {
    groups.withLock { groups in
      for group in groups.values { group.wake() }
    }
  }

  /// The number of streams on all loops.
  public var count: Int {
    groups.withLock { $0.values.reduce(0) { $0 + $1.count } }
  }

  /// The streams on one event loop.
  ///
  /// `@unchecked Sendable`: everything that the lock does not protect is used only on that loop.
  final class Group: @unchecked Sendable {
    private struct Shared {
      var count = 0
      var isPosted = false
    }

    private let mailbox: Mailbox
    private let shared = Mutex(Shared())
    /// Contiguous for cache locality. Streams removed during an iteration are set to `nil` and
    /// compacted afterwards.
    private var members: [EventStream?] = []
    private var places: [ObjectIdentifier: Int] = [:]
    /// The position of the current iteration, and how many members it still has to visit, wrapping
    /// around the end.
    private var next = 0
    private var rest = 0

    init(_ mailbox: Mailbox) { self.mailbox = mailbox }

    var count: Int { shared.withLock { $0.count } }

    /// Adds a stream. Returns false if it already was a member.
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

    // MARK: Iteration, on the loop

    /// Whether members are still to be polled for the last wake.
    var isWalking: Bool { rest > 0 }

    /// Starts or restarts the iteration when the wake message arrives. Returns false if an
    /// iteration was already running.
    func arrived() -> Bool {
      // Reset first, so that a wake during the iteration is not lost.
      shared.withLock { $0.isPosted = false }
      // Under constant wakes the iteration never ends, so compact here as well.
      if members.count > 2 * places.count { closeUp() }
      let wasWalking = isWalking
      rest = members.count
      return !wasWalking
    }

    /// Polls the next streams, at most `most`. Returns how many it polled.
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

    /// Moves the last member into the place of a removed one.
    private func close(_ place: Int) {
      let last = members.removeLast()
      guard place < members.count, let last else { return }
      members[place] = last
      places[ObjectIdentifier(last)] = place
    }

    /// Compacts the removed places and keeps the position of the iteration.
    private func closeUp() {
      next = members.prefix(next).count { $0 != nil }
      members.removeAll { $0 == nil }
      for (place, stream) in members.enumerated() {
        if let stream { places[ObjectIdentifier(stream)] = place }
      }
    }
  }
}
