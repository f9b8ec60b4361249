import MartletSQLite

/// One read-only connection. Every read sees one commit, at least the last one that anybody was
/// told of; between reads the snapshot may be kept.
///
/// `@unchecked Sendable`: used by one thread at a time, the event loop, worker queue or borrower
/// that has it.
final class Reader: @unchecked Sendable {
  let connection: Connection
  private let clock: CommitClock
  private let rules: ClosureRules
  private let budget: ReadBudget
  var limit: ReadLimit { ReadLimit(budget: budget) }
  private let begin: PreparedStatement
  private let end: PreparedStatement
  private var slow: SlowStatements?
  /// The commit number at which the kept snapshot began, or before.
  private var kept: UInt64?

  init(
    path: String, clock: CommitClock, resultLimit: Int, prepare: (Connection) throws -> Void,
    slow: ((Connection) -> SlowStatements)? = nil
  ) throws {
    self.clock = clock
    connection = try Connection(location: .file(path), options: [.readOnly, .noMutex])
    connection.setBusyTimeout(.seconds(5))
    // Before the pragma, which would refuse temporary triggers and tables too.
    try prepare(connection)
    try connection.pragma("query_only", set: "ON")
    budget = ReadBudget.install(on: connection, resultLimit: resultLimit)
    rules = ClosureRules.install(on: connection)
    begin = try connection.prepare(sql: "BEGIN")
    end = try connection.prepare(sql: "COMMIT")
    self.slow = slow?(connection)
  }

  deinit { releaseSnapshot() }

  /// Runs `body` in a read transaction. With `keeping`, the snapshot stays for the next read, which
  /// saves the system calls that find the newest one.
  func read<T>(
    keeping: Bool = false, budget limit: Duration? = nil, ownWork: Bool = false,
    mustYield: (() -> Bool)? = nil, _ body: (Connection) throws -> T
  ) throws -> T {
    // The number is read before the snapshot begins: a commit in between is seen and fetched again,
    // never missed.
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

  /// Ends the read transaction, and with it the snapshot.
  func releaseSnapshot() {
    if kept != nil {
      kept = nil
      clock.hold(-1)
    }
    if !connection.isAutocommit, (try? end.run()) == nil {
      connection.resetBusyStatements()
      // Should this fail too, the next BEGIN does, and says so to its caller.
      try? end.run()
    }
    // A statement that somebody keeps unfinished still holds the snapshot: the next read would see
    // the old one.
    if connection.isReading { connection.resetBusyStatements() }
  }
}
