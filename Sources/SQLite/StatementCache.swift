/// A connection's prepared statements by their SQL; of those not in use, the least recently used
/// one goes first. Nobody gets a statement that is in use a second time.
final class StatementCache {
  let capacity: Int
  private var statements: [String: Prepared] = [:]
  private var clock: UInt64 = 0

  init(capacity: Int) { self.capacity = capacity }

  /// The number of statements, in use or not.
  var count: Int { statements.count }

  /// A statement at rest, now in use; nil when there is none.
  func take(_ sql: String) -> Prepared? {
    guard let prepared = statements[sql], !prepared.isInUse else { return nil }
    prepared.isInUse = true
    return prepared
  }

  /// Keeps a new statement that is in use; false when it has a twin here, or all others are in use.
  func keep(_ prepared: Prepared) -> Bool {
    guard statements[prepared.sql] == nil else { return false }
    if statements.count >= capacity {
      // A search through all, at most once a preparation: cheap beside it.
      let resting = statements.values.lazy.filter { !$0.isInUse }
      guard let oldest = resting.min(by: { $0.lastUse < $1.lastUse }) else { return false }
      statements[oldest.sql] = nil
    }
    prepared.isInUse = true
    statements[prepared.sql] = prepared
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
