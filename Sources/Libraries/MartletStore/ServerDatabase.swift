import MartletSQLite

/// A database that serves requests: reads on event loops and workers, and writes that do not block
/// the caller.
public protocol ServerDatabase: ObservableDatabase {
  /// The path of the database file on this machine. Files of similar size can be created next to
  /// it.
  var path: String { get }

  /// The maximum size of one result, in bytes of JSON (``Configuration/resultBytes``).
  var largestResult: Int { get }

  /// The number of event loops that have a reader of their own (``Configuration/loopReaders``).
  var loops: Int { get }

  /// Runs `body` on the reader of one event loop, on the calling thread. Only that loop may use its
  /// index. A loop without a reader of its own uses a shared one.
  ///
  /// After `budget` its statements are interrupted and ``ReadError/overBudget(limit:)`` is thrown.
  /// Time in which other programs kept the thread from running does not count.
  func withReader<T>(
    loop: Int, budget: Duration?, _ body: (Connection) throws -> T
  ) throws -> T

  /// Runs `body` on a worker's reader, where `completion` is called. After `budget` it is
  /// interrupted. Throws ``ReadError/overloaded(waiting:)`` if the queue is full.
  ///
  /// Queued jobs are served round robin by `client`. If one client's jobs occupy all workers while
  /// another client waits, the job that started last is interrupted and restarted later, so `body`
  /// may run more than once.
  func onWorker<T: Sendable>(
    budget: Duration?, client: Int, _ body: @escaping @Sendable (Connection) throws -> T,
    completion: @escaping @Sendable (Result<T, any Error>) -> Void
  ) throws(ReadError)

  /// Enqueues a write.
  ///
  /// `completion` is called once, after the commit is durable or the write has failed. It must not
  /// block. It runs on the writer's thread, or on another one for a write that was not executed
  /// because it was evicted or has waited for ``Configuration/writeQueueTimeout``
  /// (``WriteError/expired(after:)``).
  ///
  /// Writes are served round robin by `client`, and in order for each client. If the queue is full,
  /// the last write of the client with the most writes is refused instead of this one; if there is
  /// no such client, ``WriteError/overloaded(waiting:)`` is thrown.
  func submit<T: Sendable>(
    client: Int, write body: @escaping @Sendable (Connection) throws -> T,
    completion: @escaping @Sendable (Result<T, any Error>) -> Void
  ) throws(WriteError)

  /// The number of writes in the queue.
  var waitingWrites: Int { get }

  /// Whether the last group of writes failed because another program held the lock. The next write
  /// that succeeds resets it, even if it changes nothing.
  var isBlocked: Bool { get }

  /// How long the current group of writes has been running; `nil` while the writer is idle.
  var writingFor: Duration? { get }
}

extension ServerDatabase {
  /// Runs `body` on the reader of one event loop without a time limit.
  public func withReader<T>(loop: Int, _ body: (Connection) throws -> T) throws -> T {
    try withReader(loop: loop, budget: nil, body)
  }

  /// Enqueues a write that belongs to no particular client.
  public func submit<T: Sendable>(
    write body: @escaping @Sendable (Connection) throws -> T,
    completion: @escaping @Sendable (Result<T, any Error>) -> Void
  ) throws(WriteError) {
    try submit(client: 0, write: body, completion: completion)
  }

  /// Runs `body` on a worker for a job that belongs to no particular client, by default without a
  /// time limit.
  public func onWorker<T: Sendable>(
    budget: Duration? = nil, _ body: @escaping @Sendable (Connection) throws -> T,
    completion: @escaping @Sendable (Result<T, any Error>) -> Void
  ) throws(ReadError) {
    try onWorker(budget: budget, client: 0, body, completion: completion)
  }

  /// Runs `body` on a worker for `client` without a time limit.
  public func onWorker<T: Sendable>(
    client: Int, _ body: @escaping @Sendable (Connection) throws -> T,
    completion: @escaping @Sendable (Result<T, any Error>) -> Void
  ) throws(ReadError) {
    try onWorker(budget: nil, client: client, body, completion: completion)
  }
}
