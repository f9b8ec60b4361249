import Synchronization

// A database that is a node of a cluster, opened with a ``Replicator``.

extension EmbeddedDatabase {
  /// The number of the last entry of the log that the file has.
  public var seq: Int64 { writer.seq.load(ordering: .sequentiallyConsistent) }

  /// The number of the last entry that the file has even after a power loss.
  public var durableSeq: Int64 { writer.durable.load(ordering: .relaxed) }

  /// Whether another program has written to the file, which then differs from the log and must be
  /// replaced.
  public var isSpoiled: Bool { writer.isSpoiled.load(ordering: .acquiring) }

  /// Applies entries of the log on a replica, in one transaction. Blocks the caller. Entries that
  /// the file has already are skipped.
  ///
  /// Throws ``ReplicationError`` if an entry is missing or does not fit.
  public func apply(_ entries: [LogEntry]) throws { try writer.apply(entries) }

  /// Makes the node the primary, which accepts writes. The file must have all entries of the log.
  public func promote() throws { try writer.promote() }

  /// Makes the node a replica. Writes that wait are refused with ``WriteError/notPrimary``.
  public func demote() throws { try writer.demote() }

  /// Replaces the content of a replica's file by that of another node's, in one transaction.
  ///
  /// - Parameters:
  ///   - path: A copy of the file of another node.
  ///   - cluster: The ID of the cluster, which the copy must have.
  public func replace(with path: String, of cluster: String) throws {
    try writer.replace(with: path, of: cluster)
  }
}
