import Foundation
import MartletLiveQueries
import MartletSQLite
import MartletStore
import TestSupport
import Testing

@testable import MartletLiveAPI

@Suite("Read routes")
struct ReadRouteTests {
  @Test(
    "A result has an ETag and is not sent again to a client that has it (item 56, item 57, item 58)"
  )
  func notModified() throws {
    let service = try NotesService()
    let client = try service.client()
    _ = try client.post("/notes", #"{"title":"a"}"#)
    let first = try client.get("/notes/1")
    #expect(first.status == 200)
    #expect(first.text == #"{"id":1,"title":"a"}"#)
    #expect(first["Vary"] == "Accept, Accept-Encoding")
    let tag = try #require(first["ETag"])
    for known in [tag, "W/" + tag, "\"x\", " + tag, "*"] {
      let second = try client.get("/notes/1", [("If-None-Match", known)])
      #expect(second.status == 304)
      #expect(second["ETag"] == tag)
      #expect(second["Vary"] == "Accept, Accept-Encoding")
      #expect(second["Content-Type"] == nil)
    }
    _ = try client.request("PATCH", "/notes/1", body: #"{"title":"b"}"#)
    #expect(try client.get("/notes/1", [("If-None-Match", tag)]).status == 200)
  }

  @Test("If-Match with another tag is a 412 on a read (item 57)")
  func ifMatch() throws {
    let service = try NotesService()
    let client = try service.client()
    _ = try client.post("/notes", #"{"title":"a"}"#)
    let tag = try #require(try client.get("/notes/1")["ETag"])
    func status(_ expected: String, _ more: [(String, String)] = []) throws -> Int {
      try client.get("/notes/1", [("If-Match", expected)] + more).status
    }
    #expect(try status(tag) == 200)
    #expect(try status("*") == 200)
    #expect(try status("W/" + tag) == 200, "a proxy has compressed the response")
    #expect(try status("\"0000000000000000\"") == 412)
    // If-Match is checked first.
    #expect(try status(tag, [("If-None-Match", tag)]) == 304)
    #expect(try status("\"0000000000000000\"", [("If-None-Match", tag)]) == 412)
  }

  @Test(
    "A large result is compressed for clients that accept it, with its own ETag (item 55, item 56)")
  func gzip() throws {
    let service = try NotesService()
    let client = try service.client()
    for _ in 0..<60 { _ = try client.post("/notes", #"{"title":"the same words again"}"#) }
    let plain = try client.get("/notes")
    let packed = try client.get("/notes", [("Accept-Encoding", "br, gzip;q=0.5")])
    #expect(packed["Content-Encoding"] == "gzip")
    #expect(packed.body.count * 4 < plain.body.count)
    let tag = try #require(plain["ETag"])
    let packedTag = String(tag.dropLast()) + "-gzip\""
    #expect(packed["ETag"] == packedTag)
    // Both tags name the same state. A 304 has the tag of the representation that would be sent.
    let known = try client.get("/notes", [("If-None-Match", packedTag)])
    #expect(known.status == 304 && known["ETag"] == tag)
    let knownPacked = try client.get(
      "/notes", [("If-None-Match", tag), ("Accept-Encoding", "gzip")])
    #expect(knownPacked.status == 304 && knownPacked["ETag"] == packedTag)
    for field in ["gzip;q=0", "identity, gzip;q=0.1", "br"] {
      #expect(
        try client.get("/notes", [("Accept-Encoding", field)])["Content-Encoding"] == nil)
    }
  }

  @Test(
    "Accept selects JSON or an event stream (item 54, item 56, item 76)",
    arguments: [
      ("*/*", 200, "application/json"), ("application/json", 200, "application/json"),
      ("application/*;q=0.1", 200, "application/json"),
      ("text/html, */*;q=0.1", 200, "application/json"),
      ("text/event-stream;q=0.5, application/json", 200, "application/json"),
      ("text/event-stream", 200, "text/event-stream"),
      ("text/event-stream, application/json;q=0.9", 200, "text/event-stream"),
      ("text/event-stream, */*;q=0.1", 200, "text/event-stream"),
      ("text/*", 200, "text/event-stream"), ("image/png", 406, "application/problem+json"),
      ("application/json;q=0", 406, "application/problem+json"),
      ("application/json;q=0, */*", 200, "text/event-stream"),
      (#"text/html;x=",text/event-stream,""#, 406, "application/problem+json"),
    ])
  func negotiation(_ accept: String, _ status: Int, _ type: String) throws {
    let service = try NotesService()
    let client = try service.client()
    let response = try client.request("HEAD", "/notes", [("Accept", accept)])
    #expect(response.status == status)
    #expect(response["Content-Type"]?.hasPrefix(type) == true)
    #expect(response["Vary"] == "Accept, Accept-Encoding")
  }

  @Test("All faults of a query are reported at once, with what was expected")
  func parameters() throws {
    let service = try NotesService()
    let client = try service.client()
    let wrong = try client.get("/notes?limit=0&order=sideways")
    #expect(wrong.status == 400 && wrong.problem == "invalid-parameter")
    #expect(wrong.text.contains("from 1 to 100"))
    #expect(wrong.text.contains("up or down"))
    let unknown = try client.get("/notes?limitt=3")
    #expect(unknown.problem == "unknown-parameter")
    #expect(unknown.text.contains("limit"))
    #expect(try client.get("/notes?limit=1&limit=2").problem == "invalid-parameter")
    for id in ["one", "01", "+1", "0", "-1", "99999999999999999999"] {
      #expect(try client.get("/notes/\(id)").problem == "invalid-parameter")
    }
    #expect(try client.get("/notes?limit=05").problem == "invalid-parameter")
    #expect(try client.get("/notes/99").problem == "not-found")
    #expect(try client.get("/nowhere").problem == "not-found")
    let method = try client.request("PUT", "/notes")
    #expect(method.status == 405 && method.problem == "method-not-allowed")
    #expect(method["Allow"]?.contains("POST") == true)
  }

  @Test("A read that exceeds its budget on the loop runs on a worker, and later starts there")
  func slow() throws {
    var settings = API.Settings()
    settings.loopBudget = .nanoseconds(1_000_000)
    let slow = Route.read("/slow") { request, _ in
      LiveSource(request) { db, body in
        // Written before the interruption, and must not be sent.
        body.append("{\"sum\":")
        let sum = try db.value(
          """
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000)
          SELECT sum(i) FROM n
          """)
        body.append(decimal: Int(sum?.integer ?? 0))
        body.append("}")
        return true
      }
    }
    let service = try NotesService(settings: settings, routes: [slow])
    let client = try service.client()
    #expect(try client.get("/slow").text == #"{"sum":45000150000}"#)
    #expect(service.api.reads.slowReads.contains("/slow", at: 0))
    #expect(try client.get("/slow").text == #"{"sum":45000150000}"#)
    // The loop's reader still works afterwards.
    #expect(try client.get("/notes").text == #"{"items":[]}"#)
  }

  @Test("A fault is hidden from the client and reported with the same request ID (item 65)")
  func fault() throws {
    let broken = Route.read("/broken") { request, _ in
      LiveSource(request) { db, _ in
        _ = try db.value("SELECT secret FROM nowhere")
        return true
      }
    }
    let service = try NotesService(routes: [broken])
    let client = try service.client()
    let response = try client.get("/broken", [("X-Request-ID", "abc-1")])
    #expect(response.status == 500 && response.problem == "internal")
    #expect(response["X-Request-ID"] == "abc-1")
    #expect(response.json["instance"] as? String == "urn:request:abc-1")
    #expect(!response.text.contains("secret") && !response.text.contains("nowhere"))
    #expect(service.failures.list.map(\.request) == ["abc-1"])
    #expect(service.failures.list.first?.error.contains("nowhere") == true)
    // An ID that is not a token is not echoed.
    let forged = try client.get("/notes", [("X-Request-ID", "a b<script>")])
    #expect(forged["X-Request-ID"]?.contains("<") == false)
  }
}
