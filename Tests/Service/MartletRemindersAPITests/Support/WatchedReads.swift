import MartletHTTP
import MartletJSON
import MartletReminders
import MartletSQLite
import MartletStore
import MartletTime
import TestSupport
import Testing

@testable import MartletLiveAPI
@testable import MartletLiveQueries
@testable import MartletRemindersAPI

/// The reads of routes and of the key ring, and which of them a commit makes stale.
///
/// Live queries, cached results and keys depend on commits in the same way (`Invalidation`), so a
/// read that a commit makes stale stands for a live query that it refreshes.
final class WatchedReads {
  typealias Read = @Sendable (Connection, ByteBuffer) throws -> Bool

  let database: EmbeddedDatabase
  /// Another program: a connection without the functions and settings of the service.
  let shell: Connection
  private let folder: TemporaryFolder
  private let api: API
  private var reads: [String: Read] = [:]

  /// The key ring as a read.
  static let keys = "keys"

  init(_ targets: [String], _ sql: String = "") throws {
    folder = try TemporaryFolder()
    let path = folder.file("reminders.db")
    try RemindersDatabase.migrate(path: path)
    var settings = Configuration()
    settings.changeTable = RemindersDatabase.changeTable
    // Only a write finds out that another program has committed.
    settings.otherWritersInterval = .seconds(3_600)
    database = try EmbeddedDatabase(
      path: path, configuration: settings, prepare: { LiveQueries.prepare($0) })
    shell = try Connection(location: .file(path))
    shell.setBusyTimeout(.seconds(5))
    let time = TestClock(try RFC3339.parse("2026-11-20T12:00:00Z"))
    api = API(database: database, live: LiveQueries(database), clock: time.clock)
    var router = Router()
    try api.register(RemindersService.routes(), on: &router)
    for target in targets { reads[target] = try read(target) }
    reads[Self.keys] = { db, body in
      let rows = try APIKeys.rows(now: Instant(seconds: 0), in: db)
      body.append(utf8: "\(rows) \(try APIKeys.exist(in: db))")
      return true
    }
    try database.write { try $0.execute(sql) }
  }

  deinit { database.close() }

  /// The read of a GET route. The stream of a log is named `stream:/v1/changes`.
  private func read(_ target: String) throws -> Read {
    let isStream = target.hasPrefix("stream:")
    var request = try Request(
      .get, target: isStream ? String(target.dropFirst(7)) : target,
      peer: #require(Peer(address: "127.0.0.1")))
    request.caller = Access.everything
    guard case .found(let route) = try api.routes.find(request, api.context) else {
      throw APIProblem.notFound(target)
    }
    switch route.kind {
    case .read(let read): return try read.source(request, api.context).write
    case .feed(let feed):
      return isStream
        ? try feed.source(request, api.context).head.write
        : try feed.page.source(request, api.context).write
    default: throw APIProblem.notFound(target)
    }
  }

  /// The result of each read.
  func results() throws -> [String: String] {
    try database.read { db in
      let body = ByteBuffer(capacity: 1 << 12)
      return try reads.mapValues { read in
        body.removeAll()
        return try read(db, body) ? String(decoding: body.bytes, as: UTF8.self) : "absent"
      }
    }
  }

  /// The reads that `body` makes stale, which may commit as any program.
  func stale(after body: () throws -> Void) throws -> Set<String> {
    let invalidation = database.invalidation
    let commit = invalidation.commit
    let tokens = try database.read { db in
      let buffer = ByteBuffer(capacity: 1 << 12)
      return try reads.mapValues { read in
        buffer.removeAll()
        let dependencies = try invalidation.read(db) { try read(db, buffer) }.dependencies
        return invalidation.register(dependencies, since: commit)
      }
    }
    #expect(tokens.values.allSatisfy { !$0.isStale })
    try body()
    // Finds the commits of other programs.
    try database.write { _ in }
    return Set(tokens.filter { $0.value.isStale }.keys)
  }
}
