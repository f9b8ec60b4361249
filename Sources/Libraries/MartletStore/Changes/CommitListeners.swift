import Synchronization

/// The handlers that are called after each commit.
final class CommitListeners: Sendable {
  /// Handles a commit. Returns false to be removed.
  typealias Listener = @Sendable (CommitNotification) -> Bool

  private struct Line {
    var listeners: [(id: UInt64, body: Listener, answered: @Sendable () -> Void)] = []
    var last: UInt64 = 0
  }
  private let line = Mutex(Line())

  /// Adds a handler. `answered` is called after the commit's writes have their results.
  func add(_ body: @escaping Listener, answered: @escaping @Sendable () -> Void = {}) {
    line.withLock {
      $0.last += 1
      $0.listeners.append(($0.last, body, answered))
    }
  }

  /// Calls the handlers in the order they were added. Called on the writer's thread, so
  /// notifications arrive in commit order.
  func publish(_ notice: CommitNotification) {
    var gone: Set<UInt64> = []
    for (id, body, _) in line.withLock({ $0.listeners }) where !body(notice) { gone.insert(id) }
    guard !gone.isEmpty else { return }
    // Released outside the lock, because a listener can hold an object that adds another one.
    let removed = line.withLock { line in
      let removed = line.listeners.filter { gone.contains($0.id) }
      line.listeners.removeAll { gone.contains($0.id) }
      return removed
    }
    _ = consume removed
  }

  /// Calls the `answered` handlers. Called on the writer's thread after each ``publish(_:)``.
  func answered() {
    for listener in line.withLock({ $0.listeners }) { listener.answered() }
  }
}
