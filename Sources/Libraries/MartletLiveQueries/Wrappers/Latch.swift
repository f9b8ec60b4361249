import Synchronization

/// A one-shot event that tasks can wait for.
final class Latch: Sendable {
  private typealias Outcome = Result<Void, any Error>

  private struct State {
    var outcome: Outcome?
    var waiting: [UInt64: CheckedContinuation<Void, any Error>] = [:]
    /// Tasks that were canceled before they began to wait.
    var cancelled: Set<UInt64> = []
    var last: UInt64 = 0
  }
  private let state = Mutex(State())

  /// Opens the latch with an outcome. Further calls are ignored.
  func open(_ outcome: Result<Void, any Error> = .success(())) {
    let waiting = state.withLock { state -> [CheckedContinuation<Void, any Error>] in
      guard state.outcome == nil else { return [] }
      state.outcome = outcome
      defer { state.waiting = [:] }
      return Array(state.waiting.values)
    }
    for continuation in waiting { continuation.resume(with: outcome) }
  }

  /// Suspends until the latch opens. Throws its error, or `CancellationError` if the task is
  /// canceled.
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
