import MartletHTTP
import MartletLiveAPI
import MartletLiveQueries
import MartletReminders
import MartletStore
import MartletTime
import TestSupport
import Testing

@testable import MartletRemindersAPI

/// The service with a real socket and file.
///
/// Its clock is stopped at `now`; with `nil` it is the system's. Alarms ring only with `rings`.
final class RemindersService: Sendable {
  let port: UInt16
  let database: EmbeddedDatabase
  private let other: EmbeddedDatabase
  var path: String { folder.file("reminders.db") }
  /// The port of a second server of the same database, without a response cache.
  let plainPort: UInt16
  let time: TestClock?
  private let servers: [HTTPServer]
  private let alarms: AlarmScheduler?
  private let folder: TemporaryFolder

  init(
    now: String? = "2026-11-20T12:00:00Z", rings: Bool = false,
    fixedAlarms: DefaultAlarms.Values = .none
  ) throws {
    folder = try TemporaryFolder()
    let path = folder.file("reminders.db")
    try RemindersDatabase.migrate(path: path)
    var store = Configuration()
    store.loopReaders = 1
    store.changeTable = RemindersDatabase.changeTable
    database = try EmbeddedDatabase(
      path: path, configuration: store, prepare: { LiveQueries.prepare($0) })
    other = try EmbeddedDatabase(path: path, configuration: store)
    time = try now.map { TestClock(try RFC3339.parse($0)) }
    let clock = time?.clock ?? .system
    var settings = API.Settings()
    settings.nouns = RemindersAPI.nouns
    servers = try [(database, settings.responseCacheBytes), (other, 0)].map { database, bytes in
      settings.responseCacheBytes = bytes
      let api = API(
        database: database, live: LiveQueries(database, agenda: Agenda(clock)), clock: clock,
        settings: settings, translate: RemindersAPI.problem(of:))
      var router = Router()
      try api.register(RemindersService.routes(fixedAlarms), on: &router)
      var configuration = HTTPServer.Configuration()
      configuration.host = "127.0.0.1"
      configuration.loops = 1
      return try HTTPServer(configuration: configuration, router: router)
    }
    alarms =
      rings
      ? AlarmScheduler(database, agenda: Agenda(clock)) { error in
        // It may have begun something when the test ends.
        if case WriteError.stopped = error { return }
        Issue.record(error)
      } : nil
    port = try servers[0].start()
    plainPort = try servers[1].start()
  }

  deinit {
    for server in servers { server.stop() }
    database.close()
    other.close()
  }

  /// The routes, by default without default alarms.
  static func routes(_ fixedAlarms: DefaultAlarms.Values = .none) -> [Route] {
    var settings = RemindersAPI.Settings()
    settings.fixedAlarms = fixedAlarms
    return RemindersAPI.routes(settings)
  }

  func client() throws -> RawClient { try RawClient(port: port) }
  func plainClient() throws -> RawClient { try RawClient(port: plainPort) }
}

extension RawClient {
  func patch(_ target: String, _ body: String) throws -> RawResponse {
    try request("PATCH", target, body: body)
  }
  func put(_ target: String, _ body: String? = nil) throws -> RawResponse {
    try request("PUT", target, body: body)
  }
  func delete(_ target: String) throws -> RawResponse { try request("DELETE", target) }

  /// The titles of the items of a collection.
  func titles(_ target: String) throws -> [String] {
    try get(target).items.compactMap { $0["title"] as? String }
  }
}
