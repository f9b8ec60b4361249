import Dispatch
import MartletSQLite
import MartletTime

/// The engine in this process: one file, one writer, many readers.
public final class EmbeddedDatabase: ServerDatabase {
  public let path: String
  /// What notices tell of changed rows, beside their ids.
  public let watch = Watch()
  private let clock = CommitClock()
  private let writer: Writer
  private let loopReaders: [Reader]
  private let keepsSnapshots: Bool
  private let workers: Workers
  private let shared: SharedReaders
  private let attachments = Attachments()

  /// Opens the file, which is made if it does not exist, in WAL mode with `synchronous = FULL`.
  ///
  /// `prepare` is called once for each connection, before its first statement apart from pragmas:
  /// functions, collations and temporary triggers belong there, work on the schema into
  /// ``migrate(path:_:)``. The preupdate, commit and log hooks of the writer are the store's own.
  public init(
    path: String, settings: Settings = Settings(),
    prepare: @escaping @Sendable (Connection) throws -> Void = { _ in },
    onEvent: @escaping @Sendable (StoreEvent) -> Void = StoreEvent.log
  ) throws {
    self.path = path
    largestResult = settings.resultBytes
    let connection = try Connection(location: .file(path))
    // First of all: a DELETE FROM t prepared before the hook would report no rows.
    let recorder = ChangeRecorder.install(on: connection, watch)
    if settings.retriesBusyLock {
      connection.insist(for: settings.busyTimeout)
    } else {
      connection.setBusyTimeout(settings.busyTimeout)
    }
    try connection.makeDurable()
    try connection.pragma("foreign_keys", set: "ON")
    try prepare(connection)
    writer = try Writer(
      connection: connection, path: path, recorder: recorder, settings: settings, clock: clock,
      onEvent: onEvent)
    loopReaders = try (0..<settings.loopReaders).map { [clock] _ in
      try Reader(path: path, clock: clock, resultLimit: settings.resultBytes, prepare: prepare)
    }
    // What takes long on a loop is taken away from it, and runs here.
    let threshold = settings.slowQuery.wholeNanoseconds
    let open: @Sendable () throws -> Reader = { [clock] in
      try Reader(path: path, clock: clock, resultLimit: settings.resultBytes, prepare: prepare) {
        SlowStatements(on: $0, from: threshold, onEvent: onEvent)
      }
    }
    keepsSnapshots = settings.loopsKeepSnapshots
    workers = Workers(
      try (0..<max(settings.workerReaders, 1)).map { _ in try open() },
      limit: settings.workerQueueLimit,
      patience: settings.workerQueueTimeout)
    shared = SharedReaders(count: settings.sharedReaders, open: open)
  }

  deinit { writer.close() }

  /// Runs the writes that wait, refuses all others, copies the log into the file as far as readers
  /// let it, and closes the writer. Readers close when the object goes.
  public func close() { writer.close() }

  /// The same, but what is not done within `patience` is abandoned: it is rolled back, and its callers get
  /// ``WriteError/stopped``.
  public func close(within patience: Duration) { writer.close(within: patience) }

  // MARK: Database

  public func read<T>(_ body: (Connection) throws -> T) throws -> T { try shared.read(body) }

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

  public func read<T: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> T
  ) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
      do { try onWorker(budget: nil, client: 0, body) { continuation.resume(with: $0) } } catch {
        continuation.resume(throwing: error)
      }
    }
  }

  public func write<T: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> T
  ) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
      do { try submit(write: body) { continuation.resume(with: $0) } } catch {
        continuation.resume(throwing: error)
      }
    }
  }

  public func onCommit(_ body: @escaping @Sendable (CommitNotification) -> Void) {
    writer.listeners.add {
      body($0)
      return true
    }
  }

  // MARK: ObservableDatabase

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

  public func attachment<Object: AnyObject & Sendable>(
    of type: Object.Type, orMake make: () throws -> Object
  ) rethrows -> Object { try attachments.object(make) }

  public func read<T>(_ body: (Connection, ReadLimit) throws -> T) throws -> T {
    try shared.readLimiting(body)
  }

  public var commitNumber: UInt64 { clock.number }
  public var begunCommitNumber: UInt64 { clock.begun }
  public func waitForNotice() { clock.settle() }

  public var hasListeners: Bool {
    get { clock.hasListeners }
    set { clock.hasListeners = newValue }
  }

  // MARK: ServerDatabase

  public let largestResult: Int
  public var loops: Int { loopReaders.count }
  public var waitingWrites: Int { writer.waiting }
  public var isBlocked: Bool { writer.isBlocked }
  public var writingFor: Duration? { writer.groupAge }

  public func submit<T: Sendable>(
    client: Int, write body: @escaping @Sendable (Connection) throws -> T,
    completion: @escaping @Sendable (Result<T, any Error>) -> Void
  ) throws(WriteError) {
    try writer.admit(PendingWrite(body, completion: completion), of: client)
  }

  public func withReader<T>(
    loop: Int, budget: Duration?, _ body: (Connection) throws -> T
  ) throws -> T {
    guard loop < loopReaders.count else {
      // A server with more loops than the database was told of.
      return try shared.readLimiting { connection, limit in
        guard let budget else { return try body(connection) }
        return try limit.within(budget) { try body(connection) }
      }
    }
    return try loopReaders[loop].read(
      keeping: keepsSnapshots, budget: budget, ownWork: true, body)
  }

  public func onWorker<T: Sendable>(
    budget: Duration?, client: Int, _ body: @escaping @Sendable (Connection) throws -> T,
    completion: @escaping @Sendable (Result<T, any Error>) -> Void
  ) throws(ReadError) {
    try workers.submit(budget: budget, client: client, body, completion: completion)
  }

  // MARK: For the program that put server and database together

  /// Lets go of the snapshot that a loop keeps; on that loop, when it was woken.
  public func releaseSnapshot(loop: Int) {
    if loop < loopReaders.count { loopReaders[loop].releaseSnapshot() }
  }

  /// Called on the writer's thread when every loop has to call ``releaseSnapshot(loop:)`` soon.
  public func onSnapshotRelease(_ body: @escaping @Sendable () -> Void) {
    writer.onSnapshotRelease(body)
  }

  /// Called on the writer's thread with what answers the writes of a commit, to be called in it once: whoever wakes others
  /// for each answer can do it once for all.
  public func onAnswers(_ around: @escaping @Sendable (() -> Void) -> Void) {
    writer.onAnswers(around)
  }
}
