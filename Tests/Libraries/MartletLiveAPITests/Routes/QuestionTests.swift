import Dispatch
import MartletJSON
import MartletSQLite
import MartletStore
import TestSupport
import Testing

@testable import MartletLiveAPI

@Suite("A question before a write, and a response that is shown once") struct QuestionTests {
  private static func body(_ db: Connection, _ body: ByteBuffer) throws -> Bool {
    body.append(utf8: "\(try db.value("SELECT count(*) FROM notes")?.integer ?? 0)")
    return true
  }

  /// A route that adds a note, unless the answer to its question is a problem.
  private static func add(
    _ path: String, location: String? = nil, problem: APIProblem? = nil
  ) -> Route {
    .write(.post, path) { _, _ in
      // The answer comes later, on another thread.
      let question: WriteRoute.Question = { answer in
        DispatchQueue.global().async { answer(problem) }
      }
      return WriteRoute.Work(before: question) { db in
        try db.run("INSERT INTO notes (title) VALUES ('one')")
        return .once(location: location) { try body($0, $1) }
      }
    }
  }

  private static let routes = [
    add("/add"), add("/place", location: "/notes/1"),
    add("/refused", problem: APIProblem(.overloaded, "No.")),
  ]

  @Test("The write waits for the answer, and a problem is the response to the request")
  func asks() throws {
    let service = try NotesService(routes: Self.routes)
    let client = try service.client()
    let refused = try client.post("/refused", "")
    #expect(refused.status == 503 && refused.problem == "overloaded", "\(refused.text)")
    #expect(try client.get("/notes/1").status == 404)
    #expect(try client.post("/add", "").text == "1")
    #expect(try client.post("/refused", "").status == 503)
    #expect(try client.post("/add", "").text == "2")
  }

  @Test("A response with a secret has no ETag, which would be that of another representation")
  func once() throws {
    let service = try NotesService(routes: Self.routes)
    let client = try service.client()
    let made = try client.post("/place", "")
    #expect(made.status == 201 && made["Location"] == "/notes/1" && made["ETag"] == nil)
    let changed = try client.post("/add", "")
    #expect(changed.status == 200 && changed["Location"] == nil && changed["ETag"] == nil)
    // Nothing that a client knows can protect it.
    #expect(try client.request("POST", "/add", [("If-Match", "*")], body: "").status == 412)
  }
}
