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
