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
  static let tailTimeout: Duration = .milliseconds(250)
  /// How often a node asks its own dqlite who leads.
  static let watchInterval: Duration = .milliseconds(100)
  /// How long requests may fail before that is reported.
  private static let tolerance: Duration = .seconds(2)
  /// The pause after the end of the log was read: while live queries follow the file, and else.
  static let pollIntervals = (live: Duration.milliseconds(5), quiet: Duration.milliseconds(50))
  /// The maximum number of voters of a small cluster. In it, the old primary and the voters that
  /// have not heard of a new one are never a majority.
  static let smallCluster = 3

  /// The database.
  public let database: EmbeddedDatabase
  /// The ID of this node.
  public let id: UInt64
  let settings: ClusterSettings
  let appender: LogAppender
  let cluster: String
  let snapshots: any SnapshotSource
  let onEvent: @Sendable (ClusterEvent) -> Void
  let change: PrepareCopy
  let isStopping = Atomic(false)
  private let ended = DispatchSemaphore(value: 0)
  let primary = Atomic(false)
  /// Whether the file should be replaced by a copy of the primary's.
  let mustCopy = Atomic(false)
  let requests = Mutex<[Waiting]>([])
  let freshness = Freshness()
  let view: ClusterView

  /// How to change a copy of the database, at the path that it gets; `nil`: not at all.
  public typealias PrepareCopy =
    @Sendable (EmbeddedDatabase) throws -> (@Sendable (_ copy: String) throws -> Void)?

  struct Waiting: Sendable {
    let request: ClusterRequest
    let completion: @Sendable (Result<Void, ClusterError>) -> Void
  }

  /// Whether this node accepts writes.
  public var isPrimary: Bool { isLeading && !appender.isDeposed }
  var isLeading: Bool { primary.load(ordering: .acquiring) }

  /// The version of libdqlite, which is loaded. Throws an error that says what to install.
  public static func libraryVersion() throws -> Int {
    try DqliteNode.loadLibrary()
    return DqliteNode.version
  }

  /// Starts a node.
  ///
  /// - Parameters:
  ///   - settings: Where its log is, and how it begins.
  ///   - path: The path of the database file.
  ///   - snapshots: Fetches copies of other nodes' files.
  ///   - change: Called before the node becomes the primary. Returns how to change the content of
  ///     all nodes first, or `nil`. If it throws, another node should be the primary.
  ///   - open: Opens the database. The file is part of the cluster by then.
  ///   - onAppended: Receives how long it took until a majority had an entry, on the writer's
  ///     thread of the primary.
  ///   - onEvent: Receives events, on the node's thread.
  public init(
    _ settings: ClusterSettings, path: String, snapshots: any SnapshotSource,
    change: @escaping PrepareCopy = { _ in nil },
    open: (any Replicator) throws -> EmbeddedDatabase,
    onAppended: @escaping @Sendable (Duration) -> Void = { _ in },
    onEvent: @escaping @Sendable (ClusterEvent) -> Void
  ) throws {
    try DqliteNode.loadLibrary()
    self.settings = settings
    self.snapshots = snapshots
    self.onEvent = onEvent
    self.change = change
    let folder = settings.folder
    var file = try NodeFile.read(in: folder) ?? Self.newFile(settings, path)
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
    Self.removeLeftovers(nextTo: path)
    id = file.id
    cluster = try Self.prepareFile(path, settings, &file, snapshots)
    view = ClusterView(cluster, file.id)
    appender = LogAppender(
      latency: settings.latency, stagingTime: settings.stagingTime, onAppended: onAppended)
    database = try open(appender)
    _ = try DqliteNode(
      id: file.id, address: file.address, folder: folder + "/log", latency: settings.latency)
    appender.whenPublished { [freshness, appender] entry in
      // Without reads the lease is not needed.
      if freshness.hasReads, appender.holdsLease { freshness.release(upTo: entry) }
    }
    DispatchQueue(label: "cluster.node", qos: .userInitiated).async { [self, file] in run(file) }
  }

  /// Deletes unfinished copies that a killed process has left behind.
  private static func removeLeftovers(nextTo path: String) {
    let name = path.split(separator: "/").last ?? ""
    let pattern = #/\.(snapshot|fetched|copy-\d{1,20}|staged-[0-9a-f]{1,16}\.\d+\.partial)/#
    for found in Directory.names(in: DurableFile.folder(of: path)) where found.hasPrefix(name) {
      guard found.dropFirst(name.count).wholeMatch(of: pattern) != nil else { continue }
      DurableFile.remove(DurableFile.folder(of: path) + "/" + found)
    }
  }

  private static func newFile(_ settings: ClusterSettings, _ path: String) throws -> NodeFile {
    let isFirst = settings.beginning == .bootstrap
    if isFirst { try QuietAddress.wait(settings.address, for: settings.listeningTime) }
    // A second cluster would begin beside the first.
    if isFirst, access(path, F_OK) == 0, try ClusterFile.position(of: path) != nil {
      throw ClusterError.nodeFile(
        "\(path) belongs to a cluster, and \(settings.folder) with the node's part of its log is lost: remove the node and let it join again; or let the file leave the cluster if no other node is left"
      )
    }
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
    if access(path, F_OK) != 0 {
      guard case .join(let addresses) = settings.beginning else {
        throw ClusterError.nodeFile(
          "\(path) does not exist: let the node join, and it gets a copy of another node's file")
      }
      try fetchFirst(addresses, path, snapshots)
    }
    let connection = try Connection(location: .file(path))
    defer { connection.close() }
    if let position = try NodePosition(connection) { return position.cluster }
    guard settings.beginning == .bootstrap, !file.isMember else {
      throw ClusterError.nodeFile(
        "\(path) does not belong to a cluster: move it away, and the node gets a copy of another node's file"
      )
    }
    let position = NodePosition(cluster: ClusterFile.newID(), seq: 0)
    try position.store(in: connection)
    return position.cluster
  }

  /// Gets the file of the first address that gives one.
  private static func fetchFirst(
    _ addresses: [String], _ path: String, _ snapshots: any SnapshotSource
  ) throws {
    var last: any Error = ClusterError.nodeFile(
      "a node that joins needs the address of another one")
    for address in addresses {
      // Under its own name only when it is complete and on disk.
      let temporary = path + ".fetched"
      DurableFile.remove(temporary)
      defer { DurableFile.remove(temporary) }
      do {
        try snapshots.fetch(.database, from: address, to: temporary)
        return try DurableFile.take(temporary, at: path)
      } catch { last = error }
    }
    throw last
  }

  /// Stops using the database. Blocks until the last group of writes has finished. The node has its
  /// part in majorities until the process ends, and others take over then;
  /// ``ClusterRequest/transfer(to:)`` before makes that quicker.
  public func stop() {
    guard !isStopping.exchange(true, ordering: .acquiringAndReleasing) else { return }
    // Ends what waits for other nodes on this node's thread. Groups in progress are finished.
    if !isLeading { appender.refuse() }
    ended.wait()
  }

  /// Calls back when the file has everything that any node had acknowledged before this call. On
  /// the primary that is at once, mostly; on a replica after the log was read once.
  ///
  /// - Parameters:
  ///   - timeout: How long to wait.
  ///   - completion: Gets false if that was not found out in time, because no node leads or this
  ///     one is cut off. Called on the caller's thread or another one; it must not block.
  public func whenFresh(
    within timeout: Duration, _ completion: @escaping @Sendable (Bool) -> Void
  ) {
    let leads = holdsLease
    let entry = appender.lastSent
    if leads, appender.lastShown >= entry { return completion(true) }
    // The writer lets it go on when it has published the entry.
    freshness.add(
      .init(deadline: .now + timeout, entry: entry, completion: completion), wakes: !leads)
    // It may have done so just before.
    let shown = appender.lastShown
    if leads, shown >= entry { freshness.release(upTo: shown) }
  }

  /// Whether ``whenFresh(within:_:)`` would call back at once.
  public var isFresh: Bool {
    // A replica can show an entry before the writer of this node has committed it.
    holdsLease && appender.lastShown >= appender.lastSent
  }

  private var holdsLease: Bool { isPrimary && appender.holdsLease }

  /// The cluster as this node sees it.
  public var status: ClusterStatus { view.status }

  /// Whether this node has been in contact with a majority, or with the node that leads, within
  /// this time.
  public func hasContact(within time: Duration) -> Bool {
    contactAge.map { $0 < time } ?? false
  }

  /// How long ago this node was in contact with a majority, or with the node that leads; `nil` if
  /// it never was. The file had everything that was acknowledged before.
  public var contactAge: Duration? { view.lastContact.map { ContinuousClock.now - $0 } }

  /// Does something that only the primary can do. Calls back on the node's thread, with
  /// ``ClusterError/deposed`` on a replica.
  public func perform(
    _ request: ClusterRequest,
    completion: @escaping @Sendable (Result<Void, ClusterError>) -> Void = { _ in }
  ) {
    requests.withLock { $0.append(Waiting(request: request, completion: completion)) }
    freshness.wakeUp()
  }

  /// Replaces the file by a copy of the primary's, soon. For a replica whose content differs
  /// (``MartletStore/EmbeddedDatabase/checkContent()``).
  public func copyFromPrimary() {
    mustCopy.store(true, ordering: .releasing)
    freshness.wakeUp()
  }

  func takeRequests() -> [Waiting] {
    requests.withLock { requests in
      defer { requests = [] }
      return requests
    }
  }

  /// Refuses what waits for the primary.
  func refuseRequests() {
    for waiting in takeRequests() { waiting.completion(.failure(.deposed)) }
  }

  // MARK: The node's thread

  private func run(_ file: NodeFile) {
    var file = file
    var leader: String?
    var tail: LogTail?
    var nextReport = ContinuousClock.now
    var failingSince: ContinuousClock.Instant?
    var nextQuestion = ContinuousClock.now + Self.tolerance
    var staged = StagedFiles(nextTo: database.path, of: cluster)
    while !isStopping.load(ordering: .acquiring) {
      do {
        let own = try DqliteClient(to: settings.address, timeout: .seconds(2))
        let found = try findLeader(own, file)
        if found != leader {
          leader = found
          view.setLeader(leader)
          onEvent(.leader(leader))
        }
        guard let leader else {
          try becomeReplica()
          refuseRequests()
          if file.isMember, ContinuousClock.now > nextQuestion {
            nextQuestion = .now + Self.tolerance
            if isRemoved(own) {
              onEvent(.removed)
              break
            }
          }
          usleep(10_000)
          continue
        }
        if leader == settings.address {
          tail = nil
          try noteMembership(&file)
          try lead(own, &staged)
        } else {
          try becomeReplica()
          refuseRequests()
          if tail?.address != leader {
            let new = try LogTail(at: leader, after: database.seq, timeout: Self.tailTimeout)
            tail = new
            try look(new.client)
          }
          let isReporting = ContinuousClock.now >= nextReport
          if isReporting { nextReport = .now + .seconds(1) }
          if let current = tail, try !follow(current, own, &staged, isReporting: isReporting) {
            tail = nil
            continue
          }
          if !file.isMember { try join(&file, leader) }
        }
        failingSince = nil
        nextQuestion = .now + Self.tolerance
      } catch {
        tail = nil
        refuseRequests()
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
    freshness.close()
    refuseRequests()
    ended.signal()
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
    let members = try client.members()
    let known = members.first { $0.id == id }
    if let other = members.first(where: { $0.address == settings.address && $0.id != id }) {
      throw ClusterError.nodeFile(
        "node \(other.id) of the cluster has the address \(settings.address): take it out with martlet cluster remove \(other.id)"
      )
    }
    if known == nil { try client.add(id, at: settings.address) }
    if known?.role != .voter { try client.assign(.voter, to: id) }
    try noteMembership(&file)
    onEvent(.joined(id: id))
  }

  /// Whether the other nodes have a leader that does not know this one. They tell it nothing then.
  private func isRemoved(_ own: DqliteClient) -> Bool {
    var addresses = view.status.nodes.map(\.address)
    if let members = try? own.members() { addresses += members.map(\.address) }
    for address in Set(addresses) where address != settings.address {
      guard let other = try? DqliteClient(to: address, timeout: Self.tailTimeout),
        let leader = try? other.leader(),
        let client = try? DqliteClient(to: leader, timeout: Self.tailTimeout),
        let members = try? client.members()
      else { continue }
      return !members.contains { $0.id == id }
    }
    return false
  }

  private func noteMembership(_ file: inout NodeFile) throws {
    guard !file.isMember else { return }
    file.isMember = true
    try file.write(in: settings.folder)
  }
}
