import Foundation
import Martlet
import MartletTesting
import TestSupport
import Testing

@Table
struct Room: Equatable {
  let id: Int
  var name: String
  var seats: Int
}

enum Rooms {
  static var migrator: Migrator {
    var migrator = Migrator()
    migrator.registerMigration("rooms") { db in
      try db.execute(
        """
        CREATE TABLE rooms (
          id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, seats INTEGER NOT NULL
        ) STRICT
        """)
    }
    return migrator
  }
}

extension ProblemType {
  static let roomInUse = ProblemType("room-in-use", .conflict, "The room is in use")
}

@Selection
struct RoomStatistics {
  let rooms: Int
  let seats: Int
}

extension Rooms {
  static let room = Route.read("/rooms/{id}", audience: .everyone) { request, _ in
    try LiveSource(request, row: Room.find(request.id("id")))
  }

  static let rooms = Route.read("/rooms", audience: .everyone) { request, _ in
    var parameters = QueryParameters.ofRead(request)
    let seats = parameters.integer("seats", in: 1...500)
    let page = try parameters.page(of: "rooms from \(seats ?? 0) seats")
    try parameters.finish()
    return try LiveSource(
      request, page, of: Room.where { if let seats { $0.seats >= seats } },
      by: [Room.columns.name, Room.columns.id])
  }

  static let createRoom = Route.write(.post, "/rooms") { request, _ in
    let room = try Body.read(request) { body in
      Room.Draft(
        name: body.required("name", .text(1...100)),
        seats: body.optional("seats", .integer(1...500)) ?? 4)
    }
    return WriteRoute.Work { db in
      let id = try Room.insert { room }.returning(\.id).fetchOne(db)!
      return .created(location: "/rooms/\(id)", WriteRoute.row(Room.find(id)))
    }
  }

  static let deleteRoom = Route.write(.delete, "/rooms/{id}") { request, _ in
    let id = try request.id("id")
    return WriteRoute.Work { db in
      guard let room = try Room.find(id).fetchOne(db) else {
        throw APIProblem.missing("room", "\(id)")
      }
      guard room.seats < 100 else {
        throw APIProblem(.roomInUse, "Rooms with 100 seats and more cannot be deleted.")
      }
      try Room.find(id).delete().execute(db)
      return .done
    }
  }
}

func startTasks(_ running: RunningService) {
  running.schedule(every: .seconds(60)) { _ in
    try await running.database.write { try Room.where { $0.seats == 0 }.delete().execute($0) }
  }
}

func followRooms(_ running: RunningService) {
  let database = running.database
  Task {
    // One element now, and one after each commit that changes the result.
    for try await rooms in database.values(of: Room.where { $0.seats == 0 }) where !rooms.isEmpty {
      try await database.write { try Room.where { $0.seats == 0 }.delete().execute($0) }
    }
  }
}

private func serve() -> Never {
  let environment = ProcessInfo.processInfo.environment
  var service = Service(
    path: environment["DATABASE"] ?? "rooms.db", migrator: Rooms.migrator,
    routes: [Rooms.room, Rooms.rooms, Rooms.createRoom, Rooms.deleteRoom])
  service.server.host = environment["HOST"] ?? "127.0.0.1"
  service.server.port = environment["PORT"].flatMap { UInt16($0) } ?? 8080
  service.server.limits.body = 64 << 10
  service.problems = [.roomInUse]
  service.drainTime = .seconds(5)
  service.run(startTasks)
}

extension ComingFrom {
  @Suite("The page for users of Hummingbird and Vapor", .timeLimit(.minutes(10)))
  struct HummingbirdPageTests {
    private func started(
      _ routes: [Route], _ change: (inout Service) -> Void = { _ in }
    ) throws -> TestService {
      var service = Service(path: "", migrator: Rooms.migrator, routes: routes)
      change(&service)
      return try TestService(service)
    }

    @Test("Each Martlet block of the page is code of this file")
    func blocks() throws {
      let blocks = try CodeBlocks.of(page: "docs/coming-from-hummingbird.md")
      #expect(blocks.count >= 10)
      for block in blocks {
        #expect(try CodeBlocks.contains(block, in: #filePath), "\(block)")
      }
    }

