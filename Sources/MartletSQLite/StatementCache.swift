/// A connection's prepared statements by their SQL; of those not in use, the least recently used
/// one goes first. Nobody gets a statement that is in use a second time.
final class StatementCache {
  /// A text with its hash, which takes longer than all else about a look: who has the text for long has its hash too.
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

  /// The number of statements, in use or not.
  var count: Int { statements.count }

  /// A statement at rest, now in use; nil when there is none.
  func take(_ key: Key) -> Prepared? {
    guard let prepared = statements[key], !prepared.isInUse else { return nil }
    prepared.isInUse = true
    return prepared
  }

  /// Keeps a new statement that is in use; false when it has a twin here, or all others are in use.
  func keep(_ prepared: Prepared, _ key: Key) -> Bool {
    guard statements[key] == nil else { return false }
    if statements.count >= capacity {
      // A search through all, at most once a preparation: cheap beside it.
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

  /// Takes back a statement that was reset.
  func giveBack(_ prepared: Prepared) {
    clock += 1
    prepared.lastUse = clock
    prepared.isInUse = false
  }

  /// Forgets all; those in use are finalized when their users are done.
  func removeAll() { statements.removeAll() }
}
