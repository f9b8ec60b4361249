import Foundation
import TestSupport
import Testing

@Suite("martlet key, and its effect on a running server") struct KeyCommandTests {
  private func bearer(_ key: String) -> [(String, String)] { [("Authorization", "Bearer \(key)")] }

  @Test("A key is shown once, and is not stored in the file")
  func create() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("k.db")
    #expect(try MartletProcess.run(["migrate", "--database", path]).code == 0)
    let made = try MartletProcess.run([
      "key", "create", "--name", "phone", "--scope", "write", "--expires", "90d", "--database",
      path,
    ])
    #expect(made.code == 0)
    let key = made.output.trimmingCharacters(in: .newlines)
    #expect(key.wholeMatch(of: #/mk_1_[a-z2-7]{32}/#) != nil)
    #expect(made.errors.contains("key 1 \"phone\": write, until 20"))
    let dump = try MartletProcess.sqlite3(path, ".dump", in: folder)
    #expect(!dump.contains(key.suffix(32)) && dump.contains("$6$rounds=1000$"))
    let list = try MartletProcess.run(["key", "list", "--database", path]).output
    #expect(!list.contains(key.suffix(32)))
    #expect(list.contains("ID  NAME   SCOPE") && list.contains("1   phone  write"))
    // The secret of another key is different.
    let other = try MartletProcess.run([
      "key", "create", "--name", "phone", "--scope", "read", "--database", path,
    ]).output
    #expect(other.hasPrefix("mk_2_") && !other.contains(key.suffix(32)))
  }

  @Test(
    "A mistake is reported and creates no key",
    arguments: [
      (["create", "--scope", "read"], "--name"), (["create", "--name", "x"], "--scope"),
      (["create", "--name", "x", "--scope", "root"], "read, write or admin, not \"root\""),
      (["create", "--name", "x", "--scope", "read", "--list", "99"], "list 99 does not exist"),
      (
        ["create", "--name", "x", "--scope", "read", "--list", "home"],
        "the ID of a list, not \"home\""
      ),
      (["create", "--name", "x", "--scope", "admin", "--list", "1"], "cannot be limited"),
      (["create", "--name", "x", "--scope", "read", "--expires", "soon"], "in ms, s, min, h, d"),
      (["create", "--name", "x", "--scope", "read", "--expires", "90"], "90d for days"),
      (["revoke", "7"], "key 7 does not exist"), (["revoke"], "key list shows the IDs"),
      (["revoke", "x"], "\"x\" is not an ID"), (["make"], "not \"make\""), ([], "key create"),
    ])
  func mistakes(_ arguments: [String], _ says: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("k.db")
    #expect(try MartletProcess.run(["migrate", "--database", path]).code == 0)
    let result = try MartletProcess.run(["key"] + arguments + ["--database", path])
    #expect(result.code != 0 && result.output.isEmpty)
    #expect(result.errors.contains(says), "\(result.errors)")
    #expect(try MartletProcess.sqlite3(path, "SELECT count(*) FROM apiKeys", in: folder) == "0\n")
  }

  @Test("key list does not migrate a database of an older version")
  func older() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("old.db")
    try FileManager.default.copyItem(
      atPath: "\(Repository.root)/Tests/Released/0.1.0.db", toPath: path)
    func migrations() throws -> String {
      try MartletProcess.sqlite3(path, "SELECT count(*) FROM martlet_migrations", in: folder)
    }
    let before = try migrations()
    let result = try MartletProcess.run(["key", "list", "--database", path])
    #expect(result.code == 1 && result.output.isEmpty)
    #expect(result.errors.contains("make a backup with martlet backup"), "\(result.errors)")
    #expect(try migrations() == before)
    // A command that writes migrates.
    let name = ["--name", "x", "--scope", "read"]
    #expect(try MartletProcess.run(["key", "create", "--database", path] + name).code == 0)
    #expect(try migrations() != before)
    #expect(try MartletProcess.run(["key", "list", "--database", path]).output.contains(" x "))
  }

  @Test("Creating a key does not create a missing database")
  func missing() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("nowhere.db")
    let result = try MartletProcess.run([
      "key", "create", "--name", "x", "--scope", "read", "--database", path,
    ])
    #expect(result.code == 1 && result.errors.contains("there is no database at \(path)"))
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test("Revoking a key ends only its own streams and live sessions")
  func revoke() throws {
    let service = try KeyedService()
    let client = try RawClient(port: service.server.port)
    let session = try client.request("POST", "/v1/live/sessions", service.key("readOwn"))
    let access = try #require(session.json["access"] as? String)
    let streams = StreamClient(port: service.server.port)
    try streams.open("/v1/stats", service.key("readOwn"))
    try streams.open("/v1/stats?access=\(access)")
    try streams.open("/v1/live?stats=/v1/stats&access=\(access)")
    try streams.open("/v1/stats", service.key("read"))
    #expect(streams.wait { $0.allSatisfy { $0.events.count == 1 } })
    let id = try #require(service.keys["readOwn"]?.split(separator: "_")[1])
    #expect(try service.run(["revoke", String(id)]).output == "key \(id) is revoked\n")
    #expect(streams.wait { $0[..<3].allSatisfy(\.hasEnded) })
    for stream in streams.streams[..<3] {
      #expect(stream.last?.event == "bye")
      #expect(stream.last?.json["reason"] as? String == "access-ended")
    }
    #expect(!streams.streams[3].hasEnded)
    #expect(try client.get("/v1/stats", service.key("readOwn")).status == 401)
    #expect(
      try client.get("/v1/stats?access=\(access)", [("Accept", "text/event-stream")]).status == 401)
    #expect(try client.get("/v1/stats", service.key("read")).status == 200)
    #expect(try service.run(["list"]).output.contains("revoked 20"))
    // Revoking it again changes nothing.
    #expect(try service.run(["revoke", String(id)]).code == 0)
  }

  @Test("The streams of a key end when it expires, without a commit")
  func expires() throws {
    let service = try KeyedService()
    let key = try service.create(["--name", "short", "--scope", "read", "--expires", "2s"])
    let streams = StreamClient(port: service.server.port)
    try streams.open("/v1/lists", bearer(key))
    #expect(streams.wait { $0[0].events.count == 1 })
    #expect(streams.wait { $0[0].hasEnded })
    #expect(streams.streams[0].last?.json["reason"] as? String == "access-ended")
    #expect(try RawClient(port: service.server.port).get("/v1/lists", bearer(key)).status == 401)
  }

  @Test("A key loses a deleted list for good, even if its ID is reused")
  func reusedID() throws {
    let service = try KeyedService()
    let client = try RawClient(port: service.server.port)
    let admin = service.key("admin")
    let key = try service.create(["--name", "last", "--scope", "write", "--list", "4"])
    #expect(try client.get("/v1/whoami", bearer(key)).json["lists"] as? [Int] == [4])
    #expect(try client.request("DELETE", "/v1/lists/4", admin).status == 204)
    _ = try MartletProcess.sqlite3(
      service.server.database, "INSERT INTO remindersLists (id, title) VALUES (4, 'next')",
      in: service.server.folder)
    let deadline = Date(timeIntervalSinceNow: 10)
    while try client.get("/v1/lists/4", admin).status != 200 { try #require(Date() < deadline) }
    #expect(try client.get("/v1/lists/4", bearer(key)).status == 404)
    #expect(try client.get("/v1/lists", bearer(key)).items.isEmpty)
    #expect((try client.get("/v1/whoami", bearer(key)).json["lists"] as? [Int])?.isEmpty == true)
    #expect(try service.run(["list"]).output.contains("write in no list"))
  }

  @Test("Each key has its own rate limit, reported in responses and not applied to loopback")
  func rates() throws {
    let service = try KeyedService([
      "--key-rate-limit", "60", "--key-rate-burst", "3", "--trusted-proxy", "127.0.0.1",
    ])
    let client = try RawClient(port: service.server.port)
    func get(_ key: String, from address: String) throws -> RawResponse {
      try client.get("/v1/stats", service.key(key) + [("X-Forwarded-For", address)])
    }
    let first = try get("read", from: "192.0.2.1")
    #expect(first.status == 200)
    let standings = first.fields.filter { $0.name == "RateLimit" }.map(\.value)
    #expect(standings.contains { $0.hasPrefix("\"key\";r=2;t=") })
    #expect(
      first.fields.contains { $0.name == "RateLimit-Policy" && $0.value == "\"key\";q=3;w=3" })
    // The address of the client does not matter.
    #expect(try get("read", from: "192.0.2.2").status == 200)
    #expect(try get("read", from: "192.0.2.3").status == 200)
    let refused = try get("read", from: "192.0.2.4")
    #expect(refused.status == 429 && refused.problem == "rate-limited")
    #expect(refused["Retry-After"] == "1")
    #expect(try get("write", from: "192.0.2.4").status == 200)
    for _ in 0..<5 {
      #expect(try client.get("/v1/stats", service.key("read")).status == 200)
    }
  }

  @Test("A stored response is only replayed to the key that made the request")
  func idempotency() throws {
    let service = try KeyedService()
    let client = try RawClient(port: service.server.port)
    func post(_ key: String) throws -> RawResponse {
      try client.request(
        "POST", "/v1/lists", service.key(key) + [("Idempotency-Key", "k")],
        body: #"{"title":"once"}"#)
    }
    let first = try post("admin")
    #expect(first.status == 201)
    #expect(try post("admin")["Idempotency-Replayed"] == "true")
    let other = try post("write")
    #expect(other["Idempotency-Replayed"] == nil && other["Location"] != first["Location"])
    // A key without permission gets no stored response, neither of another key nor its own.
    #expect(try post("writeOwn").status == 403)
    // Secrets are not stored.
    let session = service.key("read") + [("Idempotency-Key", "s")]
    let made = try client.request("POST", "/v1/live/sessions", session).text
    #expect(try client.request("POST", "/v1/live/sessions", session).text != made)
    let dump = try MartletProcess.sqlite3(
      service.server.database, ".dump idempotentAnswers", in: service.server.folder)
    #expect(!dump.contains("ls_"))
  }

  @Test("Wrong keys are rate limited; known valid keys are not")
  func failures() throws {
    let service = try KeyedService(["--max-key-failures", "20"])
    let client = try RawClient(port: service.server.port)
    #expect(try client.get("/v1/lists", service.key("read")).status == 200)
    let read = try #require(service.keys["read"])
    let wrong = bearer(read.dropLast(32) + String(repeating: "a", count: 32))
    let statuses = try (0..<60).map { _ in try client.get("/v1/lists", wrong).status }
    #expect(statuses.first == 401 && statuses.last == 429)
    let refused = try client.get("/v1/lists", wrong)
    #expect(refused.problem == "rate-limited" && refused["Retry-After"] != nil)
    #expect(try client.get("/v1/lists", service.key("read")).status == 200)
    #expect(service.server.log.contains(#""authentication failed","client":"127.0.0.1""#))
    #expect(!service.server.log.contains(read.suffix(32)))
  }
}
