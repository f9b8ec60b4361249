import Foundation
import TestSupport
import Testing

/// A database that ever had a key stays closed, even if its keys are deleted with a sqlite3 shell.
@Suite("Access stays closed") struct ClosedForGoodTests {
  private func shell(_ service: KeyedService, _ sql: String) throws {
    _ = try MartletProcess.sqlite3(service.server.database, sql, in: service.server.folder)
  }

  @Test(
    "Deleting keys with a shell opens nothing, neither at once nor after a restart",
    arguments: [
      "DELETE FROM apiKeys", "PRAGMA foreign_keys = ON; DELETE FROM apiKeys",
      "UPDATE apiKeys SET id = id + 100; DELETE FROM apiKeys",
      "DELETE FROM apiKeys; DELETE FROM apiKeyParts; DELETE FROM liveSessions",
    ])
  func deleted(_ sql: String) throws {
    let service = try KeyedService()
    let key = service.key("admin")
    let client = try RawClient(port: service.server.port)
    try shell(service, sql)
    try service.waitFor401(key)
    for fields in [[], key] {
      #expect(try client.get("/v1/lists", fields).status == 401)
      #expect(
        try client.request("POST", "/v1/lists", fields, body: #"{"title":"x"}"#).status == 401)
    }
    // DNS rebinding gives a page no access either, because it has no key.
    let rebound = [("Host", "evil.example"), ("Origin", "http://evil.example")]
    #expect(
      try client.request("POST", "/v1/lists", rebound, body: #"{"title":"x"}"#).status == 401)
    try service.server.stop()
    let next = try MartletProcess(in: service.server.folder)
    let again = try RawClient(port: next.port)
    #expect(try again.get("/v1/lists").status == 401)
    // The ID of a deleted key is not reused.
    let made = try service.create(["--name", "next", "--scope", "read"])
    let id = try #require(made.split(separator: "_").dropFirst().first.flatMap { Int($0) })
    #expect(id > service.keys.count)
    #expect(try again.get("/v1/lists", [("Authorization", "Bearer \(made)")]).status == 200)
  }

  @Test("A new key does not inherit the data of a deleted one")
  func leftovers() throws {
    let service = try KeyedService()
    let client = try RawClient(port: service.server.port)
    let session = try #require(
      try client.request("POST", "/v1/live/sessions", service.key("admin")).json["access"]
        as? String)
    // Foreign keys are off, which is the default of a shell, and the shell chooses the IDs.
    try shell(
      service,
      """
      DELETE FROM apiKeys; INSERT INTO apiKeys (id, name, scope, hash, createdAt) VALUES
      (1, 'a', 'admin', 'x', 0), (2, 'b', 'admin', 'x', 0), (3, 'c', 'admin', 'x', 0),
      (4, 'd', 'admin', 'x', 0), (5, 'e', 'admin', 'x', 0)
      """)
    let rows = try MartletProcess.sqlite3(
      service.server.database,
      "SELECT (SELECT count(*) FROM liveSessions), (SELECT count(*) FROM apiKeyParts)",
      in: service.server.folder)
    #expect(rows.trimmingCharacters(in: .whitespacesAndNewlines) == "0|0")
    try service.waitFor401(service.key("admin"))
    let streams = StreamClient(port: service.server.port)
    try streams.open("/v1/lists?access=\(session)")
    #expect(streams.wait { $0[0].response?.status == 401 })
  }

  @Test("Creating a key relaxes the Host rule at once")
  func host() throws {
    let server = try MartletProcess()
    let other = [("Host", "todo.example.org")]
    #expect(try RawClient(port: server.port).get("/v1/lists", other).status == 421)
    let made = try MartletProcess.run([
      "key", "create", "--name", "a", "--scope", "read", "--database", server.database,
    ])
    let key = [
      (
        "Authorization",
        "Bearer \(made.output.trimmingCharacters(in: .whitespacesAndNewlines))"
      )
    ]
    let deadline = Date(timeIntervalSinceNow: 10)
    while try RawClient(port: server.port).get("/v1/lists", other + key).status != 200 {
      try #require(Date() < deadline)
    }
    // With --allowed-host only those names are accepted.
    let named = try MartletProcess(["--allowed-host", "mine.example"], in: server.folder)
    func status(_ fields: [(String, String)]) throws -> Int {
      try RawClient(port: named.port).get("/v1/lists", fields + key).status
    }
    #expect(try status(other) == 421)
    #expect(try status([("Host", "mine.example")]) == 200)
  }

  @Test(
    "A forwarded request is local only if all forwarded addresses are loopback",
    arguments: [["--trusted-proxy", "127.0.0.1"], []])
  func proxies(_ arguments: [String]) throws {
    let server = try MartletProcess(arguments)
    let client = try RawClient(port: server.port)
    for (fields, status) in [
      ([("X-Forwarded-For", "127.0.0.1")], 200), ([("X-Forwarded-For", "127.0.0.1, ::1")], 200),
      ([("X-Forwarded-For", "203.0.113.9, 127.0.0.1")], 401),
      ([("X-Forwarded-For", "203.0.113.9"), ("X-Forwarded-For", "127.0.0.1")], 401),
      ([("X-Forwarded-For", "127.0.0.1, 203.0.113.9")], 401),
      ([("X-Forwarded-For", "unknown, 127.0.0.1")], 401), ([("X-Forwarded-For", "")], 401),
      ([("Forwarded", "for=203.0.113.9")], 401),
    ] {
      #expect(try client.get("/v1/lists", fields).status == status, "\(fields)")
    }
  }

  @Test("An Idempotency-Key is bound to the query of its request")
  func idempotency() throws {
    let server = try MartletProcess()
    let client = try RawClient(port: server.port)
    func send(_ query: String) throws -> RawResponse {
      try client.request(
        "POST", "/v1/import\(query)", [("Idempotency-Key", "one")], body: "title\nMilk\n")
    }
    #expect(try send("?format=csv").status == 200)
    #expect(try send("?format=csv")["Idempotency-Replayed"] == "true")
    for other in ["?format=ics", "?format=ndjson"] {
      let answer = try send(other)
      #expect(answer.status != 200 && answer["Idempotency-Replayed"] == nil, "\(other)")
    }
    // The format is detected to be the same, but the request is a different one.
    let guessed = try send("")
    #expect(guessed.status == 200 && guessed["Idempotency-Replayed"] == nil)
  }
}
