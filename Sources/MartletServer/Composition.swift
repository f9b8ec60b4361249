import Dispatch
import Glibc
import MartletHTTP
import MartletLiveAPI
import MartletLiveQueries
import MartletReminders
import MartletRemindersAPI
import MartletSQLite
import MartletStore
import MartletTime
import Synchronization

/// The one file that knows everyone: what the service is made of, and the notices that go upward.
final class Composition: Sendable {
  let service: RunningService
  private let grace: GracePeriod
  private let backups: BackupSchedule?
  private let memory = Memory()

  /// The file has this version's schema.
  init(_ settings: ServeSettings, log: Log) throws {
    let metrics = Metrics()
    let signal = GracePeriod.Signal()
    let backups = settings.backups.map { BackupSchedule(of: settings.database, $0, log: log) }
    let running = Running()
    let operating = OperatingRoutes.all {
      metrics.text(gauges: Composition.gauges(running, settings.database, backups))
        + ProcessMetrics.text(Program.version)
    }
    var service = Service(
      path: settings.database, migrator: nil, routes: RemindersAPI.routes + operating)
    service.database.settings = settings.bounds.store
    service.database.prepareDatabase { try GracePeriod.prepare($0, signal: signal) }
    service.api = settings.bounds.api
    service.api.keepsAnswers = true
    service.api.description = "/openapi.yaml"
    service.api.nouns = RemindersAPI.nouns
    service.api.timeZone = settings.timeZone
    service.api.allowedOrigins = Set(settings.allowedOrigins)
    service.api.hints = [
      .payloadTooLarge: "An operator can allow more: --max-body, for an import --max-import.",
      .misdirectedRequest: "An operator can name it: --allowed-host.",
      .crossOrigin: "--allowed-origin admits one.",
    ]
    var keys = settings.bounds.gate
    keys.makesKeys = "martlet key create"
    keys.withoutKeys = settings.withoutKeys
    service.keys = keys
    service.problems = ProblemType.ofReminders
    service.problemPage = String(decoding: Assets.bytes("docs/problems.md"), as: UTF8.self)
    service.translate = RemindersAPI.problem(of:)
    service.server = Composition.server(settings)
    service.onEvent = { event in
      switch event {
      case .store(let event): Composition.heard(event, log, metrics)
      case .liveQuery(let event): Composition.heard(event, log, metrics)
      case .request(let event): Composition.heard(event, log, metrics)
      case .key(let event): Composition.heard(event, log, metrics)
      case .server(let event): Composition.heard(event, log, metrics)
      case .damaged(let error): log(.error, DatabaseTrouble.describe(error, settings.database))
      }
    }
    let opened = try RunningService(service)
    running.set(opened)
    opened.onFailure {
      log.finish()
      exit(RunningService.diskFailed)
    }
    grace = GracePeriod(
      opened.database, signal: signal, duration: settings.gracePeriod, agenda: opened.agenda,
      failed: { log(.error, "completing reminders failed", ["error": "\($0)"]) })
    self.backups = backups
    self.service = opened
  }

  private static func server(_ settings: ServeSettings) -> HTTPServer.Configuration {
    var configuration = HTTPServer.Configuration()
    configuration.host = settings.host
    configuration.port = settings.port
    configuration.loops = settings.loopCount
    configuration.limits = settings.bounds.http
    if !settings.allowedHosts.isEmpty {
      configuration.allowedHosts = ["localhost", "127.0.0.1", "[::1]"] + settings.allowedHosts
    }
    let proxies = settings.trustedProxies
    if !proxies.isEmpty { configuration.isTrusted = { proxies.contains($0.host) } }
    configuration.interests = [.trouble, .requests]
    return configuration
  }

  /// Listens; gives the port.
  func start() throws -> UInt16 {
    let port = try service.start()
    backups?.start(service.agenda)
    return port
  }

  /// When the server has ended, and no loop reads any more. False when it was called before.
  func close() -> Bool {
    backups?.stop()
    return service.close()
  }

  /// What the process ends with; the disk may have failed on the way down, too.
  var exitCode: Int32 { service.storeWorks ? 0 : RunningService.diskFailed }

  // MARK: What is there now

  private static func gauges(
    _ running: Running, _ path: String, _ backups: BackupSchedule?
  ) -> [(name: String, help: String, value: Int)] {
    guard let service = running.service else { return [] }
    let writing = Int((service.database.writingFor ?? .zero) / .milliseconds(1))
    var gauges = [
      ("martlet_connections", "Open connections.", service.server.connections),
      ("martlet_streams", "Open event streams.", service.server.streams),
      ("martlet_live_queries", "Different live queries.", service.live.count),
      (
        "martlet_queued_writes", "Writes that wait for the writer.", service.database.waitingWrites
      ),
      ("martlet_writing_milliseconds", "How long the write under way has taken.", writing),
    ]
    var status = stat()
    if stat(path + "-wal", &status) == 0 {
      gauges.append(("martlet_wal_bytes", "The write-ahead log.", Int(status.st_size)))
    }
    if stat(path, &status) == 0 {
      gauges.append(("martlet_database_bytes", "The database file.", Int(status.st_size)))
    }
    if let age = backups?.age {
      gauges.append(
        ("martlet_backup_age_seconds", "Since the last good backup.", Int(age.components.seconds)))
    }
    return gauges
  }

