import MartletHTTP
import MartletLiveAPI
import MartletLiveQueries
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTesting
import MartletTime
import Synchronization
import Testing

@Table private struct Seat {
  let id: Int
  var row: String
  var price: Int
}

@Suite("A service inside a test") struct TestServiceTests {
  private var service: Service {
    var migrator = Migrator()
    migrator.registerMigration("seats") {
      try $0.execute(
        """
        CREATE TABLE seats (id INTEGER PRIMARY KEY, row TEXT NOT NULL, price INTEGER NOT NULL) STRICT
        """)
    }
    let list = { (name: String, descending: Bool) -> Route in
      .read("/\(name)") { request, _ in
        var parameters = QueryParameters.ofRead(request)
        let page = try parameters.page(of: name, limits: 1...10, default: 3)
        try parameters.finish()
        return try LiveSource(
          request, page, of: Seat.where { $0.price > 0 }, by: [Seat.columns.row, Seat.columns.id],
          descending: descending)
      }
    }
    return Service(
      path: "", migrator: migrator,
      routes: [
        list("seats", false), list("seats-from-the-end", true),
        .read("/seats/{id}") { request, _ in
          try LiveSource(request, row: Seat.find(request.id("id")))
        },
        .write(.post, "/seats") { request, _ in
          let seat = try Body.read(request) { body in
            Seat.Draft(
              row: body.required("row", .text(1...5)),
              price: body.required("price", .integer(0...99))
            )
          }
          return WriteRoute.Work { db in
            let id = try Seat.insert { seat }.returning(\.id).fetchOne(db)!
            return .created(location: "/seats/\(id)", WriteRoute.row(Seat.find(id)))
          }
        },
      ])
  }

  private struct Shown: Decodable, Equatable {
    var id: Int
    var row: String
    var price: Int
  }

  private struct List: Decodable {
    var items: [Shown]
    var nextCursor: String?
  }

