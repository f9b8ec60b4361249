import Glibc
import MartletHTTP
import MartletLiveQueries
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime

/// A live API over one database file, as a value: what it is made of and how it is set up.
///
/// ```swift
/// var service = Service(path: "shop.db", migrator: Schema.migrator, routes: Routes.all)
/// service.server.port = 8090
/// service.keys = Gate.Settings()
/// service.run()
/// ```
///
/// Every `GET` route is an event stream too. Besides the given routes there are `/livez`, `/readyz` and
/// `/problems/{slug}`. What goes wrong is told on standard error, unless ``onEvent`` says otherwise.
public struct Service: Sendable {
  /// The database file. It is made if it does not exist; its folder has to exist.
  public var path: String
  /// Brings the file to the program's schema before it is opened. `nil`: the program has done so.
  public var migrator: (any SchemaMigrator)?
  public var routes: [Route]
  /// Compared with the file's schema at the start: ``Connection/checkSchema(_:)``. A service does not start on a file that
  /// they do not fit.
  public var tables: [any Table.Type] = []

  /// What each connection to the database is given first, and the store's limits. How many readers there are for event
  /// loops, and that those keep their snapshots, is decided here.
  public var database = Configuration()
  /// The server's address, limits and further settings. Without ``HTTPServer/Configuration/allowedHosts`` a request may ask for
  /// a name of this machine alone, and for any name once it needs a key: a page whose own name leads here (DNS
  /// rebinding) has none.
  public var server = HTTPServer.Configuration()
  /// ``API/Settings/allowedOrigins`` also answers browsers that ask what their pages may do (CORS).
  /// A `POST` with an `Idempotency-Key` that comes again is answered as before, unless ``APISettings/keepsAnswers`` is set to
  /// false or there is no migrator, which makes the table for that.
  public var api = API.Settings()
  /// API keys. `nil`: there are none, and everybody may do everything. A file that ever had keys is not served so, nor is
  /// an address that other machines reach, unless ``allowsEverybody`` says that this is meant.
  public var keys: Gate.Settings?
  /// Without ``keys``: whether everybody who reaches the server may do everything.
  public var allowsEverybody = false
  /// The kinds of problems that the routes answer with besides the library's, for `/problems/{slug}`.
  public var problems: [ProblemType] = [.conflict]
  /// What the problems mean: Markdown with a section for each kind, `## email-taken`.
  public var problemPage = ""
  public var clock = MartletTime.Clock.system
  /// What the domain's errors are in terms of problems. At first it knows those of the schema's rules
  /// (``APIProblem/ofConstraint(_:)``).
  public var translate: @Sendable (any Error) -> APIProblem? = APIProblem.ofConstraint
  /// Hears of faults, limits at work and whatever is measured, on any thread.
  public var onEvent: @Sendable (ServiceEvent) -> Void = ServiceEvent.log
  /// How long requests may take to finish once the service is asked to end.
  public var drainTime: Duration = .seconds(10)

  public init(path: String, migrator: (any SchemaMigrator)?, routes: [Route]) {
    self.path = path
    self.migrator = migrator
    self.routes = routes
    api.keepsAnswers = migrator != nil
  }

  /// What every service has besides its own routes; one of its own with the same pattern wins.
  package static var routes: [Route] {
    Service(path: "", migrator: nil, routes: []).ownRoutes { _ in nil }
  }

  func ownRoutes(trouble: @escaping @Sendable (_ loop: Int) -> String?) -> [Route] {
    [.livez, .readyz(trouble), .problems(ProblemType.ofAPI + problems, page: problemPage)]
  }

  /// Migrates the file, opens it and makes the server, which does not listen yet.
  public func open() throws -> RunningService {
    try migrate()
    return try RunningService(self)
  }

  /// Serves until SIGTERM, SIGINT or SIGHUP; then requests are finished and streams are told goodbye. A further signal ends
  /// at once.
  ///
  /// The process ends with 0, with 1 where the service could not start, and with ``RunningService/diskFailed`` where the
  /// store failed. To be called on the main thread before other threads are started.
  ///
  /// `started` is called once, when requests are answered: tasks beside them begin there, with the database, its live queries and
  /// the agenda. It does not wait for them; what it throws ends the process with 1.
  ///
  /// ```swift
  /// service.run { running in
  ///   Task { await sendReminders(running.database) }
  /// }
  /// ```
  public func run(_ started: (RunningService) throws -> Void = { _ in }) -> Never {
    let signals = StopSignals()
    let service: RunningService
    do {
      service = try open()
      let port = try service.start()
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

  /// Makes an API key in the file and gives its text, which is shown this once. A service that runs takes notice at
  /// once. Without `expiresAt` it holds until it is revoked (``APIKeys/revoke(_:now:in:)``). Throws where ``keys`` is not set.
  public func createKey(
    _ name: String, _ rights: Rights, expiresAt: Instant? = nil
  ) throws -> String {
    guard keys != nil else { throw ServiceError.hasNoKeys }
    try migrate()
    var settings = database.settings
    settings.loopReaders = 0
    let file = try EmbeddedDatabase(
      path: path, settings: settings, prepare: { try database.prepare($0) })
    defer { file.close() }
    return try file.write { db in
      try APIKeys.create(name, rights, expiresAt: expiresAt, now: clock.now(), in: db).text
    }
  }

  /// Throws where everybody could do everything and that is not said to be meant.
  func checkCallers(_ db: Connection) throws {
    guard keys == nil, !allowsEverybody else { return }
    guard server.isLoopback else { throw ServiceError.isReachable(host: server.host) }
    let hasTable = try db.value("SELECT 1 FROM sqlite_schema WHERE name = 'apiKeys'") != nil
    if hasTable, try APIKeys.exist(in: db) { throw ServiceError.needsKeys(path: path) }
  }

  /// Brings the file to the program's schema and that of the library.
  private func migrate() throws {
    // SQLite's names for databases without a file: readers and the writer would each have one of their own.
    guard !path.isEmpty, path != ":memory:" else { throw ServiceError.hasNoFile(path: path) }
    guard var migrator else { return }
    if keys != nil { migrator.parts.append(APITables.keys) }
    if api.keepsAnswers { migrator.parts.append(APITables.keptAnswers) }
    try migrator.migrateFile(at: path, configuration: database)
  }
}

/// Why a service does not do what it was asked for.
public enum ServiceError: Error, CustomStringConvertible {
  /// ``Service/keys`` is `nil`, and the file has keys.
  case needsKeys(path: String)
  /// ``Service/keys`` is `nil`, and other machines reach the address.
  case isReachable(host: String)
  /// ``Service/keys`` is `nil`.
  case hasNoKeys
  /// ``Service/path`` names no file.
  case hasNoFile(path: String)

  public var description: String {
    switch self {
    case .needsKeys(let path):
      """
      \(path) has API keys, and the service does not ask for any: set its property `keys`, or `allowsEverybody` \
      if everybody may do everything
      """
    case .isReachable(let host):
      """
      \(host.isEmpty ? "every address of the machine" : host) can be reached by others, and there are no keys: set the \
      property `keys`, or `allowsEverybody` if everybody who reaches it may do everything
      """
    case .hasNoFile(let path): "a service needs a database file, \"\(path)\" is none"
    case .hasNoKeys: "the service has no API keys: set its property `keys`"
    }
  }
}
