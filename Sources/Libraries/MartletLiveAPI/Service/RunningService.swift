import Dispatch
import Glibc
import MartletHTTP
import MartletLiveQueries
import MartletSQLite
import MartletStore
import MartletTime
import Synchronization

/// A ``Service`` with an open database. Call ``start()`` to listen.
public final class RunningService: Sendable {
  /// The service's database.
  public let database: EmbeddedDatabase
  /// The live queries of the database.
  public let live: LiveQueries
  /// Calls back at given times of the service's clock. ``schedule(every:_:)`` is the safer way to
  /// run a task again and again.
  public let agenda: Agenda
  /// Authenticates requests; `nil` if ``Service/keys`` is `nil`.
  public let gate: Gate?
  /// The API that answers the routes.
  public let api: API
  /// The HTTP server.
  public let server: HTTPServer
  /// The routes of the server.
  package let router: Router
  private let health: Health
  /// The scheduled tasks; `nil` after ``close()``.
  let tasks = Mutex<[ScheduledTask]?>([])
  let taskFailed: @Sendable (any Error) -> Void
  private let failed: @Sendable (any Error) -> Void
  private let isOpen = Flag()

  /// Tells the service of an error of a background task. If the database file is damaged, the
  /// service is not ready from now on (`/readyz`), and logs what to do.
  public func noteFailure(_ error: any Error) { failed(error) }

  /// The exit code when the store has failed: 74, `EX_IOERR` of `sysexits.h`.
  ///
  /// The outcome of a commit is unknown, a WAL checkpoint failed, or the database file is gone. The
  /// next start recovers the database.
  public static let diskFailed: Int32 = 74

  /// Opens the database file, which must already have the program's schema. ``Service/open()``
  /// migrates it first.
  ///
  /// Throws a ``ServiceError`` if the service would be open to everyone by mistake, and an error if
  /// the file cannot be opened, its schema does not fit ``Service/tables`` or a route is invalid.
  public init(_ service: Service) throws {
    let onEvent = service.onEvent
    let health = Health()
    // A request, a live query or a task may be the first to meet a damaged page.
    let check: @Sendable (any Error) -> Void = { error in
      if let error = error as? SQLiteError, error.isCorruption, health.isSound.lower() {
        onEvent(.damaged(error))
      }
    }
    failed = check
    let loops = service.server.loops > 0 ? service.server.loops : HTTPServer.usableCores

    let open = { (replicator: (any Replicator)?) in
      var configuration = service.database
      configuration.loopReaders = loops
      configuration.loopsKeepSnapshots = true
      if service.cluster?.forwardsEverything == true {
        // The schema is unknown.
        configuration = configuration.withoutSetup()
        configuration.changeTable = nil
      }
      return try EmbeddedDatabase(
        path: service.path, configuration: configuration,
        prepare: { LiveQueries.prepare($0) }, replicator: replicator,
        onEvent: { event in
          onEvent(.store(event))
          switch event {
          case .committed: health.committed(isFull: false)
          case .storageFull: health.committed(isFull: true)
          default: if event.isFatal { health.storeFailed() }
          }
        })
    }
    database = try service.cluster?.openDatabase { try open($0) } ?? open(nil)
    try database.read {
      try $0.checkSchema(service.tables)
      try service.checkCallers($0)
    }
    agenda = Agenda(service.clock)
    live = LiveQueries(database, agenda: agenda) { event in
      onEvent(.liveQuery(event))
      if case .failed(_, let error) = event { check(error) }
    }
    // Then the primary authenticates.
    let keys = service.cluster?.forwardsEverything == true ? nil : service.keys
    gate = try keys.map { [database, agenda] settings in
      try Gate(database, agenda: agenda, settings: settings, onEvent: { onEvent(.key($0)) })
    }
    api = API(
      database: database, live: live, clock: service.clock, settings: service.api, gate: gate,
      cluster: service.cluster, translate: service.translate
    ) { event in
      onEvent(.request(event))
      // This includes a write that found the disk full before its commit.
      if case .failed(_, .storageFull, _) = event { health.committed(isFull: true) }
      if case .failed(_, _, let error) = event { check(error) }
    }

    var router = Router()
    let known = Set(service.routes.map(\.pattern))
    let own = service.ownRoutes { [database, cluster = service.cluster] in
      health.trouble(database, loop: $0) ?? cluster?.trouble
    }
    try api.register(service.routes + own.filter { !known.contains($0.pattern) }, on: &router)
    server = try HTTPServer(
      configuration: RunningService.configuration(service, loops, gate), router: router
    ) { onEvent(.server($0)) }
    self.health = health
    self.router = router
    taskFailed = { error in
      onEvent(.taskFailed(error))
      check(error)
    }

    database.onAnswers { HTTPServer.gathering($0) }
    // The writer wants to restart the WAL, so no loop may hold an old snapshot.
    database.onSnapshotRelease { [weak server, unowned database] in
      server?.onEachLoop { database.releaseSnapshot(loop: $0) }
    }
  }

