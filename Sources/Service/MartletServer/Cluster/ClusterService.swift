import Dispatch
import Glibc
import MartletCluster
import MartletHTTP
import MartletLiveAPI
import MartletReminders
import MartletStore
import Synchronization

/// A server as a node of a cluster.
final class ClusterService: ServiceCluster {
  private let options: ClusterOptions
  private let path: String
  private let client: NodeClient
  private let forwarder: Forwarder
  private let log: Log
  private let metrics: Metrics
  private let started = Mutex<ClusterNode?>(nil)
  private let server = Mutex<NodeServer?>(nil)
  private let role = Mutex(Role())
  private let handedOver = Atomic(false)
  /// How the schema of the file relates to the program, when the database was opened.
  private let fit = Mutex(RemindersDatabase.SchemaFit.fits)
  private let restart = Callback<Void, Never>()
  private let mustRestart = Atomic(false)
  private let report: FailureReport
  private let clockReport: FailureReport
  private let begin = ContinuousClock.now

  private struct Role {
    var isPrimary = false
    var handler: (@Sendable (Bool) -> Void)?
  }

  init(_ options: ClusterOptions, path: String, log: Log, metrics: Metrics) {
    self.options = options
    self.path = path
    self.log = log
    self.metrics = metrics
    client = NodeClient(options.secret)
    let report = FailureReport(log)
    self.report = report
    clockReport = FailureReport(log)
    forwarder = Forwarder(client, patience: options.patience) {
      report("the primary cannot be reached", $0)
    }
  }

  var node: ClusterNode? { started.withLock { $0 } }

  // MARK: ServiceCluster

  func openDatabase(
    _ open: (any Replicator) throws -> EmbeddedDatabase
  ) throws -> EmbeddedDatabase {
    var beginning = ClusterSettings.Beginning.bootstrap
    var contacts: [String: String] = [:]
    switch options.beginning {
    case .bootstrap: break
    case .known:
      guard access(options.folder + "/node.json", F_OK) == 0 else {
        throw Failure(
          "\(options.folder) does not exist: begin a cluster with --cluster-bootstrap, or join one with --cluster-join ADDRESS"
        )
      }
      beginning = .join([])
    case .join(let others):
      let isKnown = ClusterFile.isMember(options.folder)
      let found = try isKnown ? status(others) : waitForStatus(others)
      if let found { try check(found) }
      for node in found?.nodes ?? [] { contacts[node.address] = node.contact }
      beginning = .join(found?.nodes.map(\.address) ?? [])
    }
    var settings = ClusterSettings(
      address: options.address.description, folder: options.folder, beginning: beginning)
    settings.contact = options.http.description
    settings.latency = options.latency
    let source = NodeSnapshots(client, contacts) { [weak self] in self?.node?.status }
    let path = path
    let node = try ClusterNode(
      settings, path: path, snapshots: source,
      change: { _ in
        switch try DatabaseFile.fit(path) {
        case .fits: return nil
        case .older: return { try RemindersDatabase.migrate(path: $0) }
        case .newer:
          throw Failure(
            "a newer version of Martlet has changed the database: another node must lead")
        }
      },
      open: { replicator in
        let fit = try DatabaseFile.fit(path)
        self.fit.withLock { $0 = fit }
        if fit != .fits {
          log(
            .warning,
            "the database has the schema of another version; other nodes answer until that changes")
        }
        return try open(replicator)
      },
      onAppended: { [metrics] in metrics.measure(.appendTime, $0) },
      onEvent: { [weak self] event in self?.heard(event) })
    started.withLock { $0 = node }
    return node.database
  }

  var forwardsEverything: Bool { fit.withLock { $0 } != .fits }
  var isPrimary: Bool { node?.isPrimary ?? false }
  var isFresh: Bool { node?.isFresh ?? false }

  func whenFresh(_ completion: @escaping @Sendable (Bool) -> Void) {
    guard let node else { return completion(false) }
    // Without this each request would wait in vain.
    if let staleness, staleness > max(options.patience, Self.longestSilence) {
      return completion(false)
    }
    let start = ContinuousClock.now
    node.whenFresh(within: options.patience) { [metrics] isFresh in
      metrics.measure(.readWait, .now - start)
      completion(isFresh)
    }
  }

  /// How long a node may be without contact to others while everything is well.
  private static let longestSilence = Duration.seconds(3)

