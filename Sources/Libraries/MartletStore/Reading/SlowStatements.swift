import MartletSQLite

/// Collects the slow statements of one reader and reports them with their query plans after each
/// read.
final class SlowStatements {
  private let onEvent: @Sendable (StoreEvent) -> Void
  private var found: [(sql: String, nanoseconds: UInt64)] = []

  /// Collects statements that take at least `threshold` nanoseconds.
  init(
    on connection: Connection, from threshold: UInt64,
    onEvent: @escaping @Sendable (StoreEvent) -> Void
  ) {
    self.onEvent = onEvent
    connection.onProfile(from: threshold) { [unowned self] sql, nanoseconds in
      found.append((sql, nanoseconds))
    }
  }

  /// Reports the statements collected during the read.
  func report(_ connection: Connection) {
    guard !found.isEmpty else { return }
    let statements = found
    for (sql, nanoseconds) in statements {
      // A statement that cannot be explained, because the schema has changed since, is reported
      // without a plan.
      let steps = (try? connection.query("EXPLAIN QUERY PLAN \(sql)")) ?? []
      onEvent(
        .slowStatement(
          sql: sql, duration: .nanoseconds(nanoseconds), plan: steps.compactMap { $0.last?.text }))
    }
    found = []
  }
}
