import MartletSQLite

/// Statements of one reader that took long, with their plans: told of when the read is over.
final class SlowStatements {
  private let onEvent: @Sendable (StoreEvent) -> Void
  private var found: [(sql: String, nanoseconds: UInt64)] = []

  /// `threshold` in nanoseconds.
  init(
    on connection: Connection, from threshold: UInt64,
    onEvent: @escaping @Sendable (StoreEvent) -> Void
  ) {
    self.onEvent = onEvent
    connection.onProfile(from: threshold) { [unowned self] sql, nanoseconds in
      found.append((sql, nanoseconds))
    }
  }

  /// After a read: explains what was found.
  func report(_ connection: Connection) {
    guard !found.isEmpty else { return }
    let statements = found
    for (sql, nanoseconds) in statements {
      // What cannot be explained (a schema that has changed since) is told without its plan.
      let steps = (try? connection.query("EXPLAIN QUERY PLAN \(sql)")) ?? []
      onEvent(
        .slowStatement(
          sql: sql, duration: .nanoseconds(nanoseconds), plan: steps.compactMap { $0.last?.text }))
    }
    found = []
  }
}
