import Dispatch
import MartletSQLite
import Synchronization

/// A group that was rolled back although its entry may be in the log.
struct UndecidedGroup {
  let group: WriteGroup
  let seq: Int64
  let tag: UInt64
}

// The writer of a node of a cluster. The primary appends an entry to the log before each commit, so
// a file never has what the log does not have; a replica applies the entries.

extension Writer {
  /// How long the writes of an undecided group wait for the log to be read.
  private static let patience = DispatchTimeInterval.seconds(5)

  // MARK: The primary

  /// Appends the entry of a group to the log. Returns its number and tag; `nil` if the group has
  /// changed nothing.
  func prepareEntry(
    _ transaction: GroupTransaction, _ replicator: any Replicator
  ) throws -> (seq: Int64, tag: UInt64)? {
    let tag = UInt64.random(in: 0 ... .max)
    guard let bytes = try transaction.entry(tag: tag) else {
      try replicator.confirm()
      return nil
    }
    let next = seq.load(ordering: .relaxed) + 1
    try transaction.set(seq: next)
    do {
      try replicator.append(ReplicatedEntry(seq: next, bytes: bytes))
    } catch {
      guard error == .undecided else { throw error }
      throw AppendUndecided(seq: next, tag: tag)
    }
    return (next, tag)
  }

  /// Notes that a group is committed whose entry has this number.
  func note(_ number: Int64, _ transaction: GroupTransaction) {
    seq.store(number, ordering: .sequentiallyConsistent)
    guard transaction.hasMissedRows else { return }
    // The other files do not have these rows. This one gets their content.
    isSpoiled.store(true, ordering: .releasing)
    stepDown()
  }

  /// Appends an entry at which each node makes a digest of its content. Returns its number.
  func checkContent() throws -> Int64 {
    guard !isCurrent else { throw WriteError.nested }
    return try queue.sync {
      guard let replicator, let current, current.applier == nil, !line.isRefusing else {
        throw WriteError.notPrimary
      }
      let next = seq.load(ordering: .relaxed) + 1
      let bytes = RowEntry.withoutRows(tag: UInt64.random(in: 0 ... .max))
      do {
        try move(to: next, current.transaction) {
          try replicator.append(ReplicatedEntry(seq: next, bytes: bytes, kind: .check))
        }
        replicator.published(next)
      } catch {
        // If the log has the entry, it is applied like those of others.
        stepDown()
        throw WriteError.notPrimary
      }
      checks.begin(at: next)
      return next
    }
  }

  /// Commits what `body` does, and that the file has the entries up to a number.
  private func move(
    to number: Int64, _ transaction: GroupTransaction, _ body: () throws -> Void
  ) throws {
    do {
      if let changes = try transaction.begin() { try publish(changes) }
      try body()
      try transaction.set(seq: number)
      clock.begin()
      defer { clock.end() }
      try transaction.commit()
      seq.store(number, ordering: .sequentiallyConsistent)
      listeners.publish(transaction.notice(number: clock.advance()))
    } catch {
      try? transaction.rollBack()
      throw error
    }
  }

  private struct AppendUndecided: Error {
    let seq: Int64
    let tag: UInt64
  }

  /// Handles the failures that only a node of a cluster has. Returns whether it was one of them.
  func failReplication(
    _ group: WriteGroup, _ error: any Error, _ entry: (seq: Int64, tag: UInt64)?
  ) -> Bool {
    if let error = error as? AppendUndecided {
      park(group, seq: error.seq, tag: error.tag)
      return true
    }
    if let entry {
      // The log has the entry, and only this file has not. It is applied like those of others.
      if case WriteError.outcomeUnknown = error { return false }
      if case WriteError.storageFull(let cause) = error {
        onEvent(.storageFull(cause, writes: group.entries.count))
      }
      park(group, seq: entry.seq, tag: entry.tag)
      return true
    }
    guard let error = error as? ReplicationError else { return false }
    try? current?.transaction.rollBack()
    switch error {
    case .tooLarge, .table:
      if group.entries.count > 1 {
        // Which write it was shows when each of them runs alone.
        for entry in group.entries.reversed() { putBack([], apart: entry) }
      } else if case .tooLarge(let limit) = error {
        aroundAnswers { group.answer(failingWith: WriteError.tooLarge(limit: limit)) }
      } else {
        aroundAnswers { group.answer(failingWith: error) }
      }
    default:
      stepDown()
      aroundAnswers { group.refuse(WriteError.notPrimary) }
    }
    return true
  }

