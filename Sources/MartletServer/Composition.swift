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
  let server: HTTPServer
  let database: EmbeddedDatabase
  private let grace: GracePeriod
  private let live: LiveQueries
  private let backups: BackupSchedule?
  private let memory = Memory()
  private let isOpen = Flag()
  private let isHealthy = Flag()
  private let isSound = Flag()

  /// EX_IOERR: a commit's outcome is unknown, or the log could not be copied. Recovery at the next
  /// start decides.
  private static let diskFailedCode: Int32 = 74

  init(_ settings: ServeSettings, log: Log) throws {
    let metrics = Metrics()
    let isHealthy = self.isHealthy
    let isSound = self.isSound
    let bell = GracePeriod.Bell()
    let loops = settings.loopCount

    var store = settings.bounds.store
    store.loopReaders = loops
    store.loopsKeepSnapshots = true
    let database = try EmbeddedDatabase(
      path: settings.database, settings: store,
      prepare: { connection in
        LiveQueries.prepare(connection)
        try GracePeriod.prepare(connection, bell: bell)
      },
      onEvent: { Composition.heard($0, log, metrics, isHealthy) })
    let live = LiveQueries(database) { event in
      switch event {
      case .refreshed(let queries, let changed, _):
        metrics.add(.liveRuns, queries)
        metrics.add(.liveChanges, changed)
      case .told(let nanoseconds): metrics.measure(.liveTime, nanoseconds: nanoseconds)
      case .failed(let key, let error):
        metrics.add(.liveFailures)
        // A limit at work is told by `api`, where a client hears of it.
        if !APIProblem.isRefusal(error) {
          log(.error, "a live query failed", ["query": .text(key), "error": "\(error)"])
        }
      }
    }

    var apiSettings = settings.bounds.api
    apiSettings.keepsAnswers = true
    apiSettings.description = "/openapi.yaml"
    apiSettings.nouns = RemindersAPI.nouns
    apiSettings.timeZone = settings.timeZone
    apiSettings.allowedOrigins = Set(settings.allowedOrigins)
    var gateSettings = settings.bounds.gate
    gateSettings.withoutKeys = settings.withoutKeys
    let gate = try Gate(
      database, live, settings: gateSettings,
      onEvent: { Composition.heard($0, log, metrics) })
    let api = API(
      database: database, live: live, settings: apiSettings, gate: gate,
      translate: RemindersAPI.problem(of:),
      onEvent: { Composition.heard($0, log, metrics, isSound, settings.database) })

    let counts = ServerCounts()
    var router = Router()
    api.register(RemindersAPI.routes, on: &router)
    let backups = settings.backups.map { BackupSchedule(of: settings.database, $0, log: log) }
    self.backups = backups
    let operating = OperatingRoutes.all {
      isHealthy.isUp && isSound.isUp
    } metrics: {
      var gauges = counts.gauges
      // But for the gate's own, which is there from the start.
      gauges.append(("martlet_live_queries", "Different live queries.", live.count - 1))
      gauges.append(
        ("martlet_waiting_writes", "Writes that wait for the writer.", database.waitingWrites))
      gauges.append(
        (
          "martlet_writing_milliseconds", "How long the write under way has taken.",
          Int((database.writingFor ?? .zero) / .milliseconds(1))
        ))
      var status = stat()
      if stat(settings.database + "-wal", &status) == 0 {
        gauges.append(("martlet_log_bytes", "The write-ahead log.", status.st_size))
      }
      if stat(settings.database, &status) == 0 {
        gauges.append(("martlet_database_bytes", "The database file.", status.st_size))
      }
      if let age = backups?.age {
        gauges.append(("martlet_backup_age_seconds", "Since the last good backup.", age))
      }
      return metrics.text(gauges: gauges) + ProcessMetrics.text(Program.version)
    }
    api.register(operating, on: &router)

    var configuration = HTTPServer.Configuration()
    configuration.host = settings.host
    configuration.port = settings.port
    configuration.loops = loops
    configuration.limits = settings.bounds.http
    // A result that may be read may also be sent, with its head.
    configuration.limits.waitingOutput = max(
      configuration.limits.waitingOutput, settings.bounds.store.resultBytes + 64 << 10)
    // A page on a name of its own that leads here (DNS rebinding) has no key.
    configuration.allowedHosts = ["localhost", "127.0.0.1", "[::1]"] + settings.allowedHosts
    if settings.allowedHosts.isEmpty { configuration.allowsOtherHosts = { gate.needsKeys } }
    let proxies = settings.trustedProxies
    if !proxies.isEmpty { configuration.isTrusted = { proxies.contains($0.host) } }
    if !settings.allowedOrigins.isEmpty {
      let crossOrigin = CrossOrigin(Set(settings.allowedOrigins))
      configuration.answerFields = { crossOrigin.fields($0) }
    }
    configuration.hints = [
      .payloadTooLarge: "An operator can allow more: --max-body, for an import --max-import.",
      .misdirectedRequest: "An operator can name it: --allowed-host.",
    ]
    configuration.interests = [.trouble, .requests]
    // Those that came to no route, and so have no line of their own.
    let refused = { @Sendable (reason: String, peer: Peer) in
      metrics.reject(reason)
      log(.info, "refused", ["reason": .text(reason), "client": .text(peer.address)])
    }
    let server = HTTPServer(configuration: configuration, router: router) { event in
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
      case .connectionAccepted, .connectionClosed, .streamOpened, .streamClosed:
        break
      }
    }
    counts.set(server)
    database.onAnswers { HTTPServer.gathering($0) }
    // The writer wants the log restarted: no loop may hold on to an old snapshot meanwhile.
    database.onLetGo { [weak server, unowned database] in
      server?.onEachLoop { database.letGo(loop: $0) }
    }
    grace = GracePeriod(
      database, bell: bell, milliseconds: settings.gracePeriod,
      failed: { log(.error, "completing reminders failed", ["error": "\($0)"]) })
    self.server = server
    self.database = database
    self.live = live
  }

  /// Listens; gives the port.
  func start() throws -> UInt16 {
    let port = try server.start()
    backups?.start()
    return port
  }

  /// When the server has ended, and no loop reads any more. False when it was called before.
  func close() -> Bool {
    guard isOpen.lower() else { return false }
    backups?.stop()
    for loop in 0..<server.loops { database.letGo(loop: loop) }
    // Requests have had their time.
    database.close(within: .milliseconds(500))
    return true
  }

  /// What the process ends with; the log may have failed on the way down, too.
  var exitCode: Int32 { isHealthy.isUp ? 0 : Composition.diskFailedCode }

  // MARK: Notices

  private static func heard(
    _ event: StoreEvent, _ log: Log, _ metrics: Metrics, _ isHealthy: Flag
  ) {
    switch event {
    case .committed(let writes, let nanoseconds):
      metrics.measure(.groupWrites, Double(writes))
      metrics.measure(.commitTime, nanoseconds: nanoseconds)
    case .slowStatement(let sql, let nanoseconds, let plan):
      metrics.add(.slowQueries)
      log(
        .warning, "a query was slow",
        [
          "milliseconds": .number(Int(nanoseconds / 1_000_000)), "sql": .text(sql),
          "plan": .text(plan.joined(separator: "; ")),
        ])
    case .outcomeUnknown(let error, let writes):
      isHealthy.lower()
      log(
        .error, "the outcome of a commit is unknown; ending, the next start recovers",
        ["writes": .number(writes), "error": "\(error)"])
      end(log)
    case .checkpointFailed(let error):
      isHealthy.lower()
      log(.error, "copying the log into the database failed; ending", ["error": "\(error)"])
      end(log)
    case .fileLost(let path):
      isHealthy.lower()
      log(
        .error, "a file of the database was deleted or replaced while it was served; ending",
        ["file": .text(path)])
      end(log)
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

  /// After the answers to those who wait have left.
  private static func end(_ log: Log) {
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(1)) {
      log.finish()
      exit(diskFailedCode)
    }
  }

  private static func heard(
    _ event: APIEvent, _ log: Log, _ metrics: Metrics, _ isSound: Flag,
    _ path: String
  ) {
    switch event {
    case .answeredFromKept: metrics.add(.hotReads)
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
      // What is damaged stays so until the operator does something about it.
      if let error = error as? SQLiteError, error.isDamage, isSound.lower() {
        log(.error, DatabaseTrouble.describe(error, path))
      }
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

/// Up until it is lowered, once.
final class Flag: Sendable {
  private let raised = Atomic(true)
  var isUp: Bool { raised.load(ordering: .acquiring) }
  /// Whether it was up.
  @discardableResult
  func lower() -> Bool { raised.exchange(false, ordering: .acquiringAndReleasing) }
}

/// What the server counts, for the metrics, which are made before it.
private final class ServerCounts: Sendable {
  private let server = Mutex<HTTPServer?>(nil)

  func set(_ server: HTTPServer) { self.server.withLock { $0 = server } }

  var gauges: [(name: String, help: String, value: Int)] {
    guard let server = server.withLock({ $0 }) else { return [] }
    return [
      ("martlet_connections", "Open connections.", server.connections),
      ("martlet_streams", "Open event streams.", server.streams),
    ]
  }
}
