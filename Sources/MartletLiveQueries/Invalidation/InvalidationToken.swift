import Synchronization

/// Turns stale when a commit may have changed what it stands for. Forgotten with its last reference.
public final class InvalidationToken: Sendable {
  private enum State {
    case fresh((@Sendable () -> Void)?)
    case stale
  }

  let id: DependencyIndex.ID
  /// The same as the state, for those who ask at each request.
  private let isMarked = Atomic(false)
  private let state = Mutex(State.fresh(nil))
  private let forget: @Sendable (DependencyIndex.ID) -> Void

  init(_ id: DependencyIndex.ID, forget: @escaping @Sendable (DependencyIndex.ID) -> Void) {
    self.id = id
    self.forget = forget
  }

  deinit { forget(id) }

  /// Costs an atomic load. A client that has the answer to a write sees what the write has changed as stale.
  public var isStale: Bool { isMarked.load(ordering: .sequentiallyConsistent) }

  /// Calls `body` once, as soon as this is stale, which it may be already: on the writer's thread, so it must not block.
  /// Replaces what was to be called before.
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
