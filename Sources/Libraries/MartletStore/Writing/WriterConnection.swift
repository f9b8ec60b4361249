import MartletSQLite

/// The connection that writes, and everything that is installed on it. A node of a cluster opens a
/// new one when its role changes.
///
/// Used on the writer's queue only.
final class WriterConnection {
  /// How the connection is opened.
  struct Opening: Sendable {
    let path: String
    let configuration: Configuration
    let watch: Watch
    let clock: CommitClock
    let prepare: @Sendable (Connection) throws -> Void
  }

  let connection: Connection
  let transaction: GroupTransaction
  let log: WALCheckpointer
  /// Applies entries of the log; `nil` unless the database is a replica.
  let applier: RowApplier?

  /// - Parameters:
  ///   - role: The role in a cluster; `nil` for a database of its own.
  ///   - surroundings: The state of the writer that limits depend on.
  init(
    _ opening: Opening, role: ReplicationRole?, _ surroundings: WriteBudget.Surroundings
  ) throws {
    let configuration = opening.configuration
    connection = try Connection(location: .file(opening.path))
    // Must come first: a `DELETE FROM t` prepared before the preupdate hook is set would report no
    // rows.
    let recorder = ChangeRecorder.install(on: connection, opening.watch)
    if configuration.retriesBusyLock {
      connection.insist(for: configuration.busyTimeout)
    } else {
      connection.setBusyTimeout(configuration.busyTimeout)
    }
    try connection.makeDurable()
    // In a cluster a commit is durable in the log, and a file that loses its last commits gets them
    // from there.
    if role != nil { try connection.pragma("synchronous", set: "NORMAL") }
    try connection.pragma("foreign_keys", set: "ON")
    try opening.prepare(connection)
    applier = role == .replica ? try RowApplier(connection) : nil
    if role == .primary { recorder.capture = RowCapture() }
    let shared = max(configuration.groupTime.wholeNanoseconds, 1_000_000) * 10
    let budget = WriteBudget.install(
      on: connection, recorder,
      .init(
        time: configuration.writeTimeout > .zero
          ? configuration.writeTimeout.wholeNanoseconds : .max,
        rows: configuration.writeRows > 0 ? configuration.writeRows : .max / 2,
        shared: shared, others: configuration.writeQueueTimeout.wholeNanoseconds / 2,
        result: configuration.resultBytes),
      surroundings)
    transaction = try GroupTransaction(
      connection, recorder: recorder, budget: budget, changeTable: configuration.changeTable,
      isReplicated: role != nil)
    log = try WALCheckpointer(
      connection, limit: configuration.checkpointFrames, clock: opening.clock)
  }
}
