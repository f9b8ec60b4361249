import Synchronization

/// Who is told of commits.
final class CommitListeners: Sendable {
  private let bodies = Mutex<[@Sendable (CommitNotice) -> Void]>([])

  func add(_ body: @escaping @Sendable (CommitNotice) -> Void) {
    bodies.withLock { $0.append(body) }
  }

  /// Calls all in the order in which they came; on the writer's thread, so notices keep their
  /// order.
  func publish(_ notice: CommitNotice) {
    for body in bodies.withLock({ $0 }) { body(notice) }
  }
}
