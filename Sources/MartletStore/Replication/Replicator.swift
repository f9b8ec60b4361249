/// The log of a cluster, as the writer of its primary uses it.
///
/// Both methods are called on the writer's thread and may block it.
public protocol Replicator: AnyObject, Sendable {
  /// Appends an entry to the log with the next number. Returns when it cannot be lost any more,
  /// with what the group's writes did.
  ///
  /// Throws ``ReplicationError/notPrimary`` if the entry is not and will not be part of the log,
  /// and ``ReplicationError/undecided`` if that is not known.
  func append(_ entry: [UInt8], seq: Int64) throws(ReplicationError)

  /// Returns if no other node has become the primary since this call began. Called for writes that
  /// have changed nothing: what they answer is then not outdated.
  func confirm() throws(ReplicationError)
}

/// An entry of the log.
public struct LogEntry: Sendable {
  /// Its number. The numbers have no gaps.
  public var seq: Int64
  /// What it says (``RowEntry``).
  public var bytes: [UInt8]

  /// Creates an entry.
  public init(seq: Int64, bytes: [UInt8]) {
    self.seq = seq
    self.bytes = bytes
  }
}

/// What a database in a cluster may do with its file.
public enum ReplicationRole: Sendable {
  /// It accepts writes, and appends what they do to the log.
  case primary
  /// It refuses writes with ``WriteError/notPrimary``, and applies entries of the log.
  case replica
}
