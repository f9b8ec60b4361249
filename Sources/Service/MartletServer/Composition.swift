import Dispatch
import Glibc
import MartletCalDAV
import MartletHTTP
import MartletLiveAPI
import MartletLiveQueries
import MartletReminders
import MartletRemindersAPI
import MartletSQLite
import MartletStore
import MartletTime
import Synchronization

/// Creates the parts of the server, connects them, and turns their events into log lines and
/// metrics.
final class Composition: Sendable {
  let service: RunningService
  private let cluster: ClusterService?
  private let work: PrimaryWork
  private let outgoing: Outgoing
  private let backups: BackupSchedule?
  private let memory = Memory()
  private let internalLimits: Limits

  /// Creates the server.
  ///
  /// The database file must exist and have this version's schema.
  init(_ settings: ServeSettings, log: Log, clock: MartletTime.Clock = .system) throws {
    let metrics = Metrics(isOfCluster: settings.cluster != nil)
    let signal = FollowUps.Signal()
    let backups = settings.backups.map {
      BackupSchedule(of: settings.database, $0, log: log) { metrics.add(.backupFailures) }
    }
    let running = Running()
    let cluster = settings.cluster.map {
      ClusterService($0, path: settings.database, log: log, metrics: metrics)
    }
    let work = PrimaryWork()
    let operating = OperatingRoutes.all(hasApp: settings.hasApp) {
      metrics.text(
        gauges: Composition.gauges(running, settings.database, backups)
          + work.gauges(at: Clock.system.now())
          + (cluster?.gauges ?? []), labeled: work.labeledGauges(at: Clock.system.now()))
        + ProcessMetrics.text
    }
    var reminders = RemindersAPI.Settings()
    reminders.trash = settings.upkeep.trash
    reminders.zone = settings.zones.house
    reminders.fixedAlarms = settings.fixedAlarms
    let outgoing = Outgoing(settings)
    reminders.outgoing = outgoing.rules
    if settings.port > 0 { reminders.outgoing.ownPort = settings.port }
    reminders.checkCourier = { outgoing.check(completion: $0) }
    reminders.makePushKey = { outgoing.makeKey(completion: $0) }
    reminders.pushContact = settings.pushContact
    reminders.sendsNothing = settings.sendsNothing
    var service = Service(
      path: settings.database, migrator: nil,
      routes: RemindersAPI.routes(reminders) + operating
        + (settings.hasApp ? AppRoutes.parts : []) + Composition.calendars(settings, metrics))
    service.clock = clock
    service.database = settings.bounds.store
    service.database.changeTable = RemindersDatabase.changeTable
    service.database.prepareDatabase { try FollowUps.prepare($0, signal: signal) }
    service.api = settings.bounds.api
    service.api.storesResponses = true
    service.api.description = "/openapi.yaml"
    service.api.nouns = RemindersAPI.nouns
    service.api.timeZone = settings.zones.requests
    service.api.allowedOrigins = Set(settings.allowedOrigins)
    service.api.hints = [
      .payloadTooLarge:
        "The operator can raise this limit with --max-body, or --max-import for an import.",
      .misdirectedRequest: "The operator can allow it with --allowed-host.",
      .crossOrigin: "The operator can allow an origin with --allowed-origin.",
    ]
    var keys = settings.bounds.gate
    keys.keyCreationHint = "martlet key create"
    keys.withoutKeys = settings.withoutKeys
    service.keys = keys
    service.problems = ProblemType.ofReminders
    service.problemPage = String(decoding: Assets.bytes("docs/problems.md"), as: UTF8.self)
    service.translate = RemindersAPI.problem(of:)
    service.cluster = cluster
    service.server = Composition.server(settings)
    service.onEvent = { event in
      switch event {
      case .store(let event): Composition.heard(event, log, metrics)
      case .liveQuery(let event): Composition.heard(event, log, metrics)
      case .request(let event): Composition.heard(event, log, metrics)
      case .key(let event): Composition.heard(event, log, metrics)
      case .server(let event): Composition.heard(event, log, metrics)
      case .taskFailed(let error): log(.error, "a scheduled task failed", ["error": "\(error)"])
      case .damaged(let error): log(.error, DatabaseTrouble.describe(error, settings.database))
      }
    }
    let opened = try RunningService(service)
    running.set(opened)
    opened.onFailure {
      log.finish()
      exit(RunningService.diskFailed)
    }
    let failed: @Sendable (String, any Error) -> Void = { [weak opened] message, error in
      if PrimaryWork.isGivenUp(error) { return }
      log(.error, message, ["error": "\(error)"])
      opened?.noteFailure(error)
    }
    // Each thread that reads needs a connection of its own.
    let queue = DispatchQueue(label: "checks", qos: .userInitiated)
    work.make = { [unowned opened] in
      let grace = FollowUps(
        opened.database, signal: signal, duration: settings.gracePeriod, in: settings.zones.house,
        on: queue, agenda: opened.agenda,
        failed: { failed("completing, moving on or joining reminders failed", $0) })
      let upkeep = Upkeep(
        opened.database, settings.upkeep, on: queue, agenda: opened.agenda,
        failed: { failed("deleting expired rows failed", $0) })
      var alarms = AlarmScheduler.Settings()
      alarms.zone = settings.zones.house
      alarms.catchUp = settings.alarmCatchUp
      alarms.zoneFiles = ZoneDatabase.system.version
      let scheduler = AlarmScheduler(
        opened.database, alarms, on: queue, agenda: opened.agenda,
        rang: { delays in for delay in delays { metrics.measure(.alarmTime, delay) } },
        failed: { failed("ringing alarms failed", $0) })
      let changes = ChangeReader(
        opened.database, on: queue, agenda: opened.agenda,
        failed: { failed("reading changes for channels failed", $0) })
      return PrimaryWork.Tasks(grace: grace, upkeep: upkeep, alarms: scheduler, changes: changes)
    }
    work.deliver = { [unowned opened] in
      DeliveryScheduler(
        opened.database, publicURL: settings.publicURL, contact: settings.pushContact,
        in: settings.zones.house, sendsNothing: settings.sendsNothing, on: queue,
        agenda: opened.agenda,
        send: { outgoing.send($0, completion: $1) },
        probe: { answer in outgoing.check { answer($0 == nil) } },
        ended: { metrics.countDelivery($0, $1.result) },
        failed: { failed("sending to channels failed", $0) })
    }
    self.work = work
    self.cluster = cluster
    self.outgoing = outgoing
    self.backups = backups
    self.service = opened
    internalLimits = settings.bounds.http
    if let cluster {
      cluster.onRole { work.set(isPrimary: $0) }
    } else {
      work.set(isPrimary: true)
    }
  }

