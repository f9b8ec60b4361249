import Dispatch
import Glibc
import MartletSQLite
import MartletStore
import MartletTime
import Synchronization

/// A node of a cluster: a database file, and this machine's part of the replicated log.
///
/// One thread watches who leads. While another node does, it reads the log there and applies its
/// entries; when this one does, it makes the database the primary.
public final class ClusterNode: Sendable {
  /// How long to wait for the leader's answer. It may have failed, and then the news of the next
  /// leader must not be late.
  private static let tailTimeout: Duration = .milliseconds(250)
  /// How often a node asks its own dqlite who leads.
  private static let watchInterval: Duration = .milliseconds(100)
  /// How long requests may fail before that is reported.
  private static let tolerance: Duration = .seconds(2)
  /// The pause after the end of the log was read.
  private static let pollInterval: UInt32 = 5_000

  /// The database.
  public let database: EmbeddedDatabase
  /// The ID of this node.
  public let id: UInt64
  private let settings: ClusterSettings
  private let appender: LogAppender
  private let cluster: String
  private let snapshots: any SnapshotSource
  private let onEvent: @Sendable (ClusterEvent) -> Void
  private let isStopping = Atomic(false)
  private let ended = DispatchSemaphore(value: 0)
  private let primary = Atomic(false)
  private let requests = Mutex<[Request]>([])

  private enum Request {
    case transfer
    case remove(UInt64)
  }

  /// Whether this node accepts writes.
  public var isPrimary: Bool { primary.load(ordering: .acquiring) }

  /// Starts a node.
  ///
  /// - Parameters:
  ///   - settings: Where its log is, and how it begins.
  ///   - path: The path of the database file.
  ///   - snapshots: Fetches copies of other nodes' files.
  ///   - open: Opens the database. The file is part of the cluster by then.
  ///   - onEvent: Receives events, on the node's thread.
  public init(
    _ settings: ClusterSettings, path: String, snapshots: any SnapshotSource,
    open: (any Replicator) throws -> EmbeddedDatabase,
    onEvent: @escaping @Sendable (ClusterEvent) -> Void
  ) throws {
    try DqliteNode.loadLibrary()
    self.settings = settings
    self.snapshots = snapshots
    self.onEvent = onEvent
    let folder = settings.folder
    var file = try NodeFile.read(in: folder) ?? Self.newFile(settings)
    guard file.address == settings.address else {
      throw ClusterError.nodeFile(
        "this node has the address \(file.address) in \(folder)/node.json, and cannot change it to \(settings.address): remove the node from the cluster and its folder, and let it join again"
      )
    }
    // Without its votes it could help to elect a leader that lacks what it had promised to keep.
    guard !file.isMember || access(folder + "/log/metadata1", F_OK) == 0 else {
      throw ClusterError.nodeFile(
        "\(folder)/log is lost or damaged: remove node \(file.id) from the cluster, delete \(folder), and let the node join again"
      )
    }
    id = file.id
    cluster = try Self.prepareFile(path, settings, &file, snapshots)
    appender = LogAppender(latency: settings.latency)
    database = try open(appender)
    _ = try DqliteNode(
      id: file.id, address: file.address, folder: folder + "/log", latency: settings.latency)
    DispatchQueue(label: "cluster.node", qos: .userInitiated).async { [self, file] in run(file) }
  }

  private static func newFile(_ settings: ClusterSettings) throws -> NodeFile {
    let isFirst = settings.beginning == .bootstrap
    let file = NodeFile(
      id: isFirst ? 1 : DqliteNode.newID(at: settings.address), address: settings.address,
      isMember: false)
    try file.write(in: settings.folder)
    return file
  }

  /// Makes the file a part of the cluster, and returns the ID of the cluster.
  private static func prepareFile(
    _ path: String, _ settings: ClusterSettings, _ file: inout NodeFile,
    _ snapshots: any SnapshotSource
  ) throws -> String {
    if case .join(let addresses) = settings.beginning, !file.isMember {
      if access(path, F_OK) != 0 {
        try snapshots.fetch(from: addresses, to: path)
      }
    }
    let connection = try Connection(location: .file(path))
    defer { connection.close() }
    if let position = try NodePosition(connection) { return position.cluster }
    guard settings.beginning == .bootstrap, !file.isMember else {
      throw ClusterError.nodeFile(
        "\(path) does not belong to a cluster: move it away, and the node gets a copy of another node's file"
      )
    }
    let id = String(UInt64.random(in: 0 ... .max), radix: 36)
    let position = NodePosition(cluster: id, seq: 0)
    try position.store(in: connection)
    return position.cluster
  }

