import Foundation
import TestSupport
import Testing

@testable import MartletLiveAPI

@Suite("Write routes")
struct WriteRouteTests {
  @Test("A new row is returned as stored, with Location and ETag (item 49)")
  func creating() throws {
    let service = try NotesService()
    let client = try service.client()
    let created = try client.post("/notes", #"{"title":"a"}"#)
    #expect(created.status == 201)
    #expect(created.text == #"{"id":1,"title":"a"}"#)
    #expect(created["Location"] == "/notes/1")
    #expect(try client.get("/notes/1")["ETag"] == created["ETag"])
  }

  @Test("If-Match is checked inside the write (item 57)")
  func ifMatch() throws {
    let service = try NotesService()
    let client = try service.client()
    let tag = try #require(try client.post("/notes", #"{"title":"a"}"#)["ETag"])
    func patch(_ match: String, _ title: String) throws -> RawResponse {
      try client.request(
        "PATCH", "/notes/1", [("If-Match", match)], body: #"{"title":"\#(title)"}"#)
    }
    #expect(try patch("\"0000000000000000\"", "b").problem == "precondition-failed")
    #expect(try client.get("/notes/1").json["title"] as? String == "a")
    // A proxy has compressed the response.
    let changed = try patch("W/" + tag, "b")
    #expect(changed.status == 200 && changed["ETag"] != tag)
    #expect(try patch(tag, "c").status == 412)
    #expect(try patch("W/" + tag, "c").status == 412)
    #expect(try patch("*", "d").status == 200)
    // A malformed ETag does not say what it should guard, so nothing is done.
    for wrong in ["abc", "\"a\", abc", "W/abc", "\"", "'0000000000000000'"] {
      let refused = try patch(wrong, "e")
      #expect(refused.status == 400 && refused.problem == "bad-request", "\(wrong)")
      #expect((refused.json["detail"] as? String)?.contains("in quotation marks") == true)
    }
    #expect(try client.get("/notes/1").json["title"] as? String == "d")
    #expect(try client.get("/notes/1", [("If-Match", "abc")]).status == 400)
    // A missing item has no tag that could match.
    let missing = try client.request("DELETE", "/notes/9", [("If-Match", "*")])
    #expect(missing.status == 412)
  }

  @Test("A POST with a precondition that cannot be checked is refused (item 57)")
  func preconditionOfPost() throws {
    let service = try NotesService()
    let client = try service.client()
    for (field, value) in [("If-Match", "*"), ("If-None-Match", "\"0000000000000000\"")] {
      let refused = try client.request("POST", "/notes", [(field, value)], body: #"{"title":"a"}"#)
      #expect(refused.status == 412 && refused.problem == "precondition-failed")
      #expect((refused.json["detail"] as? String)?.contains("without them") == true)
    }
    let wrong = try client.request("POST", "/notes", [("If-Match", "a")], body: #"{"title":"a"}"#)
    #expect(wrong.status == 400)
    #expect(try client.get("/notes/1").status == 404, "nothing was created")
  }

  @Test("A matching If-None-Match on a change is a 412, never a 304 (item 57)")
  func ifNoneMatch() throws {
    let service = try NotesService()
    let client = try service.client()
    let tag = try #require(try client.post("/notes", #"{"title":"a"}"#)["ETag"])
    for known in [tag, "W/" + tag, "\"x\", " + tag, "*"] {
      for (method, body) in [("PATCH", #"{"title":"b"}"#), ("DELETE", nil)] {
        let answer = try client.request(
          method, "/notes/1", [("If-None-Match", known)], body: body)
        #expect(answer.status == 412 && answer.problem == "precondition-failed")
      }
    }
    #expect(try client.get("/notes/1").json["title"] as? String == "a")
    let changed = try client.request(
      "PATCH", "/notes/1", [("If-None-Match", "\"0000000000000000\"")], body: #"{"title":"b"}"#)
    #expect(changed.status == 200)
    let gone = try client.request("DELETE", "/notes/9", [("If-None-Match", "*")])
    #expect(gone.status == 404 || gone.status == 204, "a missing item has no tag to exclude")
  }

  @Test("Of several clients with the same tag one wins")
  func race() throws {
    let service = try NotesService()
    let tag = try #require(try service.client().post("/notes", #"{"title":"a"}"#)["ETag"])
    let statuses = Statuses()
    DispatchQueue.concurrentPerform(iterations: 8) { index in
      guard let client = try? service.client() else { return }
      let response = try? client.request(
        "PATCH", "/notes/1", [("If-Match", tag)], body: #"{"title":"\#(index)"}"#)
      statuses.add(response?.status ?? 0)
    }
    #expect(statuses.all.sorted() == [200] + Array(repeating: 412, count: 7))
  }

  @Test("A read-only member is accepted only with the stored value")
  func readOnly() throws {
    let service = try NotesService()
    let client = try service.client()
    _ = try client.post("/notes", #"{"title":"a"}"#)
    #expect(
      try client.request("PATCH", "/notes/1", body: #"{"id":1,"title":"b"}"#).status == 200)
    let wrong = try client.request("PATCH", "/notes/1", body: #"{"id":2,"title":"c"}"#)
    #expect(wrong.status == 422 && wrong.text.contains(#""pointer":"/id""#))
    #expect(try client.get("/notes/1").json["title"] as? String == "b")
  }

  @Test(
    "Invalid bodies are refused (item 66, item 67)",
    arguments: [
      ("", 400, "malformed-json"), ("{", 400, "malformed-json"),
      (#"{"title":"a",}"#, 400, "malformed-json"),
      (String(repeating: "[", count: 65), 400, "malformed-json"),
      ("[]", 422, "invalid-body"), ("{}", 422, "/title"), (#"{"title":1}"#, 422, "/title"),
      (#"{"title":null}"#, 422, "/title"), (#"{"title":""}"#, 422, "/title"),
      (#"{"title":"a","x/y":1}"#, 422, "/x~1y"), (#"{"title":"a","title":"b"}"#, 422, "/title"),
      (#"{"title":"\u0000"}"#, 422, "/title"),
    ])
  func bodies(_ body: String, _ status: Int, _ word: String) throws {
    let service = try NotesService()
    let response = try service.client().post("/notes", body)
    #expect(response.status == status)
    #expect(response.text.contains(word))
  }

  @Test(
    "Pages of other origins cannot write (item 62)",
    arguments: [
      ([("Origin", "http://localhost")], 201), ([("Origin", "https://evil.example")], 403),
      ([("Origin", "null")], 403), ([("Sec-Fetch-Site", "same-origin")], 201),
      ([("Sec-Fetch-Site", "none")], 201), ([("Sec-Fetch-Site", "cross-site")], 403),
      ([("Sec-Fetch-Site", "same-site"), ("Origin", "http://localhost")], 403),
      ([("Origin", "https://friend.example"), ("Sec-Fetch-Site", "cross-site")], 201), ([], 201),
    ] as [([(String, String)], Int)])
  func origins(_ fields: [(String, String)], _ status: Int) throws {
    var settings = API.Settings()
    settings.allowedOrigins = ["https://friend.example"]
    let service = try NotesService(settings: settings)
    let response = try service.client().request(
      "POST", "/notes", fields, body: #"{"title":"a"}"#)
    #expect(response.status == status)
    if status == 403 { #expect(response.problem == "cross-origin") }
  }

  @Test("A body with a content coding is refused (item 54, item 60)")
  func coding() throws {
    let service = try NotesService()
    let response = try service.client().request(
      "POST", "/notes", [("Content-Encoding", "gzip")], body: "x")
    #expect(response.status == 415)
  }
}

private final class Statuses: @unchecked Sendable {
  // The lock makes it safe.
  private let lock = NSLock()
  private var list: [Int] = []
  var all: [Int] { lock.withLock { list } }
  func add(_ status: Int) { lock.withLock { list.append(status) } }
}
