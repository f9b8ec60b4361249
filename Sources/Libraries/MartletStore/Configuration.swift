import MartletSQLite

/// The configuration of an ``EmbeddedDatabase``: its limits, and what runs on each new connection.
///
/// ```swift
/// var configuration = Configuration()
/// configuration.prepareDatabase { db in
///   db.add(function: $createDefaultRemindersList)
/// }
/// let database = try EmbeddedDatabase(path: "app.db", configuration: configuration)
/// ```
public struct Configuration: Sendable {
  /// Whether foreign keys are enforced (https://sqlite.org/foreignkeys.html#fk_enable). The default
  /// is `true`.
  public var foreignKeysEnabled = true
  /// The number of readers addressed by index, one per event loop. The default is 0.
  public var loopReaders = 0
  /// Whether the loops' readers keep their snapshots between reads. The default is `false`.
  ///
  /// Snapshots are kept only after ``EmbeddedDatabase/onSnapshotRelease(_:)`` was given a handler
  /// that wakes the loops; each loop must then call ``EmbeddedDatabase/releaseSnapshot(loop:)``.
  /// Commits by other programs become visible within ``otherWritersInterval``.
  public var loopsKeepSnapshots = false
  /// The number of readers for long reads, each with its own dispatch queue. At least one is
  /// opened; the default is 2.
  public var workerReaders = 2
  /// The maximum size of one result, in bytes of JSON. A larger one fails with
  /// ``ReadError/tooLarge(limit:)``. The default is 8 MiB.
  public var resultBytes = 8 << 20
  /// The maximum number of reads that wait for a worker. When the queue is full, reads are refused.
  /// The default is 256.
  public var workerQueueLimit = 256
  /// How long a read may wait for a worker before it is refused. The default is 2 seconds.
  public var workerQueueTimeout: Duration = .seconds(2)
  /// The duration from which a statement of a worker or shared reader is reported as slow, with its
  /// query plan. Event loops pass slow reads on to workers. The default is 1 second.
  public var slowQuery: Duration = .seconds(1)
  /// The maximum number of connections shared by `Database.read`, opened on demand. The default is
  /// 4.
  public var sharedReaders = 4
  /// The maximum number of queued writes. When the queue is full, writes are refused. The default
  /// is 4,096.
  public var writeQueueLimit = 4_096
  /// The maximum number of writes in one commit. The default is 256.
  public var groupLimit = 256
  /// The running time after which a group of writes commits without taking more writes. The default
  /// is 20 milliseconds.
  public var groupTime: Duration = .milliseconds(20)
  /// How long a write may wait in the queue before it is refused. The default is 5 seconds.
  public var writeQueueTimeout: Duration = .seconds(5)
  /// How long a write may run before it is interrupted and rolled back; 0 means no limit. The
  /// default is 10 seconds.
  public var writeTimeout: Duration = .seconds(10)
  /// The maximum number of rows that a write may insert, update and delete before it is interrupted
  /// and rolled back. Rows changed by triggers, and rows of a full-text index, are not counted. 0
  /// means no limit; the default is 1,000,000.
  public var writeRows = 1_000_000
  /// How long `BEGIN IMMEDIATE` waits for a lock held by another program. The default is 5 seconds.
  public var busyTimeout: Duration = .seconds(5)
  /// Whether a locked database is retried every millisecond and not at increasing intervals. For a
  /// program that writes while a server is running. The default is `false`.
  public var retriesBusyLock = false
  /// The interval at which commits by other programs are detected. The default is 100 milliseconds.
  public var otherWritersInterval: Duration = .milliseconds(100)
  /// The log that tells which rows other programs have changed. The default is `nil`: their commits
  /// are followed by tables with counters (``SchemaPart/counters(of:)``), or not at all.
  public var changeTable: ChangeTable?
  /// The number of frames in the WAL from which it is checkpointed. The default is 1,000.
  public var checkpointFrames = 1_000
  private var preparations: [@Sendable (Connection) throws -> Void] = []
  private var additions: [@Sendable (Connection) throws -> Void] = []

  /// Creates a configuration with the default limits and no connection setup.
  public init() {}

  /// Adds setup that runs once on each connection before its first statement, including the readers
  /// and the migrator's connection. Closures run in the order they were added.
  ///
  /// Register functions and collations here. The tables may not exist yet.
  public mutating func prepareDatabase(
    _ prepare: @escaping @Sendable (Connection) throws -> Void
  ) {
    preparations.append(prepare)
  }

  /// Adds setup that runs on each connection of the opened database, after the closures of
  /// ``prepareDatabase(_:)``. The tables exist by then, so temporary triggers and views belong
  /// here.
  public mutating func prepareSchema(_ prepare: @escaping @Sendable (Connection) throws -> Void) {
    additions.append(prepare)
  }

  /// The same limits, without any setup of connections.
  package func withoutSetup() -> Configuration {
    var configuration = self
    (configuration.preparations, configuration.additions) = ([], [])
    return configuration
  }

  /// Runs the complete setup on one connection of the opened database.
  public func prepare(_ connection: Connection) throws {
    try prepareMigration(connection)
    for prepare in additions { try prepare(connection) }
  }

  /// Runs the setup for a connection that executes migrations: everything except the closures of
  /// ``prepareSchema(_:)``.
  public func prepareMigration(_ connection: Connection) throws {
    if !foreignKeysEnabled { try connection.pragma("foreign_keys", set: "OFF") }
    for prepare in preparations { try prepare(connection) }
  }
}

extension Connection {
  /// Makes commits survive a power loss: enables WAL mode, with a sync at each commit
  /// (https://sqlite.org/pragma.html#pragma_synchronous).
  ///
  /// If WAL mode cannot be enabled, SQLite keeps the previous mode without an error
  /// (https://sqlite.org/pragma.html#pragma_journal_mode). This method throws one.
  func makeDurable() throws(SQLiteError) {
    let mode = try pragma("journal_mode", set: "WAL")?.text
    guard mode == "wal" else {
      throw SQLiteError(
        code: SQLITE_CANTOPEN,
        message: "WAL mode could not be enabled; the journal mode is \(mode ?? "unknown")")
    }
    try pragma("synchronous", set: "FULL")
  }
}
