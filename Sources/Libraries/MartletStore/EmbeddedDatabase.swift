import Dispatch
import MartletSQLite
import MartletTime

/// A database engine in the process: one file, one writer, many readers.
public final class EmbeddedDatabase: ServerDatabase {
  /// The path of the database file.
  public let path: String
  /// The columns and values that commit notifications contain in addition to row IDs.
  public let watch = Watch()
  private let clock = CommitClock()
  let writer: Writer
  private let loopReaders: [Reader]
  private let keepsSnapshots: Bool
  private let workers: Workers
  private let shared: SharedReaders
  private let attachments = Attachments()

  /// Opens the file in WAL mode with `synchronous = FULL`. The file is created if it does not
  /// exist.
  ///
  /// `prepare` is called once for each connection, before the setup of the configuration. Register
  /// functions, collations and temporary triggers there; change the schema with a
  /// ``Migrator`` before opening. The store reserves the preupdate, commit
  /// and WAL hooks of the writer's connection.
  ///
  /// With a replicator the database is a node of a cluster. It begins as a replica, the file must
  /// have a ``NodePosition``, and commits are made with `synchronous = NORMAL`, because they are
  /// durable in the log.
  public init(
    path: String, configuration: Configuration = Configuration(),
    prepare first: @escaping @Sendable (Connection) throws -> Void = { _ in },
    replicator: (any Replicator)? = nil,
    onEvent: @escaping @Sendable (StoreEvent) -> Void = StoreEvent.log
  ) throws {
    self.path = path
    let prepare: @Sendable (Connection) throws -> Void = {
      try first($0)
      try configuration.prepare($0)
    }
    largestResult = configuration.resultBytes
    writer = try Writer(
      .init(path: path, configuration: configuration, watch: watch, clock: clock, prepare: prepare),
      replicator: replicator, onEvent: onEvent)
    loopReaders = try (0..<configuration.loopReaders).map { [clock] _ in
      try Reader(path: path, clock: clock, resultLimit: configuration.resultBytes, prepare: prepare)
    }
    // Slow reads move from the event loops to the workers, so slow statements are reported there.
    let threshold = configuration.slowQuery.wholeNanoseconds
    let open: @Sendable () throws -> Reader = { [clock] in
      try Reader(path: path, clock: clock, resultLimit: configuration.resultBytes, prepare: prepare)
      {
        SlowStatements(on: $0, from: threshold, onEvent: onEvent)
      }
    }
    keepsSnapshots = configuration.loopsKeepSnapshots
    workers = Workers(
      try (0..<max(configuration.workerReaders, 1)).map { _ in try open() },
      limit: configuration.workerQueueLimit,
      timeout: configuration.workerQueueTimeout)
    shared = SharedReaders(count: configuration.sharedReaders, open: open)
  }

  deinit { writer.close() }

  /// Runs the queued writes, refuses new ones, checkpoints the WAL as far as active readers allow,
  /// and closes the writer. The readers close when the object is deallocated.
  public func close() { writer.close() }

  /// Closes the database, abandoning writes that do not finish within `timeout`. An abandoned
  /// write is rolled back and fails with ``WriteError/stopped``.
  public func close(within timeout: Duration) { writer.close(within: timeout) }

  // MARK: Database

  /// Runs `body` on a shared reader, blocking the caller until one is free. A read inside a read on
  /// the same thread uses the same reader and snapshot.
  public func read<T>(_ body: (Connection) throws -> T) throws -> T { try shared.read(body) }

  /// Runs `body` on the writer, blocking the caller until the commit is durable. Throws
  /// ``WriteError/nested`` on the writer's own thread.
  public func write<T>(_ body: (Connection) throws -> T) throws -> T {
    guard !writer.isCurrent else { throw WriteError.nested }
    return try withoutActuallyEscaping(body) { body in
      let write = BlockingWrite(body)
      do { try writer.admit(write.pending) } catch {
        write.abandon()
        throw error
      }
      return try write.wait()
    }
  }

