import Foundation
import TestSupport
import Testing

@testable import MartletServer

/// The migrations of a release, and a database file that its server has written.
@Suite("Compatibility with releases") struct ReleasedTests {
  private static let folder = Repository.root + "/Tests/Released"
  private static let versions: [String] = {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.filter { $0.hasSuffix(".db") }.map { String($0.dropLast(3)) }.sorted()
  }()

  /// A database of Checks/release-fixture has nothing that depends on the day.
  private static let excuses = [
    // Its reminders are due in November and December of 2026.
    "0.1.0": ReleasedExcuse(
      parameters: ["due=today", "due=overdue"],
      members: ["/v1/stats": ["today", "overdue"], "/v1/live": ["today", "overdue"]],
      metrics: ["martlet_hot_reads_total", "martlet_log_bytes", "martlet_waiting_writes"])
  ]

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
    let released = try ReleasedAnswers("\(Self.folder)/\(version).json")
    #expect(released.count > 100)
    let server = try MartletProcess(released.flags, in: folder)
    let client = try RawClient(port: server.port)
    #expect(try client.get("/v1/lists").status == 401)
    let excuse = Self.excuses[version] ?? ReleasedExcuse()
    let changes = try Repository.text("CHANGELOG.md")
    for metric in excuse.metrics { #expect(changes.contains("`\(metric)`")) }
    let differences = try released.differences(server, excuse)
    #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
    let key = [("Authorization", "Bearer \(try #require(released.keys["admin"]))")]
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

  @Test("A database that Checks/release-fixture makes today is served as it was")
  func fixture() throws {
    let folder = try TemporaryFolder()
    let made = try ChildProcess(
      Repository.root + "/Checks/release-fixture",
      [MartletProcess.executable, "--folder", folder.file("made")], folder: folder
    ).wait(within: Deadline.hang)
    #expect(made.code == 0, "\(made.output)\(made.errors)")
    let file = try #require(
      try FileManager.default.contentsOfDirectory(atPath: folder.file("made"))
        .first { $0.hasSuffix(".db") })
    try FileManager.default.copyItem(
      atPath: folder.file("made/\(file)"), toPath: folder.file("martlet.db"))
    let answers = try ReleasedAnswers(folder.file("made/\(file.dropLast(3)).json"))
    let document = try ContractDocument()
    let gets = document.guarded.union(document.open).filter { $0.hasPrefix("GET ") }
    #expect(gets.count > 30)
    #expect(answers.operations.isSuperset(of: gets.map { String($0.dropFirst(4)) }))

    let server = try MartletProcess(answers.flags, in: folder)
    #expect(try answers.differences(server) == [])
    // A changed row is seen, wherever it is answered.
    _ = try MartletProcess.sqlite3(
      server.database, "UPDATE reminders SET title = 'Summer tyres' WHERE id = 1", in: folder)
    try server.stop()
    let changed = try MartletProcess(answers.flags, in: folder)
    let places = try answers.differences(changed).map { String($0.prefix { $0 != ":" }) }
    for place in [
      "/v1/reminders/1", "/v1/lists/2/reminders", "/v1/search?q=tyres", "/v1/changes",
      "/v1/export?format=csv", "/v1/export?format=ics", "/v1/export", "/v1/smart-lists/1/reminders",
    ] {
      #expect(places.contains("admin \(place)"), "\(places)")
    }
    #expect(!places.contains("admin /v1/tags"))
  }

  @Test(
    "A large database of a release is migrated, of the last one with 100,000 reminders",
    arguments: versions)
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
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(version == Self.versions.last ? 100_000 : 20_000))
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
}

@Suite struct VersionTests {
  @Test("The newest release in CHANGELOG.md is the version of the program, and has a database file")
  func one() throws {
    let headings = try Repository.text("CHANGELOG.md")
      .matches(of: #/(?m)^## (\d+\.\d+\.\d+) \(\d{4}-\d\d-\d\d\)$/#)
    #expect(headings.first.map { String($0.1) } == Program.version)
    let file = "\(Repository.root)/Tests/Released/\(Program.version).db"
    #expect(FileManager.default.fileExists(atPath: file), "\(file)")
  }

  @Test(
    "Pages name the release to depend on",
    arguments: ["docs/libraries.md", "Examples/template/Package.swift"])
  func dependency(page: String) throws {
    let text = try Repository.text(page)
    #expect(text.contains(".upToNextMinor(from: \"\(Program.version)\")"))
  }
}
