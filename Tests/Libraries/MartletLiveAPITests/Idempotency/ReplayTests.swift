import Foundation
import MartletJSON
import MartletLiveAPI
import MartletLiveQueries
import MartletSQLite
import MartletStore
import TestSupport
import Testing

@Suite("Repeated requests") struct ReplayTests {
  @Test(
    "The stored response is sent before preconditions are checked")
  func preconditions() throws {
    @Sendable func current(_ db: Connection, _ body: ByteBuffer) throws -> Bool {
      body.append(utf8: "\(try db.value("SELECT count(*) FROM notes")?.integer ?? 0)")
      return true
    }
    let add = Route.write(.post, "/add") { _, _ in
      WriteRoute.Work(current: { try current($0, $1) }) { db in
        try db.run("INSERT INTO notes (title) VALUES ('one')")
        return .changed { try current($0, $1) }
      }
    }
    let count = Route.read("/add") { request, _ in
      LiveSource(request) { try current($0, $1) }
    }
    var settings = API.Settings()
    settings.storesResponses = true
    let service = try NotesService(settings: settings, routes: [add, count])
    try service.database.write { try APITables.keptAnswers.install(in: $0) }
    let client = try service.client()
    let tag = try #require(try client.get("/add")["ETag"])
    func send() throws -> RawResponse {
      try client.request("POST", "/add", [("If-Match", tag), ("Idempotency-Key", "k")], body: "")
    }
    let first = try send()
    #expect(first.status == 200 && first.text == "1")
    let again = try send()
    #expect(again.status == 200 && again.text == "1" && again["Idempotency-Replayed"] == "true")
    #expect(try client.get("/add").text == "1")
    // With two keys it is unknown which one is meant.
    let keys = ["k", "l"].map { ("Idempotency-Key", $0) }
    let two = try client.request("POST", "/add", [("If-Match", tag)] + keys, body: "")
    #expect(two.status == 400 && two.text.contains("more than once"))
    // Another request is still checked.
    #expect(try client.request("POST", "/add", [("If-Match", tag)], body: "").status == 412)
  }
}