  /// Starts listening and returns the port. Throws if the address cannot be bound.
  public func start() throws(SystemError) -> UInt16 { try server.start() }

  /// Whether the store accepts writes and no damage to the database file has been detected.
  public var isReady: Bool { health.isReady }
  /// Whether the store accepts writes. Once it does not, the process should exit.
  public var storeWorks: Bool { health.storeWorks.isUp }

  /// Calls `body` one second after the store has failed, so that pending responses can be sent
  /// first.
  public func onFailure(_ body: @escaping @Sendable () -> Void) { health.onFailure(body) }

  /// Stops the server gracefully like `HTTPServer.drain(within:completion:)`. Call ``close()``
  /// afterwards.
  public func drain(within timeout: Duration, completion: @escaping @Sendable () -> Void) {
    server.drain(within: timeout, completion: completion)
  }

  /// Closes the database. Call it after the server has stopped, when no loop reads any more.
  /// Returns false if it was already closed.
  @discardableResult
  public func close() -> Bool {
    guard isOpen.lower() else { return false }
    let tasks = tasks.withLock { tasks in
      defer { tasks = nil }
      return tasks ?? []
    }
    for task in tasks { task.end() }
    for loop in 0..<server.loops { database.releaseSnapshot(loop: loop) }
    // Requests were drained before; only a short wait remains.
    database.close(within: .milliseconds(500))
    return true
  }

  /// Closes the database and exits, once: the end of the drain and a second signal may coincide.
  func finish() {
    guard close() else { return }
    exit(storeWorks ? 0 : RunningService.diskFailed)
  }

  private static func configuration(
    _ service: Service, _ loops: Int, _ gate: Gate?
  ) -> HTTPServer.Configuration {
    var configuration = service.server
    configuration.loops = loops
    configuration.clock = service.clock
    configuration.hints.merge(service.api.hints) { own, _ in own }
    // The output limit must fit the largest permitted result and its head.
    configuration.limits.waitingOutput = max(
      configuration.limits.waitingOutput, service.database.resultBytes + 64 << 10)
    if configuration.allowedHosts == nil {
      configuration.allowedHosts = ["localhost", "127.0.0.1", "[::1]"]
      // The primary decides.
      if service.cluster?.forwardsEverything == true { configuration.allowsOtherHosts = { true } }
      if configuration.allowsOtherHosts == nil, let gate {
        configuration.allowsOtherHosts = { gate.needsKeys }
      }
    }
    if configuration.answerFields == nil, !service.api.allowedOrigins.isEmpty {
      let crossOrigin = CrossOrigin(service.api.allowedOrigins)
      configuration.answerFields = { crossOrigin.fields($0) }
    }
    return configuration
  }

  /// The health of a service: whether its store and its file are usable.
  private final class Health: Sendable {
    let storeWorks = Flag()
    let isSound = Flag()
    /// Whether the last commit failed because the disk was full.
    private let isFull = Atomic(false)
    private let isProbing = Atomic(false)
    private let failed = Callback<Void, Never>()

    var isReady: Bool { storeWorks.isUp && isSound.isUp }

    /// The duration of a group commit from which the server is not ready. Waiting writes are
    /// refused from then on.
    private static let longestGroup = Duration.seconds(5)

    /// The reason why the service is not ready; `nil` if it is.
    func trouble(_ database: EmbeddedDatabase, loop: Int) -> String? {
      if database.writingFor.map({ $0 > Health.longestGroup }) ?? false {
        return "Writes have been blocked for more than 5 s."
      }
      if isFull.load(ordering: .acquiring) {
        probe(database)
        return "The disk is full, so writes fail."
      }
      if database.isBlocked {
        probe(database)
        return "Another program has locked the database."
      }
      let answers = (try? database.withReader(loop: loop) { try $0.value("SELECT 1") }) != nil
      return answers && isReady ? nil : "The database does not accept writes."
    }

    func committed(isFull: Bool) { self.isFull.store(isFull, ordering: .releasing) }

    /// Submits a write that changes nothing to find out whether the lock is gone or the disk has
    /// room again, because no client may be writing. One probe runs at a time.
    private func probe(_ database: EmbeddedDatabase) {
      guard !isProbing.exchange(true, ordering: .acquiringAndReleasing) else { return }
      do throws(WriteError) {
        try database.submit { [needsRoom = isFull.load(ordering: .acquiring)] db in
          // Takes a page, and gives it back.
          if needsRoom {
            try db.execute("CREATE TABLE martlet_probe (x); DROP TABLE martlet_probe")
          }
        } completion: { [self] _ in
          isProbing.store(false, ordering: .releasing)
        }
      } catch {
        // The queue is full; one of the waiting writes will find out.
        isProbing.store(false, ordering: .releasing)
      }
    }

    func onFailure(_ body: @escaping @Sendable () -> Void) {
      failed.set(body)
      if !storeWorks.isUp { tell() }
    }

    func storeFailed() {
      if storeWorks.lower() { tell() }
    }

    private func tell() {
      DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(1)) { self.failed() }
    }
  }
}
