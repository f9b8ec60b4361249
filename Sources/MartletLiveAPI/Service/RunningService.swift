import Dispatch
import Glibc
import MartletHTTP
import MartletLiveQueries
import MartletSQLite
import MartletStore
import MartletTime
import Synchronization

/// A ``Service`` whose database is open: ``start()`` listens.
public final class RunningService: Sendable {
  public let database: EmbeddedDatabase
  public let live: LiveQueries
  /// What happens at instants of the service's clock.
  public let agenda: Agenda
  public let gate: Gate?
  public let api: API
  public let server: HTTPServer
  private let health: Health
  private let isOpen = Flag()

  /// EX_IOERR of sysexits.h: a commit's outcome is unknown, the write-ahead log could not be copied, or the file is gone. The
  /// next start recovers.
  public static let diskFailed: Int32 = 74

  /// Opens the file, which has the program's schema already.
  public init(_ service: Service) throws {
    let onEvent = service.onEvent
    let health = Health()
    let loops = service.server.loops > 0 ? service.server.loops : HTTPServer.usableCores

    var store = service.database.settings
    store.loopReaders = loops
    store.loopsKeepSnapshots = true
    let configuration = service.database
    database = try EmbeddedDatabase(
      path: service.path, settings: store,
      prepare: { connection in
        LiveQueries.prepare(connection)
        try configuration.prepare(connection)
      },
      onEvent: { event in
        onEvent(.store(event))
        if event.isFatal { health.storeFailed() }
      })
    try database.read {
      try $0.checkSchema(service.tables)
      try service.checkCallers($0)
    }
    agenda = Agenda(service.clock)
    live = LiveQueries(database, agenda: agenda) { onEvent(.liveQuery($0)) }
    gate = try service.keys.map { [database, agenda] settings in
      try Gate(database, agenda: agenda, settings: settings, onEvent: { onEvent(.key($0)) })
    }
    api = API(
      database: database, live: live, clock: service.clock, settings: service.api, gate: gate,
      translate: service.translate
    ) { event in
      onEvent(.request(event))
      if case .failed(_, _, let error as SQLiteError) = event, error.isDamage,
        health.isSound.lower()
      {
        onEvent(.damaged(error))
      }
    }

    var router = Router()
    let known = Set(service.routes.map(\.pattern))
    let own = service.ownRoutes { [database] in health.trouble(database, loop: $0) }
    try api.register(service.routes + own.filter { !known.contains($0.pattern) }, on: &router)
    server = try HTTPServer(
      configuration: RunningService.configuration(service, loops, gate), router: router
    ) { onEvent(.server($0)) }
    self.health = health

    database.onAnswers { HTTPServer.gathering($0) }
    // The writer wants the write-ahead log restarted: no loop may hold on to an old snapshot meanwhile.
    database.onSnapshotRelease { [weak server, unowned database] in
      server?.onEachLoop { database.releaseSnapshot(loop: $0) }
    }
  }

  /// Listens; gives the port. Throws where the address cannot be had.
  public func start() throws(SystemError) -> UInt16 { try server.start() }

  /// Whether writes are taken, and no damage of the file was seen.
  public var isReady: Bool { health.isReady }
  /// Whether the store takes writes. If not, the process is expected to end.
  public var storeWorks: Bool { health.storeWorks.isUp }

  /// Calls `body` a second after the store has failed, when the answers to those who wait have left.
  public func onFailure(_ body: @escaping @Sendable () -> Void) { health.onFailure(body) }

  /// Ends gracefully, as ``HTTPServer/drain(within:completion:)``; ``close()`` comes after it.
  public func drain(within patience: Duration, completion: @escaping @Sendable () -> Void) {
    server.drain(within: patience, completion: completion)
  }

  /// Closes the database when the server has ended, and no loop reads any more. False when it was called before.
  @discardableResult
  public func close() -> Bool {
    guard isOpen.lower() else { return false }
    for loop in 0..<server.loops { database.releaseSnapshot(loop: loop) }
    // Requests have had their time.
    database.close(within: .milliseconds(500))
    return true
  }

  /// Closes the database and ends the process, once: the end of the drain and a further signal may come together.
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
    // A result that may be read may also be sent, with its head.
    configuration.limits.waitingOutput = max(
      configuration.limits.waitingOutput, service.database.settings.resultBytes + 64 << 10)
    if configuration.allowedHosts == nil {
      configuration.allowedHosts = ["localhost", "127.0.0.1", "[::1]"]
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

  /// What a service knows of its own state.
  private final class Health: Sendable {
    let storeWorks = Flag()
    let isSound = Flag()
    private let isProbing = Atomic(false)
    private let listener = Mutex<(@Sendable () -> Void)?>(nil)

    var isReady: Bool { storeWorks.isUp && isSound.isUp }

    /// How long writes may take together while the server counts as ready: those that wait are refused from then on.
    private static let longestGroup = Duration.seconds(5)

    /// Why the service is not ready.
    func trouble(_ database: EmbeddedDatabase, loop: Int) -> String? {
      if database.writingFor.map({ $0 > Health.longestGroup }) ?? false {
        return "Writes have been waiting for one for more than 5 s."
      }
      if database.isBlocked {
        probe(database)
        return "Another program is writing to the database."
      }
      let answers = (try? database.withReader(loop: loop) { try $0.value("SELECT 1") }) != nil
      return answers && isReady ? nil : "The database does not take writes."
    }

    /// Tries whether writes are taken again, where no client does: one that changes nothing, one at a time.
    private func probe(_ database: EmbeddedDatabase) {
      guard !isProbing.exchange(true, ordering: .acquiringAndReleasing) else { return }
      do throws(WriteError) {
        try database.submit { _ in
        } completion: { [self] _ in
          isProbing.store(false, ordering: .releasing)
        }
      } catch {
        // Others are waiting: these find out.
        isProbing.store(false, ordering: .releasing)
      }
    }

    func onFailure(_ body: @escaping @Sendable () -> Void) {
      listener.withLock { $0 = body }
      if !storeWorks.isUp { tell() }
    }

    func storeFailed() {
      if storeWorks.lower() { tell() }
    }

    private func tell() {
      guard let body = listener.withLock({ $0 }) else { return }
      DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(1), execute: body)
    }
  }
}
