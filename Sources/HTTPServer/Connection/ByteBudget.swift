import Synchronization

/// How many bytes all connections together may hold of a kind; shared by all loops.
final class ByteBudget: Sendable {
  /// In bytes.
  let most: Int
  private let used = Atomic(0)

  init(most: Int) { self.most = most }

  /// How many bytes are held.
  var count: Int { used.load(ordering: .relaxed) }

  /// Whether so many bytes more would fit now. Nothing is reserved.
  func hasRoom(for more: Int) -> Bool { more <= most - count }

  /// Counts so many bytes more; false, and nothing is counted, where that is too much.
  func take(_ more: Int) -> Bool {
    let now = used.add(more, ordering: .relaxed).newValue
    guard now > most else { return true }
    give(more)
    return false
  }

  /// Takes back what was counted.
  func give(_ count: Int) { used.subtract(count, ordering: .relaxed) }
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