  /// Refuses writes from now on. The connection stays as it is until the role is changed.
  func stepDown() {
    replicator?.stepDown()
    line.refuse(.notPrimary)
    refuseWaiting(.notPrimary)
  }

  /// Keeps a group until the log tells whether it was saved.
  private func park(_ group: WriteGroup, seq: Int64, tag: UInt64) {
    try? current?.transaction.rollBack()
    stepDown()
    giveUpUndecided()
    undecided = UndecidedGroup(group: group, seq: seq, tag: tag)
    queue.asyncAfter(deadline: .now() + Self.patience) { [weak self] in
      if let self, undecided?.tag == tag { giveUpUndecided() }
    }
  }

  func giveUpUndecided() {
    guard let undecided else { return }
    self.undecided = nil
    aroundAnswers { undecided.group.refuse(WriteError.undecided) }
  }

  /// Answers the undecided group if the entries up to a number tell what has become of it.
  func resolve(_ entry: ReplicatedEntry?, upTo seq: Int64) {
    guard let undecided, seq >= undecided.seq else { return }
    guard let entry else { return giveUpUndecided() }
    self.undecided = nil
    let isOurs = (try? RowEntry.tag(of: entry.bytes)) == undecided.tag
    aroundAnswers {
      if isOurs {
        undecided.group.answer()
      } else {
        undecided.group.refuse(WriteError.notPrimary)
      }
    }
  }

  // MARK: The replica

  /// Applies entries in one transaction. The ones that the file has already are skipped.
  func apply(_ entries: [ReplicatedEntry]) throws {
    try queue.sync {
      guard let current, let applier = current.applier else { throw WriteError.stopped }
      guard !isSpoiled.load(ordering: .acquiring) else { throw ReplicationError.foreignCommit }
      let first = seq.load(ordering: .relaxed) + 1
      let entries = entries.filter { $0.seq >= first }
      // A digest is that of the file after its entry.
      guard entries.allSatisfy({ $0.kind != .file }),
        entries.dropLast().allSatisfy({ $0.kind == .rows })
      else { throw ReplicationError.damaged }
      guard let last = entries.last else { return }
      try move(to: last.seq, current.transaction) {
        for (index, entry) in entries.enumerated() {
          let wanted = first + Int64(index)
          guard entry.seq == wanted else {
            throw ReplicationError.gap(wanted: wanted, found: entry.seq)
          }
          try applier.apply(entry.bytes)
        }
      }
      if let undecided { resolve(entries.first { $0.seq == undecided.seq }, upTo: last.seq) }
      listeners.answered()
      if last.kind == .check { checks.begin(at: last.seq) }
      keepLog()
    }
  }

  // MARK: Changes of role

  /// Accepts writes. The file must have all entries of the log. `change` changes the content of all
  /// nodes before that.
  func promote(_ change: ((String) throws -> Void)?) throws {
    try queue.sync {
      // It is not in the log, and cannot become part of it any more.
      if let undecided {
        self.undecided = nil
        aroundAnswers { undecided.group.refuse(WriteError.notPrimary) }
      }
      if let change { try stage(change) } else { try reopen(.primary) }
      // A replica's connection captures nothing.
      guard current?.applier == nil else { throw WriteError.notPrimary }
      line.refuse(nil)
    }
  }

  /// Refuses writes and becomes a replica.
  func demote() throws {
    try queue.sync {
      stepDown()
      if current?.applier == nil { try reopen(.replica) }
    }
  }
}
