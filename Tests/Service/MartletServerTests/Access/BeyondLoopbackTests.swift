import Foundation
import TestSupport
import Testing

@Suite("Listening beyond loopback") struct BeyondLoopbackTests {
  private let beyond = ["--host", "0.0.0.0"]

  @Test("Without keys the server does not start and creates no file")
  func refused() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("new.db")
    let arguments = ["serve", "--port", "0", "--database", path] + beyond
    let first = try MartletProcess.run(arguments, in: folder)
    #expect(first.code == 2 && first.output.isEmpty)
    for word in ["--host 0.0.0.0", "martlet key create", "--first-key", "--allow-no-keys"] {
      #expect(first.errors.contains(word), "\(first.errors)")
    }
    #expect(!FileManager.default.fileExists(atPath: path))
    // Neither with an existing database without keys.
    #expect(try MartletProcess.run(["migrate", "--database", path]).code == 0)
    #expect(try MartletProcess.run(arguments, in: folder).code == 2)
  }

  @Test("Once a key exists, a key is required, with any Host, even after it was deleted (item 18)")
  func withKey() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("martlet.db")
    #expect(try MartletProcess.run(["migrate", "--database", path]).code == 0)
    let key = try MartletProcess.run([
      "key", "create", "--name", "me", "--scope", "read", "--database", path,
    ]).output.trimmingCharacters(in: .newlines)
    let server = try MartletProcess(beyond, in: folder)
    let client = try RawClient(port: server.port)
    let fields = [("Authorization", "Bearer \(key)"), ("Host", "todo.example.org")]
    #expect(try client.get("/v1/lists", fields).status == 200)
    #expect(try client.get("/v1/lists").status == 401)
    // A database whose keys were deleted does not become open.
    _ = try MartletProcess.sqlite3(path, "DELETE FROM apiKeys", in: folder)
    let deadline = Date(timeIntervalSinceNow: 10)
    while try client.get("/v1/lists", fields).status != 401 { try #require(Date() < deadline) }
    #expect(try client.get("/v1/lists").status == 401)
  }

  @Test("The first key is created and printed once")
  func firstKey() throws {
    let folder = try TemporaryFolder()
    let server = try MartletProcess(beyond + ["--first-key"], in: folder)
    let match = try #require(server.log.firstMatch(of: #/shown only once: (mk_1_[a-z2-7]{32})/#))
    let fields = [("Authorization", "Bearer \(match.1)")]
    #expect(
      try RawClient(port: server.port).get("/v1/whoami", fields).json["scope"] as? String == "admin"
    )
    try server.stop()
    let second = try MartletProcess(
      beyond, in: folder, environment: ["MARTLET_FIRST_KEY": "true"])
    #expect(!second.log.contains("mk_"))
    #expect(try RawClient(port: second.port).get("/v1/lists", fields).status == 200)
    #expect(try RawClient(port: second.port).get("/v1/lists").status == 401)
  }

  @Test("--allow-no-keys only opens a database that never had a key")
  func allowed() throws {
    let folder = try TemporaryFolder()
    let server = try MartletProcess(beyond + ["--allow-no-keys"], in: folder)
    let client = try RawClient(port: server.port)
    #expect(try client.get("/v1/lists").status == 200)
    #expect(
      try client.get("/v1/whoami").text.contains(#""keyID":null,"name":null,"scope":"admin""#))
    let made = try client.request("POST", "/v1/live/sessions")
    let access = try #require(made.json["access"] as? String)
    let streams = StreamClient(port: server.port)
    try streams.open("/v1/stats?access=\(access)")
    #expect(streams.wait { $0[0].events.count == 1 })
    #expect(
      try MartletProcess.run([
        "key", "create", "--name", "me", "--scope", "read", "--database", server.database,
      ]).code == 0)
    let deadline = Date(timeIntervalSinceNow: 10)
    while try client.get("/v1/lists").status != 401 { try #require(Date() < deadline) }
    // Streams that were opened without a key end.
    #expect(streams.wait { $0[0].hasEnded })
  }
}
