import Foundation
import TestSupport
import Testing

@Suite("Idempotency-Key") struct IdempotencyTests {
  private static let body = #"{"title":"once"}"#

  private func post(
    _ client: RawClient, _ key: String, _ body: String = Self.body, to path: String = "/v1/lists"
  ) throws -> RawResponse {
    try client.request("POST", path, [("Idempotency-Key", key)], body: body)
  }

  @Test("A repeated request is executed once, even if the server was killed in between")
  func once() throws {
    let folder = try TemporaryFolder()
    let server = try MartletProcess(in: folder)
    let client = try RawClient(port: server.port)
    let first = try post(client, "k1")
    #expect(first.status == 201 && first["Idempotency-Replayed"] == nil)
    let commits = try server.metric("martlet_commits_total")
    for key in ["k1", "\"k1\""] {
      let again = try post(client, key)
      #expect(again.status == 201 && again["Idempotency-Replayed"] == "true")
      #expect(again.body == first.body && again["Location"] == first["Location"])
      #expect(again["ETag"] == first["ETag"] && again["X-Request-ID"] != first["X-Request-ID"])
    }
    #expect(try server.metric("martlet_commits_total") >= commits)
    try server.kill9()
    let next = try MartletProcess(in: folder)
    let late = try RawClient(port: next.port)
    #expect(try post(late, "k1").body == first.body)
    // The response is replayed even if the list was deleted.
    #expect(try late.request("DELETE", try #require(first["Location"])).status == 204)
    #expect(try post(late, "k1").body == first.body)
    #expect(!(try late.get("/v1/lists").text.contains("once")))
  }

  @Test("A key is bound to its path and body; without a key every request is executed")
  func scope() throws {
    let server = try MartletProcess()
    let client = try RawClient(port: server.port)
    let list = try post(client, "k")
    let tag = try post(client, "k", #"{"title":"once"}"#, to: "/v1/tags")
    #expect(list.status == 201 && tag.status == 201 && tag["Idempotency-Replayed"] == nil)
    let other = try post(client, "k", #"{"title":"other"}"#)
    #expect(other.status == 422 && other.text.contains("idempotency-key-reused"))
    for key in ["", "a b", "ä", String(repeating: "k", count: 256)] {
      let wrong = try post(client, key)
      #expect(wrong.status == 400 && wrong.text.contains("invalid-idempotency-key"), "\(key)")
    }
    for _ in 0..<2 { #expect(try client.post("/v1/lists", Self.body).status == 201) }
    #expect(try client.get("/v1/lists").text.components(separatedBy: "\"once\"").count == 4)
  }

  @Test("A failed request stores no response")
  func failed() throws {
    let server = try MartletProcess()
    let client = try RawClient(port: server.port)
    #expect(try post(client, "k", #"{"title":5}"#).status == 422)
    #expect(try post(client, "k", #"{"listID":99,"title":"x"}"#, to: "/v1/reminders").status == 422)
    #expect(try post(client, "k", #"{"listID":1,"title":"x"}"#, to: "/v1/reminders").status == 201)
    #expect(try post(client, "k").status == 201)
  }

  @Test("Twenty concurrent requests create one row")
  func atOnce() throws {
    let server = try MartletProcess()
    let answers = Answers()
    let port = server.port
    DispatchQueue.concurrentPerform(iterations: 20) { _ in
      guard let client = try? RawClient(port: port), let answer = try? post(client, "k")
      else { return }
      answers.add(answer.text)
    }
    #expect(answers.all.count == 20 && Set(answers.all).count == 1)
    let lists = try RawClient(port: server.port).get("/v1/lists").text
    #expect(lists.components(separatedBy: "\"once\"").count == 2)
  }
}

private final class Answers: @unchecked Sendable {
  // All state is protected by the lock.
  private let lock = NSLock()
  private var list: [String] = []
  var all: [String] { lock.withLock { list } }
  func add(_ answer: String) { lock.withLock { list.append(answer) } }
}
