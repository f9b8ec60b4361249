import Synchronization

/// Something that happens once, and those who wait for it.
final class Latch: Sendable {
  private typealias Outcome = Result<Void, any Error>

  private struct State {
    var outcome: Outcome?
    var waiting: [UInt64: CheckedContinuation<Void, any Error>] = [:]
    /// Those who gave up before they began to wait.
    var cancelled: Set<UInt64> = []
    var last: UInt64 = 0
  }
  private let state = Mutex(State())

  /// It has happened, or never will. What comes after the first call is ignored.
  func open(_ outcome: Result<Void, any Error> = .success(())) {
    let waiting = state.withLock { state -> [CheckedContinuation<Void, any Error>] in
      guard state.outcome == nil else { return [] }
      state.outcome = outcome
      defer { state.waiting = [:] }
      return Array(state.waiting.values)
    }
    for continuation in waiting { continuation.resume(with: outcome) }
  }

  /// Suspends until it has happened; throws when the task is cancelled.
  func wait() async throws {
    let id = state.withLock { state in
      state.last += 1
      return state.last
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { begin(id, $0) }
    } onCancel: {
      cancel(id)
    }
  }

  private func begin(_ id: UInt64, _ continuation: CheckedContinuation<Void, any Error>) {
    let now = state.withLock { state -> Outcome? in
      if state.cancelled.remove(id) != nil { return .failure(CancellationError()) }
      if let outcome = state.outcome { return outcome }
      state.waiting[id] = continuation
      return nil
    }
    if let now { continuation.resume(with: now) }
  }

  private func cancel(_ id: UInt64) {
    let continuation = state.withLock { state in
      let continuation = state.waiting.removeValue(forKey: id)
      if continuation == nil, state.outcome == nil { state.cancelled.insert(id) }
      return continuation
    }
    continuation?.resume(throwing: CancellationError())
  }
}
