import HTTPServer
import LiveAPI
import LiveQueries
import Reminders
import Store
import TestSupport
import Time

@testable import RemindersAPI

/// The service's routes on a real socket and a real file, with a clock that stands still unless `now` is `nil`.
final class RemindersService: Sendable {
  let port: UInt16
  let database: EmbeddedDatabase
  var path: String { folder.file("reminders.db") }
  private let server: HTTPServer
  private let folder: TemporaryFolder

  init(now: String? = "2026-11-20T12:00:00Z") throws {
    folder = try TemporaryFolder()
    let path = folder.file("reminders.db")
    try RemindersDatabase.migrate(path: path)
    var store = Store.Settings()
    store.loopReaders = 1
    database = try EmbeddedDatabase(
      path: path, settings: store, prepare: { LiveQueries.prepare($0) })
    let clock = try now.map { TestClock(try RFC3339.parse($0)).clock } ?? .system
    let api = API(
      database: database, live: LiveQueries(database, clock: clock), clock: clock,
      translate: RemindersAPI.problem(of:))
    var router = Router()
    api.register(RemindersAPI.routes, on: &router)
    var configuration = HTTPServer.Configuration()
    configuration.host = "127.0.0.1"
    configuration.loops = 1
    server = HTTPServer(configuration: configuration, router: router)
    port = try server.start()
  }

  deinit {
    server.stop()
    database.close()
  }

  func client() throws -> RawClient { try RawClient(port: port) }
}

extension RawClient {
  func patch(_ target: String, _ body: String) throws -> RawResponse {
    try request("PATCH", target, body: body)
  }
  func put(_ target: String, _ body: String? = nil) throws -> RawResponse {
    try request("PUT", target, body: body)
  }
  func delete(_ target: String) throws -> RawResponse { try request("DELETE", target) }

  /// The titles of a collection's items.
  func titles(_ target: String) throws -> [String] {
    try get(target).items.compactMap { $0["title"] as? String }
  }
}
