import Dispatch
import MartletSQLite
import MartletTime

/// The engine in this process: one file, one writer, many readers.
public final class EmbeddedDatabase: Database {
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
    onEvent: @escaping @Sendable (StoreEvent) -> Void = StoreEvent.tell
  ) throws {
    self.path = path
    largestResult = settings.resultBytes
    let connection = try Connection(location: .file(path))
    // First of all: a DELETE FROM t prepared before the hook would report no rows.
    let recorder = ChangeRecorder.install(on: connection, watch)
    if settings.insists {
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
      patience: settings.workerPatience)
    shared = SharedReaders(count: settings.sharedReaders, open: open)
  }

  deinit { writer.close() }

  /// Brings the schema to what this program knows; before the file is opened as a database.
  @discardableResult
  public static func migrate(
    path: String, _ migrator: Migrator, configuration: Configuration = Configuration()
  ) throws -> Migrator.Report {
    let connection = try Connection(location: .file(path))
    connection.setBusyTimeout(configuration.busyTimeout)
    // Before anything is written: a file that does not fit is left as it is.
    _ = try migrator.pending(connection)
    try connection.makeDurable()
    try configuration.prepare(connection)
    return try migrator.migrate(connection)
  }

  /// What ``migrate(path:_:)`` would do to a file that exists, or would throw. The file stays as it is.
  public static func rehearseMigration(
    path: String, _ migrator: Migrator
  ) throws -> Migrator.Report {
    let connection = try Connection(location: .file(path), options: .readWrite)
    defer { connection.close() }
    connection.setBusyTimeout(.seconds(5))
    _ = try migrator.pending(connection)
    return try migrator.rehearse(connection)
  }

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
      do { try onWorker(body) { continuation.resume(with: $0) } } catch {
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

  public func onCommit(_ body: @escaping @Sendable (CommitNotice) -> Void) {
    writer.listeners.add {
      body($0)
      return true
    }
  }

  /// As ``onCommit(_:)``, for as long as `listener` lives, which this does not keep alive.
  ///
  /// `answered` is called next, when those who wrote have their answers: the place for work that would keep
  /// these waiting.
  public func onCommit<Listener: AnyObject & Sendable>(
    while listener: Listener, _ body: @escaping @Sendable (Listener, CommitNotice) -> Void,
    answered: @escaping @Sendable (Listener) -> Void = { _ in }
  ) {
    writer.listeners.add { [weak listener] notice in
      guard let listener else { return false }
      body(listener, notice)
      return true
    } answered: { [weak listener] in
      if let listener { answered(listener) }
    }
  }

  // MARK: Beside the database

  /// The object of this type that goes with the database. Made when first asked for, and the same
  /// for all who ask as long as any of them holds it: what works for a database is found from it,
  /// without a list of databases anywhere.
  public func attachment<Object: AnyObject & Sendable>(
    of type: Object.Type = Object.self, orMake make: () throws -> Object
  ) rethrows -> Object { try attachments.object(make) }

  /// As ``read(_:)``, for several queries of which each may be limited in time.
  public func read<T>(_ body: (Connection, ReadLimit) throws -> T) throws -> T {
    try shared.readLimiting(body)
  }

  // MARK: For servers

  /// The number of the last commit. A read that begins after this was asked sees at least that
  /// commit.
  public var commitNumber: UInt64 { clock.number }

  /// The number of the last commit that was begun: a read transaction whose snapshot was taken before this
  /// is asked holds no later one.
  package var begunCommitNumber: UInt64 { clock.begun }

  /// Returns when the commit that is under way, if there is one, has been told of or has failed. Not to be
  /// called by whoever is told of commits.
  package func waitForNotice() { clock.settle() }

  /// How many bytes of JSON one result may have (``Settings/resultBytes``).
  public let largestResult: Int

  /// How many writes wait for the writer.
  public var waitingWrites: Int { writer.waiting }

  /// How long the writes that are being done together have taken until now; `nil` while nothing is written.
  public var writingFor: Duration? { writer.groupAge }

  /// Whether other programs' commits are looked for while nothing is written.
  public var someoneListens: Bool {
    get { clock.someoneListens }
    set { clock.someoneListens = newValue }
  }

  /// Adds a write to those that wait. `completion` is called once, on the writer's thread, after
  /// the commit is durable or the write has failed; it must not block. A write that has waited for
  /// ``Settings/writePatience`` does not run, and is told so on another thread.
  ///
  /// Writes that wait have their turns by `client`; those of one client are done in their order. Where too many wait,
  /// the last of the client that has the most is refused instead.
  public func submit<T: Sendable>(
    client: Int = 0, write body: @escaping @Sendable (Connection) throws -> T,
    completion: @escaping @Sendable (Result<T, any Error>) -> Void
  ) throws(WriteError) {
    try writer.admit(PendingWrite(body, completion: completion), of: client)
  }

  /// How many loops have a reader (``Settings/loopReaders``).
  public var loops: Int { loopReaders.count }

  /// Runs `body` on the reader of one loop, on the caller's thread. Only that loop may use its
  /// index. A loop without a reader of its own uses one that other threads share.
  ///
  /// Past `budget` nanoseconds the statements are interrupted and
  /// ``ReadError/overBudget(nanoseconds:)`` is thrown. What the thread was held up by other programs does not count.
  public func withReader<T>(
    loop: Int, budget: UInt64? = nil, _ body: (Connection) throws -> T
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

  /// Lets go of the snapshot that a loop keeps; on that loop, when it was woken.
  public func letGo(loop: Int) {
    if loop < loopReaders.count { loopReaders[loop].letGo() }
  }

  /// Called on the writer's thread when every loop has to call ``letGo(loop:)`` soon.
  public func onLetGo(_ body: @escaping @Sendable () -> Void) { writer.onLetGo(body) }

  /// Called on the writer's thread with what answers the writes of a commit, to be called in it once: whoever wakes others
  /// for each answer can do it once for all.
  public func onAnswers(_ around: @escaping @Sendable (() -> Void) -> Void) {
    writer.onAnswers(around)
  }

  /// Runs `body` on a worker's reader; `completion` is called there. Throws when too many wait. Past
  /// `budget` nanoseconds it is interrupted.
  ///
  /// Jobs that wait have their turns by `client`. Where one client's jobs have all workers and another one's waits, the last
  /// one of those begins anew later: `body` may run more than once.
  public func onWorker<T: Sendable>(
    budget: UInt64? = nil, client: Int = 0, _ body: @escaping @Sendable (Connection) throws -> T,
    completion: @escaping @Sendable (Result<T, any Error>) -> Void
  ) throws(ReadError) {
    try workers.submit(budget: budget, client: client, body, completion: completion)
  }
}
