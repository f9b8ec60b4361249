import Synchronization

/// A cluster as one of its nodes sees it.
public struct ClusterStatus: Sendable {
  /// A node of the cluster.
  public struct Node: Sendable {
    /// The ID of the node.
    public var id: UInt64
    /// Its address for the log.
    public var address: String
    /// How its service is reached (``ClusterSettings/contact``).
    public var contact: String
    /// Whether it has a vote.
    public var isVoter: Bool
    /// The last entry of the log that its file has.
    public var applied: Int64
    /// The last entry that its file has after a power loss.
    public var durable: Int64
    /// The version of dqlite.
    public var version: Int
    /// Its wall clock minus that of this node, in milliseconds, to a few tenths of a second; `nil`
    /// until it has sent new reports.
    public var clockDifference: Int64?
    /// When this node has last seen a new report of it.
    public var seen: ContinuousClock.Instant

    /// Creates the description of a node.
    public init(
      id: UInt64, address: String, contact: String, isVoter: Bool, applied: Int64, durable: Int64,
      version: Int, clockDifference: Int64?, seen: ContinuousClock.Instant
    ) {
      self.id = id
      self.address = address
      self.contact = contact
      self.isVoter = isVoter
      self.applied = applied
      self.durable = durable
      self.version = version
      self.clockDifference = clockDifference
      self.seen = seen
    }
  }

  /// The ID of the cluster.
  public var cluster: String
  /// The ID of this node.
  public var id: UInt64
  /// The address of the node that leads, if any.
  public var leader: String?
  /// The nodes, this one among them.
  public var nodes: [Node] = []

  /// Creates a status.
  public init(cluster: String, id: UInt64, leader: String? = nil, nodes: [Node] = []) {
    self.cluster = cluster
    self.id = id
    self.leader = leader
    self.nodes = nodes
  }

  /// The node that leads.
  public var primary: Node? { nodes.first { $0.address == leader } }
}

/// The state of the other nodes, as a node knows it.
final class ClusterView: Sendable {
  /// The number of reports that a difference of clocks is taken from.
  private static let reports = 10

  private struct Heard {
    var beat: Int64
    var at: ContinuousClock.Instant
    /// The clock in each of the last reports minus that of this node when it was read.
    var differences: [Int64] = []
  }

  private struct State {
    var status: ClusterStatus
    var heard: [UInt64: Heard] = [:]
    /// When a majority, or the node that leads, has last answered.
    var contact: ContinuousClock.Instant?
  }

  private let state: Mutex<State>

  init(_ cluster: String, _ id: UInt64) {
    state = Mutex(State(status: ClusterStatus(cluster: cluster, id: id)))
  }

  var status: ClusterStatus { state.withLock { $0.status } }

  /// When a majority, or the node that leads, has last answered.
  var lastContact: ContinuousClock.Instant? { state.withLock { $0.contact } }

  /// - Parameter time: When the question was asked that was answered.
  func noteContact(_ time: ContinuousClock.Instant) { state.withLock { $0.contact = time } }

  func setLeader(_ leader: String?) { state.withLock { $0.status.leader = leader } }

  /// Notes what the log says of the nodes.
  ///
  /// - Parameters:
  ///   - clock: The wall clock of this node, in milliseconds.
  ///   - now: The time.
  func set(
    _ reports: [NodeReport], _ members: [DqliteClient.Member], clock: Int64,
    now: ContinuousClock.Instant = .now
  ) {
    state.withLock { state in
      for report in reports { Self.hear(report, &state.heard, clock, now) }
      state.status.nodes = members.map { member in
        let report = reports.first { $0.id == member.id }
        let heard = state.heard[member.id]
        return ClusterStatus.Node(
          id: member.id, address: member.address, contact: report?.contact ?? "",
          isVoter: member.role == .voter, applied: report?.applied ?? 0,
          durable: report?.durable ?? 0, version: report?.version ?? 0,
          // A report is read some time after it was written, so the largest one is the nearest.
          clockDifference: heard?.differences.max(), seen: heard?.at ?? now)
      }
      let known = Set(members.map(\.id))
      state.heard = state.heard.filter { known.contains($0.key) }
    }
  }

  private static func hear(
    _ report: NodeReport, _ heard: inout [UInt64: Heard], _ clock: Int64,
    _ now: ContinuousClock.Instant
  ) {
    let difference = report.clock - clock
    guard var known = heard[report.id] else {
      // How old the first report is that this node reads is not known. Its clock is a hint.
      let age = Duration.milliseconds(max(-difference, 0))
      heard[report.id] = Heard(beat: report.beat, at: now - age)
      return
    }
    guard known.beat != report.beat else { return }
    known.beat = report.beat
    known.at = now
    known.differences.append(difference)
    if known.differences.count > reports { known.differences.removeFirst() }
    heard[report.id] = known
  }
}

/// An event of a cluster that an operator wants to know.
public enum ClusterEvent: Sendable {
  /// This node accepts writes, beginning after entry `seq`. `duration` is the time since it learned
  /// that it leads.
  case becamePrimary(epoch: Int64, seq: Int64, duration: Duration)
  /// This node has become a replica.
  case becameReplica(seq: Int64)
  /// The node that leads, as this one sees it; `nil` during an election.
  case leader(String?)
  /// The content of the file was replaced by that of another node.
  case tookSnapshot(seq: Int64, reason: String)
  /// The content of the file was replaced on all nodes, by entry `seq`.
  case installed(seq: Int64)
  /// This node has joined the cluster, and has a vote.
  case joined(id: UInt64)
  /// This node was taken out of the cluster. It does nothing more.
  case removed
  /// This node has read what the nodes report; about once a second.
  case reports(ClusterStatus)
  /// Something failed and will be tried again.
  case failed(String)
}
