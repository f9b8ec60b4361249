import Glibc
import MartletStore
import Synchronization

/// Connects the writer of a database with the log: it appends while this node is the primary.
public final class LogAppender: Replicator {
  private let log = Mutex<PrimaryLog?>(nil)
  private let hasFailed = Atomic(false)
  private let lease: Duration
  private let stagingTime: Duration
  /// The start of the last request that a majority has answered.
  private let confirmed = Mutex<ContinuousClock.Instant?>(nil)
  /// Whether the lease was needed since it was last renewed.
  private let isNeeded = Atomic(false)

  /// The number of the last entry that was sent to the log. From then on other nodes can show it.
  private let sent = Atomic<Int64>(0)
  /// The number of the last one that readers of this node see.
  private let shown = Atomic<Int64>(0)
  private let onPublished = Callback<Int64, Never>()
  private let onAppended: @Sendable (Duration) -> Void

  /// - Parameters:
  ///   - latency: The latency that dqlite is set to. Elections begin after fifteen times of it at
  ///     the earliest.
  ///   - stagingTime: How long to wait until most nodes have a staged file.
  ///   - onAppended: Receives how long it took until a majority had an entry.
  public init(
    latency: Duration, stagingTime: Duration,
    onAppended: @escaping @Sendable (Duration) -> Void = { _ in }
  ) {
    self.onAppended = onAppended
    lease = latency * 12
    self.stagingTime = stagingTime
  }

  /// Whether a request has failed, so that this node must take over again or become a replica.
  var isDeposed: Bool { hasFailed.load(ordering: .acquiring) }

  /// Begins to append to a log.
  func begin(_ log: PrimaryLog) {
    self.log.withLock { $0 = log }
    // The file has everything that the log has.
    sent.store(0, ordering: .sequentiallyConsistent)
    shown.store(0, ordering: .sequentiallyConsistent)
    hasFailed.store(false, ordering: .releasing)
  }

  /// Refuses further requests. See ``Replicator/stepDown()``.
  public func stepDown() { refuse() }

  /// Refuses further requests.
  func refuse() { hasFailed.store(true, ordering: .releasing) }

  /// Closes the connection to the log.
  func end() {
    refuse()
    log.withLock { $0 = nil }
    confirmed.withLock { $0 = nil }
  }

  /// Appends an entry. See ``Replicator/append(_:)``.
  public func append(_ entry: ReplicatedEntry) throws(ReplicationError) {
    sent.store(entry.seq, ordering: .sequentiallyConsistent)
    let start = ContinuousClock.now
    try confirming { log throws(ReplicationError) in
      try log.append(entry.bytes, seq: entry.seq, kind: entry.kind)
    }
    onAppended(.now - start)
  }

  // MARK: What is shown

  /// Notes what readers see. See ``Replicator/published(_:)``.
  public func published(_ seq: Int64) {
    shown.store(seq, ordering: .sequentiallyConsistent)
    onPublished(seq)
  }

  /// Calls `body` after each entry that readers see, on the writer's thread.
  func whenPublished(_ body: @escaping @Sendable (Int64) -> Void) {
    onPublished.set(body)
  }

  var lastSent: Int64 { sent.load(ordering: .sequentiallyConsistent) }
  var lastShown: Int64 { shown.load(ordering: .sequentiallyConsistent) }

  // MARK: The lease

  /// Whether no other node can be the primary yet: a majority has answered this one a moment ago.
  var holdsLease: Bool {
    isNeeded.store(true, ordering: .relaxed)
    return isConfirmed(within: lease)
  }

  private func isConfirmed(within time: Duration) -> Bool {
    let now = ContinuousClock.now
    guard let last = confirmed.withLock({ $0 }), !isDeposed else { return false }
    return now - last < time
  }

  /// Confirms that this node is the primary: within the lease without a request.
  public func confirm() throws(ReplicationError) {
    if !holdsLease { try beat() }
  }

  /// Renews the lease before its end, if it was needed in the meantime.
  func renew() throws(ReplicationError) {
    guard isNeeded.load(ordering: .relaxed), !isConfirmed(within: lease / 2) else { return }
    isNeeded.store(false, ordering: .relaxed)
    try beat()
  }

  private func beat() throws(ReplicationError) {
    try confirming { log throws(ReplicationError) in
      do throws(ClusterError) { try log.beat() } catch { throw .notPrimary }
    }
  }

  // MARK: Other requests

  /// Gives a file to the other nodes and appends its entry. See ``Replicator/install(_:)``.
  public func install(_ file: StagedFile) throws(ReplicationError) {
    let deadline = ContinuousClock.now + stagingTime
    try ask { log throws(ClusterError) in try log.offer(file) }
    while try !ask({ log throws(ClusterError) in try log.mostHave(file.tag) }) {
      guard ContinuousClock.now < deadline else {
        try ask { log throws(ClusterError) in try log.offer(nil) }
        throw .notStaged
      }
      usleep(20_000)
    }
    try append(file.entry)
  }

  /// Deletes old entries.
  ///
  /// If that fails, it is tried again later.
  func trim(durable: [Int64]) {
    log.withLock { log in
      guard let log, !isDeposed else { return }
      do throws(ClusterError) { try log.trim(durable: durable) } catch {}
    }
  }

  /// Runs a request whose answer says nothing about a majority.
  private func ask<Answer: Sendable>(
    _ body: (PrimaryLog) throws(ClusterError) -> Answer
  ) throws(ReplicationError) -> Answer {
    try run { log throws(ReplicationError) in
      do throws(ClusterError) { return try body(log) } catch { throw .notPrimary }
    }
  }

  /// Runs a request that a majority must answer.
  private func confirming(
    _ body: (PrimaryLog) throws(ReplicationError) -> Void
  ) throws(ReplicationError) {
    try run { log throws(ReplicationError) in
      let start = ContinuousClock.now
      try body(log)
      confirmed.withLock { $0 = start }
    }
  }

  private func run<Answer: Sendable>(
    _ body: (PrimaryLog) throws(ReplicationError) -> Answer
  ) throws(ReplicationError) -> Answer {
    let result = log.withLock { log -> Result<Answer, ReplicationError> in
      guard let log, !isDeposed else { return .failure(.notPrimary) }
      return Result { () throws(ReplicationError) in try body(log) }
    }
    do { return try result.get() } catch {
      hasFailed.store(true, ordering: .releasing)
      throw error
    }
  }
}
