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
  public func apply(_ entries: [ReplicatedEntry]) throws { try writer.apply(entries) }

  /// Makes the node the primary, which accepts writes. The file must have all entries of the log.
  ///
  /// - Parameter change: Changes the content of all nodes before that, like
  ///   ``replaceContent(_:)``.
  public func promote(changing change: ((_ copy: String) throws -> Void)? = nil) throws {
    try writer.promote(change)
  }

  /// Replaces the content of the files of all nodes: another schema, or the content of a backup.
  /// Blocks the caller. Writes wait meanwhile; reads go on.
  ///
  /// The database is copied, `change` changes or replaces the copy at the path that it gets, most
  /// nodes take the copy, and then an entry of the log installs it everywhere. Until then nothing
  /// has happened, and an error that `change` throws leaves everything as it was. Throws
  /// ``WriteError/notPrimary``, ``WriteError/undecided`` or ``ReplicationError``.
  public func replaceContent(_ change: (_ copy: String) throws -> Void) throws {
    try writer.replaceContent(change)
  }

  /// Lets all nodes make a digest of their content after the same entry of the log, beside the
  /// writes. Blocks the caller until the entry is in the log. While a node still makes another
  /// digest, it skips this one.
  ///
  /// - Returns: The number of the entry, for ``contentCheck(at:)``.
  /// - Throws: ``WriteError/notPrimary``.
  public func checkContent() throws -> Int64 { try writer.checkContent() }

  /// The state of the digest of this node at an entry; `nil` if it was not begun, or another one
  /// was begun since.
  public func contentCheck(at seq: Int64) -> ContentCheck? { writer.checks[seq] }

  /// Makes the node a replica. Writes that wait are refused with ``WriteError/notPrimary``.
  public func demote() throws { try writer.demote() }

  /// Replaces the content of a replica's file by that of another node's, in one transaction.
  ///
  /// - Parameters:
  ///   - path: A copy of the file of another node, or a staged file.
  ///   - cluster: The ID of the cluster, which the copy must have.
  ///   - entry: The entry that installs the copy, if any. The copy must have it.
  public func replace(
    with path: String, of cluster: String, installing entry: ReplicatedEntry? = nil
  ) throws {
    try writer.replace(with: path, of: cluster, entry)
  }
}
