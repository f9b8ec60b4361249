import Synchronization

/// How many connections wait for the rest of a frame that many streams send: while there is one, its bytes count
/// once among all waiting output, and once in the share of each client. The newest state of a query is held anyway; a
/// slow client may also hold one that is long past.
final class FrameWaiters: Sendable {
  private struct Waiting {
    var connections = 0
    /// Of clients that are told apart.
    var clients: [Peer: Int] = [:]
  }

  let count: Int
  private let waiting = Mutex(Waiting())

  init(count: Int) { self.count = count }

  fileprivate func enter(_ budget: ByteBudget, _ client: Peer?) -> Bool {
    waiting.withLock { waiting in
      let isFirst = waiting.connections == 0
      guard !isFirst || budget.take(count) else { return false }
      if let client {
        guard waiting.clients[client] != nil || budget.takeShare(count, of: client) else {
          if isFirst { budget.give(count) }
          return false
        }
        waiting.clients[client, default: 0] += 1
      }
      waiting.connections += 1
      return true
    }
  }

  fileprivate func leave(_ budget: ByteBudget, _ client: Peer?) {
    waiting.withLock { waiting in
      waiting.connections -= 1
      if waiting.connections == 0 { budget.give(count) }
      guard let client, let rest = waiting.clients[client] else { return }
      waiting.clients[client] = rest > 1 ? rest - 1 : nil
      if rest == 1 { budget.giveShare(count, of: client) }
    }
  }
}

/// One connection's waiting for a frame; it ends with the object.
final class FrameClaim {
  private let waiters: FrameWaiters
  private let budget: ByteBudget
  private let client: Peer?

  /// `nil` where there is no room for the frame, or not in the client's share.
  init?(_ waiters: FrameWaiters, of budget: ByteBudget, for client: Peer?) {
    guard waiters.enter(budget, client) else { return nil }
    self.waiters = waiters
    self.budget = budget
    self.client = client
  }

  deinit { waiters.leave(budget, client) }
}