  // MARK: Notices

  private static func heard(
    _ event: StoreEvent, _ log: Log, _ metrics: Metrics
  ) {
    switch event {
    case .committed(let writes, let duration):
      metrics.measure(.groupWrites, Double(writes))
      metrics.measure(.commitTime, duration)
    case .slowStatement(let sql, let duration, let plan):
      metrics.add(.slowQueries)
      log(
        .warning, "a query was slow",
        [
          "milliseconds": .number(duration.wholeMilliseconds), "sql": .text(sql),
          "plan": .text(plan.joined(separator: "; ")),
        ])
    case .outcomeUnknown(let error, let writes):
      log(
        .error, "the outcome of a commit is unknown; ending, the next start recovers",
        ["writes": .number(writes), "error": "\(error)"])
    case .checkpointFailed(let error):
      log(.error, "copying the log into the database failed; ending", ["error": "\(error)"])
    case .fileLost(let path):
      log(
        .error, "a file of the database was deleted or replaced while it was served; ending",
        ["file": .text(path)])
    case .storageFull(let error, let writes):
      metrics.add(.writeFailures)
      log(.error, "no room left", ["writes": .number(writes), "error": "\(error)"])
    case .transactionLost(let cause, let repeated):
      log(
        .warning, "a write ended its group's transaction",
        ["cause": .text(cause), "repeated": .number(repeated)])
    case .busy(let writes):
      metrics.add(.writeFailures)
      log(.warning, "another program held the database", ["writes": .number(writes)])
    case .foreignCommit: metrics.add(.foreignCommits)
    case .checkpoint: break
    case .maintenanceFailed(let error):
      log(.warning, "maintenance failed and will be tried again", ["error": "\(error)"])
    }
  }

  private static func heard(_ event: LiveQueryEvent, _ log: Log, _ metrics: Metrics) {
    switch event {
    case .refreshed(let queries, let changed, _):
      metrics.add(.liveRuns, queries)
      metrics.add(.liveChanges, changed)
    case .delivered(let delay): metrics.measure(.liveTime, delay)
    case .failed(let key, let error):
      metrics.add(.liveFailures)
      // A limit at work is told by the request that a client hears of it by.
      if !APIProblem.isRefusal(error) {
        log(.error, "a live query failed", ["query": .text(key), "error": "\(error)"])
      }
    }
  }

  private static func heard(_ event: ServerEvent, _ log: Log, _ metrics: Metrics) {
    // Those that came to no route, and so have no line of their own.
    func refused(_ reason: String, _ peer: Peer) {
      metrics.reject(reason)
      log(.info, "refused", ["reason": .text(reason), "client": .text(peer.address)])
    }
    switch event {
    case .requestFinished(let finished):
      metrics.requests.add(finished)
      log(finished)
    case .requestRejected(let peer, let error): refused(error.kind.slug, peer)
    case .requestLimited(let peer): refused("rate-limited", peer)
    case .connectionRefused(let peer): refused("too-many-connections", peer)
    case .streamRefused(let peer): refused("too-many-streams", peer)
    case .connectionExpired(_, .idle): metrics.reject("idle")
    case .connectionExpired(_, .write): metrics.reject("write-timeout")
    case .connectionExpired(_, .overload): metrics.reject("waiting-output")
    case .connectionExpired(_, .answer): metrics.reject("handler-timeout")
    case .acceptFailed(let code):
      log(.warning, "accepting a connection failed", ["errno": .number(Int(code))])
    case .connectionAccepted, .connectionClosed, .streamOpened, .streamClosed: break
    }
  }

  private static func heard(
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
}

extension Composition {
  private static func heard(_ event: Gate.Event, _ log: Log, _ metrics: Metrics) {
    switch event {
    case .refused(let client, let id, let reason):
      metrics.reject("key")
      log(
        .warning, "a key was refused",
        [
          "client": .text(client.address), "key": id.map(Log.Value.number) ?? .absent,
          "reason": .text(reason),
        ])
    case .failed(let error):
      log(.error, "the keys could not be read again", ["error": "\(error)"])
    }
  }
}

/// The service, for the metrics, which are made before it.
private final class Running: Sendable {
  private struct Reference { weak var service: RunningService? }
  private let reference = Mutex(Reference())

  func set(_ service: RunningService) { reference.withLock { $0.service = service } }
  var service: RunningService? { reference.withLock { $0.service } }
}