  @Test("Requests, problems and the database")
  func requests() throws {
    let service = try TestService(service)
    let created = try service.post("/seats", #"{"row":"A","price":7}"#)
    #expect(created.status == 201 && created["Location"] == "/seats/1")
    #expect(try created.decode(Shown.self) == Shown(id: 1, row: "A", price: 7))
    #expect(try service.get("/seats/1").value["row"]?.string == "A")
    #expect(try service.get("/seats/9").problem == "not-found")
    #expect(try service.post("/seats", "{}").problem == "invalid-body")
    #expect(try service.database.read { try Seat.all.fetchCount($0) } == 1)
    #expect(created.problem == nil)
  }

  @Test("A stream is followed, with deltas too, and says why it ended")
  func streams() throws {
    let service = try TestService(service)
    let plain = try service.stream("/seats")
    let deltas = try service.stream("/seats?deltas=true")
    for stream in [plain, deltas] { #expect(try stream.next().event == "result") }
    for row in ["C", "A", "B"] {
      _ = try service.post("/seats", #"{"row":"\#(row)","price":7}"#)
    }
    for stream in [plain, deltas] {
      let value = try stream.wait { $0["items"]?.array?.count == 3 }
      #expect(value["items"]?[0]?["row"]?.string == "A")
    }
    let refused = try service.stream("/nothing")
    #expect(throws: TestFailure.self) { try refused.next() }
    #expect(throws: TestFailure.self) { try plain.next(within: 0.01) }
  }

  @Test("A failure names the caller's line, and the last event of a stream that ended")
  func failures() throws {
    let clock = TestClock()
    var changed = service
    changed.clock = clock.clock
    changed.server.loops = 1
    let service = try TestService(changed)
    let stream = try service.stream("/seats")
    try stream.next()
    let line = #line + 1
    let late = #expect(throws: TestFailure.self) { try stream.next(within: 0.01) }
    #expect(late?.description.hasPrefix("\(#fileID):\(line): the stream /seats sent no") == true)
    clock.advance(milliseconds: 2 * 3_600_000)
    // Wakes the event loop, which sleeps until a timer of the real clock.
    _ = try service.get("/seats")
    let ended = #expect(throws: TestFailure.self) { try stream.wait { _ in false } }
    #expect(ended?.description.contains("ended; its last event is bye {") == true)
  }

  @Test("A list that depends on the time changes when the clock reaches its next instant")
  func time() throws {
    let clock = TestClock(Instant(milliseconds: 0))
    let passes = Atomic(0)
    var changed = service
    changed.clock = clock.clock
    changed.routes.append(
      .read("/cheap") { request, context in
        LiveSource(
          request, clock: context.clock,
          nextChange: { now, db in
            try Seat.where { $0.price > Int(now.milliseconds) }.select { $0.price.min() }
              .fetchOne(db)?.map { Instant(milliseconds: Int64($0)) }
          },
          rows: { now in
            // While the result is being read, the clock reaches the next instant.
            if passes.exchange(0, ordering: .relaxed) > 0 { clock.advance(milliseconds: 10) }
            return Seat.where { $0.price <= Int(now.milliseconds) }
          })
      })
    let service = try TestService(changed)
    let stream = try service.stream("/cheap")
    try stream.next()
    for price in [10, 20, 30] {
      _ = try service.post("/seats", #"{"row":"A","price":\#(price)}"#)
    }
    clock.advance(milliseconds: 10)
    try stream.wait { $0["items"]?.array?.count == 1 }
    passes.store(1, ordering: .relaxed)
    clock.advance(milliseconds: 10)
    try stream.wait { $0["items"]?.array?.count == 3 }
    #expect(try service.get("/cheap").value["items"]?.array?.count == 3)
    passes.store(1, ordering: .relaxed)
    _ = try service.post("/seats", #"{"row":"A","price":40}"#)
    try stream.wait { $0["items"]?.array?.count == 4 }
    #expect(try service.get("/cheap").value["items"]?.array?.count == 4)
  }

  @Test("A row and a page that depend on the time change with the clock too")
  func timeOfRowsAndPages() throws {
    let clock = TestClock(Instant(milliseconds: 0))
    let next = { @Sendable (now: Instant, db: Connection) throws -> Instant? in
      try Seat.where { $0.price > Int(now.milliseconds) }.select { $0.price.min() }
        .fetchOne(db)?.map { Instant(milliseconds: Int64($0)) }
    }
    var changed = service
    changed.clock = clock.clock
    changed.routes += [
      .read("/cheap/{id}") { request, context in
        let id = try request.id("id")
        return LiveSource(
          request, clock: context.clock, nextChange: next,
          row: { now in Seat.where { $0.id == id && $0.price <= Int(now.milliseconds) } })
      },
      .read("/cheap") { request, context in
        var parameters = QueryParameters.ofRead(request)
        let page = try parameters.page(of: "cheap", default: 2)
        try parameters.finish()
        return try LiveSource(
          request, page, clock: context.clock, nextChange: next,
          of: { now in Seat.where { $0.price <= Int(now.milliseconds) } },
          by: [Seat.columns.price, Seat.columns.id], descending: true)
      },
      .read("/ordered") { request, context in
        var parameters = QueryParameters.ofRead(request)
        let page = try parameters.page(of: "ordered")
        try parameters.finish()
        return try LiveSource(
          request, page, clock: context.clock, nextChange: { _, _ in nil },
          of: { _ in Seat.order(by: \.id) }, by: [Seat.columns.id])
      },
    ]
    changed.onEvent = { _ in }
    let service = try TestService(changed)
    for price in [10, 20, 30] {
      _ = try service.post("/seats", #"{"row":"A","price":\#(price)}"#)
    }
    #expect(try service.get("/cheap/1").problem == "not-found")
    let page = try service.stream("/cheap")
    try page.next()
    clock.advance(milliseconds: 10)
    try page.wait { $0["items"]?.array?.count == 1 }
    let row = try service.stream("/cheap/1")
    #expect(try row.next().value["price"]?.int64 == 10)
    clock.advance(milliseconds: 20)
    let list = try page.wait { $0["items"]?[0]?["price"]?.int64 == 30 }
    let cursor = try #require(list["nextCursor"]?.string)
    let rest = try service.get("/cheap?cursor=\(cursor)").value
    #expect(rest["items"]?.array?.compactMap { $0["price"]?.int64 } == [10])
    #expect(rest["nextCursor"]?.isNull == true)
    #expect(try service.get("/seats?cursor=\(cursor)").problem == "invalid-cursor")
    #expect(try service.get("/cheap?cursor=x").problem == "invalid-cursor")
    #expect(try service.get("/ordered").status == 500)
  }

  @Test(
    "Pages have every row once, in both directions", arguments: ["seats", "seats-from-the-end"])
  func pages(_ list: String) throws {
    let service = try TestService(service)
    try service.database.write { db in
      // Many rows with one key, and some that the list leaves out.
      for index in 0..<20 {
        try Seat.insert { Seat.Draft(row: "R\(index % 3)", price: index % 5) }.execute(db)
      }
    }
    let all = try service.database.read { db in
      try Seat.where { $0.price > 0 }.order { ($0.row, $0.id) }.fetchAll(db).map(\.id)
    }
    for limit in 1...7 {
      var ids: [Int] = []
      var cursor: String?
      repeat {
        let next = cursor.map { "&cursor=\($0)" } ?? ""
        let page = try service.get("/\(list)?limit=\(limit)\(next)").decode(List.self)
        #expect(page.items.count <= limit)
        ids += page.items.map(\.id)
        cursor = page.nextCursor
      } while cursor != nil
      #expect(ids == (list == "seats" ? all : all.reversed()), "limit \(limit)")
    }
    let cursor = try service.get("/seats?limit=1").decode(List.self).nextCursor ?? ""
    #expect(try service.get("/seats-from-the-end?cursor=\(cursor)").problem == "invalid-cursor")
    #expect(try service.get("/seats?cursor=x").problem == "invalid-cursor")
    #expect(try service.get("/seats?limit=11").problem == "invalid-parameter")
  }

  @Test("A service with keys")
  func keys() throws {
    var service = service
    service.keys = Gate.Settings()
    let running = try TestService(service)
    #expect(try running.get("/seats").status == 200)
    running.key = try running.createKey("test", Rights(.read))
    #expect(try running.get("/seats").status == 200)
    #expect(try running.get("/seats", [("Authorization", "Bearer nonsense")]).status == 401)
    #expect(try running.post("/seats", "{}").problem == "forbidden")
    #expect(try running.stream("/seats").next().event == "result")
  }

  @Test("Asynchronous tests wait without blocking a thread of the pool")
  func asynchronous() async throws {
    var changed = service
    changed.routes.append(
      .async(.get, "/count") { _, context in
        .text("\(try await context.database.read { try Seat.all.fetchCount($0) })")
      })
    let service = try TestService(changed)
    try await withThrowingTaskGroup(of: TestResponse.self) { group in
      // More requests than the pool has threads, each answered by a task of the same pool.
      for _ in 0..<32 { group.addTask { try await service.get("/count") } }
      for try await answer in group {
        #expect(answer.text == "0" && answer["Content-Type"] == "text/plain; charset=utf-8")
      }
    }
    let stream = try service.stream("/seats")
    #expect(try await stream.next().event == "result")
    #expect(try await service.post("/seats", #"{"row":"A","price":7}"#).status == 201)
    #expect(try await stream.next().event == "result")
    #expect(try await service.get("/seats/1").status == 200)
  }

  @Test("Blocking tests may take every thread of the pool that tasks of a service would need")
  func blocking() async throws {
    var changed = service
    changed.routes.append(
      .async(.post, "/count") { _, context in
        await Task.yield()
        return .text("\(try await context.database.read { try Seat.all.fetchCount($0) })")
      })
    let service = try TestService(changed)
    let answered = try await withThrowingTaskGroup(of: Int.self) { group in
      // More blocking calls than the pool has threads.
      for _ in 0..<32 {
        group.addTask { try TestServiceTests.blocked(service) }
      }
      return try await group.reduce(0) { $0 + ($1 == 200 ? 1 : 0) }
    }
    #expect(answered == 32)
  }

  /// Takes the thread of its caller, as a test does that is not `async`.
  private static func blocked(_ service: TestService) throws -> Int {
    try service.post("/count").status
  }

  @Test("A failed request is named")
  func named() throws {
    var changed = service
    // A responder that is released answers with 500.
    let held = Mutex<[any Sendable]>([])
    changed.routes.append(
      .plain(.get, "/never") { _, _, _ in
        .later { responder in held.withLock { $0.append(responder) } }
      })
    let service = try TestService(changed)
    let client = try TestClient(port: service.port, timeout: 0.01)
    let failure = #expect(throws: TestFailure.self) { try client.get("/never") }
    #expect(failure?.description == "GET /never: nothing arrived within 0.01 s")
  }

  @Test("A stream keeps its service running, and hasEnded is true when it has ended")
  func lifetime() throws {
    let stream = try TestService(service).stream("/seats")
    #expect(try stream.next().event == "result")
    #expect(!stream.hasEnded)
    var named = service
    named.server.allowedHosts = ["seats.example.org"]
    let running = try TestService(named)
    #expect(try running.get("/seats").status == 200)
    let other = try running.stream("/seats")
    try other.next()
    running.running.server.stop()
    let deadline = Deadline(10)
    while !other.hasEnded, !deadline.isOver {}
    #expect(other.hasEnded)
  }

  @Test("A damaged page that a background task has found makes the service not ready")
  func damage() throws {
    let events = Mutex<[String]>([])
    var heard = service
    heard.onEvent = { event in
      if case .damaged = event { events.withLock { $0.append("damaged") } }
    }
    let service = try TestService(heard)
    service.running.noteFailure(TestFailure("another error"))
    #expect(try service.get("/readyz").status == 200)
    for _ in 0..<2 {
      // SQLITE_CORRUPT (https://sqlite.org/rescode.html#corrupt)
      service.running.noteFailure(SQLiteError(code: 11, message: "malformed"))
    }
    #expect(try service.get("/readyz").status == 503)
    #expect(events.withLock { $0 } == ["damaged"])
  }

  @Test("A full disk makes the service not ready, until a write succeeds again")
  func fullDisk() throws {
    var limited = service
    limited.database.prepareDatabase { try $0.execute("PRAGMA max_page_count = 64") }
    limited.onEvent = { _ in }
    let service = try TestService(limited)
    #expect(try service.get("/readyz").status == 200)
    for size in [3_000, 1] {
      #expect(throws: (any Error).self) {
        for _ in 0..<100_000 {
          try service.database.write { db in
            try Seat.insert { Seat.Draft(row: String(repeating: "x", count: size), price: 1) }
              .execute(db)
          }
        }
      }
    }
    #expect(try service.post("/seats", #"{"row":"A","price":7}"#).status == 507)
    let answer = try service.get("/readyz")
    #expect(answer.status == 503 && answer.text.contains("disk is full"))
    // Another program makes room. The check itself writes, because no client may be writing.
    let other = try Connection(location: .file(service.path))
    other.setBusyTimeout(.seconds(5))
    try other.execute("DELETE FROM seats WHERE id % 2")
    let deadline = Deadline(10)
    while try service.get("/readyz").status != 200, !deadline.isOver {}
    #expect(!deadline.isOver)
  }
}
