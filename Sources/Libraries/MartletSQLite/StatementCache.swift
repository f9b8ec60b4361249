/// A connection's cache of prepared statements by their SQL, which evicts the least recently used
/// idle statement. It never returns a statement that is in use.
final class StatementCache {
  /// A text and its hash. Hashing dominates a lookup, so callers with a long-lived text pass its
  /// hash.
  struct Key: Hashable {
    let sql: String
    let hash: Int

    static func == (left: Key, right: Key) -> Bool { left.sql == right.sql }
    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
  }

  let capacity: Int
  private var statements: [Key: Prepared] = [:]
  private var clock: UInt64 = 0

  init(capacity: Int) { self.capacity = capacity }

  /// The number of statements, including those in use.
  var count: Int { statements.count }

  /// Takes an idle statement and marks it as in use. Returns `nil` on a miss.
  func take(_ key: Key) -> Prepared? {
    guard let prepared = statements[key], !prepared.isInUse else { return nil }
    prepared.isInUse = true
    return prepared
  }

  /// Adds a new statement that is in use. Returns `false` if the SQL is already cached or every
  /// entry is in use.
  func keep(_ prepared: Prepared, _ key: Key) -> Bool {
    guard statements[key] == nil else { return false }
    if statements.count >= capacity {
      // A linear search, at most once per preparation, which costs far more.
      let resting = statements.lazy.filter { !$0.value.isInUse }
      guard let oldest = resting.min(by: { $0.value.lastUse < $1.value.lastUse }) else {
        return false
      }
      statements[oldest.key] = nil
    }
    prepared.isInUse = true
    statements[key] = prepared
    return true
  }

  /// Returns a statement that was reset.
  func giveBack(_ prepared: Prepared) {
    clock += 1
    prepared.lastUse = clock
    prepared.isInUse = false
  }

  /// Removes all entries. Statements in use are finalized when they are released.
  func removeAll() { statements.removeAll() }
}
