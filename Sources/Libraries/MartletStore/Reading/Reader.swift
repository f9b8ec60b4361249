import MartletSQLite

/// A read-only connection. Each read sees one snapshot, which contains at least the last published
/// commit. The snapshot may be kept between reads.
///
/// `@unchecked Sendable`: used by one thread at a time, namely the event loop, worker queue or
/// borrower that has it.
final class Reader: @unchecked Sendable {
  let connection: Connection
  private let clock: CommitClock
  private let rules: ClosureRules
  private let budget: ReadBudget
  var limit: ReadLimit { ReadLimit(budget: budget) }
  private let begin: PreparedStatement
  private let end: PreparedStatement
  private var slow: SlowStatements?
  /// The commit number read just before the kept snapshot was taken; `nil` if no snapshot is kept.
  private var kept: UInt64?

  init(
    path: String, clock: CommitClock, resultLimit: Int, prepare: (Connection) throws -> Void,
    slow: ((Connection) -> SlowStatements)? = nil
  ) throws {
    self.clock = clock
    connection = try Connection(location: .file(path), options: [.readOnly, .noMutex])
    connection.setBusyTimeout(.seconds(5))
    // Before the pragma, because `query_only` also refuses to create temporary triggers and tables.
    try prepare(connection)
    try connection.pragma("query_only", set: "ON")
    budget = ReadBudget.install(on: connection, resultLimit: resultLimit)
    rules = ClosureRules.install(on: connection)
    begin = try connection.prepare(sql: "BEGIN")
    end = try connection.prepare(sql: "COMMIT")
    self.slow = slow?(connection)
  }

  deinit { releaseSnapshot() }

  /// Runs `body` in a read transaction. With `keeping`, the snapshot is kept for the next read,
  /// which saves the system calls that find the newest one.
  func read<T>(
    keeping: Bool = false, budget limit: Duration? = nil, ownWork: Bool = false,
    mustYield: (() -> Bool)? = nil, _ body: (Connection) throws -> T
  ) throws -> T {
    // The number is read before the snapshot is taken. A commit in between is in the snapshot and
    // causes an unnecessary release later, but is never missed.
    let number = clock.number
    let keeps = keeping && clock.allowsKeeping
    if let kept, kept != number || !keeps { releaseSnapshot() }
    if kept == nil {
      try begin.run()
      if keeps {
        kept = number
        clock.hold(1)
      }
    }
    rules.isInside = true
    defer { slow?.report(connection) }
    do {
      let result = try budget.limiting(to: limit, ownWork: ownWork, mustYield: mustYield) {
        try body(connection)
      }
      rules.isInside = false
      if kept == nil || connection.isAutocommit { releaseSnapshot() }
      return result
    } catch {
      rules.isInside = false
      releaseSnapshot()
      throw error
    }
  }

  /// Ends the read transaction and releases the snapshot.
  func releaseSnapshot() {
    if kept != nil {
      kept = nil
      clock.hold(-1)
    }
    if !connection.isAutocommit, (try? end.run()) == nil {
      connection.resetBusyStatements()
      // If this fails too, the next BEGIN fails and reports it to its caller.
      try? end.run()
    }
    // A statement that the closure left unfinished still holds the snapshot, and the next read
    // would see the old data.
    if connection.isReading { connection.resetBusyStatements() }
  }
}
