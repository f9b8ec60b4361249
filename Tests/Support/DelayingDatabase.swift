import Dispatch
import Glibc
import MartletSQLite
import MartletStore
import Synchronization

/// A second engine for tests of the store's protocols: an embedded database that delays its results
/// and fails on request.
public final class DelayingDatabase: ServerDatabase {
  /// The errors of the next operations, each used once.
  public struct Failures: Sendable {
    /// The errors of the next reads.
    public var reads: [ReadError] = []
    /// The errors of the next writes.
    public var writes: [WriteError] = []
  }

  private let base: EmbeddedDatabase
  private let failures = Mutex(Failures())
  private let random: Mutex<SeededRandom>
  /// Delivers results late and in order.
  private let answers = DispatchQueue(label: "delayed answers")

  /// Wraps a database. `seed` determines the delays.
  public init(_ base: EmbeddedDatabase, seed: UInt64 = 1) {
    self.base = base
    random = Mutex(SeededRandom(seed: seed))
  }

  /// Makes the next reads or writes fail.
  public func fail(_ body: (inout Failures) -> Void) { failures.withLock { body(&$0) } }

  private func pause() {
    usleep(random.withLock { UInt32.random(in: 0...300, using: &$0) })
  }

  private func beginRead() throws(ReadError) {
    pause()
    let error = failures.withLock { $0.reads.isEmpty ? nil : $0.reads.removeFirst() }
    if let error { throw error }
  }

  private func beginWrite() throws(WriteError) {
    pause()
    let error = failures.withLock { $0.writes.isEmpty ? nil : $0.writes.removeFirst() }
    if let error { throw error }
  }

  // MARK: Database

  public func read<T>(_ body: (Connection) throws -> T) throws -> T {
    try beginRead()
    return try base.read(body)
  }

  public func write<T>(_ body: (Connection) throws -> T) throws -> T {
    try beginWrite()
    return try base.write(body)
  }

  public func read<T: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> T
  ) async throws -> T {
    try beginRead()
    return try await base.read(body)
  }

  public func write<T: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> T
  ) async throws -> T {
    try beginWrite()
    return try await base.write(body)
  }

  public func onCommit(_ body: @escaping @Sendable (CommitNotification) -> Void) {
    base.onCommit(body)
  }

  // MARK: ObservableDatabase

  public var watch: Watch { base.watch }
  public var commitNumber: UInt64 { base.commitNumber }
  public var startedCommitNumber: UInt64 { base.startedCommitNumber }
  public func waitForCommitNotification() { base.waitForCommitNotification() }

  public func onCommit<Listener: AnyObject & Sendable>(
    while listener: Listener, _ body: @escaping @Sendable (Listener, CommitNotification) -> Void,
    answered: @escaping @Sendable (Listener) -> Void
  ) {
    base.onCommit(
      while: listener,
      { [weak self] listener, notice in
        self?.pause()
        body(listener, notice)
      }, answered: answered)
  }

  public var hasListeners: Bool {
    get { base.hasListeners }
    set { base.hasListeners = newValue }
  }

  public func read<T>(_ body: (Connection, ReadLimit) throws -> T) throws -> T {
    try beginRead()
    return try base.read(body)
  }

  public func attachment<Object: AnyObject & Sendable>(
    of type: Object.Type, orMake make: () throws -> Object
  ) rethrows -> Object { try base.attachment(of: type, orMake: make) }

  // MARK: ServerDatabase

  public var path: String { base.path }
  public var largestResult: Int { base.largestResult }
  public var loops: Int { base.loops }
  public var waitingWrites: Int { base.waitingWrites }
  public var isBlocked: Bool { base.isBlocked }
  public var writingFor: Duration? { base.writingFor }

  public func withReader<T>(
    loop: Int, budget: Duration?, _ body: (Connection) throws -> T
  ) throws -> T {
    try beginRead()
    return try base.withReader(loop: loop, budget: budget, body)
  }

  public func onWorker<T: Sendable>(
    budget: Duration?, client: Int, _ body: @escaping @Sendable (Connection) throws -> T,
    completion: @escaping @Sendable (Result<T, any Error>) -> Void
  ) throws(ReadError) {
    try beginRead()
    try base.onWorker(budget: budget, client: client, body) { [self] result in
      answers.async {
        self.pause()
        completion(result)
      }
    }
  }

  public func submit<T: Sendable>(
    client: Int, write body: @escaping @Sendable (Connection) throws -> T,
    completion: @escaping @Sendable (Result<T, any Error>) -> Void
  ) throws(WriteError) {
    try beginWrite()
    try base.submit(client: client, write: body) { [self] result in
      answers.async {
        self.pause()
        completion(result)
      }
    }
  }
}