  /// A node that has not been in contact since it was started does not know how old its file is.
  var staleness: Duration? {
    options.answersStaleReads ? node?.contactAge : nil
  }

  func forward(
    _ request: Request, completion: @escaping @Sendable (ForwardedAnswer) -> Void
  ) {
    guard let node else { return completion(.noPrimary) }
    metrics.add(.forwarded)
    forwarder.forward(request, of: node, completion: completion)
  }

  var trouble: String? {
    if forwardsEverything {
      return "The database of the cluster has the schema of another version."
    }
    guard let node, node.hasContact(within: Self.longestSilence) else {
      return "Most servers of the cluster cannot be reached."
    }
    return Self.isClockWrong(node.status)
      ? "The clock of this server differs from those of most others by more than 5 s." : nil
  }

  /// The difference of clocks that is worth a warning, in milliseconds.
  static let noticedDifference = 500
  /// The difference of clocks that is an error, in milliseconds.
  static let largestDifference = 5_000
  /// How old a report can be whose clock is compared.
  private static let oldestReport = Duration.seconds(10)

  /// How much the clock of another node differs from that of this one, in milliseconds.
  static func clockDifference(_ status: ClusterStatus) -> Int {
    clockDifferences(status).max() ?? 0
  }

  /// Whether the clock of this node, rather than that of another one, must be wrong.
  static func isClockWrong(_ status: ClusterStatus) -> Bool {
    let differences = clockDifferences(status)
    let others = differences.count { $0 > largestDifference }
    return others > (differences.count + 1) / 2
  }

  /// The differences of the other nodes that have reported of late.
  private static func clockDifferences(_ status: ClusterStatus) -> [Int] {
    status.nodes.filter { $0.id != status.id && ContinuousClock.now - $0.seen < oldestReport }
      .compactMap { $0.clockDifference.map { Int(abs($0)) } }
  }

  var gauges: [Metrics.Gauge] {
    guard let node else { return [] }
    let status = node.status
    let entry = Int(node.database.seq)
    let behind = (status.primary.map { Int($0.applied) } ?? entry) - entry
    let contactAge = node.contactAge ?? (.now - begin)
    return [
      (
        "martlet_cluster_primary", "1 on the primary, 0 on the other nodes.", node.isPrimary ? 1 : 0
      ),
      (
        "martlet_cluster_voters", "Nodes that have a vote.", status.nodes.count { $0.isVoter }
      ),
      ("martlet_cluster_entry", "Last entry of the log that the database file has.", entry),
      (
        "martlet_cluster_clock_milliseconds",
        "How much the clock of another node differs from that of this one, at most.",
        Self.clockDifference(status)
      ),
      (
        "martlet_cluster_behind",
        "How many entries the file lacked when the primary last reported.", max(behind, 0)
      ),
      (
        "martlet_cluster_contact_milliseconds",
        "How long ago the node was in contact with the primary or a majority.",
        Int(contactAge / .milliseconds(1))
      ),
    ]
  }

  // MARK: The internal port

  /// Starts the internal port.
  func start(_ routes: Router, firstLoop: Int, limits: Limits) throws {
    guard let node else { return }
    let server = try NodeServer(
      options.http, firstLoop: firstLoop, limits: limits, secret: options.secret, node: node,
      routes: routes)
    _ = try server.start()
    self.server.withLock { $0 = server }
  }

  /// Lets another node be the primary. This one forwards what it still gets.
  func handOver() {
    guard let node, node.isPrimary else { return }
    let ended = DispatchSemaphore(value: 0)
    node.perform(.transfer(to: nil)) { _ in ended.signal() }
    _ = ended.wait(timeout: .now() + 2)
    handedOver.store(true, ordering: .relaxed)
  }

  /// Ends the part of this node, as far as that is possible before the process ends.
  func stop() {
    node?.stop()
    server.withLock { $0 }?.stop()
    // dqlite 1.11.1 can crash if its process ends while leadership is being transferred.
    if handedOver.load(ordering: .relaxed) { usleep(500_000) }
  }

  /// Sets what is called when the node becomes the primary or a replica, and once at the beginning.
  func onRole(_ handler: @escaping @Sendable (Bool) -> Void) {
    let isPrimary = role.withLock { role in
      role.handler = handler
      return role.isPrimary
    }
    handler(isPrimary)
  }

