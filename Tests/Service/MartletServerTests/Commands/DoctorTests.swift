import Foundation
import TestSupport
import Testing

@Suite("martlet doctor") struct DoctorTests {
  private func doctor(
    _ folder: TemporaryFolder, _ arguments: [String] = []
  ) throws -> ChildProcess.Result {
    try MartletProcess.run(
      ["doctor", "--database", "a.db", "--port", "0"] + arguments, in: folder)
  }

  @Test("An intact database, with and without a running server")
  func well() throws {
    let folder = try TemporaryFolder()
    let none = try doctor(folder)
    #expect(none.code == 0 && none.output.contains("no database at a.db yet"))
    _ = try MartletProcess.run(["seed", "--database", "a.db"], in: folder)
    let server = try MartletProcess(in: folder, name: "a.db")
    let result = try doctor(folder)
    #expect(result.code == 0, "\(result)")
    for text in ["SQLite 3.", "up to date", "are intact", "search index matches"] {
      #expect(result.output.contains(text), "\(result.output)")
    }
    #expect(!result.output.contains("wrong"))
    let backups = try doctor(folder, ["--backup-dir", "backups"])
    #expect(backups.output.contains("warning  there is no backup in backups yet"))
    _ = try server.stop()
  }

  @Test("Alarms that no channel or device gets are a warning")
  func noWay() throws {
    let folder = try TemporaryFolder()
    func sql(_ text: String) throws {
      _ = try MartletProcess.sqlite3(folder.file("a.db"), text, in: folder)
    }
    _ = try MartletProcess.run(["seed", "--database", "a.db"], in: folder)
    try sql("DELETE FROM alarms")
    let warning = "warning  no channel or device gets alarms"
    #expect(try !doctor(folder).output.contains(warning))
    try sql(
      "INSERT INTO alarms (reminderID, at) SELECT min(id), '2099-01-01 00:00:00.000' FROM reminders"
    )
    let result = try doctor(folder)
    #expect(result.code == 0 && result.output.contains(warning), "\(result)")
    try sql(
      """
      INSERT INTO channels (kind, name, url, events, createdAt) VALUES (0, 'a', \
      'https://a.example/', '["alarm.ringing"]', '2026-01-01 00:00:00.000')
      """)
    #expect(try !doctor(folder).output.contains(warning))
  }

  @Test("doctor and serve refuse a database that is missing although it has backups")
  func lost() throws {
    let folder = try TemporaryFolder()
    _ = try MartletProcess.run(["seed", "--database", "sound.db"], in: folder)
    try FileManager.default.createDirectory(
      atPath: folder.file("backups"), withIntermediateDirectories: false)
    let copy = "backups/a-20260101T000000Z.db"
    _ = try MartletProcess.run(["backup", copy, "--database", "sound.db"], in: folder)
    let result = try doctor(folder, ["--backup-dir", "backups"])
    let advice = "martlet restore \(copy) --database a.db"
    #expect(result.code == 1 && result.output.contains("wrong    there is no database at a.db"))
    #expect(result.output.contains(advice), "\(result)")
    // The recommended command works as printed.
    let arguments = ["restore", copy, "--database", "a.db"]
    #expect(try MartletProcess.run(arguments, in: folder).code == 0)
    #expect(try !doctor(folder, ["--backup-dir", "backups"]).output.contains("no database"))
    try FileManager.default.removeItem(atPath: folder.file("a.db"))
    let serve = ["serve", "--port", "0", "--database", "a.db", "--backup-dir", "backups"]
    let refused = try MartletProcess.run(serve, in: folder)
    #expect(refused.code == 2 && refused.errors.contains("but there are backups of it"))
    #expect(!FileManager.default.fileExists(atPath: folder.file("a.db")))
    // An empty database is served if that is meant.
    #expect(try MartletProcess.run(["migrate", "--database", "a.db"], in: folder).code == 0)
    let server = try MartletProcess(
      ["--backup-dir", folder.file("backups")], in: folder, name: "a.db")
    #expect(try server.stop().code == 0)
  }

  @Test("Faults are reported with a remedy")
  func unwell() throws {
    let folder = try TemporaryFolder()
    _ = try MartletProcess.run(["seed", "--database", "a.db"], in: folder)
    let sound = try Data(contentsOf: URL(fileURLWithPath: folder.file("a.db")))
    _ = try MartletProcess.sqlite3(
      folder.file("a.db"),
      "PRAGMA foreign_keys = OFF; DELETE FROM reminderTexts WHERE rowid = 1;", in: folder)
    var result = try doctor(folder)
    #expect(
      result.code == 1 && result.output.contains("wrong    the search index differs"), "\(result)")

    var damaged = sound
    for place in stride(from: 2 * 4096 + 8, to: 9 * 4096, by: 64) { damaged[place] ^= 0x5A }
    try damaged.write(to: URL(fileURLWithPath: folder.file("a.db")))
    result = try doctor(folder)
    #expect(result.code == 1 && result.output.contains("wrong "), "\(result)")
    #expect(result.output.contains("martlet restore FILE --database a.db --force"), "\(result)")