  /// Runs `body` on a worker. Throws ``ReadError`` if the queue is full or the wait times out.
  public func read<T: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> T
  ) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
      do { try onWorker(budget: nil, client: 0, body) { continuation.resume(with: $0) } } catch {
        continuation.resume(throwing: error)
      }
    }
  }

  /// Runs `body` on the writer and returns once the commit is durable. Throws ``WriteError`` if the
  /// write is refused.
  public func write<T: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> T
  ) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
      do { try submit(write: body) { continuation.resume(with: $0) } } catch {
        continuation.resume(throwing: error)
      }
    }
  }

  /// Calls `body` after each commit for the lifetime of the database.
  public func onCommit(_ body: @escaping @Sendable (CommitNotification) -> Void) {
    writer.listeners.add {
      body($0)
      return true
    }
  }

  // MARK: ObservableDatabase

  /// Calls `body` after each commit and `answered` after its writes got their results, both on the
  /// writer's thread, until `listener` is deallocated.
  public func onCommit<Listener: AnyObject & Sendable>(
    while listener: Listener, _ body: @escaping @Sendable (Listener, CommitNotification) -> Void,
    answered: @escaping @Sendable (Listener) -> Void
  ) {
    writer.listeners.add { [weak listener] notice in
      guard let listener else { return false }
      body(listener, notice)
      return true
    } answered: { [weak listener] in
      if let listener { answered(listener) }
    }
  }

  /// Returns the object of this type attached to the database, or creates and attaches one. The
  /// database holds it weakly.
  public func attachment<Object: AnyObject & Sendable>(
    of type: Object.Type, orMake make: () throws -> Object
  ) rethrows -> Object { try attachments.object(make) }

  /// Runs `body` on a shared reader and passes it a time limit that it can apply to parts of the
  /// read.
  public func read<T>(_ body: (Connection, ReadLimit) throws -> T) throws -> T {
    try shared.readLimiting(body)
  }

  /// The number of the most recent commit.
  public var commitNumber: UInt64 { clock.number }
  /// The number of the most recent commit that has started.
  public var startedCommitNumber: UInt64 { clock.begun }
  /// Blocks until the commit in progress, if any, has been published or has failed.
  public func waitForCommitNotification() { clock.settle() }

  /// Whether commits by other programs are detected while this program is not writing.
  public var hasListeners: Bool {
    get { clock.hasListeners }
    set { clock.hasListeners = newValue }
  }

  // MARK: ServerDatabase

  /// The maximum size of one result, in bytes of JSON.
  public let largestResult: Int
  /// The number of event loops that have a reader of their own.
  public var loops: Int { loopReaders.count }
  /// The number of writes in the queue.
  public var waitingWrites: Int { writer.waiting }
  /// Whether the last group of writes failed because another program held the lock.
  public var isBlocked: Bool { writer.isBlocked }
  /// How long the current group of writes has been running; `nil` while the writer is idle.
  public var writingFor: Duration? { writer.groupAge }

  /// Enqueues a write for `client`. `completion` receives its result. Throws
  /// ``WriteError/overloaded(waiting:)`` if the queue is full.
  public func submit<T: Sendable>(
    client: Int, write body: @escaping @Sendable (Connection) throws -> T,
    completion: @escaping @Sendable (Result<T, any Error>) -> Void
  ) throws(WriteError) {
    try writer.admit(PendingWrite(body, completion: completion), of: client)
  }

  /// Runs `body` on the reader of one event loop, on the calling thread, and interrupts it after
  /// `budget`.
  public func withReader<T>(
    loop: Int, budget: Duration?, _ body: (Connection) throws -> T
  ) throws -> T {
    guard loop < loopReaders.count else {
      // The server has more event loops than ``Configuration/loopReaders``.
      return try shared.readLimiting { connection, limit in
        guard let budget else { return try body(connection) }
        return try limit.within(budget) { try body(connection) }
      }
    }
    return try loopReaders[loop].read(
      keeping: keepsSnapshots, budget: budget, ownWork: true, body)
  }

  /// Runs `body` on a worker for `client`. `completion` receives its result. Throws
  /// ``ReadError/overloaded(waiting:)`` if the queue is full.
  public func onWorker<T: Sendable>(
    budget: Duration?, client: Int, _ body: @escaping @Sendable (Connection) throws -> T,
    completion: @escaping @Sendable (Result<T, any Error>) -> Void
  ) throws(ReadError) {
    try workers.submit(budget: budget, client: client, body, completion: completion)
  }

  // MARK: For the program that put server and database together

  /// Releases the snapshot that a loop's reader keeps between reads. Call it on that loop after the
  /// handler of ``onSnapshotRelease(_:)`` has signalled it.
  public func releaseSnapshot(loop: Int) {
    if loop < loopReaders.count { loopReaders[loop].releaseSnapshot() }
  }

  /// Sets a handler that is called on the writer's thread when every loop must call
  /// ``releaseSnapshot(loop:)`` soon.
  public func onSnapshotRelease(_ body: @escaping @Sendable () -> Void) {
    writer.onSnapshotRelease(body)
  }

  /// Sets a wrapper around the delivery of a group's results.
  ///
  /// The wrapper is called on the writer's thread with a closure that completes all writes of the
  /// group, and must call it exactly once. A server can use it to wake each event loop once per
  /// group and not once per write.
  public func onAnswers(_ around: @escaping @Sendable (() -> Void) -> Void) {
    writer.onAnswers(around)
  }
}