    @Test("A route answers with text")
    func hello() throws {
      let hello = Route.plain(.get, "/hello") { _, _, _ in
        let fields = Fields(["Content-Type": "text/plain; charset=utf-8"])
        return .respond(Response(.ok, fields, body: .text("Hello")))
      }
      let service = try started([hello])
      #expect(try service.get("/hello").text == "Hello")
      #expect(try service.get("/hello")["Content-Type"] == "text/plain; charset=utf-8")
    }

    @Test("An async function answers a route")
    func asynchronous() async throws {
      @Sendable func forecast() async throws -> String {
        try await Task.sleep(for: .milliseconds(10))
        return "Sunny"
      }
      let weather = Route.async(.get, "/weather") { _, _ in
        try .json(["forecast": await forecast()])
      }
      let text = try await onThread { try started([weather]).get("/weather").text }
      #expect(text == #"{"forecast":"Sunny"}"#)
    }

    @Test("Parameters are read, and faults are named")
    func parameters() throws {
      let service = try started([Rooms.room, Rooms.rooms, Rooms.createRoom])
      _ = try service.post("/rooms", #"{"name": "Attic"}"#)
      _ = try service.post("/rooms", #"{"name": "Hall", "seats": 300}"#)
      #expect(try service.get("/rooms/1").value["name"]?.string == "Attic")
      #expect(try service.get("/rooms/x").problem == "invalid-parameter")
      #expect(try service.get("/rooms/9").problem == "not-found")
      let large = try service.get("/rooms?seats=100").value["items"]
      #expect(large?.array?.count == 1 && large?[0]?["name"]?.string == "Hall")
      #expect(try service.get("/rooms?limit=1").value["nextCursor"]?.string != nil)
      let refused = try service.get("/rooms?seats=0&sets=2")
      #expect(refused.status == 400)
      #expect(try refused.value["errors"]?.array?.count == 2)
    }

    @Test("A body is read, and faults are named")
    func body() throws {
      let service = try started([Rooms.createRoom])
      let created = try service.post("/rooms", #"{"name": "Attic"}"#)
      #expect(created.status == 201 && created["Location"] == "/rooms/1")
      #expect(try created.value["seats"]?.int64 == 4)
      let refused = try service.post("/rooms", #"{"seats": "many", "colour": "red"}"#)
      #expect(refused.status == 422 && refused.problem == "invalid-body")
      #expect(try refused.value["errors"]?.array?.count == 3)
      #expect(try service.post("/rooms", #"{"name": "Attic"}"#).status == 409)
    }

    @Test("Errors are problem documents")
    func problems() throws {
      let service = try started([Rooms.createRoom, Rooms.deleteRoom]) { $0.problems = [.roomInUse] }
      _ = try service.post("/rooms", #"{"name": "Hall", "seats": 300}"#)
      let refused = try service.request("DELETE", "/rooms/1")
      #expect(refused.status == 409 && refused.problem == "room-in-use")
      #expect(refused["Content-Type"] == "application/problem+json")
      #expect(try service.request("DELETE", "/rooms/2").problem == "not-found")
      #expect(try service.get("/problems/room-in-use").text.contains("The room is in use"))
    }

    @Test("A query is answered as JSON")
    func database() throws {
      let statistics = Route.read("/statistics", audience: .everyone) { request, _ in
        LiveSource(
          request,
          row: Room.select { RoomStatistics.Columns(rooms: $0.count(), seats: $0.seats.sum() ?? 0) }
        )
      }
      let service = try started([Rooms.createRoom, statistics])
      #expect(try service.get("/statistics").value["seats"]?.int64 == 0)
      _ = try service.post("/rooms", #"{"name": "Hall", "seats": 300}"#)
      #expect(try service.get("/statistics").value["rooms"]?.int64 == 1)
      #expect(try service.get("/statistics").value["seats"]?.int64 == 300)
    }

    @Test("Routes are wrapped in middleware, and need keys")
    func middleware() throws {
      let office = Middleware { request, _ in
        guard request.fields["X-Office"] == "yes" else {
          throw APIProblem(.forbidden, "Only the office changes rooms.")
        }
      }
      let changes = [Rooms.createRoom, Rooms.deleteRoom].map { $0.wrapped(in: office) }
      var service = Service(
        path: "", migrator: Rooms.migrator, routes: [Rooms.room, Rooms.rooms] + changes)
      service.keys = Gate.Settings()

      let running = try TestService(service)
      let attic = #"{"name": "Attic"}"#
      #expect(try running.post("/rooms", attic).status == 403)
      #expect(try running.post("/rooms", attic, [("X-Office", "yes")]).status == 201)
      let key = try running.createKey("phone", Rights(.read))
      #expect(try running.get("/rooms").status == 401)
      #expect(try running.get("/rooms", [("Authorization", "Bearer \(key)")]).status == 200)
      running.key = key
      #expect(try running.request("DELETE", "/rooms/1", [("X-Office", "yes")]).status == 403)
    }

    @Test("A file is streamed, and queries are followed on one stream")
    func streams() throws {
      let live = Route.bundle("/live")
      let export = Route.download("/rooms.csv") { _ in
        Download(type: "text/csv", name: "rooms.csv") { db, body, goOn in
          let rooms = try Room.order(by: \.id).fetchCursor(db)
          while let room = try rooms.next() {
            body.append(utf8: "\(room.id),\(room.seats)\n")
            try goOn()
          }
        }
      }
      let service = try started([Rooms.room, Rooms.rooms, Rooms.createRoom, live, export])
      _ = try service.post("/rooms", #"{"name": "Attic"}"#)
      #expect(try service.get("/rooms.csv").text == "1,4\n")
      let both = try service.stream("/live?all=/rooms&first=/rooms/1")
      let first = try both.next().value
      #expect(first["first"]?["name"]?.string == "Attic")
      #expect(first["all"]?["items"]?.array?.count == 1)
    }

    @Test func aNewRoomIsListed() throws {
      let service = try TestService(
        Service(path: "", migrator: Rooms.migrator, routes: [Rooms.rooms, Rooms.createRoom]))
      let list = try service.stream("/rooms")
      try list.next()
      #expect(try service.post("/rooms", #"{"name": "Attic"}"#).status == 201)
      let rooms = try list.wait { $0["items"]?.array?.count == 1 }
      #expect(rooms["items"]?[0]?["name"]?.string == "Attic")
      #expect(try service.database.read { try Room.all.fetchCount($0) } == 1)
    }

    @Test("The service reads its environment, and ends on a signal")
    func run() async {
      await #expect(processExitsWith: .success) {
        let folder = try MartletTesting.TemporaryFolder()
        setenv("DATABASE", folder.file("rooms.db"), 1)
        setenv("PORT", "0", 1)
        // The signal stays pending until the service waits for one.
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGTERM)
        pthread_sigmask(SIG_BLOCK, &set, nil)
        raise(SIGTERM)
        withExtendedLifetime(folder) { serve() }
      }
    }

    @Test("A task beside the requests follows a query")
    func tasks() async throws {
      let name = try await onThread {
        let service = try started([Rooms.rooms])
        followRooms(service.running)
        startTasks(service.running)
        let list = try service.stream("/rooms")
        try list.next()
        try service.database.write { db in
          try Room.insert {
            Room.Draft(name: "Closed", seats: 0)
            Room.Draft(name: "Attic", seats: 4)
          }
          .execute(db)
        }
        let rooms = try list.wait { $0["items"]?.array?.count == 1 }
        return rooms["items"]?[0]?["name"]?.string
      }
      #expect(name == "Attic")
    }

    /// Runs requests that tasks answer. A request blocks its thread, and a blocked test would keep
    /// the tasks from running on a machine with few cores.
    private func onThread<T: Sendable>(
      _ body: @escaping @Sendable () throws -> T
    ) async throws -> T {
      try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(with: Result(catching: body)) }
      }
    }
  }
}
