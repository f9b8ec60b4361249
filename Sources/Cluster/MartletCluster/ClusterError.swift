/// Why a node cannot take part in its cluster, or a request to the log failed.
public enum ClusterError: Error, Sendable, Equatable {
  /// libdqlite cannot be loaded, or a node of it cannot be started.
  case library(String)
  /// A node did not answer in time, or the connection broke. Whether it has done what was asked for
  /// is not known.
  case connection(String)
  /// A node has answered something that is not in its protocol.
  case violation(String)
  /// A node has refused a request: SQLite's extended code, and its message.
  case refused(code: UInt64, String)
  /// Another node has become the primary.
  case deposed
  /// The file of a node is damaged, or says something else than the settings.
  case nodeFile(String)
}

extension ClusterError {
  /// `SQLITE_IOERR_NOT_LEADER`: nothing was done.
  static let notLeader: UInt64 = 10 | 40 << 8
  /// `SQLITE_IOERR_LEADERSHIP_LOST`: it may have been done.
  static let leadershipLost: UInt64 = 10 | 41 << 8
  /// `SQLITE_BUSY`: nothing was done, and it can be repeated soon.
  static let busy: UInt64 = 5
  /// `SQLITE_CONSTRAINT`.
  static let constraint: UInt64 = 19

  var isBusy: Bool { if case .refused(Self.busy, _) = self { true } else { false } }
}

extension ClusterError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .library(let text), .connection(let text), .violation(let text), .nodeFile(let text): text
    case .refused(Self.notLeader, _): "the node is not the leader"
    case .refused(Self.leadershipLost, _): "the node has ceased to be the leader"
    case .refused(0, let message): message
    case .refused(let code, let message):
      "the log refuses: \(message.isEmpty ? "error \(code)" : message)"
    case .deposed: "another node has become the primary"
    }
  }
}
