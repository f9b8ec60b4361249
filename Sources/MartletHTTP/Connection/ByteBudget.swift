import Synchronization

/// How many bytes all connections together may hold of a kind; shared by all loops.
///
/// A quarter is kept for what is small, so that large pieces never take the room of small ones. One client has
/// a quarter at most, however many connections it opens. What a client holds alone
/// has a share, however large it is.
final class ByteBudget: Sendable {
  /// In bytes.
  let most: Int
  /// From this size on a piece is large.
  static let large = 64 << 10
  private let used = Atomic(0)
  /// By client, those that are counted.
  private let clients = Mutex<[Peer: Int]>([:])

  init(most: Int) { self.most = most }

  /// How many bytes are held.
  var count: Int { used.load(ordering: .relaxed) }

  /// Whether a piece of so many bytes would fit now. Nothing is reserved.
  func hasRoom(for piece: Int, of client: Peer?) -> Bool {
    guard fits(piece, count + piece) else { return false }
    guard let client else { return true }
    return clients.withLock { isFair(piece, $0[client, default: 0] + piece) }
  }

  /// Counts so many bytes more of a piece of which `held` are counted; false, and nothing is counted, where that
  /// is too much. `client`: who holds them, `nil` where clients are not told apart.
  func take(_ more: Int, onTopOf held: Int = 0, for client: Peer? = nil) -> Bool {
    let now = used.add(more, ordering: .relaxed).newValue
    if fits(held + more, now),
      client.map({ takeShare(more, onTopOf: held, of: $0) }) ?? true
    {
      return true
    }
    used.subtract(more, ordering: .relaxed)
    return false
  }

  /// Takes back what was counted.
  func give(_ count: Int, of client: Peer? = nil) {
    used.subtract(count, ordering: .relaxed)
    if let client { giveShare(count, of: client) }
  }

  /// Counts bytes in a client's share alone: those of a frame that is counted once for all clients.
  func takeShare(_ more: Int, onTopOf held: Int = 0, of client: Peer) -> Bool {
    clients.withLock { clients in
      let now = clients[client, default: 0] + more
      guard isFair(held + more, now) else { return false }
      clients[client] = now
      return true
    }
  }

  func giveShare(_ count: Int, of client: Peer) {
    guard count > 0 else { return }
    clients.withLock { clients in
      let rest = clients[client, default: 0] - count
      clients[client] = rest > 0 ? rest : nil
    }
  }

  /// `now`: what all would hold.
  private func fits(_ piece: Int, _ now: Int) -> Bool {
    now <= (piece > ByteBudget.large && piece < now ? most - most / 4 : most)
  }

  /// `now`: what its client would hold.
  private func isFair(_ piece: Int, _ now: Int) -> Bool { now <= most / 4 || piece == now }
}

/// What the connections of all loops may hold together.
struct Budgets: Sendable {
  /// Request bodies, from their first byte until nobody holds the request.
  let bodies: ByteBudget
  /// Answers that their clients have not taken.
  let output: ByteBudget

  /// `largestBody`: what a route may read of a single body, which has to fit.
  init(_ limits: Limits, largestBody: Int = 0) {
    bodies = ByteBudget(most: max(limits.bodyBytes, limits.body, largestBody))
    output = ByteBudget(most: limits.waitingOutput)
  }
}