  private static func calendars(_ settings: ServeSettings, _ metrics: Metrics) -> [Route] {
    guard settings.hasCalDAV else { return [] }
    var calendars = CalDAV.Settings()
    calendars.zone = settings.zones.house
    calendars.fixedAlarms = settings.fixedAlarms
    calendars.trash = settings.upkeep.trash
    calendars.onRequest = { metrics.countCalendarRequest($0, $1) }
    return CalDAV.routes(calendars)
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

  /// Starts listening and returns the port.
  func start() throws -> UInt16 {
    try cluster?.start(
      service.router, firstLoop: service.server.loops, limits: internalLimits)
    let port = try service.start()
    outgoing.start(port: port)
    work.startDeliveries()
    backups?.start(service.agenda)
    return port
  }

  /// Lets another node of the cluster be the primary, before this one stops.
  func handOver() { cluster?.handOver() }

  /// Sets what is called when the program must be started again.
  func onRestart(_ body: @escaping @Sendable () -> Void) { cluster?.onRestart(body) }

  /// Whether there are API keys.
  func hasKeys() throws -> Bool {
    if cluster?.forwardsEverything == true { return true }
    return try service.database.read { try APIKeys.exist(in: $0) }
  }

  /// Closes the database. Call it when the server has stopped and no event loop reads anymore.
  ///
  /// Returns `false` if it was called before.
  func close() -> Bool {
    backups?.stop()
    // What is being sent has not failed: it is sent again after the next start.
    work.end()
    outgoing.stop()
    cluster?.stop()
    return service.close()
  }

  /// The exit code of the process. The disk may have failed during the shutdown, too.
  var exitCode: Int32 { service.storeWorks ? 0 : RunningService.diskFailed }

  // MARK: Gauges

  private static func gauges(
    _ running: Running, _ path: String, _ backups: BackupSchedule?
  ) -> [(name: String, help: String, value: Int)] {
    guard let service = running.service else { return [] }
    let writing = Int((service.database.writingFor ?? .zero) / .milliseconds(1))
    var gauges = [
      ("martlet_connections", "Open connections.", service.server.connections),
      ("martlet_streams", "Open event streams.", service.server.streams),
      ("martlet_live_queries", "Distinct live queries with subscribers.", service.live.count),
      (
        "martlet_queued_writes", "Writes waiting in the queue.", service.database.waitingWrites
      ),
      (
        "martlet_writing_milliseconds",
        "How long the current write has been running; 0 if there is none.", writing
      ),
    ]
    var status = stat()
    if stat(path + "-wal", &status) == 0 {
      gauges.append(("martlet_wal_bytes", "Size of the WAL file.", Int(status.st_size)))
    }
    if stat(path, &status) == 0 {
      gauges.append(
        (
          "martlet_database_bytes", "Size of the database file, without the WAL.",
          Int(status.st_size)
        ))
    }
    if let backups {
      gauges.append(
        (
          "martlet_backup_age_seconds",
          "Age of the last successful backup; without one, time since the start of the server.",
          Int((backups.age ?? backups.waiting).components.seconds)
        ))
      gauges.append(
        (
          "martlet_backup_interval_seconds", "The interval between two backups (--backup-every).",
          Int(backups.interval.components.seconds)
        ))
    }
    return gauges
  }
}

/// A weak reference to the service, for the metrics, which are created before it.
private final class Running: Sendable {
  private struct Reference { weak var service: RunningService? }
  private let reference = Mutex(Reference())

  func set(_ service: RunningService) { reference.withLock { $0.service = service } }
  var service: RunningService? { reference.withLock { $0.service } }
}

extension DeliveryState {
  /// How the attempt has ended after which a delivery is in this state.
  fileprivate var result: Metrics.DeliveryResult {
    switch self {
    case .waiting: .failed
    case .delivered: .delivered
    case .dead: .dead
    case .answered, .merged: .answered
    }
  }
}
