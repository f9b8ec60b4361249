import Glibc
import MartletHTTP
import MartletLiveQueries
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime
import Synchronization

/// A live API over one SQLite database file: its routes and its configuration.
///
/// ```swift
/// var service = Service(path: "shop.db", migrator: Schema.migrator, routes: Routes.all)
/// service.server.port = 8090
/// service.keys = Gate.Settings()
/// service.run()
/// ```
///
/// Every read route is also an event stream. Besides the given routes a service has `/livez`,
/// `/readyz` and `/problems/{slug}`. Faults are written to standard error unless ``onEvent`` is
/// set.
public struct Service: Sendable {
  /// The path of the database file. The file is created if it does not exist; its folder must
  /// exist.
  public var path: String
  /// Migrates the file to the program's schema when the service is opened. `nil`: the program has
  /// already migrated it.
  public var migrator: Migrator?
  /// The routes of the service.
  public var routes: [Route]
  /// The tables that the program expects. They are compared with the file's schema by
  /// `Connection.checkSchema(_:)`, and the service does not start if they differ.
  public var tables: [any Table.Type] = []

  /// How connections are prepared, and the limits of the store. The service itself sets the number
  /// of readers for event loops and whether they keep their snapshots.
  public var database = Configuration()
  /// The server's address, limits and further settings.
  ///
  /// If `HTTPServer.Configuration.allowedHosts` is `nil`, requests may only name this machine in
  /// `Host` (`localhost`, `127.0.0.1`, `[::1]`) until they need a key, and any name after that.
  /// This protects against DNS rebinding: a foreign page whose host name resolves to this machine
  /// has no key.
  public var server = HTTPServer.Configuration()
  /// The settings of the API.
  ///
  /// If `API.Settings.allowedOrigins` is not empty, the server also answers CORS requests of
  /// these origins. Responses to requests with an `Idempotency-Key` are stored and replayed unless
  /// ``APISettings/storesResponses`` is set to false or there is no migrator, which creates the
  /// table for them.
  public var api = API.Settings()
  /// The settings of API keys. `nil`: requests need no key, and every caller may do everything.
  ///
  /// Without keys the service refuses to open a file that has ever had one, and to listen on an
  /// address that other machines can reach, unless ``allowsAnonymousAccess`` is true.
  public var keys: Gate.Settings?
  /// Permits every caller to do everything, without ``keys``, even where ``open()`` would refuse.
  public var allowsAnonymousAccess = false
  /// The problem types of the service's own routes, documented at `/problems/{slug}` besides those
  /// of the library.
  public var problems: [ProblemType] = [.conflict]
  /// The documentation of the problem types: Markdown with one section for each, headed by its
  /// slug: `## email-taken`.
  public var problemPage = ""
  /// The other machines that serve the same data; `nil` for a service on one machine. The program
  /// has then given the file its schema, and ``migrator`` is `nil`.
  public var cluster: (any ServiceCluster)?
  /// The clock of the service.
  public var clock = MartletTime.Clock.system
  /// Converts the errors of the service into problems; returns `nil` for errors that it does not
  /// know. By default it converts violated constraints (``APIProblem/ofConstraint(_:)``).
  public var translate: @Sendable (any Error) -> APIProblem? = APIProblem.ofConstraint
  /// Called for faults, refused requests and everything that is measured, on any thread. By default
  /// ``ServiceEvent/log(_:)``.
  ///
  /// Setting it also asks the server for all its events, unless
  /// `interests` of ``server`` is set.
  public var onEvent: @Sendable (ServiceEvent) -> Void = ServiceEvent.log {
    didSet { if server.interests.isEmpty { server.interests = .all } }
  }
  /// The time that requests have to finish after the service is asked to stop.
  public var drainTime: Duration = .seconds(10)

  /// Creates a service with default settings.
  public init(path: String, migrator: Migrator?, routes: [Route]) {
    self.path = path
    self.migrator = migrator
    self.routes = routes
    api.storesResponses = migrator != nil
  }

  /// The routes that every service has. A route of the service with the same pattern replaces them.
  package static var routes: [Route] {
    Service(path: "", migrator: nil, routes: []).ownRoutes { _ in nil }
  }

  func ownRoutes(trouble: @escaping @Sendable (_ loop: Int) -> String?) -> [Route] {
    [.livez, .readyz(trouble), .problems(ProblemType.ofAPI + problems, page: problemPage)]
  }

  /// Migrates the file, opens it and creates the server, which does not listen yet.
  public func open() throws -> RunningService {
    try migrate()
    return try RunningService(self)
  }

