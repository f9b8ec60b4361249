import TestSupport
import Testing

@testable import MartletLiveAPI

/// Small requests that ask for much work or a large response.
@Suite("Extremes") struct ExtremesTests {
  private static let extremes: [String: (text: String, status: Int)] = [
    "deep arrays": (String(repeating: "[", count: 10_000), 400),
    "deep objects": (String(repeating: "{\"a\":", count: 100_000), 400),
    "a large exponent": ("{\"title\":1e1000000000}", 422),
    "a small exponent": ("{\"title\":1e-1000000000}", 422),
    "many digits": ("{\"title\":" + String(repeating: "9", count: 500_000) + "}", 422),
    "many members": ("{" + String(repeating: "\"a\":0,", count: 60_000) + "\"b\":0}", 422),
    "a member many times": (
      "{" + String(repeating: "\"title\":\"a\",", count: 60_000) + "\"title\":\"b\"}", 422
    ),
  ]

  @Test(
    "Deep, wide and huge bodies get a small response and do not affect the next request (item 84)",
    .timeLimit(.minutes(10)), arguments: extremes.keys.sorted())
  func bodies(_ name: String) throws {
    let service = try NotesService()
    let client = try service.client()
    let body = try #require(Self.extremes[name])
    let answer = try client.post("/notes", body.text)
    #expect(answer.status == body.status)
    #expect(answer.body.count < 20_000)
    #expect(try client.get("/notes").status == 200)
  }

  @Test("At most a hundred unknown parameters are reported (item 84)")
  func query() throws {
    let service = try NotesService()
    let target = "/notes?" + (0..<1000).map { "x\($0)" }.joined(separator: "&")
    let answer = try service.client().get(target)
    #expect(answer.status == 400)
    #expect((answer.json["errors"] as? [Any])?.count == 100)
  }

  @Test("A chunk of a hundred megabytes is refused when it is announced (item 31, item 84)")
  func chunk() throws {
    let service = try NotesService()
    let client = try service.client()
    try client.send(RawClient.head("POST", "/notes", [("Transfer-Encoding", "chunked")]))
    try client.send("5F5E100\r\n")
    #expect(try client.response().status == 413)
  }

  @Test("Header names that collide under weak hashes are accepted (item 84)")
  func names() throws {
    let service = try NotesService()
    // They have the same sum, the same letters and the same hash in Java.
    let names = (0..<95).map { number in
      String((0..<7).map { (number >> $0) & 1 == 0 ? "Aa" : "BB" }.joined())
    }
    let answer = try service.client().get("/notes", names.map { ($0, "x") })
    #expect(answer.status == 200)
  }
}
