import Glibc
import MartletStore

// What the thread of a node does while it leads.

extension ClusterNode {
  /// Is the primary, until another node leads or a request to the log has failed.
  func lead(_ own: DqliteClient, _ staged: inout StagedFiles) throws {
    if !isLeading { try takeOver(&staged) }
    let client = try DqliteClient(to: settings.address, timeout: .seconds(2))
    try client.open()
    var nextReport = ContinuousClock.now
    while !isStopping.load(ordering: .acquiring) {
      guard !appender.isDeposed, !database.isSpoiled, try own.leader() == settings.address else {
        return try becomeReplica()
      }
      if ContinuousClock.now >= nextReport {
        nextReport = .now + .seconds(1)
        staged.remove(upTo: database.seq)
        let start = ContinuousClock.now
        try report(staged).store(client)
        view.noteContact(start)
        try look(client)
        let voters = Set(try client.members().filter { $0.role == .voter }.map(\.id))
        let durable = try NodeReport.all(client).filter { voters.contains($0.id) }.map(\.durable)
        // A voter that has never reported has nothing.
        appender.trim(
          durable: durable + Array(repeating: 0, count: max(voters.count - durable.count, 0)))
      }
      if try !handleRequests(client) { return }
      let reads = freshness.take()
      if reads.isEmpty {
        try appender.renew()
        freshness.pause(.milliseconds(20))
      } else {
        do { try appender.confirm() } catch {
          freshness.putBack(reads)
          throw error
        }
        letGo(reads)
      }
    }
  }

  /// Lets reads go on unless they wait for an entry that this node has not shown yet.
  private func letGo(_ reads: [Freshness.Read]) {
    var shown = appender.lastShown
    // An entry of an earlier time as the primary may never be shown.
    if shown >= appender.lastSent { shown = .max }
    let waiting = reads.filter { $0.entry > shown }
    freshness.putBack(waiting)
    for read in reads where read.entry <= shown { read.completion(true) }
    // Another entry may have been shown before they waited again.
    if !waiting.isEmpty, appender.lastShown == shown { freshness.pause(.milliseconds(20)) }
  }

  /// Does what waits for the primary. Returns false if another node leads now.
  private func handleRequests(_ client: DqliteClient) throws -> Bool {
    var waiting = takeRequests()[...]
    while let next = waiting.popFirst() {
      do throws(ClusterError) {
        switch next.request {
        case .transfer(let target):
          if target == id { break }
          let others = try client.members().filter { $0.role == .voter && $0.id != id }
          guard others.contains(where: { target == nil || $0.id == target }) else {
            throw .refused(
              code: 0, "there is no such node that could lead; cluster status shows the IDs")
          }
          do { try becomeReplica() } catch { throw .connection("\(error)") }
          try giveAway(to: target)
          next.completion(.success(()))
          for rest in waiting { rest.completion(.failure(.deposed)) }
          return false
        case .remove(let removed):
          guard removed != id else {
            throw .refused(code: 0, "it is the primary: let another node lead before")
          }
          guard try client.members().contains(where: { $0.id == removed }) else {
            throw .refused(code: 0, "there is no node \(removed); cluster status shows the IDs")
          }
          try client.remove(removed)
          try DqliteClient.persist { () throws(ClusterError) in
            try client.run(
              "DELETE FROM nodes WHERE id = ?", [.integer(Int64(bitPattern: removed))])
          }
        }
        next.completion(.success(()))
      } catch { next.completion(.failure(error)) }
    }
    return true
  }

  private func takeOver(_ staged: inout StagedFiles) throws {
    let start = ContinuousClock.now
    if database.isSpoiled { try giveAway() }
    let log = try PrimaryLog(at: settings.address, node: id, cluster: cluster)
    guard log.cluster == cluster else {
      throw ClusterError.nodeFile("the file belongs to another cluster than the log")
    }
    do { try catchUp(to: log.last, &staged) } catch {
      // Another node may be able to.
      try giveAway()
      throw error
    }
    let change: (@Sendable (String) throws -> Void)?
    do { change = try self.change(database) } catch {
      try giveAway()
      throw error
    }
    appender.begin(log)
    do { try database.promote(changing: change) } catch {
      appender.end()
      throw error
    }
    primary.store(true, ordering: .releasing)
    onEvent(
      .becamePrimary(epoch: log.epoch, seq: database.seq, duration: .now - start))
  }

  /// Applies what the log has and the file lacks.
  private func catchUp(to last: Int64?, _ staged: inout StagedFiles) throws {
    guard let last else { return }
    do {
      let tail = try LogTail(
        at: settings.address, after: database.seq, timeout: PrimaryLog.patience)
      while database.seq < last { try apply(try tail.read(), &staged, nil) }
    } catch let error as ReplicationError {
      let client = try DqliteClient(to: settings.address, timeout: .seconds(2))
      for member in try client.members() where member.id != id && member.role == .voter {
        do {
          try takeSnapshot(from: member.address, "\(error)")
          if database.seq >= last { return }
        } catch { continue }
      }
      throw error
    }
  }

  func becomeReplica() throws {
    guard isLeading || appender.isDeposed else { return }
    let was = primary.exchange(false, ordering: .acquiringAndReleasing)
    // Waits for the request that is on its way, if any: dqlite 1.11.1 can crash if a connection is
    // closed before its request is answered. It answers all of them when it ceases to lead.
    appender.refuse()
    try database.demote()
    appender.end()
    if was { onEvent(.becameReplica(seq: database.seq)) }
  }

  /// Makes another voter the leader.
  private func giveAway(to target: UInt64? = nil) throws(ClusterError) {
    let client = try DqliteClient(to: settings.address, timeout: PrimaryLog.patience)
    let voters = try client.members().filter { $0.role == .voter && $0.id != id }
    var last = ClusterError.refused(code: 0, "there is no such node that could lead")
    for member in voters where target == nil || member.id == target {
      do throws(ClusterError) { return try client.transfer(to: member.id) } catch { last = error }
    }
    throw last
  }

  /// Lets the last group of writes finish, before the node stops.
  ///
  /// The other nodes elect a leader when the process has ended. With dqlite 1.11.1 a node that has
  /// been restarted, and makes another one the leader shortly before its process ends, has crashed
  /// in one of fifteen cases.
  func leave() {
    do { try becomeReplica() } catch { onEvent(.failed("stopping: \(error)")) }
  }
}
