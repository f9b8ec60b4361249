import Synchronization

/// Who is told of commits.
final class CommitListeners: Sendable {
  /// Gives false when it wants to hear no more.
  typealias Listener = @Sendable (CommitNotification) -> Bool

  private struct Line {
    var listeners: [(id: UInt64, body: Listener, answered: @Sendable () -> Void)] = []
    var last: UInt64 = 0
  }
  private let line = Mutex(Line())

  /// `answered` is called when the commit's writes have been answered.
  func add(_ body: @escaping Listener, answered: @escaping @Sendable () -> Void = {}) {
    line.withLock {
      $0.last += 1
      $0.listeners.append(($0.last, body, answered))
    }
  }

  /// Calls all in the order in which they came; on the writer's thread, so notices keep their
  /// order.
  func publish(_ notice: CommitNotification) {
    var gone: Set<UInt64> = []
    for (id, body, _) in line.withLock({ $0.listeners }) where !body(notice) { gone.insert(id) }
    if !gone.isEmpty { line.withLock { $0.listeners.removeAll { gone.contains($0.id) } } }
  }

  /// On the writer's thread, after each ``publish(_:)``.
  func answered() {
    for listener in line.withLock({ $0.listeners }) { listener.answered() }
  }
}