    try Data("no database at all, but long enough to be looked at".utf8)
      .write(to: URL(fileURLWithPath: folder.file("a.db")))
    result = try doctor(folder)
    #expect(result.code == 1 && result.output.contains("not a database"), "\(result)")
    #expect(result.output.ranges(of: "wrong    a.db is not a database").count == 1, "\(result)")
    // The remedy names the newest backup, and the command works as printed.
    try sound.write(to: URL(fileURLWithPath: folder.file("sound.db")))
    try FileManager.default.createDirectory(
      atPath: folder.file("backups"), withIntermediateDirectories: false)
    let copy = "backups/a-20260101T000000Z.db"
    _ = try MartletProcess.run(["backup", copy, "--database", "sound.db"], in: folder)
    result = try doctor(folder, ["--backup-dir", "backups"])
    let command = "martlet restore \(copy) --database a.db --force"
    #expect(result.output.contains(command), "\(result)")
    let words = command.split(separator: " ").dropFirst().map(String.init)
    #expect(try MartletProcess.run(words, in: folder).code == 0)
    #expect(try doctor(folder).code == 0)
  }

  @Test("A folder in place of the file is the only fault reported")
  func folderForFile() throws {
    let folder = try TemporaryFolder()
    let result = try MartletProcess.run(["doctor", "--database", folder.path])
    #expect(result.code == 1 && result.output.contains("wrong    \(folder.path) is a folder"))
    #expect(
      !result.output.contains("chmod") && !result.output.contains("opened"), "\(result.output)")
  }

  @Test(
    "Changes of the search index and the triggers by a shell are reported with a working remedy")
  func mends() throws {
    let folder = try TemporaryFolder()
    func change(_ sql: String) throws {
      _ = try MartletProcess.sqlite3(folder.file("a.db"), sql, in: folder)
    }
    func told(_ texts: String..., by result: ChildProcess.Result) {
      #expect(result.code == 1, "\(result)")
      for text in texts { #expect(result.output.contains(text), "\(text) in \(result.output)") }
    }
    let mend = "martlet migrate --database a.db"
    _ = try MartletProcess.run(["seed", "--database", "a.db"], in: folder)

    try change("UPDATE reminderTexts SET tags = 'nothing' WHERE rowid = 2")
    told(
      "wrong    the search index differs from the tables for 1 reminder: \(mend)",
      by: try doctor(folder)
    )
    try change(
      """
      DROP TRIGGER martlet_reminders_touch; DROP TRIGGER martlet_tags_cascade;
      CREATE TRIGGER martlet_tags_cascade AFTER DELETE ON tags BEGIN SELECT 1; END;
      CREATE TRIGGER martlet_mine AFTER DELETE ON tags BEGIN SELECT 1; END;
      """)
    told(
      "wrong    the trigger martlet_reminders_touch is missing: \(mend)",
      "wrong    the trigger martlet_tags_cascade was changed: \(mend)",
      "wrong    the trigger martlet_mine is unknown to this version: \(mend)",
      by: try doctor(folder))
    try change("UPDATE reminderTexts_content SET c1 = 'another note' WHERE id = 1")
    told("wrong    the search index is damaged: \(mend)", by: try doctor(folder))
    let mended = try MartletProcess.run(["migrate", "--database", "a.db"], in: folder)
    #expect(mended.code == 0 && mended.output.contains("search index differed"), "\(mended)")
    #expect(try doctor(folder).code == 0)

    try change("DROP TABLE reminderTexts")
    told("wrong    the search index is missing: \(mend)", by: try doctor(folder))
    _ = try MartletProcess.run(["migrate", "--database", "a.db"], in: folder)
    #expect(try doctor(folder).code == 0)

    try change("DROP INDEX reminders_due; UPDATE sqlite_sequence SET seq = 9223372036854775807")
    let result = try doctor(folder)
    told(
      "the index reminders_due is missing or changed: sqlite3 a.db 'DROP INDEX IF EXISTS reminders_due; CREATE INDEX",
      "new IDs of reminders would start after 9223372036854775807", by: result)
    // The recommended commands work.
    for line in result.output.split(separator: "\n") where line.hasPrefix("wrong") {
      let command = try #require(line.firstRange(of: "sqlite3 a.db ")).upperBound
      try change(String(line[command...].dropFirst().dropLast()))
    }
    #expect(try doctor(folder).code == 0)
    try change("DROP TABLE calendarObjects")
    let lost = try doctor(folder)
    told("the table calendarObjects is lost: restore a backup", by: lost)
    #expect(lost.output.split(separator: "\n").count { $0.hasPrefix("wrong") } == 1, "\(lost)")
    // Such a file is neither served, nor backed up, nor restored.
    for command in [
      ["serve", "--port", "0"], ["migrate"], ["backup", "b.db"], ["restore", "a.db", "--force"],
    ] {
      let path = command[0] == "restore" ? "c.db" : "a.db"
      let result = try MartletProcess.run(command + ["--database", path], in: folder)
      #expect(result.code != 0 && result.errors.contains("calendarObjects is lost"), "\(result)")
    }
    #expect(access(folder.file("b.db"), F_OK) != 0 && access(folder.file("c.db"), F_OK) != 0)
  }

  @Test("Invalid text that no client can have sent is reported")
  func texts() throws {
    let folder = try TemporaryFolder()
    _ = try MartletProcess.run(["seed", "--database", "a.db"], in: folder)
    _ = try MartletProcess.sqlite3(
      folder.file("a.db"), "UPDATE reminders SET title = CAST(x'ff' AS TEXT) WHERE id = 2",
      in: folder)
    let result = try doctor(folder)
    #expect(result.code == 0)
    #expect(result.output.contains("warning  reminders.title of id 2 is not UTF-8"), "\(result)")
    // All responses and exports show it the same way.
    let server = try MartletProcess(in: folder, name: "a.db")
    let client = try RawClient(port: server.port)
    #expect(try client.get("/v1/reminders/2").text.contains("\"title\":\"\u{FFFD}\""))
    for format in ["ndjson", "csv", "ics"] {
      let exported = try client.get("/v1/export?format=\(format)")
      #expect(String(validating: exported.body, as: UTF8.self)?.contains("\u{FFFD}") == true)
    }
    _ = try server.stop()
  }
}
