import MartletHTTP
import MartletLiveAPI
import MartletLiveQueries
import MartletReminders
import MartletStore

// The events of the parts of the server, as log lines and metrics.
extension Composition {
  static func heard(
    _ event: StoreEvent, _ log: Log, _ metrics: Metrics
  ) {
    switch event {
    case .committed(let writes, let duration):
      metrics.measure(.groupWrites, Double(writes))
      metrics.measure(.commitTime, duration)
    case .slowStatement(let sql, let duration, let plan):
      metrics.add(.slowQueries)
      log(
        .warning, "slow query",
        [
          "milliseconds": .number(duration.wholeMilliseconds), "sql": .text(sql),
          "plan": .text(plan.joined(separator: "; ")),
        ])
    case .outcomeUnknown(let error, let writes):
      log(
        .error,
        "a commit failed and its outcome is unknown; exiting, the next start recovers the database",
        ["writes": .number(writes), "error": .cause(error)])
    case .checkpointFailed(let error):
      log(.error, "WAL checkpoint failed; exiting", ["error": .cause(error)])
    case .fileLost(let path):
      log(
        .error,
        "a file of the database was deleted or replaced while the server was running; exiting",
        ["file": .text(path)])
    case .storageFull(let error, let writes):
      metrics.add(.writeFailures)
      log(.error, "no space left on the disk", ["writes": .number(writes), "error": .cause(error)])
    case .transactionLost(let cause, let repeated):
      log(
        .warning, "a write rolled back its group's transaction; the other writes run again",
        ["cause": .text(cause), "repeated": .number(repeated)])
    case .busy(let writes):
      metrics.add(.writeFailures)
      log(
        .warning, "another program kept the database locked; writes failed",
        ["writes": .number(writes)])
    case .walPinned(let bytes):
      log(
        .warning, "another program keeps a read transaction open, so the WAL grows; end it",
        ["bytes": .number(bytes)])
    case .foreignCommit: metrics.add(.foreignCommits)
    case .checkpoint: break
    case .maintenanceFailed(let error):
      log(.warning, "database maintenance failed and will be retried", ["error": .cause(error)])
    }
  }

  static func heard(_ event: LiveQueryEvent, _ log: Log, _ metrics: Metrics) {
    switch event {
    case .refreshed(let queries, let changed, _):
      metrics.add(.liveRuns, queries)
      metrics.add(.liveChanges, changed)
    case .delivered(let delay): metrics.measure(.liveTime, delay)
    case .failed(let key, let error):
      metrics.add(.liveFailures)
      // When a limit was exceeded, the client's request is refused and reports it.
      if !APIProblem.isRefusal(error) {
        log(.error, "a live query failed", ["query": .text(key), "error": "\(error)"])
      }
    }
  }

  static func heard(_ event: ServerEvent, _ log: Log, _ metrics: Metrics) {
    // Requests and connections that reach no route have no request line in the log.
    func refused(_ reason: String, _ peer: Peer) {
      metrics.reject(reason)
      log(.info, "refused", ["reason": .text(reason), "client": .text(peer.address)])
    }
    switch event {
    case .requestFinished(let finished):
      metrics.requests.add(finished)
      log(finished)
    case .requestRejected(let peer, let error): refused(error.kind.slug, peer)
    case .requestLimited(let peer): refused(Metrics.Rejection.rate.rawValue, peer)
    case .connectionRefused(let peer): refused(Metrics.Rejection.connections.rawValue, peer)
    case .streamRefused(let peer): refused(Metrics.Rejection.streams.rawValue, peer)
    case .connectionExpired(_, .idle): metrics.reject(.idle)
    case .connectionExpired(_, .write): metrics.reject(.write)
    case .connectionExpired(_, .overload): metrics.reject(.output)
    case .connectionExpired(_, .answer): metrics.reject(.handler)
    case .acceptFailed(let code):
      log(.warning, "accepting a connection failed", ["errno": .number(Int(code))])
    case .connectionAccepted, .connectionClosed, .streamOpened, .streamClosed: break
    }
  }

  static func heard(
    _ event: APIEvent, _ log: Log, _ metrics: Metrics
  ) {
    switch event {
    case .cacheHit: metrics.add(.cacheHits)
    case .refused(let type, let count):
      metrics.add(.failedRequests)
      metrics.reject(type.slug)
      if let count {
        log(
          .warning, "requests were refused", ["reason": .text(type.slug), "count": .number(count)])
      }
    case .failed(let request, let type, let error):
      metrics.add(.failedRequests)
      metrics.reject(type.slug)
      log(.error, "a request failed", ["request": .text(request), "error": "\(error)"])
    }
  }

  static func heard(_ event: Gate.Event, _ log: Log, _ metrics: Metrics) {
    switch event {
    case .refused(let client, let id, let reason):
      metrics.reject(.key)
      log(
        .warning, "authentication failed",
        [
          "client": .text(client.address), "key": id.map(Log.Value.number) ?? .absent,
          "reason": .text(reason),
        ])
    case .failed(let error):
      log(.error, "the API keys could not be reloaded", ["error": .cause(error)])
    }
  }
}
