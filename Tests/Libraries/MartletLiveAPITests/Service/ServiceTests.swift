import MartletHTTP
import MartletJSON
import MartletLiveAPI
import MartletLiveQueries
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime
import Synchronization
import TestSupport
import Testing

@Table private struct Page {
  let id: Int
  var title = ""
}

@Suite("A service") struct ServiceTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func service() -> Service {
    var migrator = Migrator([
      Migration(
        number: 1, name: "pages",
        sql: "CREATE TABLE pages (id INTEGER PRIMARY KEY, title TEXT NOT NULL) STRICT")
    ])
    migrator.tables = [Page.self]
    var service = Service(
      path: folder.file("a.db"), migrator: migrator,
      routes: [
        .read("/pages") { request, _ in LiveSource(request, rows: Page.order(by: \.id)) },
        .read("/pages/{id}") { request, _ in
          try LiveSource(request, row: Page.find(request.id("id")))
        },
        .write(.post, "/pages") { request, _ in
          let draft = try Body.read(request) { body in
            Page.Draft(title: body.required("title", .text(1...5)))
          }
          return WriteRoute.Work { db in
            try Page.insert { draft }.execute(db)
            let id = Int(db.lastInsertRowID)
            return .created(location: "/pages/\(id)", WriteRoute.row(Page.find(id)))
          }
        },
      ])
    service.server.host = "127.0.0.1"
    service.server.loops = 1
    return service
  }

  private func withRunning(
    _ service: Service, _ body: (RunningService, RawClient) throws -> Void
  ) throws {
    let running = try service.open()
    let client = try RawClient(port: running.start())
    defer {
      running.server.stop()
      running.close()
    }
    try body(running, client)
  }

  @Test("A service migrates its file and serves its own routes and the common ones")
  func serves() throws {
    try withRunning(service()) { running, client in
      let created = try client.post("/pages", #"{"title":"one"}"#)
      #expect(created.status == 201 && created.text == #"{"id":1,"title":"one"}"#)
      #expect(try client.get("/pages/1").text == #"{"id":1,"title":"one"}"#)
      #expect(try client.get("/pages/2").status == 404)
      #expect(try client.get("/livez").status == 200)
      #expect(try client.get("/readyz").status == 200)
      #expect(running.isReady)
      #expect(try client.get("/problems/not-found").text.contains("**404"))
    }
  }

  @Test(
    "An invalid route prevents the start, and the error names it",
    arguments: [
      ("pages", #"the route "pages" does not begin with a slash"#),
      ("/pages", "the route GET /pages is registered twice"),
      (
        "/pages/{page}", "the routes GET /pages/{id} and GET /pages/{page} match the same paths"
      ),
    ])
  func wrongRoutes(_ pattern: String, _ text: String) {
    var service = service()
    service.routes.append(.read(pattern) { request, _ in LiveSource(request, rows: Page.all) })
    #expect {
      _ = try service.open()
    } throws: { "\($0)" == text }
  }

  @Test("A database without a file is refused", arguments: [":memory:", ""])
  func noFile(_ path: String) {
    var service = service()
    service.path = path
    #expect {
      _ = try service.open()
    } throws: {
      "\($0)"
        == "a service needs a database file, but its path is \"\(path)\": set the path of a file"
    }
  }

  @Test("An expired key is refused")
  func expiredKey() throws {
    var service = service()
    service.keys = Gate.Settings()
    let now = Clock.system.now()
    let keys = try [-1, 3600].map {
      try service.createKey("one", Rights(.read), expiresAt: now.adding(seconds: $0))
    }
    try withRunning(service) { (_, client) throws in
      #expect(try client.get("/pages", [("Authorization", "Bearer \(keys[0])")]).status == 401)
      #expect(try client.get("/pages", [("Authorization", "Bearer \(keys[1])")]).status == 200)
    }
  }

  @Test("Reading a path parameter that the pattern does not have is a 500, and the log says so")
  func unknownParameter() throws {
    let told = Mutex<[String]>([])
    var service = service()
    service.routes.append(
      .read("/books/{book}") { request, _ in
        try LiveSource(request, row: Page.find(request.id("id")))
      })
    service.onEvent = { event in
      if case .request(.failed(_, _, let error)) = event { told.withLock { $0.append("\(error)") } }
    }
    try withRunning(service) { _, client throws in
      #expect(try client.get("/books/1").status == 500)
      let told = told.withLock { $0 }
      #expect(told == ["the route /books/{book} has no parameter {id}"])
    }
  }

  @Test("A list has all rows of its statement, and unknown parameters are refused")
  func rows() throws {
    try withRunning(service()) { (running, client) throws in
      try running.database.write { db in
        try db.run(
          """
          INSERT INTO pages (title) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) \
          SELECT i FROM n
          """)
      }
      let list = try #require(JSONValue.parse(client.get("/pages").body).object)
      #expect(list["items"]?.array?.count == 3_000 && list["nextCursor"]?.isNull == true)
      #expect(try client.get("/pages?limit=3").status == 400)
      #expect(try client.get("/pages/1?deltas=true").status == 200)
    }
  }

  @Test("All faults of a body are reported at once")
  func faults() throws {
    try withRunning(service()) { (_, client) throws in
      let answer = try client.post("/pages", #"{"name":1,"title":"too long"}"#)
      #expect(answer.status == 422 || answer.status == 400)
      #expect(answer.text.contains("/title") && answer.text.contains("/name"))
      #expect(try client.post("/pages", "{}").text.contains("is required"))
    }
  }

  @Test("Foreign host names are refused until requests need a key")
  func hosts() throws {
    var service = service()
    service.keys = Gate.Settings()
    try withRunning(service) { (_, client) throws in
      #expect(try client.get("/pages", [("Host", "elsewhere.example")]).status == 421)
    }
    let key = try service.createKey("one", Rights(.read))
    try withRunning(service) { (_, client) throws in
      let fields = [("Host", "elsewhere.example"), ("Authorization", "Bearer \(key)")]
      #expect(try client.get("/pages", fields).status == 200)
      #expect(try client.get("/pages").status == 401)
    }
  }

  @Test("A file whose schema does not fit the tables is not opened")
  func tables() throws {
    var service = service()
    service.migrator = Migrator()
    service.tables = [Page.self]
    #expect(throws: (any Error).self) { try service.open() }
  }

  @Test("A service without keys cannot create one")
  func withoutKeys() throws {
    let service = service()
    #expect(throws: ServiceError.self) { try service.createKey("one", Rights(.read)) }
  }

  @Test("The library's tables and triggers are installed at each start")
  func parts() throws {
    var service = service()
    service.keys = Gate.Settings()
    service.api.storesResponses = true
    for _ in 0..<3 {
      try withRunning(service) { running, _ in
        let triggers = try running.database.read {
          try $0.rows(
            "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'martlet_apiKeys%'"
          )
        }
        #expect(triggers.count == 3)
        #expect(try running.database.read { try $0.tableExists("idempotentAnswers") })
        // A shell may drop them.
        try running.database.write {
          try $0.execute("DROP TRIGGER martlet_apiKeys_deleted; DROP INDEX liveSessions_key")
        }
      }
    }
  }

  @Test("Errors are reported as events")
  func events() throws {
    let told = Mutex<[String]>([])
    var service = service()
    service.routes.append(
      .read("/broken") { request, _ in
        LiveSource(request) { db, _ in
          _ = try db.rows("SELECT * FROM missing")
          return true
        }
      })
    service.onEvent = { event in
      if case .request(.failed(_, let type, let error)) = event {
        told.withLock { $0.append("\(type.slug): \(error)") }
      }
    }
    try withRunning(service) { (_, client) throws in
      #expect(try client.get("/broken").status == 500)
      #expect(told.withLock { $0.count == 1 && $0[0].contains("no such table: missing") })
    }
  }
}
