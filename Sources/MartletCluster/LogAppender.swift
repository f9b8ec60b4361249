import MartletStore
import Synchronization

/// Connects the writer of a database with the log: it appends while this node is the primary.
public final class LogAppender: Replicator {
  private let log = Mutex<PrimaryLog?>(nil)
  private let hasFailed = Atomic(false)
  private let lease: Duration
  /// The start of the last request that a majority has answered.
  private let confirmed = Mutex<ContinuousClock.Instant?>(nil)

  /// - Parameter latency: The latency that dqlite is set to. Elections begin after fifteen times of
  ///   it at the earliest.
  public init(latency: Duration) { lease = latency * 12 }

  /// Whether a request has failed, so that this node must take over again or become a replica.
  var isDeposed: Bool { hasFailed.load(ordering: .acquiring) }

  /// Begins to append to a log.
  func begin(_ log: PrimaryLog) {
    self.log.withLock { $0 = log }
    hasFailed.store(false, ordering: .releasing)
  }

  /// Refuses further requests.
  func refuse() { hasFailed.store(true, ordering: .releasing) }

  /// Closes the connection to the log.
  func end() {
    refuse()
    log.withLock { $0 = nil }
    confirmed.withLock { $0 = nil }
  }

  /// Appends an entry. See ``Replicator/append(_:seq:)``.
  public func append(_ entry: [UInt8], seq: Int64) throws(ReplicationError) {
    try run { log throws(ReplicationError) in try log.append(entry, seq: seq) }
  }

  /// Confirms that this node is the primary: within the lease without a request.
  public func confirm() throws(ReplicationError) {
    let now = ContinuousClock.now
    if let last = confirmed.withLock({ $0 }), now - last < lease, !isDeposed { return }
    try run { log throws(ReplicationError) in
      do throws(ClusterError) { try log.beat() } catch { throw .notPrimary }
    }
  }

  /// Deletes old entries.
  func trim(durable: [Int64]) {
    try? run { log throws(ReplicationError) in
      do throws(ClusterError) { try log.trim(durable: durable) } catch { throw .notPrimary }
    }
  }

  /// Runs a request that a majority must answer.
  private func run(
    _ body: (PrimaryLog) throws(ReplicationError) -> Void
  ) throws(ReplicationError) {
    let result = log.withLock { log -> Result<Void, ReplicationError> in
      guard let log, !isDeposed else { return .failure(.notPrimary) }
      let start = ContinuousClock.now
      return Result { () throws(ReplicationError) in
        try body(log)
        confirmed.withLock { $0 = start }
      }
    }
    do { try result.get() } catch {
      hasFailed.store(true, ordering: .releasing)
      throw error
    }
  }
}
