import Foundation
import TestSupport
import Testing

/// Migrations that this program does not know stand for a newer version.
@Suite("A database of a newer version, and the way back") struct NewerDatabaseTests {
  private let folder: TemporaryFolder
  private let file: String
  private let backup: String

  init() throws {
    folder = try TemporaryFolder()
    file = folder.file("martlet.db")
    backup = folder.file("before-upgrade.db")
    #expect(try run("migrate").code == 0)
  }

  @discardableResult
  private func run(_ command: String...) throws -> ChildProcess.Result { try run(command) }

  private func run(_ command: [String]) throws -> ChildProcess.Result {
    try MartletProcess.run(command + ["--database", file], in: folder)
  }

  private func upgrade(_ file: String) throws {
    _ = try MartletProcess.sqlite3(
      file,
      """
      INSERT INTO martlet_migrations VALUES (9000, 'fromTheFuture', 'x', 'then');
      INSERT INTO martlet_migrations VALUES (9001, 'further', 'y', 'then');
      """, in: folder)
  }

  private func dump(_ file: String) throws -> String {
    try MartletProcess.sqlite3(file, ".dump", in: folder)
  }

  private func refusal(_ file: String) throws -> String {
    let said = try MartletProcess.run(["version"]).output
    let version = try #require(said.firstMatch(of: #/martlet \S+?(?=[, ])/#)).output
    let files = try FileManager.default.contentsOfDirectory(
      atPath: Repository.root + "/Migrations"
    ).filter { $0.hasSuffix(".sql") }.sorted()
    let last = try #require(files.last?.dropLast(4).split(separator: "_", maxSplits: 1))
    let known = "\(try #require(Int(last[0]))) '\(last[1])'"
    return
      "\(file) was migrated by a newer version of martlet: it has the migrations 9000 'fromTheFuture' and 9001 'further', and \(version) knows only up to \(known). "
  }

  @Test(
    "Every command refuses it, says what to do, and changes nothing",
    arguments: [
      ["serve", "--port", "0"], ["migrate"], ["doctor", "--port", "0"], ["import", "one.ndjson"],
      ["export"], ["backup", "copy.db"], ["key", "list"],
      ["key", "create", "--name", "a", "--scope", "read"], ["key", "revoke", "1"], ["seed"],
      ["config", "--port", "0"],
    ])
  func refused(_ command: [String]) throws {
    try (#"{"type":"tag","title":"a"}"# + "\n").write(
      toFile: folder.file("one.ndjson"), atomically: true, encoding: .utf8)
    try upgrade(file)
    let before = try dump(file)
    let result = try run(command)
    #expect(result.code == 1)
    let text = result.output + result.errors
    let advice =
      "Install that version or a later one, or restore a backup that was made before the upgrade with martlet restore FILE --database \(file) --force"
    #expect(text.contains(try refusal(file) + advice), "\(text)")
    if !["doctor", "config"].contains(command[0]) {
      #expect(result.output == "", "\(result.output)")
    }
    #expect(try dump(file) == before)
    #expect(!FileManager.default.fileExists(atPath: folder.file("copy.db")))
  }

  @Test("A backup of it is not restored, and the database stays as it is")
  func backupOfNewer() throws {
    #expect(try run("backup", backup).code == 0)
    try upgrade(backup)
    let before = try dump(file)
    let result = try run("restore", backup, "--force")
    #expect(result.code == 1)
    let advice =
      "Restore it with that version or a later one, or restore an older backup. \(file) is unchanged"
    #expect(result.errors.contains(try refusal(backup) + advice), "\(result.errors)")
    #expect(try dump(file) == before)
  }

