import Synchronization

/// Becomes stale when a commit may have changed what a read depends on. Releasing the last
/// reference removes it.
public final class InvalidationToken: Sendable {
  private enum State {
    case fresh((@Sendable () -> Void)?)
    case stale
  }

  let id: DependencyIndex.ID
  /// Mirrors the state, so that each request can check it without a lock.
  private let isMarked = Atomic(false)
  private let state = Mutex(State.fresh(nil))
  private let forget: @Sendable (DependencyIndex.ID) -> Void

  init(_ id: DependencyIndex.ID, forget: @escaping @Sendable (DependencyIndex.ID) -> Void) {
    self.id = id
    self.forget = forget
  }

  deinit { forget(id) }

  /// Whether a commit may have changed the data. Checking it costs one atomic load.
  ///
  /// When a write has been answered, every token that it invalidates is already stale.
  public var isStale: Bool { isMarked.load(ordering: .sequentiallyConsistent) }

  /// Calls `body` once when the token becomes stale, or now if it already is. Replaces an earlier
  /// callback.
  ///
  /// `body` runs on the writer's thread and must not block.
  public func whenStale(_ body: @escaping @Sendable () -> Void) {
    let isLate = state.withLock { state in
      if case .stale = state { return true }
      state = .fresh(body)
      return false
    }
    if isLate { body() }
  }

  func turnStale() {
    isMarked.store(true, ordering: .sequentiallyConsistent)
    let body = state.withLock { state -> (@Sendable () -> Void)? in
      guard case .fresh(let body) = state else { return nil }
      state = .stale
      return body
    }
    body?()
  }
}
