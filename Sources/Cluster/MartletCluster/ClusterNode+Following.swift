import Glibc
import MartletStore
import MartletTime

// What the thread of a node does while another node leads.

extension ClusterNode {
  /// How far this node is.
  func report(_ staged: StagedFiles) -> NodeReport {
    NodeReport(
      id: id, address: settings.address, applied: database.seq, durable: database.durableSeq,
      version: DqliteNode.version, clock: Clock.system.now().milliseconds,
      contact: settings.contact, staged: staged.tag)
  }

  /// Notes what the log says of the nodes.
  func look(_ client: DqliteClient) throws(ClusterError) {
    let members = try client.members()
    let reports: [NodeReport]
    do throws(ClusterError) { reports = try NodeReport.all(client) } catch
      where error.isMissingTable
    { reports = [] }
    view.set(reports, members, clock: Clock.system.now().milliseconds)
    onEvent(.reports(status))
  }

  /// Applies what the leader has, until it is time to ask again who leads. Returns false if the
  /// tail must begin anew, because the file was replaced.
  func follow(
    _ tail: LogTail, _ own: DqliteClient, _ staged: inout StagedFiles, isReporting: Bool
  ) throws -> Bool {
    if let other = tail.cluster, other != cluster {
      throw ClusterError.nodeFile("the file belongs to another cluster than the log")
    }
    if database.isSpoiled {
      try takeSnapshot(from: tail.address, "another program has written to the file")
      return false
    }
    if mustCopy.load(ordering: .acquiring) {
      try takeSnapshot(from: tail.address, "an operator has asked for it")
      mustCopy.store(false, ordering: .releasing)
      return false
    }
    if isReporting {
      staged.scan()
      staged.remove(upTo: database.seq)
    }
    let before = staged.tag
    if isReporting, let offer = try tail.offer(), offer.seq > database.seq {
      do { try staged.fetch(offer.tag, offer.seq, from: tail.address, snapshots) } catch {
        // Other nodes may have it when it is installed.
        onEvent(.failed("fetching the content that is offered: \(error)"))
      }
    }
    if isReporting || staged.tag != before { try tail.report(report(staged)) }
    if isReporting { try look(tail.client) }
    let end = ContinuousClock.now + Self.watchInterval
    while ContinuousClock.now < end, !isStopping.load(ordering: .acquiring) {
      do {
        guard try poll(tail, own, &staged) else { return true }
      } catch let error as ReplicationError {
        try takeSnapshot(from: tail.address, "\(error)")
        return false
      }
    }
    return true
  }

  /// Reads the log to its end, and lets the reads go on that came before. Returns false if another
  /// node leads now.
  private func poll(
    _ tail: LogTail, _ own: DqliteClient, _ staged: inout StagedFiles
  ) throws -> Bool {
    let reads = freshness.take()
    do {
      if !reads.isEmpty, tail.voters > Self.smallCluster { try tail.beat() }
      var count = 0
      var start: ContinuousClock.Instant
      repeat {
        start = .now
        let entries = try tail.read()
        count += entries.count
        try apply(entries, &staged, tail)
      } while !tail.isAtEnd
      view.noteContact(start)
      if !reads.isEmpty {
        // A node that has voted for another leader knows that it has not this one any more.
        guard try own.leader() == tail.address else {
          freshness.putBack(reads)
          return false
        }
        for read in reads { read.completion(true) }
      } else if count == 0 {
        freshness.pause(database.hasListeners ? Self.pollIntervals.live : Self.pollIntervals.quiet)
      }
      return true
    } catch {
      freshness.putBack(reads)
      throw error
    }
  }

  /// Applies entries in order. `tail` is where they come from; `nil` if this node leads.
  func apply(_ entries: [ReplicatedEntry], _ staged: inout StagedFiles, _ tail: LogTail?) throws {
    var rows: [ReplicatedEntry] = []
    for entry in entries where entry.seq > database.seq {
      guard entry.kind == .file else {
        rows.append(entry)
        if entry.kind == .check {
          try database.apply(rows)
          rows = []
        }
        continue
      }
      if !rows.isEmpty { try database.apply(rows) }
      rows = []
      try install(entry, &staged, tail)
    }
    if !rows.isEmpty { try database.apply(rows) }
  }

  /// Replaces the content of the file by a staged one, or by what a node has that has done so.
  private func install(_ entry: ReplicatedEntry, _ staged: inout StagedFiles, _ tail: LogTail?)
    throws
  {
    let tag = try RowEntry.tag(of: entry.bytes)
    defer { staged.remove(upTo: database.seq) }
    if staged.file(tag) == nil {
      let client = try DqliteClient(to: tail?.address ?? settings.address, timeout: .seconds(2))
      for member in try client.members() where member.id != id && member.role == .voter {
        do {
          try staged.fetch(tag, entry.seq, from: member.address, snapshots)
          break
        } catch {}
        do {
          try takeSnapshot(from: member.address, "the staged file is missing", installing: entry)
          return
        } catch {}
      }
    }
    guard let file = staged.file(tag) else {
      throw ClusterError.connection("no node has the content that entry \(entry.seq) installs")
    }
    try database.replace(with: file.path, of: cluster, installing: entry)
    onEvent(.installed(seq: entry.seq))
  }

  /// Replaces the content of the file by that of another node.
  func takeSnapshot(
    from address: String, _ reason: String, installing entry: ReplicatedEntry? = nil
  ) throws {
    let path = database.path + ".snapshot"
    DurableFile.remove(path)
    defer { DurableFile.remove(path) }
    try snapshots.fetch(.database, from: address, to: path)
    try database.replace(with: path, of: cluster, installing: entry)
    onEvent(.tookSnapshot(seq: database.seq, reason: reason))
  }
}
