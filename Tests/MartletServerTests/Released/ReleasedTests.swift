import Foundation
import TestSupport
import Testing

/// The migrations of a release, and a database file that its server has written.
@Suite("Compatibility with releases") struct ReleasedTests {
  private static let folder = Repository.root + "/Tests/Released"
  private static let versions: [String] = {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.filter { $0.hasSuffix(".db") }.map { String($0.dropLast(3)) }.sorted()
  }()

  @Test("Released migrations are unchanged")
  func migrations() throws {
    let folder = try TemporaryFolder()
    let result = try ChildProcess(
      "/bin/sh",
      [
        "-c",
        "cd '\(Repository.root)/Migrations' && sha256sum --check --strict --quiet released.txt",
      ],
      folder: folder
    ).wait()
    #expect(result.code == 0, "\(result.output)\(result.errors)")
    let lines = try Repository.text("Migrations/released.txt").split(separator: "\n")
    #expect(lines.count >= 7)
  }

  @Test("The database of each release is served with its data", arguments: versions)
  func files(_ version: String) throws {
    #expect(!Self.versions.isEmpty)
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(
      atPath: "\(Self.folder)/\(version).db", toPath: folder.file("martlet.db"))
    let text = try Data(contentsOf: URL(fileURLWithPath: "\(Self.folder)/\(version).json"))
    let shown = try #require(try JSONSerialization.jsonObject(with: text) as? [String: Any])
    let key = [("Authorization", "Bearer \(try #require(shown["key"] as? String))")]
    let answers = try #require(shown["answers"] as? [String: String])
    #expect(answers.count >= 4)

    let server = try MartletProcess(in: folder)
    let client = try RawClient(port: server.port)
    #expect(try client.get("/v1/lists").status == 401)
    for (target, body) in answers {
      let now = try client.get(target, key)
      let before = try JSONSerialization.jsonObject(with: Data(body.utf8))
      #expect(now.status == 200)
      #expect(Self.holds(now.json, before), "\(target): \(now.text)\nwas \(body)")
    }
    let calendar = try client.get("/v1/export?format=ics", key).text
    for line in ["X-APPLE-SORT-ORDER:7", "RRULE:FREQ=WEEKLY", "TRIGGER:-PT15M"] {
      #expect(calendar.contains(line), "\(calendar)")
    }
    // IDs that were used are not reused.
    let last = try client.get("/v1/lists?limit=500", key).items.compactMap { $0["id"] as? Int }
      .max()
    let next = try client.request("POST", "/v1/lists", key, body: #"{"title":"next"}"#).json
    #expect((next["id"] as? Int ?? 0) > (last ?? 0))
    let doctor = try MartletProcess.run([
      "doctor", "--database", folder.file("martlet.db"), "--port", "0",
    ])
    #expect(!doctor.output.contains("wrong"), "\(doctor.output)")
  }

  @Test("A database of a release with 100,000 reminders is migrated", arguments: versions)
  func large(_ version: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("martlet.db")
    try FileManager.default.copyItem(atPath: "\(Self.folder)/\(version).db", toPath: path)
    func shell(_ sql: String) throws -> [String] {
      let result = try ChildProcess("/usr/bin/sqlite3", ["-batch", path, sql], folder: folder)
        .wait()
      #expect(result.errors.isEmpty, "\(result.errors)")
      return result.output.split(separator: "\n").map(String.init)
    }
    let count = try shell(
      """
      PRAGMA synchronous = OFF;
      INSERT INTO reminders (remindersListID, title, notes, status, dueDate)
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
      SELECT (SELECT min(id) FROM remindersLists), 'Reminder ' || i, 'note ' || i, i % 10 = 0,
        date('2026-01-01', i % 900 || ' days') FROM n;
      SELECT count(*) || '|' || sum(status = 1) FROM reminders;
      """
    ).last
    let migrated = try MartletProcess.run(["migrate", "--database", path], in: folder)
    #expect(migrated.code == 0, "\(migrated.errors)")
    let found = try shell(
      """
      SELECT count(DISTINCT uid) || '|' || count(completedAt) FROM reminders;
      SELECT count(*) FROM reminders WHERE (completedAt IS NOT NULL) <> (status = 1);
      PRAGMA integrity_check;
      """)
    #expect(found == [count, "0", "ok"])
  }

  /// Whether a response has all members of an older one. It may have further members.
  private static func holds(_ new: Any?, _ old: Any) -> Bool {
    switch (new, old) {
    case (let new as [String: Any], let old as [String: Any]):
      old.allSatisfy { holds(new[$0.key], $0.value) }
    case (let new as [Any], let old as [Any]):
      new.count == old.count && zip(new, old).allSatisfy { holds($0, $1) }
    case (let new as NSObject, let old as NSObject): new == old
    default: false
    }
  }
}
