/// The embedded engine's limits, each with its default.
public struct Settings: Sendable {
  /// Readers that are addressed by index, one for each event loop.
  public var loopReaders = 0
  /// Whether loop readers keep their snapshot between reads. They do so only once
  /// ``EmbeddedDatabase/onSnapshotRelease(_:)`` was told how to wake the loops; each then has to call
  /// ``EmbeddedDatabase/releaseSnapshot(loop:)``. Other programs'
  /// commits are then seen after ``otherWritersInterval`` at the latest.
  public var loopsKeepSnapshots = false
  /// Readers for long work, each with a queue of its own; at least one.
  public var workerReaders = 2
  /// How many bytes of JSON one result may have: ``ReadError/tooLarge(limit:)`` beyond.
  public var resultBytes = 8 << 20
  /// Jobs that may wait for a worker reader; one more is refused. They have their turns by client.
  public var workerQueueLimit = 256
  /// How long a job may wait for a worker reader before it is refused.
  public var workerQueueTimeout: Duration = .seconds(2)
  /// From this time on a statement of a read is told of, with its plan: those of workers and of shared readers, to
  /// which loops give what takes long.
  public var slowQuery: Duration = .seconds(1)
  /// Connections that ``Database/read(_:)`` on other threads shares, opened when needed.
  public var sharedReaders = 4
  /// Writes that may wait; one more is refused.
  public var writeQueueLimit = 4_096
  /// Writes in one commit, at most.
  public var groupLimit = 256
  /// The work after which a group commits with what it has.
  public var groupTime: Duration = .milliseconds(20)
  /// How long a write may wait for its turn before it is refused.
  public var writeQueueTimeout: Duration = .seconds(5)
  /// How long a write may run before it is interrupted and rolled back; 0: any time.
  public var writeTimeout: Duration = .seconds(10)
  /// Rows that a write may insert, change and delete, those of triggers and of a full-text index among them,
  /// before it is interrupted and rolled back; 0: any number.
  public var writeRows = 1_000_000
  /// How long `BEGIN IMMEDIATE` waits for another program's write.
  public var busyTimeout: Duration = .seconds(5)
  /// Whether it looks for its turn once a millisecond, and not ever less often: for a program that writes beside a
  /// server.
  public var retriesBusyLock = false
  /// The time between two looks at whether another program has written.
  public var otherWritersInterval: Duration = .milliseconds(100)
  /// Frames in the write-ahead log after which it is copied into the database.
  public var checkpointFrames = 1_000

  public init() {}
}
