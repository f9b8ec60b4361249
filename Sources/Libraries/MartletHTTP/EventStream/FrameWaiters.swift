import Synchronization

/// Counts the connections that have to send the rest of a shared frame.
///
/// As long as at least one connection waits, the frame's bytes are counted once in the output
/// budget of all connections, and once in the share of each waiting client. They have to be counted
/// because a slow client can keep an outdated frame in memory; only the newest result of a query is
/// in memory anyway.
final class FrameWaiters: Sendable {
  private struct Waiting {
    var connections = 0
    /// The connections of each client whose share is counted.
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

/// A connection's claim on a frame. It ends when the object is released.
final class FrameClaim {
  private let waiters: FrameWaiters
  private let budget: ByteBudget
  private let client: Peer?

  /// `nil` if the frame does not fit into the budget or the client's share.
  init?(_ waiters: FrameWaiters, of budget: ByteBudget, for client: Peer?) {
    guard waiters.enter(budget, client) else { return nil }
    self.waiters = waiters
    self.budget = budget
    self.client = client
  }

  deinit { waiters.leave(budget, client) }
}
