import Synchronization

/// How many connections wait for the rest of a frame that many streams send: while there is one, its bytes count
/// once among all waiting output. The newest state of a query is held anyway; a slow client may also hold one that
/// is long past.
final class FrameWaiters: Sendable {
  let count: Int
  private let waiting = Mutex(0)

  init(count: Int) { self.count = count }

  fileprivate func enter(_ budget: ByteBudget) -> Bool {
    waiting.withLock { waiting in
      guard waiting > 0 || budget.take(count) else { return false }
      waiting += 1
      return true
    }
  }

  fileprivate func leave(_ budget: ByteBudget) {
    waiting.withLock { waiting in
      waiting -= 1
      if waiting == 0 { budget.give(count) }
    }
  }
}

/// One connection's waiting for a frame; it ends with the object.
final class FrameClaim {
  private let waiters: FrameWaiters
  private let budget: ByteBudget

  /// `nil` where there is no room for the frame.
  init?(_ waiters: FrameWaiters, of budget: ByteBudget) {
    guard waiters.enter(budget) else { return nil }
    self.waiters = waiters
    self.budget = budget
  }

  deinit { waiters.leave(budget) }
}
