import MartletSQLite

/// A database that requests are answered from: reads on event loops and workers, writes that nothing waits for.
public protocol ServerDatabase: ObservableDatabase {
  /// The file on this machine; what is as large as it may lie beside it.
  var path: String { get }

  /// How many bytes of JSON one result may have (``Settings/resultBytes``).
  var largestResult: Int { get }

  /// How many loops have a reader (``Settings/loopReaders``).
  var loops: Int { get }

  /// Runs `body` on the reader of one loop, on the caller's thread. Only that loop may use its
  /// index. A loop without a reader of its own uses one that other threads share.
  ///
  /// Past `budget` the statements are interrupted and ``ReadError/overBudget(limit:)`` is thrown. What the
  /// thread was held up by other programs does not count.
  func withReader<T>(
    loop: Int, budget: Duration?, _ body: (Connection) throws -> T
  ) throws -> T

  /// Runs `body` on a worker's reader; `completion` is called there. Throws when too many wait. Past
  /// `budget` it is interrupted.
  ///
  /// Jobs that wait have their turns by `client`. Where one client's jobs have all workers and another one's waits, the last
  /// one of those begins anew later: `body` may run more than once.
  func onWorker<T: Sendable>(
    budget: Duration?, client: Int, _ body: @escaping @Sendable (Connection) throws -> T,
    completion: @escaping @Sendable (Result<T, any Error>) -> Void
  ) throws(ReadError)

  /// Adds a write to those that wait. `completion` is called once, on the writer's thread, after
  /// the commit is durable or the write has failed; it must not block. A write that has waited for
  /// ``Settings/writeQueueTimeout`` does not run, and is told so on another thread.
  ///
  /// Writes that wait have their turns by `client`; those of one client are done in their order. Where too many wait,
  /// the last of the client that has the most is refused instead.
  func submit<T: Sendable>(
    client: Int, write body: @escaping @Sendable (Connection) throws -> T,
    completion: @escaping @Sendable (Result<T, any Error>) -> Void
  ) throws(WriteError)

  /// How many writes wait for the writer.
  var waitingWrites: Int { get }

  /// Whether another program kept the last writes from being done. The next write that is done, though it changes nothing,
  /// ends it.
  var isBlocked: Bool { get }

  /// How long the writes that are being done together have taken until now; `nil` while nothing is written.
  var writingFor: Duration? { get }
}

extension ServerDatabase {
  public func withReader<T>(loop: Int, _ body: (Connection) throws -> T) throws -> T {
    try withReader(loop: loop, budget: nil, body)
  }

  public func submit<T: Sendable>(
    write body: @escaping @Sendable (Connection) throws -> T,
    completion: @escaping @Sendable (Result<T, any Error>) -> Void
  ) throws(WriteError) {
    try submit(client: 0, write: body, completion: completion)
  }

  public func onWorker<T: Sendable>(
    budget: Duration? = nil, _ body: @escaping @Sendable (Connection) throws -> T,
    completion: @escaping @Sendable (Result<T, any Error>) -> Void
  ) throws(ReadError) {
    try onWorker(budget: budget, client: 0, body, completion: completion)
  }

  public func onWorker<T: Sendable>(
    client: Int, _ body: @escaping @Sendable (Connection) throws -> T,
    completion: @escaping @Sendable (Result<T, any Error>) -> Void
  ) throws(ReadError) {
    try onWorker(budget: nil, client: client, body, completion: completion)
  }
}
