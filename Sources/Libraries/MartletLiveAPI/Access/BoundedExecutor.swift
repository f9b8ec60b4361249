import Dispatch
import Synchronization

/// A bounded worker pool for work that is too expensive for an event loop and that clients can
/// cause. It runs at most `width` jobs at the same time and queues at most `most`.
package final class BoundedExecutor: Sendable {
  private struct State {
    var running = 0
    var waiting: [@Sendable () -> Void] = []
  }

  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "executor", qos: .utility, attributes: .concurrent)
  private let width: Int
  private let most: Int

  package init(width: Int = 4, waiting most: Int = 4_096) {
    self.width = width
    self.most = most
  }

  /// Enqueues a job. Returns false if the queue is full.
  package func run(_ body: @escaping @Sendable () -> Void) -> Bool {
    let starts: Bool? = state.withLock { state in
      if state.running < width {
        state.running += 1
        return true
      }
      guard state.waiting.count < most else { return nil }
      state.waiting.append(body)
      return false
    }
    if starts == true { start(body) }
    return starts != nil
  }

  private func start(_ body: @escaping @Sendable () -> Void) {
    queue.async { [self] in
      body()
      let next = state.withLock { state -> (@Sendable () -> Void)? in
        if state.waiting.isEmpty {
          state.running -= 1
          return nil
        }
        return state.waiting.removeFirst()
      }
      if let next { start(next) }
    }
  }
}
