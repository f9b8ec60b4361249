import Foundation
import TestSupport
import Testing

@Suite struct MigrateTests {
  let folder: TemporaryFolder
  let file: String

  init() throws {
    folder = try TemporaryFolder()
    file = folder.file("martlet.db")
  }

  private func migrate() throws -> ChildProcess.Result {
    try MartletProcess.run(["migrate", "--database", file], in: folder)
  }

  private func sqlite3(_ commands: String) throws -> String {
    try MartletProcess.sqlite3(file, commands, in: folder)
  }

  @Test("A second migration has nothing to do")
  func twice() throws {
    let first = try migrate()
    #expect(first.code == 0)
    #expect(first.output.hasPrefix("migrated 1 'initial'\n"))
    let before = try sqlite3(".dump")
    let second = try migrate()
    #expect(second.code == 0)
    #expect(second.output == "nothing to do\n")
    #expect(try sqlite3(".dump") == before)
  }

  @Test("Folders are created, even if their names begin with a combining mark")
  func folders() throws {
    let path = folder.file("a/\u{301}b/\u{200D}c/m.db")
    let result = try MartletProcess.run(["migrate", "--database=\(path)"], in: folder)
    #expect(result.code == 0, "\(result.errors)")
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test("A dropped trigger is recreated")
  func triggers() throws {
    #expect(try migrate().code == 0)
    let name = try sqlite3(
      "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'martlet%' LIMIT 1"
    ).trimmingCharacters(in: .whitespacesAndNewlines)
    let before = try sqlite3("SELECT name, sql FROM sqlite_schema ORDER BY name")
    _ = try sqlite3("DROP TRIGGER \(name)")
    #expect(try migrate().output == "triggers recreated\n")
    #expect(try sqlite3("SELECT name, sql FROM sqlite_schema ORDER BY name") == before)
  }

  @Test(
    "Every command that migrates reports repairs",
    arguments: [
      ["migrate"], ["seed"], ["import", "one"], ["serve"],
    ])
  func notes(_ command: [String]) throws {
    #expect(try migrate().code == 0)
    try (#"{"type":"tag","title":"a"}"# + "\n").write(
      toFile: folder.file("one"), atomically: true, encoding: .utf8)
    _ = try sqlite3(
      """
      INSERT INTO reminders (remindersListID, title) VALUES (1, 'milk'); DELETE FROM reminderTexts;
      DROP TRIGGER martlet_reminders_touch
      """)
    let text: String
    if command == ["serve"] {
      text = try MartletProcess(in: folder).stop().errors
    } else {
      let result = try MartletProcess.run(command + ["--database", file], in: folder)
      #expect(result.code == 0, "\(result)")
      text = result.output + result.errors
    }
    #expect(text.contains("the search index differed from the tables"), "\(text)")
    #expect(text.contains("1 row was rebuilt"), "\(text)")
    #expect(text.contains("triggers recreated"), "\(text)")
    #expect(
      try sqlite3("SELECT min(rowid) FROM reminderTexts WHERE reminderTexts MATCH 'milk'") == "1\n")
  }

  @Test("A start gives the change feed the state that a shell has deleted")
  func feedState() throws {
    #expect(try migrate().code == 0)
    _ = try sqlite3("DELETE FROM feedState")
    let result = try MartletProcess.run(["migrate", "--database", file], in: folder)
    #expect(result.code == 0 && result.output.contains("the change feed was missing"), "\(result)")
    #expect(try sqlite3("SELECT count(*) FROM feedState WHERE length(epoch) = 12") == "1\n")
  }

  @Test(
    "Every command that migrates an old file reports the migrations and repairs",
    arguments: [
      ["migrate"], ["seed"], ["import", "one"],
      ["key", "create", "--name", "a", "--scope", "read"], ["serve", "--port", "0"],
    ])
  func repairs(_ command: [String]) throws {
    #expect(try migrate().code == 0)
    let record = try sqlite3(
      """
      SELECT 'INSERT INTO martlet_migrations VALUES (' || number || ', ' || quote(name) || ', '
        || quote(checksum) || ', ' || quote(appliedAt) || ');'
      FROM martlet_migrations WHERE number < 6
      """)
    let old = folder.file("old.db")
    let files = try (1...5).map { number in
      let folder = Repository.root + "/Migrations"
      let name = try FileManager.default.contentsOfDirectory(atPath: folder)
        .first { $0.hasPrefix("000\(number)_") }
      return try Repository.text("Migrations/\(try #require(name))")
    }
    _ = try MartletProcess.sqlite3(
      old,
      """
      PRAGMA foreign_keys = OFF;
      CREATE TABLE martlet_migrations(
        number INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, appliedAt TEXT NOT NULL) STRICT;
      \(record)
      \(files.joined(separator: "\n"))
      INSERT INTO reminders (id, remindersListID, title, dueDate, position, createdAt, updatedAt)
      VALUES (1, 1, 'milk', 'soon', 1, '2026-01-01 00:00:00.000', '2026-01-01 00:00:00.000');
      """, in: folder)
    try (#"{"type":"tag","title":"a"}"# + "\n").write(
      toFile: folder.file("one"), atomically: true, encoding: .utf8)
    let process = try ChildProcess(
      MartletProcess.executable, command + ["--database", old], folder: folder)
    if command.contains("serve") {
      _ = try process.line()
      process.signal(SIGTERM)
    }
    let result = try process.wait()
    let text = result.output + result.errors
    #expect(text.contains("6 'rules'"), "\(text)")
    #expect(text.contains("1 old value was repaired"), "\(text)")
  }

  @Test(
    "A migration that was edited after it ran is refused by name", arguments: ["migrate", "serve"])
  func edited(command: String) throws {
    #expect(try migrate().code == 0)
    _ = try sqlite3("UPDATE martlet_migrations SET checksum = '0123456789abcdef' WHERE number = 1")
    try refuses(command, saying: ["1 'initial'", "0123456789abcdef"])
  }

  private func refuses(_ command: String, saying texts: [String]) throws {
    let before = try sqlite3(".dump")
    let port = command == "serve" ? ["--port", "0"] : []
    let result = try MartletProcess.run([command, "--database", file] + port, in: folder)
    #expect(result.code == 1)
    #expect(result.output == "")
    #expect(result.errors.hasPrefix("martlet: "))
    for text in texts { #expect(result.errors.contains(text)) }
    #expect(try sqlite3(".dump") == before)
  }

  @Test("An error names the folder that cannot be created")
  func folderInTheWay() throws {
    try "a file".write(toFile: folder.file("taken"), atomically: true, encoding: .utf8)
    let result = try MartletProcess.run(
      ["migrate", "--database", folder.file("taken/martlet.db")], in: folder)
    #expect(result.code == 1)
    #expect(result.errors.contains(folder.file("taken")))
  }
}
