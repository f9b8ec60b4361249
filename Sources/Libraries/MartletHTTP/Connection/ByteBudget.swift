import Synchronization

/// A limit on the bytes of one kind that all connections hold together, shared by all loops.
///
/// A quarter is reserved for small pieces: large ones share the other three quarters, but a single
/// large piece may take the whole limit if nothing else is held. One client gets at most a quarter,
/// however many connections it opens. A single piece always fits into its client's share if the
/// client holds nothing else.
final class ByteBudget: Sendable {
  /// The limit in bytes.
  let most: Int
  /// Pieces above this size are large.
  static let large = 64 << 10
  private let used = Atomic(0)
  /// The bytes that each client with a share of its own holds.
  private let clients = Mutex<[Peer: Int]>([:])

  init(most: Int) { self.most = most }

  /// The number of bytes in use.
  var count: Int { used.load(ordering: .relaxed) }

  /// Whether a piece of this size would fit now. Reserves nothing.
  func hasRoom(for piece: Int, of client: Peer?) -> Bool {
    guard fits(piece, count + piece) else { return false }
    guard let client else { return true }
    return clients.withLock { isFair(piece, $0[client, default: 0] + piece) }
  }

  /// Counts `more` bytes of a piece of which `held` bytes are already counted.
  ///
  /// Returns false and counts nothing if they do not fit. `client` is `nil` where clients are not
  /// counted separately.
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

  /// Returns counted bytes to the budget.
  func give(_ count: Int, of client: Peer? = nil) {
    used.subtract(count, ordering: .relaxed)
    if let client { giveShare(count, of: client) }
  }

  /// Counts bytes only in a client's share, for an event frame that ``FrameWaiters`` counts once in
  /// the budget.
  func takeShare(_ more: Int, onTopOf held: Int = 0, of client: Peer) -> Bool {
    clients.withLock { clients in
      let now = clients[client, default: 0] + more
      guard isFair(held + more, now) else { return false }
      clients[client] = now
      return true
    }
  }

  /// Returns bytes that were counted only in a client's share.
  func giveShare(_ count: Int, of client: Peer) {
    guard count > 0 else { return }
    clients.withLock { clients in
      let rest = clients[client, default: 0] - count
      clients[client] = rest > 0 ? rest : nil
    }
  }

  /// Whether a piece fits if all connections then hold `now` bytes.
  private func fits(_ piece: Int, _ now: Int) -> Bool {
    now <= (piece > ByteBudget.large && piece < now ? most - most / 4 : most)
  }

  /// Whether a piece fits into its client's share if the client then holds `now` bytes.
  private func isFair(_ piece: Int, _ now: Int) -> Bool { now <= most / 4 || piece == now }
}

/// The budgets of all connections together.
struct Budgets: Sendable {
  /// Request bodies, from their first byte until the last reference to the request is gone.
  let bodies: ByteBudget
  /// Responses that wait for slow clients.
  let output: ByteBudget

  /// `largestBody` is the largest body that a route reads, which always has to fit.
  init(_ limits: Limits, largestBody: Int = 0) {
    bodies = ByteBudget(most: max(limits.bodyBytes, limits.body, largestBody))
    output = ByteBudget(most: limits.waitingOutput)
  }
}
