import TestSupport
import Testing

@testable import MartletLiveAPI

@Suite("Fields of responses") struct AnswerFieldsTests {
  private typealias Pair = (String, String)

  @Test("Every response with content has its type and nosniff (item 53, item 61)")
  func types() throws {
    let service = try NotesService(routes: [.livez, .text("/text", type: "text/plain") { "x" }])
    let client = try service.client()
    let note = #"{"title":"a"}"#
    for (method, target, body, status, type, cache) in [
      ("POST", "/notes", note, 201, "application/json", "no-store"),
      ("GET", "/notes", nil, 200, "application/json", "no-cache"),
      ("PATCH", "/notes/1", note, 200, "application/json", "no-store"),
      ("GET", "/livez", nil, 200, "application/json", "no-store"),
      ("GET", "/text", nil, 200, "text/plain", "no-store"),
      ("GET", "/notes/9", nil, 404, "application/problem+json", "no-store"),
      ("GET", "/nowhere", nil, 404, "application/problem+json", "no-store"),
      ("PUT", "/notes", note, 405, "application/problem+json", "no-store"),
      ("POST", "/notes", "{", 400, "application/problem+json", "no-store"),
    ] as [(String, String, String?, Int, String, String)] {
      let answer = try client.request(method, target, body: body)
      #expect(answer.status == status, "\(method) \(target)")
      #expect(answer["Content-Type"] == type, "\(method) \(target)")
      #expect(answer["Cache-Control"] == cache, "\(method) \(target)")
      #expect(answer.fields.count { $0.name == "X-Content-Type-Options" } == 1)
      #expect(answer["X-Content-Type-Options"] == "nosniff", "\(method) \(target)")
    }
    let done = try client.request("DELETE", "/notes/1")
    #expect(done.status == 204 && done["Cache-Control"] == "no-store")
    #expect(done["Content-Type"] == nil && done["Content-Length"] == nil)
  }

  @Test(
    "HEAD has the fields of GET and no content (item 45)",
    arguments: [
      [], [("Accept-Encoding", "gzip")], [("If-None-Match", "*")], [("Accept", "image/png")],
    ] as [[Pair]])
  func head(_ fields: [(String, String)]) throws {
    let service = try NotesService()
    let client = try service.client()
    for _ in 0..<60 { _ = try client.post("/notes", #"{"title":"the same words again"}"#) }
    for target in ["/notes", "/notes/1", "/notes/99", "/nowhere"] {
      let get = try client.request("GET", target, fields)
      let head = try client.request("HEAD", target, fields)
      #expect(head.status == get.status)
      let changing: Set = ["Date", "X-Request-ID"]
      let names = get.fields.map(\.name).filter { !changing.contains($0) }
      #expect(head.fields.map(\.name).filter { !changing.contains($0) } == names)
      // A problem contains the request ID, which may be longer than the last one.
      for name in names where get.status < 400 { #expect(head[name] == get[name], "\(name)") }
    }
    // No content followed the heads.
    #expect(try client.get("/notes/1").text == #"{"id":1,"title":"the same words again"}"#)
  }

  @Test("Dates are not preconditions, because results have no date (item 57, item 58)")
  func dates() throws {
    let service = try NotesService()
    let client = try service.client()
    let tag = try #require(try client.post("/notes", #"{"title":"a"}"#)["ETag"])
    let future = "Tue, 01 Jan 2999 00:00:00 GMT"
    for date in [future, "yesterday", ""] {
      #expect(try client.get("/notes/1", [("If-Modified-Since", date)]).status == 200)
      let changed = try client.request(
        "PATCH", "/notes/1", [("If-Unmodified-Since", date), ("If-Modified-Since", date)],
        body: #"{"title":"a"}"#)
      #expect(changed.status == 200)
    }
    // Only the tag decides.
    let both = [("If-None-Match", tag), ("If-Modified-Since", "Thu, 01 Jan 1970 00:00:00 GMT")]
    #expect(try client.get("/notes/1", both).status == 304)
    let other = [("If-None-Match", "\"x\""), ("If-Modified-Since", future)]
    #expect(try client.get("/notes/1", other).status == 200)
  }

  @Test("A 304 has the fields that the 200 would have (item 46, item 58)")
  func notModified() throws {
    let service = try NotesService()
    let client = try service.client()
    let answer = try client.get("/notes")
    let unchanged = try client.get("/notes", [("If-None-Match", try #require(answer["ETag"]))])
    #expect(unchanged.status == 304)
    for name in ["ETag", "Cache-Control", "Vary"] { #expect(unchanged[name] == answer[name]) }
    #expect(unchanged["Date"] != nil)
    #expect(unchanged["Content-Length"] == nil && unchanged["Transfer-Encoding"] == nil)
  }

  @Test(
    "Range requests get the whole result (item 59)",
    arguments: ["bytes=0-1", "bytes=-1", "bytes=5-2", "bytes=999999-", "lines=1-2", "bytes"])
  func ranges(_ range: String) throws {
    let service = try NotesService()
    let client = try service.client()
    let tag = try #require(try client.post("/notes", #"{"title":"a"}"#)["ETag"])
    for fields in [[("Range", range)], [("Range", range), ("If-Range", tag)]] {
      let answer = try client.get("/notes/1", fields)
      #expect(answer.status == 200 && answer.text == #"{"id":1,"title":"a"}"#)
      #expect(answer["Content-Range"] == nil && answer["Accept-Ranges"] == nil)
    }
  }

  @Test(
    "A body is read as JSON whatever its Content-Type says, as curl sends it (item 54)",
    arguments: [
      nil, "application/json", "application/x-www-form-urlencoded", "text/plain; charset=latin1",
    ])
  func bodyTypes(_ type: String?) throws {
    let service = try NotesService()
    let answer = try service.client().request(
      "POST", "/notes", type.map { [("Content-Type", $0)] } ?? [], body: #"{"title":"é"}"#)
    #expect(answer.status == 201 && answer.text == #"{"id":1,"title":"é"}"#)
  }

  @Test("By default no response permits other origins to read, nor does a preflight (item 62)")
  func crossOrigin() throws {
    let service = try NotesService()
    let client = try service.client()
    let origin = ("Origin", "https://evil.example")
    let preflight = [origin, ("Access-Control-Request-Method", "PATCH")]
    for answer in [
      try client.get("/notes", [origin]), try client.request("OPTIONS", "/notes", preflight),
    ] {
      #expect(answer.status < 300)
      #expect(!answer.fields.contains { $0.name.lowercased().hasPrefix("access-control-") })
    }
  }
}
