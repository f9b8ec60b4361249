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

  @Test("a second time there is nothing to do")
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

  @Test("folders are made, whatever their names begin with")
  func folders() throws {
    let path = folder.file("a/\u{301}b/\u{200D}c/m.db")
    let result = try MartletProcess.run(["migrate", "--database=\(path)"], in: folder)
    #expect(result.code == 0, "\(result.errors)")
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test("a trigger that somebody dropped comes back")
  func triggers() throws {
    #expect(try migrate().code == 0)
    let name = try sqlite3(
      "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'martlet%' LIMIT 1"
    ).trimmingCharacters(in: .whitespacesAndNewlines)
    let before = try sqlite3("SELECT name, sql FROM sqlite_schema ORDER BY name")
    _ = try sqlite3("DROP TRIGGER \(name)")
    #expect(try migrate().output == "triggers renewed\n")
    #expect(try sqlite3("SELECT name, sql FROM sqlite_schema ORDER BY name") == before)
  }

  @Test("a database of a newer program is refused and left alone", arguments: ["migrate", "serve"])
  func newer(command: String) throws {
    #expect(try migrate().code == 0)
    _ = try sqlite3("INSERT INTO martlet_migrations VALUES (9000, 'fromTheFuture', 'x', 'then')")
    try refuses(command, saying: ["9000 'fromTheFuture'", "knows only up to"])
  }

  @Test(
    "a migration that was edited after it ran is refused by name", arguments: ["migrate", "serve"])
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

  @Test("a folder that cannot be made is named")
  func folderInTheWay() throws {
    try "a file".write(toFile: folder.file("taken"), atomically: true, encoding: .utf8)
    let result = try MartletProcess.run(
      ["migrate", "--database", folder.file("taken/martlet.db")], in: folder)
    #expect(result.code == 1)
    #expect(result.errors.contains(folder.file("taken")))
  }
}
