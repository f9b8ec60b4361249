import MartletSQLite

// The whole content of a node's file is replaced: by a copy of another node's file, or by a staged
// one.

extension Writer {
  /// Replaces the content of all nodes by a changed copy.
  func replaceContent(_ change: (String) throws -> Void) throws {
    guard !isCurrent else { throw WriteError.nested }
    try queue.sync {
      guard let current, current.applier == nil, !line.isRefusing else {
        throw WriteError.notPrimary
      }
      do {
        if let changes = try current.transaction.changesOfOthers() { try publish(changes) }
      } catch is ReplicationError {
        stepDown()
        throw WriteError.notPrimary
      }
      try stage(change)
    }
  }

  /// Changes a copy, lets the log install it on all nodes, and is the primary then.
  func stage(_ change: (String) throws -> Void) throws {
    guard let replicator, let current, let position = try NodePosition(current.connection) else {
      throw WriteError.notPrimary
    }
    let tag = UInt64.random(in: 1 ... .max)
    let path = StagedFile.path(of: opening.path, tag: tag)
    let file = StagedFile(path: path, tag: tag, seq: position.seq + 1)
    var mayBeInLog = false
    defer { if !mayBeInLog { file.remove() } }
    try DatabaseCopy.make(of: opening.path, at: path)
    try change(path)
    try file.finish(position.cluster)
    do {
      try replicator.install(file)
    } catch {
      switch error {
      case .undecided:
        mayBeInLog = true
        stepDown()
        throw WriteError.undecided
      case .notPrimary:
        stepDown()
        throw WriteError.notPrimary
      default: throw error
      }
    }
    do { try put(path, file.seq, .primary) } catch {
      // The log has the entry, and only this file has not. It is applied like those of others.
      mayBeInLog = true
      stepDown()
      throw WriteError.undecided
    }
    replicator.published(file.seq)
  }

  /// Replaces the content of a replica. See
  /// ``EmbeddedDatabase/replace(with:of:installing:)``.
  func replace(with path: String, of cluster: String, _ entry: ReplicatedEntry?) throws {
    try queue.sync {
      guard let current, current.applier != nil else { throw WriteError.stopped }
      let source = try Connection(location: .file(path), options: [.readOnly])
      defer { source.close() }
      guard let position = try NodePosition(source), position.cluster == cluster else {
        throw ReplicationError.otherCluster
      }
      // A file never goes back.
      let wanted = max(seq.load(ordering: .relaxed), entry?.seq ?? 0)
      guard position.seq >= wanted else {
        throw ReplicationError.outdated(wanted: wanted, seq: position.seq)
      }
      source.close()
      try put(path, position.seq, .replica)
      resolve(entry, upTo: position.seq)
    }
  }

  /// Replaces the content of the file in one transaction. Readers keep what they see until their
  /// read ends.
  private func put(_ path: String, _ number: Int64, _ role: ReplicationRole) throws {
    guard let current else { throw WriteError.stopped }
    let source = try Connection(location: .file(path), options: [.readOnly])
    defer { source.close() }
    clock.begin()
    defer { clock.end() }
    try source.backup(to: current.connection, pagesPerStep: 0)
    try reopen(role)
    isSpoiled.store(false, ordering: .releasing)
    seq.store(number, ordering: .sequentiallyConsistent)
    listeners.publish(
      CommitNotification(number: clock.advance(), everything: true, isForeign: true, tables: [:]))
    listeners.answered()
    keepLog()
  }
}
