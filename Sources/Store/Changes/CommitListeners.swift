import Synchronization

/// Who is told of commits.
final class CommitListeners: Sendable {
  /// Gives false when it wants to hear no more.
  typealias Listener = @Sendable (CommitNotice) -> Bool

  private struct Line {
    var listeners: [(id: UInt64, body: Listener)] = []
    var last: UInt64 = 0
  }
  private let line = Mutex(Line())

  func add(_ body: @escaping Listener) {
    line.withLock {
      $0.last += 1
      $0.listeners.append(($0.last, body))
    }
  }

  /// Calls all in the order in which they came; on the writer's thread, so notices keep their
  /// order.
  func publish(_ notice: CommitNotice) {
    var gone: Set<UInt64> = []
    for (id, body) in line.withLock({ $0.listeners }) where !body(notice) { gone.insert(id) }
    if !gone.isEmpty { line.withLock { $0.listeners.removeAll { gone.contains($0.id) } } }
  }
}