  /// Serves until SIGTERM, SIGINT or SIGHUP.
  ///
  /// A signal drains the server: requests in progress are finished, and event streams get a final
  /// `bye` event. A second signal ends the process immediately. The exit code is 0, or 1 if the
  /// service could not start, or ``RunningService/diskFailed`` if the store failed. Call this on
  /// the main thread before starting other threads.
  ///
  /// `started` is called once, when the server is listening. Start background tasks there, with the
  /// database, its live queries and ``RunningService/schedule(every:_:)``. `run` does not wait for
  /// them. If `started` throws, the process exits with 1. The main thread waits for signals, so
  /// code of the main actor does not run; in a module whose default isolation is the main actor,
  /// use `Task.detached`.
  ///
  /// ```swift
  /// service.run { running in
  ///   running.schedule(every: .seconds(60)) { _ in try await sendReminders(running.database) }
  /// }
  /// ```
  public func run(
    _ started: @Sendable (RunningService) throws -> Void = { _ in }
  ) -> Never {
    let signals = StopSignals()
    let service: RunningService
    do {
      service = try open()
      let port = try service.start()
      // A line at a time into a pipe or a file too, such as a container's log.
      StandardOutput.bufferLines()
      print("listening on http://\(server.host.isEmpty ? "localhost" : server.host):\(port)")
      fflush(nil)
      try started(service)
    } catch {
      let program = CommandLine.arguments.first?.split(separator: "/").last ?? "service"
      for line in "\(program): \(error)".split(separator: "\n") {
        StandardError.print(String(line))
      }
      exit(1)
    }
    service.onFailure { exit(RunningService.diskFailed) }
    signals.wait(
      first: { service.drain(within: drainTime) { service.finish() } },
      further: {
        service.server.stop()
        service.finish()
      })
  }

  /// Creates an API key in the database file and returns its text, which cannot be read again
  /// later.
  ///
  /// A running service accepts the key at once. Without `expiresAt` the key is valid until it is
  /// revoked (``APIKeys/revoke(_:now:in:)``). Throws ``ServiceError/hasNoKeys`` if ``keys`` is
  /// `nil`.
  public func createKey(
    _ name: String, _ rights: Rights, expiresAt: Instant? = nil
  ) throws -> String {
    guard keys != nil else { throw ServiceError.hasNoKeys }
    try migrate()
    var configuration = database
    configuration.loopReaders = 0
    let file = try EmbeddedDatabase(path: path, configuration: configuration)
    defer { file.close() }
    return try file.write { db in
      try APIKeys.create(name, rights, expiresAt: expiresAt, now: clock.now(), in: db).text
    }
  }

  /// Throws if every caller could do everything and ``allowsAnonymousAccess`` is false.
  func checkCallers(_ db: Connection) throws {
    guard keys == nil, !allowsAnonymousAccess else { return }
    guard server.isLoopback else { throw ServiceError.isReachable(host: server.host) }
    let hasTable = try db.value("SELECT 1 FROM sqlite_schema WHERE name = 'apiKeys'") != nil
    if hasTable, try APIKeys.exist(in: db) { throw ServiceError.needsKeys(path: path) }
  }

  /// Migrates the file to the schema of the program and of the library.
  private func migrate() throws {
    // SQLite's names for databases without a file. Each connection would open its own one.
    guard !path.isEmpty, path != ":memory:" else { throw ServiceError.hasNoFile(path: path) }
    guard var migrator else { return }
    if keys != nil { migrator.parts += [APITables.keys, APITables.pairing] }
    if api.storesResponses { migrator.parts.append(APITables.keptAnswers) }
    try migrator.migrate(path: path, configuration: database)
  }
}

/// Why a service cannot be opened, or cannot create a key.
public enum ServiceError: Error, CustomStringConvertible {
  /// ``Service/keys`` is `nil`, but the file has, or has had, API keys.
  case needsKeys(path: String)
  /// ``Service/keys`` is `nil`, but other machines can reach the address.
  case isReachable(host: String)
  /// ``Service/keys`` is `nil`, so no key can be created.
  case hasNoKeys
  /// ``Service/path`` does not name a file: it is empty or `:memory:`.
  case hasNoFile(path: String)

  public var description: String {
    switch self {
    case .needsKeys(let path):
      """
      \(path) has API keys, but the service does not check them: set its property `keys`, or `allowsAnonymousAccess` \
      if every caller may do everything
      """
    case .isReachable(let host):
      """
      other machines can reach \(host.isEmpty ? "every address of this machine" : host), but requests need no key: set \
      the service's property `keys`, or `allowsAnonymousAccess` if every caller may do everything
      """
    case .hasNoFile(let path):
      "a service needs a database file, but its path is \"\(path)\": set the path of a file"
    case .hasNoKeys: "the service has API keys disabled: set its property `keys` first"
    }
  }
}

/// A flag that starts raised and can be lowered once, from any thread.
final class Flag: Sendable {
  private let raised = Atomic(true)
  var isUp: Bool { raised.load(ordering: .acquiring) }
  /// Lowers the flag. Returns whether it was raised before.
  @discardableResult
  func lower() -> Bool { raised.exchange(false, ordering: .acquiringAndReleasing) }
}
