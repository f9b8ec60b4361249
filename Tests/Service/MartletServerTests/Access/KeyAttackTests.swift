import Dispatch
import Foundation
import MartletSQLite
import Synchronization
import TestSupport
import Testing

/// Attempts to get more access than a key gives, or access without a key.
@Suite("Attacks on keys") struct KeyAttackTests {
  private let stream = [("Accept", "text/event-stream")]

  @Test("The order of search results does not reveal words in foreign lists")
  func searchOracle() throws {
    let service = try KeyedService()
    let client = try RawClient(port: service.server.port)
    for title in ["divorce divorce ctl", "divorce ctl ctl"] {
      let body = #"{"listID":2,"title":"\#(title)"}"#
      #expect(
        try client.request("POST", "/v1/reminders", service.key("writeOwn"), body: body).status
          == 201)
    }
    func found() throws -> [Int] {
      try client.get("/v1/search?q=ctl+divorce", service.key("writeOwn")).items.compactMap {
        $0["id"] as? Int
      }
    }
    let before = try found()
    #expect(before.count == 2)
    for _ in 0..<5 {
      let body = #"{"listID":4,"title":"divorce lawyer"}"#
      #expect(
        try client.request("POST", "/v1/reminders", service.key("admin"), body: body).status == 201)
    }
    #expect(try found() == before)
  }

  @Test("A queued write is not executed after its key was revoked")
  func waitingWrite() throws {
    let service = try KeyedService()
    let key = try #require(service.keys["writeOwn"]?.split(separator: "_")[1])
    let client = try RawClient(port: service.server.port)
    // Caches the key in the gate.
    #expect(try client.get("/v1/whoami", service.key("writeOwn")).status == 200)
    let other = try Connection(location: .file(service.server.database))
    other.setBusyTimeout(.seconds(5))
    try other.execute("BEGIN IMMEDIATE")
    let body = #"{"title":"after the end"}"#
    try client.send(
      RawClient.head("PATCH", "/v1/reminders/1", service.key("writeOwn"), body: body) + body)
    // When the writer has taken it, it has been admitted.
    let deadline = Date(timeIntervalSinceNow: 10)
    let admin = service.key("admin")
    func samples() throws -> String {
      try RawClient(port: service.server.port).get("/metrics", admin).text
    }
    while try !samples().contains("martlet_queued_writes 0"), Date() < deadline {}
    // Its granted lists have changed, too.
    try other.execute("DELETE FROM apiKeyParts WHERE keyID = \(key) AND part = 3")
    try other.execute("UPDATE apiKeys SET revokedAt = 1 WHERE id = \(key)")
    try other.execute("COMMIT")
    let answer = try client.response()
    #expect(answer.status == 401 && answer.problem == "unauthorized")
    #expect(
      try RawClient(port: service.server.port).get("/v1/reminders/1", admin).text.contains("Milk"))
  }

  @Test("A key that writes without pause can be revoked")
  func starvation() throws {
    let service = try KeyedService()
    let operations = (0..<200).map {
      #"{"method":"PATCH","path":"/v1/lists/2","body":{"title":"t\#($0)"}}"#
    }
    let body = #"{"operations":[\#(operations.joined(separator: ","))]}"#
    let fields = service.key("writeOwn")
    let port = service.server.port
    let refused = Atomic(0)
    let done = DispatchGroup()
    for _ in 0..<4 {
      DispatchQueue.global().async(group: done) {
        let deadline = Date(timeIntervalSinceNow: 30)
        while Date() < deadline,
          let client = try? RawClient(port: port, timeout: 30),
          let answer = try? client.request("POST", "/v1/batch", fields, body: body)
        {
          guard answer.status == 200 else {
            refused.add(answer.status == 401 ? 1 : 0, ordering: .relaxed)
            return
          }
        }
      }
    }
    let id = try #require(service.keys["writeOwn"]?.split(separator: "_")[1])
    let result = try service.run(["revoke", String(id)])
    #expect(result.code == 0, "\(result.errors)")
    #expect(done.wait(timeout: .now() + Deadline.hang) == .success)
    #expect(refused.load(ordering: .relaxed) == 4)
  }

  @Test("Failed guesses do not lock out new keys, live sessions or other keys")
  func lockout() throws {
    let service = try KeyedService(["--max-key-failures", "20"])
    let client = try RawClient(port: service.server.port)
    let session = try client.request("POST", "/v1/live/sessions", service.key("admin"))
    let access = try #require(session.json["access"] as? String)
    var statuses: [Int] = []
    for place in 0..<40 {
      statuses.append(try client.get("/v1/lists?access=x\(place)").status)
    }
    #expect(statuses.first == 401 && statuses.last == 429)
    let wrong = "Bearer mk_1_" + String(repeating: "a", count: 32)
    statuses = try (0..<40).map { _ in
      try client.get("/v1/lists", [("Authorization", wrong)]).status
    }
    #expect(statuses.first == 401 && statuses.last == 429)
    // This key was never used before.
    #expect(try client.get("/v1/lists", service.key("writeOwn")).status == 200)
    let streams = StreamClient(port: service.server.port)
    try streams.open("/v1/stats?access=\(access)")
    #expect(streams.wait { $0[0].events.count == 1 })
    #expect(streams.streams[0].response?.status == 200)
  }

  @Test("A key in a URL is refused, and other authentication schemes are ignored")
  func places() throws {
    let service = try KeyedService()
    let client = try RawClient(port: service.server.port)
    let key = try #require(service.keys["admin"])
    #expect(try client.get("/v1/lists?access=\(key)").status == 401)
    #expect(try client.get("/v1/stats?access=\(key)", stream).status == 401)
    let session = try client.request("POST", "/v1/live/sessions", service.key("admin"))
    let access = try #require(session.json["access"] as? String)
    let basic = [("Authorization", "Basic dXNlcjpwYXNz")]
    let streams = StreamClient(port: service.server.port)
    try streams.open("/v1/stats?access=\(access)", basic)
    #expect(streams.wait { $0[0].events.count == 1 })
    #expect(try client.get("/v1/lists", basic).status == 401)
  }

  @Test("The rate of new live sessions per key is limited")
  func sessions() throws {
    let service = try KeyedService()
    let client = try RawClient(port: service.server.port)
    let statuses = try (0..<70).map { _ in
      try client.request("POST", "/v1/live/sessions", service.key("read")).status
    }
    #expect(statuses[..<60].allSatisfy { $0 == 201 } && statuses.last == 429)
    #expect(try client.request("POST", "/v1/live/sessions", service.key("write")).status == 201)
  }

  @Test("Requests through a trusted proxy need a key")
  func proxy() throws {
    let server = try MartletProcess(["--trusted-proxy", "127.0.0.1"])
    let client = try RawClient(port: server.port)
    #expect(try client.get("/v1/lists", [("X-Forwarded-For", "127.0.0.1")]).status == 200)
    for fields in [[("X-Forwarded-For", "203.0.113.9")], [("X-Forwarded-For", "unknown")], []] {
      let answer = try client.get("/v1/lists", fields)
      #expect(answer.status == 401 && answer.problem == "unauthorized", "\(fields)")
    }
    let open = try MartletProcess(["--trusted-proxy", "127.0.0.1", "--allow-no-keys"])
    let other = try RawClient(port: open.port)
    #expect(try other.get("/v1/lists", [("X-Forwarded-For", "203.0.113.9")]).status == 200)
  }
}
