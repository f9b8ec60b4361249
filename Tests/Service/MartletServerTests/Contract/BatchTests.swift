import Foundation
import TestSupport
import Testing

@Suite("POST /v1/batch") struct BatchTests {
  private func results(_ answer: RawResponse) throws -> [[String: Any]] {
    try #require(answer.json["results"] as? [[String: Any]])
  }

  @Test("Operations can refer to earlier ones; a batch is one commit and one event")
  func references() throws {
    let server = try MartletProcess()
    let client = try RawClient(port: server.port)
    let streams = StreamClient(port: server.port)
    try streams.open("/v1/live?lists=/v1/lists&all=/v1/reminders")
    #expect(streams.wait { $0[0].events.count { $0.event == "result" } == 1 })
    let commits = try server.metric("martlet_commits_total")
    let answer = try client.post(
      "/v1/batch",
      """
      {"operations":[
        {"name":"home","method":"POST","path":"/v1/lists","body":{"title":"Home"}},
        {"name":"paint","method":"POST","path":"/v1/lists/{home}/reminders","body":{"title":"Paint"}},
        {"method":"POST","path":"/v1/reminders","body":{"listID":{"$id":"home"},"title":"Sweep"}},
        {"name":"t","method":"POST","path":"/v1/tags","body":{"title":"späti heute"}},
        {"name":"year","method":"POST","path":"/v1/tags","body":{"title":"2026"}},
        {"method":"PUT","path":"/v1/reminders/{paint}/tags/{t}"},
        {"method":"PATCH","path":"/v1/reminders/{paint}","body":{"notes":"blue"}},
        {"method":"POST","path":"/v1/lists/{home}/reminders","body":{"title":"y","tags":[{"$id":"t"},{"$id":"year"}]}},
        {"method":"DELETE","path":"/v1/lists/1"}
      ]}
      """)
    #expect(answer.status == 200, "\(answer.text)")
    let results = try results(answer)
    #expect(results.map { $0["status"] as? Int } == [201, 201, 201, 201, 201, 200, 200, 201, 204])
    let list = try #require((results[0]["body"] as? [String: Any])?["id"] as? Int)
    #expect(results[0]["location"] as? String == "/v1/lists/\(list)")
    let painted = try client.get(try #require(results[1]["location"] as? String))
    #expect(painted.json["notes"] as? String == "blue")
    #expect(painted.json["tags"] as? [String] == ["späti heute"])
    let last = try #require(results[7]["body"] as? [String: Any])
    #expect(Set(last["tags"] as? [String] ?? []) == ["späti heute", "2026"])
    #expect(painted["ETag"] == results[6]["etag"] as? String)
    #expect(try server.metric("martlet_commits_total") == commits + 1)
    #expect(streams.wait { $0[0].events.count { $0.event == "result" } == 2 })
    #expect(Set(try #require(streams.streams[0].last).json.keys) == ["lists", "all"])
  }

  @Test(
    "A failed operation rolls back the batch and is reported",
    arguments: [
      (#"{"method":"DELETE","path":"/v1/lists/99"}"#, "not-found", ""),
      (
        #"{"method":"POST","path":"/v1/reminders","body":{"listID":1,"title":5}}"#, "invalid-body",
        "/operations/1/body/title"
      ),
      (
        #"{"method":"POST","path":"/v1/lists/{gone}/reminders","body":{"title":"x"}}"#,
        "invalid-body", "/operations/1/path"
      ),
      (
        #"{"method":"POST","path":"/v1/reminders","body":{"listID":{"$id":"gone"},"title":"x"}}"#,
        "invalid-body",
        #"/operations/1/body/listID","detail":"no earlier operation creates \"gone\"; names so far: a"#
      ),
      (
        #"{"method":"POST","path":"/v1/reminders","body":{"listID":1,"title":"x","tags":["y",{"$id":"A"}]}}"#,
        "invalid-body",
        #"/operations/1/body/tags/1","detail":"no earlier operation creates \"A\"; did you mean a?"#
      ),
      (
        #"{"method":"PATCH","path":"/v1/lists/1","ifMatch":"\"0000000000000000\"","body":{"title":"x"}}"#,
        "precondition-failed", ""
      ),
      (#"{"method":"POST","path":"/v1/nothing"}"#, "not-found", "/operations/1/path"),
      (
        #"{"method":"POST","path":"/v1/list"}"#, "not-found",
        #"/operations/1/path","detail":"there is nothing at \"/v1/list\"; did you mean /v1/lists?"#
      ),
      (
        #"{"method":"DELETE","path":"/v1/tags"}"#, "method-not-allowed",
        #"/operations/1/method","detail":"expected one of "#
      ),
      (
        #"{"method":"POST","path":"/v1/batch","body":{"operations":[]}}"#, "not-found",
        "/operations/1/path"
      ),
      (#"{"method":"POST","path":"no path"}"#, "invalid-body", "/operations/1/path"),
      (
        #"{"method":"POST","path":"/v1/lists?colour=red","body":{"title":"x"}}"#,
        "unknown-parameter", ""
      ),
    ])
  func failing(operation: String, cause: String, pointer: String) throws {
    let server = try MartletProcess()
    let client = try RawClient(port: server.port)
    let before = try client.get("/v1/lists")["ETag"]
    let answer = try client.post(
      "/v1/batch",
      """
      {"operations":[{"name":"a","method":"POST","path":"/v1/lists","body":{"title":"undone"}},
      \(operation)]}
      """)
    #expect(answer.status == 422, "\(answer.text)")
    #expect(answer.json["type"] as? String == "/problems/batch-failed")
    #expect(answer.json["operation"] as? Int == 1)
    #expect(answer.json["cause"] as? String == "/problems/\(cause)")
    if !pointer.isEmpty {
      #expect(answer.text.contains("\"pointer\":\"\(pointer)"), "\(answer.text)")
    }
    #expect(try client.get("/v1/lists")["ETag"] == before)
  }

  @Test(
    "A malformed batch is refused with the place of the error",
    arguments: [
      (#"{"operations":[]}"#, "1 to 500"), (#"{"operations":{}}"#, "1 to 500"), ("{}", "1 to 500"),
      (#"{"operations":[5]}"#, "/operations/0"),
      (#"{"operations":[{"method":"GET","path":"/v1/lists"}]}"#, "/operations/0/method"),
      (#"{"operations":[{"method":"POST"}]}"#, "/operations/0/path"),
      (#"{"operations":[{"method":"POST","path":"/v1/lists","more":1}]}"#, "/operations/0/more"),
      (
        #"{"operations":[{"name":"a","method":"POST","path":"/v1/lists"},{"name":"a","method":"POST","path":"/v1/lists"}]}"#,
        "/operations/1/name"
      ),
      (
        #"{"operations":[{"name":"a/b","method":"POST","path":"/v1/lists"}]}"#, "/operations/0/name"
      ),
    ])
  func malformed(body: String, says: String) throws {
    let server = try MartletProcess()
    let answer = try RawClient(port: server.port).post("/v1/batch", body)
    #expect(answer.status == 422 && answer.text.contains(says), "\(answer.text)")
  }

  @Test("A batch has at most 500 operations, and its response can be replayed")
  func most() throws {
    let server = try MartletProcess()
    let client = try RawClient(port: server.port)
    func batch(_ count: Int) -> String {
      let operation = #"{"method":"POST","path":"/v1/lists","body":{"title":"x"}}"#
      return
        "{\"operations\":[\(Array(repeating: operation, count: count).joined(separator: ","))]}"
    }
    #expect(try client.post("/v1/batch", batch(501)).status == 422)
    let key = [("Idempotency-Key", "k")]
    let first = try client.request("POST", "/v1/batch", key, body: batch(500))
    #expect(first.status == 200)
    let again = try client.request("POST", "/v1/batch", key, body: batch(500))
    #expect(again.body == first.body && again["Idempotency-Replayed"] == "true")
    #expect(again["ETag"] == nil)
    let count = try MartletProcess.sqlite3(
      server.database, "SELECT count(*) FROM remindersLists", in: TemporaryFolder())
    #expect(count.hasPrefix("501"))
  }
}
