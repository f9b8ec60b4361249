import Martlet
import MartletTesting
import Testing

@Table private struct Entry {
  let id: Int
  var text: String
}

@Suite("A feed in a service") struct TypedFeedTests {
  private static let feed = Route.feed("/journal", audience: .everyone) { request, _ in
    FeedSource(request, head: Entry.select { $0.id.max() }) { token, db, body in
      guard let last = Int(token ?? "0") else {
        throw APIProblem(.invalidParameter, "This is not a token of the journal.")
      }
      let rows = try Entry.where { $0.id > last }.order(by: \.id).limit(100).fetchAll(db)
      let next = String(rows.last?.id ?? last)
      JSONWriter.object(into: body) { page in
        page.member("entries") { body in
          JSONWriter.array(into: body) { array in
            for row in rows { array.element(row.text) }
          }
        }
        page.member("next", next)
      }
      return FeedPage(next: next, isEmpty: rows.isEmpty, hasMore: rows.count == 100)
    }
  }

  private func service() throws -> TestService {
    var migrator = Migrator()
    migrator.registerMigration("entries") {
      try $0.execute("CREATE TABLE entries (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT")
    }
    return try TestService(Service(path: "", migrator: migrator, routes: [Self.feed]))
  }

  private func add(_ text: String, to service: TestService) throws {
    try service.database.write { db in
      try Entry.insert { Entry.Draft(text: text) }.execute(db)
    }
  }

  @Test("The entries of a typed table are followed from a token")
  func followed() throws {
    let service = try service()
    try add("one", to: service)
    let stream = try service.stream("/journal")
    let first = try stream.next()
    #expect(first.event == "changes" && first.id == "1")
    #expect(first.data == #"{"entries":["one"],"next":"1"}"#)
    try add("two", to: service)
    #expect(try stream.next().data == #"{"entries":["two"],"next":"2"}"#)
    #expect(try service.get("/journal?since=1").value["entries"]?[0]?.string == "two")
    #expect(try service.get("/journal?since=x").status == 400)
  }
}
