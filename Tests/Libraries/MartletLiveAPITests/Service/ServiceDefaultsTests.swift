import MartletHTTP
import MartletLiveAPI
import MartletLiveQueries
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Synchronization
import TestSupport
import Testing

@Table("shelves") private struct Shelf {
  let id: Int
  var name = ""
}

/// A service whose routes configure no more than they must.
@Suite("The defaults of a service") struct ServiceDefaultsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func service(_ routes: [Route] = []) -> Service {
    let migrator = Migrator([
      Migration(
        number: 1, name: "shelves",
        sql: """
          CREATE TABLE shelves (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE CHECK (name <> '')) STRICT;
          CREATE TABLE books (id INTEGER PRIMARY KEY, shelf INTEGER NOT NULL REFERENCES shelves(id)) STRICT
          """)
    ])
    var service = Service(
      path: folder.file("a.db"), migrator: migrator,
      routes: [
        .read("/shelves") { request, _ in LiveSource(request, rows: Shelf.order(by: \.id)) },
        .read("/shelves/{id}") { request, _ in
          LiveSource(request, row: Shelf.find(try request.id("id")))
        },
        .write(.post, "/shelves") { request, _ in
          let name = try Body.read(request) { $0.required("name", .text(0...20)) }
          return WriteRoute.Work { db in
            try Shelf.insert { Shelf.Draft(name: name) }.execute(db)
            let id = Int(db.lastInsertRowID)
            return .created(location: "/shelves/\(id)", WriteRoute.row(Shelf.find(id)))
          }
        },
        .write(.delete, "/shelves/{id}") { request, _ in
          let id = try request.id("id")
          return WriteRoute.Work { db in
            try Shelf.find(id).delete().execute(db)
            return .done
          }
        },
        .write(.post, "/shelves/{id}/books") { request, _ in
          let id = try request.id("id")
          return WriteRoute.Work { db in
            try db.run("INSERT INTO books (shelf) VALUES (?)", .integer(Int64(id)))
            return .done
          }
        },
        .write(.delete, "/books") { request, _ in
          WriteRoute.Work { db in
            try db.run("DELETE FROM books")
            return .done
          }
        },
        .batch("/batch"),
      ] + routes)
    service.server.loops = 1
    return service
  }

  private func withRunning(_ service: Service, _ body: (RawClient) throws -> Void) throws {
    let running = try service.open()
    let client = try RawClient(port: running.start())
    defer {
      running.server.stop()
      running.close()
    }
    try body(client)
  }

  @Test(
    "By default If-Match is compared with the result of the path's GET (item 57)")
  func conditions() throws {
    try withRunning(service()) { (client) throws in
      let tag = try #require(try client.post("/shelves", #"{"name":"a"}"#)["ETag"])
      func delete(_ path: String, _ field: String, _ value: String) throws -> Int {
        try client.request("DELETE", path, [(field, value)]).status
      }
      #expect(try delete("/shelves/1", "If-Match", "\"x\"") == 412)
      #expect(try delete("/shelves/1", "If-None-Match", tag) == 412)
      #expect(try delete("/shelves/9", "If-Match", "*") == 412)
      let batch = #"{"operations":[{"method":"DELETE","path":"/shelves/1","ifMatch":"\"x\""}]}"#
      #expect(
        try client.post("/batch", batch).json["cause"] as? String == "/problems/precondition-failed"
      )
      // The path has no GET, so no precondition can hold.
      #expect(try delete("/books", "If-Match", "*") == 412)
      #expect(try client.get("/shelves/1").status == 200)
      #expect(try delete("/shelves/1", "If-Match", tag) == 204)
      #expect(try client.get("/shelves/1").status == 404)
    }
  }

  @Test("A route that reads no parameters refuses a query, and another one reports all faults")
  func queries() throws {
    let plain = Route.read("/plain") { request, _ in
      LiveSource(request) { _, body in
        body.append("{}")
        return true
      }
    }
    let filtered = Route.read("/filtered") { request, _ in
      var parameters = QueryParameters.ofRead(request)
      _ = parameters.integer("most", in: 1...9)
      try parameters.finish()
      return LiveSource(request, rows: Shelf.order(by: \.id))
    }
    try withRunning(service([plain, filtered])) { (client) throws in
      #expect(try client.get("/plain").status == 200)
      #expect(try client.get("/plain?deltas=true").status == 200)
      #expect(try client.get("/plain?colour=red").problem == "unknown-parameter")
      #expect(try client.post("/shelves?colour=red", #"{"name":"a"}"#).status == 400)
      #expect(try client.get("/filtered?most=2").status == 200)
      let faults = try client.get("/filtered?most=0&colour=red&size=1")
      #expect(faults.problem == "invalid-parameter")
      for name in ["most", "colour", "size"] { #expect(faults.text.contains("\"\(name)\"")) }
    }
  }

  @Test("A violated constraint of the schema is a client error: 409 or 422")
  func constraints() throws {
    try withRunning(service()) { (client) throws in
      #expect(try client.post("/shelves", #"{"name":"a"}"#).status == 201)
      let twice = try client.post("/shelves", #"{"name":"a"}"#)
      #expect(twice.problem == "conflict" && twice.text.contains("shelves.name"))
      #expect(try client.post("/shelves", #"{"name":""}"#).problem == "invalid-body")
      #expect(try client.request("POST", "/shelves/9/books", body: "{}").problem == "conflict")
      #expect(try client.request("POST", "/shelves/1/books", body: "{}").status == 204)
      #expect(try client.request("DELETE", "/shelves/1").problem == "conflict")
      #expect(try client.get("/problems/conflict").status == 200)
    }
  }

  @Test("A repeated POST with an Idempotency-Key is not executed again")
  func replayed() throws {
    try withRunning(service()) { (client) throws in
      for _ in 0..<2 {
        let answer = try client.request(
          "POST", "/shelves", [("Idempotency-Key", "one")], body: #"{"name":"a"}"#)
        #expect(answer.status == 201 && answer["Location"] == "/shelves/1")
      }
    }
  }

  @Test("Without keys a service opens no file that has had keys and no public address")
  func closed() throws {
    var service = service()
    try withRunning(service) { (client) throws in #expect(try client.get("/shelves").status == 200)
    }
    service.server.host = "0.0.0.0"
    #expect(throws: ServiceError.self) { try service.open() }
    service.allowsAnonymousAccess = true
    try withRunning(service) { (client) throws in #expect(try client.get("/livez").status == 200) }
    service.keys = Gate.Settings()
    service.allowsAnonymousAccess = false
    try withRunning(service) { (client) throws in #expect(try client.get("/livez").status == 200) }
    _ = try service.createKey("one", Rights(.read))
    service.server.host = "localhost"
    service.keys = nil
    #expect(throws: ServiceError.self) { try service.open() }
    service.allowsAnonymousAccess = true
    try withRunning(service) { (client) throws in #expect(try client.get("/shelves").status == 200)
    }
  }

  @Test("Temporary triggers are created after the tables, on a new file too")
  func triggers() throws {
    let seen = Atomic(0)
    var service = service()
    service.database.prepareDatabase { db in
      try db.addFunction("seen", argumentCount: 0) { _ in
        seen.add(1, ordering: .relaxed)
        return nil
      }
    }
    service.database.prepareSchema { db in
      try db.execute(
        "CREATE TEMPORARY TRIGGER added AFTER INSERT ON shelves BEGIN SELECT seen(); END")
    }
    try withRunning(service) { (client) throws in
      #expect(try client.post("/shelves", #"{"name":"a"}"#).status == 201)
    }
    #expect(seen.load(ordering: .relaxed) == 1)
  }
}