  @Test("The way back of docs/operating.md: the old version restores the earlier backup")
  func wayBack() throws {
    let page = try Repository.text("docs/operating.md")
    for line in [
      "martlet backup before-upgrade.db --database martlet.db",
      "martlet restore before-upgrade.db --database martlet.db --force",
      "was migrated by a newer version of martlet",
    ] {
      #expect(page.contains(line), "\(line)")
    }
    var server = try MartletProcess(in: folder)
    try create("before", server)
    #expect(try run("backup", backup).code == 0)
    // What the newer version writes, and what its clients have.
    try create("after", server)
    var client = try RawClient(port: server.port)
    let token = try #require(try client.get("/v1/changes").json["next"] as? String)
    let tag = try #require(try client.get("/v1/reminders")["ETag"])
    let calendar = try #require(
      try report(client).text.firstMatch(of: #/<D:sync-token>([^<]+)</#)
    ).1
    #expect(try report(client, String(calendar)).status == 207)
    try server.stop()
    try upgrade(file)

    #expect(try run("serve", "--port", "0").code == 1)
    let restored = try run("restore", backup, "--force")
    #expect(restored.code == 0, "\(restored.errors)")
    #expect(try run("migrate").output == "nothing to do\n")

    server = try MartletProcess(in: folder)
    client = try RawClient(port: server.port)
    let titles = try client.get("/v1/reminders").items.compactMap { $0["title"] as? String }
    #expect(titles == ["before"])
    // The versions of the changes that were lost are given to these.
    for _ in 0..<3 { try create("again", server) }
    let refused = try client.get("/v1/changes?since=\(token)")
    #expect(refused.status == 410 && refused.problem == "feed-expired", "\(refused.text)")
    let stale = try report(client, String(calendar))
    #expect(stale.status == 403 && stale.text.contains("valid-sync-token"), "\(stale.text)")
    // A stream goes on with what there is now.
    let streams = StreamClient(port: server.port)
    try streams.open("/v1/reminders", [("Last-Event-ID", String(tag.filter { $0 != "\"" }))])
    let event = try #require(streams.event(after: 0))
    #expect(event.event == "result" && event.data.contains("before"))
    #expect(!event.data.contains("after"))
  }

  private func create(_ title: String, _ server: MartletProcess) throws {
    let made = try RawClient(port: server.port).request(
      "POST", "/v1/reminders", body: #"{"listID":1,"title":"\#(title)"}"#)
    #expect(made.status == 201)
  }

  private func report(_ client: RawClient, _ token: String = "") throws -> RawResponse {
    try client.request(
      "REPORT", "/dav/lists/1/", [("Content-Type", "application/xml")],
      body: """
        <d:sync-collection xmlns:d="DAV:"><d:sync-token>\(token)</d:sync-token>\
        <d:sync-level>1</d:sync-level><d:prop><d:getetag/></d:prop></d:sync-collection>
        """)
  }
}

/// SQL that takes the schema of a file back.
enum OldSchema {
  /// To that of migration 16. The triggers that name the tables must be dropped before.
  static let of16 = """
    DROP TABLE calendarCollections; DROP TABLE calendarObjects;
    DROP INDEX reminders_calendar; ALTER TABLE reminders DROP COLUMN calendarVersion;
    DROP INDEX changes_goneFromList; ALTER TABLE changes DROP COLUMN name;
    DROP TABLE settings; DROP TABLE pushKey;
    ALTER TABLE channels DROP COLUMN keyID; ALTER TABLE channels DROP COLUMN sentAt;
    ALTER TABLE channels DROP COLUMN seenAt; ALTER TABLE channels DROP COLUMN lostAt;
    ALTER TABLE channels DROP COLUMN brokenAt; ALTER TABLE channels DROP COLUMN after;
    ALTER TABLE channels DROP COLUMN quiet;
    DROP INDEX deliveries_merged; DROP INDEX firings_open; ALTER TABLE firings DROP COLUMN endedAt;
    ALTER TABLE deliveries DROP COLUMN token; ALTER TABLE deliveries DROP COLUMN answer;
    CREATE TABLE calendarLines (reminderID INTEGER PRIMARY KEY, lines TEXT NOT NULL) STRICT;
    CREATE TABLE replacedTags (reminderID INTEGER NOT NULL) STRICT;
    CREATE TABLE replacedReminders (reminderID INTEGER PRIMARY KEY, parentID INTEGER) STRICT;
    DELETE FROM martlet_migrations WHERE number > 16;
    """
}
