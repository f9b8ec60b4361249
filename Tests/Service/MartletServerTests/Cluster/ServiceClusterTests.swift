import Foundation
import MartletCluster
import TestSupport
import Testing

@testable import MartletServer

@Suite(
  "A service on three nodes", .serialized, .timeLimit(.minutes(10)),
  .enabled(if: hasLibrary, "libdqlite0 is not installed"))
struct ServiceClusterTests {
  @Test("Each node answers everything, also after the primary was killed")
  func everything() throws {
    let cluster = try ThreeServers()
    defer { cluster.stop() }
    for node in [1, 2, 0] {
      let made = try cluster.client(node).post(
        "/v1/reminders", #"{"listID":1,"title":"t\#(node)"}"#)
      #expect(made.status == 201, "\(made.text)")
      // What one node has answered is on every other one.
      for other in 0..<3 {
        let found = try cluster.client(other).get(try #require(made["Location"]))
        #expect(found.status == 200 && found["ETag"] == made["ETag"])
      }
    }
    // Preconditions and problems are those of the primary.
    let stale = try cluster.client(1).request(
      "PATCH", "/v1/reminders/1", [("If-Match", #""x""#)], body: #"{"title":"x"}"#)
    #expect(stale.status == 412)
    #expect(try cluster.client(2).post("/v1/reminders", #"{"listID":1}"#).status == 422)
    #expect(try cluster.client(2).request("DELETE", "/v1/reminders/99").status == 404)
    let batch = try cluster.client(2).post(
      "/v1/batch",
      #"{"operations":[{"method":"POST","path":"/v1/reminders","body":{"listID":1,"title":"b"}}]}"#)
    #expect(batch.status == 200, "\(batch.text)")

    let streams = StreamClient(port: cluster[2].port)
    try streams.open("/v1/lists/1")
    #expect(try #require(streams.event(after: 0)).data.contains(#""all":4"#))
    try cluster.kill(0)
    let after = try cluster.client(1).post("/v1/reminders", #"{"listID":1,"title":"after"}"#)
    #expect(after.status == 201, "\(after.text)")
    #expect(try #require(streams.event(after: 1)).data.contains(#""all":5"#))
    try cluster.start(0)
    #expect(try cluster.client(0).get("/v1/lists/1").text.contains(#""all":5"#))
    try cluster.kill(1)
    try cluster.kill(2)
    for (method, body) in [("GET", ""), ("POST", #"{"title":"x"}"#)] {
      let refused = try cluster.client(0).request(method, "/v1/lists", body: body)
      #expect(
        refused.status == 503 && refused.text.contains("/problems/no-quorum"), "\(refused.text)")
    }
    #expect(try cluster.client(0).get("/livez").status == 200)
    try cluster.wait("it is not ready") { try cluster.client(0).get("/readyz").status == 503 }
    try cluster.start(1)
    try cluster.wait("it is ready") { try cluster.client(0).get("/readyz").status == 200 }
    #expect(try cluster.client(0).post("/v1/lists", #"{"title":"x"}"#).status == 201)
  }

  @Test("Commands go to the cluster, and those that would change one file are refused")
  func commands() throws {
    let cluster = try ThreeServers()
    defer { cluster.stop() }
    let first = try cluster.primary()
    #expect(first == 0)
    #expect(try MartletProcess.run(["cluster", "transfer"] + cluster.control).code == 0)
    try cluster.wait("another one leads") { try cluster.primary() != 0 }
    let key = try MartletProcess.run(
      ["key", "create", "--name", "a", "--scope", "admin", "--database", cluster.database(0)]
        + cluster.control)
    #expect(key.code == 0, "\(key.errors)")
    let bearer = [("Authorization", "Bearer \(key.output.trimmingCharacters(in: .newlines))")]
    // At once, on each node.
    for node in 0..<3 {
      #expect(try cluster.client(node).request("GET", "/v1/lists", bearer).status == 200)
      #expect(try cluster.client(node).get("/v1/lists").status == 401)
    }
    let backup = cluster.folder.file("backup.db")
    #expect(
      try MartletProcess.run(["backup", backup, "--database", cluster.database(1)]).code == 0)
    let made = try cluster.client(1).request(
      "POST", "/v1/reminders", bearer, body: #"{"listID":1,"title":"late"}"#)
    #expect(made.status == 201)
    let primary = try cluster.primary()
    let restored = try MartletProcess.run([
      "restore", backup, "--force", "--database", cluster.database(primary), "--cluster-http",
      cluster.http(primary), "--cluster-secret-file", cluster.secret,
    ])
    #expect(restored.code == 0, "\(restored.errors)")
    try cluster.wait("all have the backup") {
      try (0..<3).allSatisfy {
        try cluster.client($0).request("GET", "/v1/reminders/1", bearer).status == 404
      }
    }
    let revoked = try MartletProcess.run(
      ["key", "revoke", "1", "--database", cluster.database(2)] + cluster.control)
    #expect(revoked.code == 0 && revoked.output == "key 1 is revoked\n", "\(revoked.errors)")
    // The other nodes hear of it in a moment.
    try cluster.wait("the key is refused") {
      try cluster.client(2).request("GET", "/v1/lists", bearer).status == 401
    }
    for arguments in [
      ["migrate", "--database", cluster.database(0)],
      ["serve", "--port", "0", "--database", cluster.database(0)],
    ] {
      let refused = try MartletProcess.run(arguments)
      #expect(
        refused.code == 1 && refused.errors.contains("belongs to a cluster"), "\(refused.errors)")
    }
    let used = try MartletProcess.run(["cluster", "leave", "--database", cluster.database(0)])
    #expect(used.code == 1 && used.errors.contains("in use"), "\(used.errors)")
    try cluster.kill(0)
    #expect(
      try MartletProcess.run(["cluster", "leave", "--database", cluster.database(0)]).code == 0)
    let single = try MartletProcess(in: cluster.folder, name: "n0.db")
    #expect(try RawClient(port: single.port).get("/livez").status == 200)
    try single.stop()
  }

  @Test("Without a majority, reads are answered with their age if the operator wants it")
  func staleReads() throws {
    let cluster = try ThreeServers(first: ["--stale-reads"])
    defer { cluster.stop() }
    #expect(
      try cluster.client(1).post("/v1/reminders", #"{"listID":1,"title":"old"}"#).status == 201)
    let fresh = try cluster.client(0).get("/v1/reminders/1")
    #expect(fresh.status == 200 && fresh["Martlet-Age"] == nil)
    try cluster.kill(1)
    try cluster.kill(2)
    var stale = fresh
    try cluster.wait("the answer is old") {
      stale = try cluster.client(0).get("/v1/reminders/1")
      return stale["Martlet-Age"] != nil
    }
    #expect(stale.status == 200 && stale.body == fresh.body && stale["ETag"] == fresh["ETag"])
    #expect(try #require(stale["Martlet-Age"].flatMap { Int($0) }) >= 1)
    #expect(
      try cluster.client(0).request(
        "GET", "/v1/reminders/1", [("If-None-Match", try #require(fresh["ETag"]))]
      ).status == 304)
    #expect(try cluster.client(0).post("/v1/lists", #"{"title":"x"}"#).status == 503)
    let stream = try cluster.client(0).request(
      "GET", "/v1/reminders/1", [("Accept", "text/event-stream")])
    #expect(stream.text.contains("event: bye"), "\(stream.text)")
    #expect(try cluster.client(0).get("/readyz").status == 503)
    try cluster.start(1)
    try cluster.wait("it is fresh again") {
      try cluster.client(0).get("/v1/reminders/1")["Martlet-Age"] == nil
    }
    // A node that has heard of no other one since its start does not know how old its file is.
    try cluster.kill(1)
    try cluster.kill(0)
    try cluster.start(0, ["--stale-reads"])
    #expect(try cluster.client(0).get("/v1/reminders/1").status == 503)
  }

  @Test("A new version installs its schema on all nodes when one of them leads")
  func upgrade() throws {
    let cluster = try ThreeServers()
    defer { cluster.stop() }
    #expect(try cluster.client(1).post("/v1/lists", #"{"title":"kept"}"#).status == 201)
    try cluster.wait("all have it") {
      try (0..<3).allSatisfy { try cluster.client($0).get("/v1/lists/2").status == 200 }
    }
    for node in 0..<3 { try cluster.kill(node) }
    // As an older version has left the files.
    for node in 0..<3 {
      let triggers = try MartletProcess.sqlite3(
        cluster.database(node),
        "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND sql LIKE '%calendar%'",
        in: cluster.folder)
      let drops = triggers.split(separator: "\n").map { "DROP TRIGGER IF EXISTS \"\($0)\";" }
      _ = try MartletProcess.sqlite3(
        cluster.database(node),
        drops.joined() + OldSchema.of16, in: cluster.folder)
    }
    for node in 0..<3 { try cluster.start(node) }
    try cluster.wait("all are ready") {
      (0..<3).allSatisfy { (try? cluster.client($0).get("/readyz").status) == 200 }
    }
    for node in 0..<3 {
      #expect(try cluster.client(node).get("/v1/lists/2").status == 200)
      let keys = try cluster.client(node).get("/v1/keys")
      #expect(keys.status == 200, "\(keys.text)")
    }
    // The same processes have started again.
    for node in 0..<3 { #expect(cluster[node].log.contains("the server starts again")) }
  }

  @Test("The internal port answers only with the secret")
  func secret() throws {
    let cluster = try ThreeServers()
    defer { cluster.stop() }
    let port = try #require(UInt16(cluster.http(1).split(separator: ":")[1]))
    let secret = try String(contentsOfFile: cluster.secret, encoding: .utf8)
      .trimmingCharacters(in: .newlines)
    for (method, path) in [
      ("GET", "/cluster/nodes"), ("GET", "/cluster/database"), ("POST", "/cluster/transfer"),
      ("POST", "/v1/lists"), ("GET", "/livez"), ("GET", "/missing"), ("POST", "/cluster/keys"),
    ] {
      let client = try RawClient(port: port)
      #expect(try client.request(method, path, body: method == "POST" ? "{}" : "").status == 401)
      let wrong = [("Martlet-Cluster-Secret", String(repeating: "x", count: 64))]
      #expect(try RawClient(port: port).request(method, path, wrong).status == 401, "\(path)")
    }
    let right = [("Martlet-Cluster-Secret", secret)]
    #expect(try RawClient(port: port).request("GET", "/cluster/nodes", right).status == 200)
    // The public port has none of it.
    #expect(try cluster.client(1).request("GET", "/cluster/nodes", right).status == 404)
  }
}
