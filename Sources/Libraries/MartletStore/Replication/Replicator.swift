/// The log of a cluster, as the writer of its primary uses it.
///
/// All methods are called on the writer's thread and may block it.
public protocol Replicator: AnyObject, Sendable {
  /// Appends an entry to the log, with the next number. Returns when it cannot be lost any more,
  /// with what the group's writes did.
  ///
  /// Throws ``ReplicationError/notPrimary`` if the entry is not and will not be part of the log,
  /// and ``ReplicationError/undecided`` if that is not known.
  func append(_ entry: ReplicatedEntry) throws(ReplicationError)

  /// Notes that the readers of this node see an entry that was appended. Other nodes may have shown
  /// it since ``append(_:)`` was called.
  func published(_ seq: Int64)

  /// Returns if no other node has become the primary since this call began. Called for writes that
  /// have changed nothing: what they answer is then not outdated.
  func confirm() throws(ReplicationError)

  /// Notes that the database accepts no writes any more, because one could not be finished. Another
  /// node, or this one after it has read the log, should be the primary.
  func stepDown()

  /// Gives a file to the other nodes, and appends the entry that installs it when most nodes have
  /// it. Throws like ``append(_:)``, and ``ReplicationError/notStaged`` if most nodes did not
  /// take the file in time. Nothing has happened then.
  func install(_ file: StagedFile) throws(ReplicationError)
}

/// An entry of the log.
public struct ReplicatedEntry: Sendable {
  /// Its number. The numbers have no gaps.
  public var seq: Int64
  /// The content of the entry (``RowEntry``).
  public var bytes: [UInt8]
  /// The kind of the entry.
  public var kind: Kind

  /// The kind of an entry. The raw values are stored in the log.
  public enum Kind: Int64, Sendable {
    /// It changes rows.
    case rows = 0
    /// It puts the ``StagedFile`` with its tag in place of the content.
    case file = 1
    /// It changes nothing. Each node makes a ``ContentDigest`` of what it has then.
    case check = 2
  }

  /// Creates an entry.
  public init(seq: Int64, bytes: [UInt8], kind: Kind = .rows) {
    self.seq = seq
    self.bytes = bytes
    self.kind = kind
  }
}

/// The role of a database in a cluster.
public enum ReplicationRole: Sendable {
  /// It accepts writes, and appends what they do to the log.
  case primary
  /// It refuses writes with ``WriteError/notPrimary``, and applies entries of the log.
  case replica
}
