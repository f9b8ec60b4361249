import Martlet
import MartletTesting
import TestSupport
import Testing

/// The code of README.md and of the articles of Martlet, MartletLiveAPI and MartletTesting.
@Suite struct ServiceArticleTests {
  @Table struct Room {
    let id: Int
    var name: String
    var seats: Int
  }

  @Table struct Reminder {
    let id: Int
    var title = ""
    var isFlagged = false
  }

  @Test func firstService() throws {
    var migrator = Migrator()
    migrator.registerMigration("rooms") { db in
      try db.execute(
        "CREATE TABLE rooms (id INTEGER PRIMARY KEY, name TEXT NOT NULL, seats INTEGER NOT NULL)")
    }
    let rooms = Route.read("/rooms", audience: .everyone) { request, _ in
      LiveSource(request, rows: Room.order(by: \.name))
    }
    // Not called: it serves until a signal.
    func run() -> Never {
      Service(path: "rooms.db", migrator: migrator, routes: [rooms]).run()
    }
    let create = Route.write(.post, "/rooms") { request, _ in
      let room = try Body.read(request) { body in
        Room.Draft(
          name: body.required("name", .text(1...9)), seats: body.required("seats", .integer(1...9)))
      }
      return WriteRoute.Work { db in
        let id = try Room.insert { room }.returning(\.id).fetchOne(db)!
        return .created(location: "/rooms/\(id)", WriteRoute.row(Room.find(id)))
      }
    }
    func runBoth() -> Never {
      Service(path: "rooms.db", migrator: migrator, routes: [rooms, create]).run()
    }
    try testing(migrator, [rooms, create])
  }

  private func testing(_ migrator: Migrator, _ routes: [Route]) throws {
    let service = try TestService(Service(path: "", migrator: migrator, routes: routes))
    #expect(try service.post("/rooms", #"{"name":"Attic","seats":6}"#).status == 201)
    let rooms = try service.stream("/rooms?deltas=true")
    let list = try rooms.wait { $0["items"]?.array?.count == 1 }
    #expect(list["items"]?[0]?["name"]?.string == "Attic")
  }

  @Test func readme() throws {
    let db = try Connection(location: .inMemory)
    try db.execute(
      """
      CREATE TABLE reminders (id INTEGER PRIMARY KEY, title TEXT NOT NULL, isFlagged INTEGER NOT NULL);
      INSERT INTO reminders (title, isFlagged) VALUES ('b', 1), ('a', 1), ('c', 0)
      """)
    let flagged = Reminder.where(\.isFlagged).order(by: \.title)
    let titles = try flagged.select(\.title).fetchAll(db)
    let route = Route.read("/flagged") { request, _ in LiveSource(request, rows: flagged) }
    #expect(titles == ["a", "b"])
    #expect(route.pattern == "/flagged")
    let blocks = try CodeBlocks.of(page: "README.md")
    #expect(blocks.count == 1)
    for block in blocks { #expect(try CodeBlocks.contains(block, in: #filePath), "\(block)") }
  }
}