  /// Sets how the process starts again: when the schema of the file begins or ceases to fit the
  /// program.
  func onRestart(_ body: @escaping @Sendable () -> Void) {
    restart.set(body)
    if mustRestart.load(ordering: .acquiring) { body() }
  }

  private func compareSchema() {
    guard let now = try? DatabaseFile.fit(path), now != fit.withLock({ $0 }),
      !mustRestart.exchange(true, ordering: .acquiringAndReleasing)
    else { return }
    log(.warning, "the schema of the database has changed; the server starts again")
    restart()
  }

  private func heard(_ event: ClusterEvent) {
    switch event {
    case .becamePrimary, .tookSnapshot, .installed: compareSchema()
    case .becameReplica, .leader, .joined, .removed, .reports, .failed: break
    }
    switch event {
    case .becamePrimary(let epoch, let seq, _):
      log(
        .info, "this node is the primary",
        ["epoch": .number(Int(epoch)), "entry": .number(Int(seq))])
      metrics.add(.takeovers)
      set(isPrimary: !forwardsEverything)
    case .becameReplica(let seq):
      log(.info, "this node is a replica", ["entry": .number(Int(seq))])
      set(isPrimary: false)
    case .leader(let leader):
      if let leader {
        log(.info, "the cluster has a leader", ["leader": .text(leader)])
      } else {
        log(.info, "the cluster has no leader")
      }
    case .tookSnapshot(let seq, let reason):
      metrics.add(.copies)
      log(
        .warning, "took a copy of another node's file",
        ["entry": .number(Int(seq)), "reason": .text(reason)])
    case .installed(let seq):
      log(.info, "the content of all nodes was replaced", ["entry": .number(Int(seq))])
    case .joined(let id): log(.info, "joined the cluster", ["node": .text("\(id)")])
    case .removed:
      log(
        .error,
        "this node was taken out of the cluster, and stops; to come back, it must join without its old files",
        ["database": .text(path), "folder": .text(options.folder)])
      kill(getpid(), SIGTERM)
    case .reports(let status):
      if Self.clockDifference(status) > Self.noticedDifference {
        clockReport(
          "the clocks of the servers differ", "by more than \(Self.noticedDifference) ms")
      }
    case .failed(let reason):
      report("the cluster cannot be reached, or refuses", reason)
    }
  }

  private func set(isPrimary: Bool) {
    let handler = role.withLock { role in
      role.isPrimary = isPrimary
      return role.handler
    }
    handler?(isPrimary)
  }

  // MARK: Joining

  /// The log has no means to tell clusters apart: the node of an old one, started beside a new one
  /// at the same addresses, could replace its log.
  private func check(_ found: ClusterStatus) throws {
    guard access(path, F_OK) == 0, let position = try ClusterFile.position(of: path),
      position.cluster != found.cluster
    else { return }
    throw Failure(
      "\(path) belongs to another cluster than the nodes at --cluster-join: move \(path) and \(options.folder) away, and the node gets a copy of their database"
    )
  }

  /// The status of the cluster that one of these nodes belongs to; waits until one answers.
  private func waitForStatus(_ others: [NodeAddress]) throws -> ClusterStatus {
    var told = ""
    while true {
      var reasons: [String] = []
      if let found = status(others, &reasons) {
        if found.nodes.contains(where: \.isVoter) { return found }
        reasons.append("the cluster has no node with a vote yet")
      }
      // Once for each reason, however long it takes.
      let reason = reasons.joined(separator: "; ")
      if reason != told {
        log(.warning, "waiting for a node of the cluster", ["error": .text(reason)])
        told = reason
      }
      for _ in 0..<10 where !StopSignals.isPending { usleep(50_000) }
      if StopSignals.isPending { throw Failure("stopped while waiting for a node of the cluster") }
    }
  }

  private func status(_ others: [NodeAddress]) -> ClusterStatus? {
    var reasons: [String] = []
    return status(others, &reasons)
  }

  /// - Parameter reasons: Gets why a node has not answered, for each one.
  private func status(_ others: [NodeAddress], _ reasons: inout [String]) -> ClusterStatus? {
    for other in others {
      guard other != options.http else {
        reasons.append("\(other) is the node itself")
        continue
      }
      do { return try client.ask(other.description).status } catch { reasons.append("\(error)") }
    }
    return nil
  }
}
