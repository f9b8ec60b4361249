import Foundation
import MartletHTTP
import MartletLiveAPI
import MartletRemindersAPI
import TestSupport
import Testing

@testable import MartletServer

@Suite("openapi.yaml") struct ContractTests {
  @Test("It describes exactly the routes of the server")
  func routes() throws {
    let operating = OperatingRoutes.all { "" } + Service.routes
    let lines = (RemindersAPI.routes + operating).map { "\($0.method) \($0.pattern)\n" }
    let folder = try TemporaryFolder()
    try lines.joined().write(toFile: folder.file("routes"), atomically: true, encoding: .utf8)
    #expect(try ContractDocument.check(["--routes", folder.file("routes")]) == "")
  }

  @Test("It lists exactly the problem types of the API")
  func problems() throws {
    let known = ProblemType.ofReminders.map { ($0.path, "\($0.status.rawValue) \($0.title)") }
    #expect(
      try ContractDocument().problems == Dictionary(uniqueKeysWithValues: known))
  }

  @Test("The served document is that of the repository")
  func served() throws {
    let server = try MartletProcess()
    let text = try RawClient(port: server.port).get("/openapi.yaml").text
    #expect(try text == Repository.text("openapi.yaml"))
  }

  /// Statuses that no request can provoke, such as a full disk or overload.
  private static let unprovokable: Set<String> = ["507", "503"]
  private static let unprovokableProblems: Set<String> = [
    "/problems/storage-full", "/problems/overloaded", "/problems/query-timeout",
    "/problems/internal", "/problems/outcome-unknown", "/problems/change-too-large",
    "/problems/result-too-large",
    // Needs a cluster, and is covered by ServiceClusterTests.
    "/problems/no-quorum",
    // Takes until a timeout, and is covered by the tests of MartletHTTP.
    "/problems/request-timeout",
    // Loopback is not rate limited.
    "/problems/rate-limited",
    // Need another program, and are covered by TrashTests and SpoiledRowsTests.
    "/problems/id-exists", "/problems/entry-unreadable",
    // Needs a machine without libcurl, and is covered by CourierUnavailableTests.
    "/problems/courier-unavailable",
  ]

  @Test("Responses of every operation and status conform to it (item 63)")
  func answers() throws {
    let server = try MartletProcess(["--outgoing-to", "127.0.0.1"])
    let walk = try Walk(port: server.port)
    try ContractWalk(walk).all()
    let delivery = try MartletProcess.sqlite3(
      server.database,
      """
      DELETE FROM channels;
      INSERT INTO channels (kind, name, url, events, settings, createdAt)
      VALUES (1, 'n', 'http://127.0.0.1:9', '["alarm.ringing"]',
        '{"topic":"t","answers":true}', '2026-01-01 00:00:00.000');
      INSERT INTO deliveries
        (channelID, eventID, type, body, state, createdAt, expiresAt, endedAt, token)
      SELECT id, 'a-alarm-1', 'alarm.ringing', '{}', 1, createdAt, '2999-01-01 00:00:00.000',
        createdAt, 'abc'
      FROM channels;
      INSERT INTO channels (kind, name, url, events, settings, isEnabled, createdAt, lostAt)
      VALUES (3, 'n', 'https://push.example', '[]', '{"host":"push.example"}', 0,
        '2026-01-01 00:00:00.000', '2999-01-01 00:00:00.000');
      SELECT max(id) FROM deliveries;
      """, in: server.folder)
    try ContractWalk(walk).answers(
      by: "ma_\(delivery.trimmingCharacters(in: .whitespacesAndNewlines))_abc")
    try ContractWalk(walk).lostSubscription()
    let keyed = try KeyedService()
    let keyedWalk = try Walk(port: keyed.server.port)
    try keyedWalk.call(401, "GET", "/v1/lists", problem: "unauthorized")
    try keyedWalk.call(200, "GET", "/v1/whoami", keyed.key("readOwn"))
    try keyedWalk.call(
      403, "POST", "/v1/lists", keyed.key("read"), body: "{}", problem: "forbidden")
    let adminWalk = try Walk(port: keyed.server.port, fields: keyed.key("admin"))
    try ContractWalk(adminWalk).keys {
      _ = try MartletProcess.sqlite3(
        keyed.server.database,
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
        INSERT INTO apiKeys (name, scope, hash, createdAt) SELECT 'n', 'read', 'x', 0 FROM n
        """, in: keyed.server.folder)
    }
    let folder = try TemporaryFolder()
    let file = folder.file("answers.ndjson")
    try (walk.ndjson() + keyedWalk.ndjson() + adminWalk.ndjson()).write(
      toFile: file, atomically: true, encoding: .utf8)
    let complaints = try ContractDocument.check(["--answers", file])
    #expect(complaints == "")

    let document = try ContractDocument()
    let expected = document.answers.filter { !Self.unprovokable.contains(String($0.suffix(3))) }
    let seen = walk.seen.union(adminWalk.seen)
    #expect(expected.subtracting(seen).sorted() == [], "documented, and not seen")
    let types = Set(document.problems.keys).subtracting(Self.unprovokableProblems)
    let unseen = types.subtracting(walk.problems).subtracting(keyedWalk.problems)
      .subtracting(adminWalk.problems)
    #expect(unseen.isEmpty, "documented, and not seen")
    #expect(walk.answers.count > 200)
  }
}
