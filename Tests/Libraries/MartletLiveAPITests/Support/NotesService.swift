import MartletHTTP
import MartletJSON
import MartletLiveAPI
import MartletLiveQueries
import MartletSQLite
import MartletStore
import MartletTime
import Synchronization
import TestSupport

/// A small service of notes with a title, with a real socket and a real file.
final class NotesService: Sendable {
  struct Boom: Error {}

  let port: UInt16
  /// The reported failures: request IDs and errors.
  let failures: Failures
  let refusals = Refusals()
  /// The number of cache hits.
  let kept = Counter()
  private let running: RunningService
  private let folder: TemporaryFolder

  final class Failures: Sendable {
    private let all = Mutex<[(request: String, error: String)]>([])
    var list: [(request: String, error: String)] { all.withLock { $0 } }
    func add(_ request: String, _ error: any Error) {
      all.withLock { $0.append((request, "\(error)")) }
    }
  }

  /// The reported refusals and their numbers.
  final class Refusals: Sendable {
    private let all = Mutex<[(type: ProblemType, told: Int?)]>([])
    var list: [(type: ProblemType, told: Int?)] { all.withLock { $0 } }
    func add(_ type: ProblemType, _ told: Int?) { all.withLock { $0.append((type, told)) } }
  }

  final class Counter: Sendable {
    private let value = Atomic(0)
    var count: Int { value.load(ordering: .sequentiallyConsistent) }
    func add() { value.add(1, ordering: .sequentiallyConsistent) }
  }

  init(
    limits: Limits = Limits(), settings: API.Settings = API.Settings(),
    store: Configuration = Configuration(), keys: Gate.Settings? = nil,
    routes: [Route] = [], clock: MartletTime.Clock = .system
  ) throws {
    folder = try TemporaryFolder()
    var migrator = Migrator()
    migrator.registerMigration("notes") {
      try $0.execute(
        "CREATE TABLE notes (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL) STRICT")
    }
    let failures = Failures()
    self.failures = failures
    var service = Service(
      path: folder.file("notes.db"), migrator: migrator, routes: NotesService.routes + routes)
    service.database = store
    service.api = settings
    service.keys = keys
    service.clock = clock
    service.server.host = "127.0.0.1"
    service.server.loops = 1
    service.server.limits = limits
    service.onEvent = { [kept, refusals] event in
      switch event {
      case .request(.failed(let request, _, let error)): failures.add(request, error)
      case .request(.refused(let type, let count)): refusals.add(type, count)
      case .request(.cacheHit): kept.add()
      default: ServiceEvent.log(event)
      }
    }
    running = try service.open()
    port = try running.start()
  }

  var path: String { folder.file("notes.db") }
  var api: API { running.api }
  var database: EmbeddedDatabase { running.database }
  var live: LiveQueries { running.live }
  var connections: Int { running.server.connections }
  /// The bytes that wait for slow clients.
  var waitingOutput: Int { running.server.waitingOutput }

  deinit {
    running.server.stop()
    running.close()
  }

  func client() throws -> RawClient { try RawClient(port: port) }

  static let routes: [Route] = [
    .whoami("/whoami", parts: "notes"), .liveSessions("/sessions"),
    .bundle("/live"),
    .read("/notes") { request, _ in
      var parameters = QueryParameters.ofRead(request)
      let limit = parameters.integer("limit", in: 1...100) ?? 100
      let order = parameters.oneOf("order", ["up": "ASC", "down": "DESC"]) ?? "ASC"
      try parameters.finish()
      return LiveSource(request) { db, body in
        body.append("{\"items\":[")
        for (index, row) in try db.rows(
          "SELECT id, title FROM notes ORDER BY id \(order) LIMIT ?", .integer(Int64(limit))
        ).enumerated() {
          if index > 0 { body.append(",") }
          write(row, to: body)
        }
        body.append("]}")
        return true
      }
    },
    .read("/notes/{id}") { request, _ in
      try QueryParameters.ofRead(request).finish()
      return LiveSource(request, write: stored(try request.id("id")))
    },
    .write(.post, "/notes") { request, _ in
      var body = try Body(request)
      let title = body.string("title", 1...100)
      body.require("title", title != nil)
      try body.finish()
      return WriteRoute.Work { db in
        try db.run("INSERT INTO notes (title) VALUES (?)", .text(title ?? ""))
        let id = Int(db.lastInsertRowID)
        return .created(location: "/notes/\(id)", stored(id))
      }
    },
    .write(.patch, "/notes/{id}") { request, _ in
      let id = try request.id("id")
      var body = try Body(request)
      let title = body.string("title", 1...100)
      body.readOnly("id")
      let readOnly = body.readOnly
      try body.finish()
      return WriteRoute.Work(current: stored(id), readOnly: readOnly) { db in
        if let title {
          try db.run("UPDATE notes SET title = ? WHERE id = ?", .text(title), .integer(Int64(id)))
        }
        return .changed(stored(id))
      }
    },
    .write(.delete, "/notes/{id}") { request, _ in
      let id = try request.id("id")
      return WriteRoute.Work(current: stored(id)) { db in
        try db.run("DELETE FROM notes WHERE id = ?", .integer(Int64(id)))
        return .done
      }
    },
  ]

  private static func stored(_ id: Int) -> WriteRoute.Current {
    { db, body in
      guard
        let row = try db.rows("SELECT id, title FROM notes WHERE id = ?", .integer(Int64(id))).first
      else { return false }
      write(row, to: body)
      return true
    }
  }

  private static func write(_ row: Row, to body: ByteBuffer) {
    JSONWriter.object(into: body) { object in
      object.member("id", row[0].integer ?? 0)
      object.member("title", row[1].text ?? "")
    }
  }
}