  /// Stops using the database. Blocks until the last group of writes has finished. The node has its
  /// part in majorities until the process ends, and others take over then; ``transfer()`` before
  /// makes that quicker.
  public func stop() {
    guard !isStopping.exchange(true, ordering: .acquiringAndReleasing) else { return }
    ended.wait()
  }

  /// Makes another node the primary soon, if this one is it.
  public func transfer() { requests.withLock { $0.append(.transfer) } }

  /// Takes a node out of the cluster soon, if this one is the primary.
  public func remove(_ id: UInt64) { requests.withLock { $0.append(.remove(id)) } }

  // MARK: The node's thread

  private func run(_ file: NodeFile) {
    var file = file
    var leader: String?
    var tail: LogTail?
    var nextReport = ContinuousClock.now
    var failingSince: ContinuousClock.Instant?
    while !isStopping.load(ordering: .acquiring) {
      do {
        let own = try DqliteClient(to: settings.address, timeout: .seconds(2))
        let found = try findLeader(own, file)
        if found != leader {
          leader = found
          onEvent(.leader(leader))
        }
        guard let leader else {
          try becomeReplica()
          usleep(10_000)
          continue
        }
        if leader == settings.address {
          tail = nil
          try noteMembership(&file)
          try lead(own)
        } else {
          try becomeReplica()
          if tail?.address != leader {
            tail = try LogTail(at: leader, after: database.seq, timeout: Self.tailTimeout)
          }
          let isReporting = ContinuousClock.now >= nextReport
          if isReporting { nextReport = .now + .seconds(1) }
          if let current = tail, try !follow(current, isReporting: isReporting) {
            tail = nil
            continue
          }
          if !file.isMember { try join(&file, leader) }
        }
        failingSince = nil
      } catch {
        tail = nil
        if appender.isDeposed { try? becomeReplica() }
        let now = ContinuousClock.now
        // For a moment errors are a normal part of an election.
        if now - (failingSince ?? now) > Self.tolerance {
          onEvent(.failed("\(error)"))
          failingSince = now
        }
        failingSince = failingSince ?? now
        usleep(5_000)
      }
    }
    leave()
    ended.signal()
  }

  // MARK: Leading

  /// Is the primary, until another node leads or a request to the log has failed.
  private func lead(_ own: DqliteClient) throws {
    if !isPrimary { try takeOver() }
    let client = try DqliteClient(to: settings.address, timeout: .seconds(2))
    try client.open()
    var nextReport = ContinuousClock.now
    while !isStopping.load(ordering: .acquiring) {
      guard !appender.isDeposed, !database.isSpoiled, try own.leader() == settings.address else {
        return try becomeReplica()
      }
      if ContinuousClock.now >= nextReport {
        nextReport = .now + .seconds(1)
        try report.store(client)
        let voters = Set(try client.members().filter { $0.role == .voter }.map(\.id))
        let durable = try NodeReport.all(client).filter { voters.contains($0.id) }.map(\.durable)
        // A voter that has never reported has nothing.
        appender.trim(
          durable: durable + Array(repeating: 0, count: max(voters.count - durable.count, 0)))
      }
      for request in takeRequests() {
        switch request {
        case .transfer:
          try becomeReplica()
          return try giveAway()
        case .remove(let id):
          do throws(ClusterError) { try client.remove(id) } catch { onEvent(.failed("\(error)")) }
          try client.run("DELETE FROM nodes WHERE id = ?", [.integer(Int64(bitPattern: id))])
        }
      }
      usleep(20_000)
    }
  }

  private func takeRequests() -> [Request] {
    requests.withLock { requests in
      defer { requests = [] }
      return requests
    }
  }

  private func takeOver() throws {
    let start = ContinuousClock.now
    if database.isSpoiled { try giveAway() }
    let log = try PrimaryLog(at: settings.address, node: id, cluster: cluster)
    guard log.cluster == cluster else {
      throw ClusterError.nodeFile("the file belongs to another cluster than the log")
    }
    if let last = log.last {
      let tail = try LogTail(
        at: settings.address, after: database.seq, timeout: PrimaryLog.patience)
      while database.seq < last { try apply(try tail.read()) }
    }
    appender.begin(log)
    do { try database.promote() } catch {
      appender.end()
      throw error
    }
    primary.store(true, ordering: .releasing)
    onEvent(
      .becamePrimary(epoch: log.epoch, seq: database.seq, duration: .now - start))
  }

