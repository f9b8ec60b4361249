/// Why a group of writes was not replicated, or an entry was not applied.
public enum ReplicationError: Error, Sendable, Equatable {
  /// This node is not the primary, or has just ceased to be it. Nothing was done.
  case notPrimary
  /// The log did not answer. The entry may become part of it or not.
  case undecided
  /// The bytes are no entry, or an entry for another schema.
  case damaged
  /// A row image contradicts the file. SQLite's message says how.
  case contradiction(String)
  /// The next entry that the file needs is `wanted`, not `found`.
  case gap(wanted: Int64, found: Int64)
  /// Another program has changed the file, which therefore differs from the log.
  case foreignCommit
  /// The changes of a write need more bytes than an entry may have: ``RowEntry/sizeLimit``.
  case tooLarge(limit: Int)
  /// The rows of this table cannot be replicated.
  case table(String, reason: String)
  /// The copy of another node's file has entry `seq` as its last, and this node needs `wanted`.
  case outdated(wanted: Int64, seq: Int64)
  /// Most nodes did not take the staged file in time. Nothing was done.
  case notStaged
  /// The file is not a node's file, or belongs to another cluster.
  case otherCluster
}

extension ReplicationError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notPrimary: "this node is not the primary"
    case .undecided: "the log of the cluster did not answer"
    case .damaged: "an entry of the log is damaged or belongs to another schema"
    case .contradiction(let message): "an entry of the log contradicts the file: \(message)"
    case .gap(let wanted, let found): "entry \(wanted) of the log is missing before \(found)"
    case .foreignCommit: "another program has changed the file of a cluster's node"
    case .tooLarge(let limit): "the changes of a write need more than \(limit) bytes in the log"
    case .table(let table, let reason): "the table \(table) cannot be replicated: \(reason)"
    case .outdated(let wanted, let seq):
      "the copy of another node's file ends with entry \(seq) of the log, and not with \(wanted)"
    case .notStaged: "most nodes of the cluster did not take the new content in time"
    case .otherCluster: "the file does not belong to this cluster"
    }
  }
}