  private func becomeReplica() throws {
    guard isPrimary || appender.isDeposed else { return }
    let was = primary.exchange(false, ordering: .acquiringAndReleasing)
    // Waits for the request that is on its way, if any: dqlite 1.11.1 can crash if a connection is
    // closed before its request is answered. It answers all of them when it ceases to lead.
    appender.refuse()
    try database.demote()
    appender.end()
    if was { onEvent(.becameReplica(seq: database.seq)) }
  }

  /// Makes another voter the leader.
  private func giveAway() throws {
    let client = try DqliteClient(to: settings.address, timeout: PrimaryLog.patience)
    for member in try client.members() where member.role == .voter && member.id != id {
      do throws(ClusterError) { return try client.transfer(to: member.id) } catch { continue }
    }
    throw ClusterError.deposed
  }

  /// Lets the last group of writes finish, before the node stops.
  ///
  /// The other nodes elect a leader when the process has ended. With dqlite 1.11.1 a node that has
  /// been restarted, and makes another one the leader shortly before its process ends, has crashed
  /// in one of fifteen cases.
  private func leave() {
    do { try becomeReplica() } catch { onEvent(.failed("stopping: \(error)")) }
  }

  // MARK: Following

  private var report: NodeReport {
    NodeReport(
      id: id, address: settings.address, applied: database.seq, durable: database.durableSeq,
      version: DqliteNode.version, clock: Clock.system.now().milliseconds)
  }

  /// Applies what the leader has, until it is time to ask again who leads. Returns false if it took
  /// a snapshot, and the tail must begin anew.
  private func follow(_ tail: LogTail, isReporting: Bool) throws -> Bool {
    if let other = tail.cluster, other != cluster {
      throw ClusterError.nodeFile("the file belongs to another cluster than the log")
    }
    if database.isSpoiled {
      try takeSnapshot(from: tail.address, "another program has written to the file")
      return false
    }
    if isReporting { try tail.report(report) }
    let end = ContinuousClock.now + Self.watchInterval
    while ContinuousClock.now < end, !isStopping.load(ordering: .acquiring) {
      do {
        let entries = try tail.read()
        if entries.isEmpty { usleep(Self.pollInterval) } else { try apply(entries) }
      } catch let error as ReplicationError {
        try takeSnapshot(from: tail.address, "\(error)")
        return false
      }
    }
    return true
  }

  private func apply(_ entries: [LogEntry]) throws {
    if !entries.isEmpty { try database.apply(entries) }
  }

  /// Replaces the content of the file by that of another node.
  private func takeSnapshot(from leader: String, _ reason: String) throws {
    let path = database.path + ".snapshot"
    unlink(path)
    defer { unlink(path) }
    try snapshots.fetch(from: [leader], to: path)
    try database.replace(with: path, of: cluster)
    onEvent(.tookSnapshot(seq: database.seq, reason: reason))
  }

  // MARK: Joining

  /// The address of the leader; `nil` during an election. A node without a vote does not hear of
  /// it, and asks others.
  private func findLeader(_ own: DqliteClient, _ file: NodeFile) throws(ClusterError) -> String? {
    guard !file.isMember, case .join(let addresses) = settings.beginning else {
      return try own.leader()
    }
    for address in addresses {
      do throws(ClusterError) {
        let other = try DqliteClient(to: address, timeout: .seconds(1))
        if let leader = try other.leader() { return leader }
      } catch { onEvent(.failed("joining by way of \(address): \(error)")) }
    }
    usleep(200_000)
    return nil
  }

  /// Becomes a member without a vote, and then with one. The file has what the log has.
  private func join(_ file: inout NodeFile, _ leader: String) throws {
    let client = try DqliteClient(to: leader, timeout: .seconds(30))
    if try !client.members().contains(where: { $0.id == id }) {
      try client.add(id, at: settings.address)
    }
    try client.assign(.voter, to: id)
    try noteMembership(&file)
    onEvent(.joined(id: id))
  }

  private func noteMembership(_ file: inout NodeFile) throws {
    guard !file.isMember else { return }
    file.isMember = true
    try file.write(in: settings.folder)
  }
}
