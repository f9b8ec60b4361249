import Foundation
import Glibc
import MartletSQLite
import MartletStore
import TestSupport
import Testing

@testable import MartletServer

@Suite(
  "An unusable database file: one message names the file and the remedy, and nothing is lost")
struct DatabaseTroubleTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file("martlet.db") }

  init() throws {
    folder = try TemporaryFolder()
    let seed = ["seed", "--reminders", "300", "--database", folder.file("martlet.db")]
    #expect(try MartletProcess.run(seed).code == 0)
    // Moves the WAL into the database file.
    _ = try MartletProcess.sqlite3(path, "PRAGMA journal_mode = DELETE", in: folder)
  }

  private static let commands = [
    ["serve", "--port", "0"], ["backup", "copy.db"], ["export"], ["key", "list"],
  ]

  private func refuses(_ command: [String], saying text: String) throws {
    let result = try MartletProcess.run(command + ["--database", path], in: folder)
    #expect(result.code == 1 && result.output.isEmpty, "\(result)")
    #expect(result.errors.hasPrefix("martlet: \(text)"), "\(result.errors)")
    #expect(!result.errors.contains("SELECT") && !result.errors.contains(" in: "), "no SQL")
    #expect(!FileManager.default.fileExists(atPath: folder.file("copy.db")))
  }

  @Test("A damaged file", arguments: commands)
  func damaged(_ command: [String]) throws {
    let file = try #require(FileHandle(forUpdatingAtPath: path))
    try file.seek(toOffset: 100)
    try file.write(contentsOf: Data(repeating: 0x5A, count: 40_000))
    try file.close()
    let before = FileManager.default.contents(atPath: path)
    try refuses(
      command,
      saying:
        "\(path) is damaged: run martlet doctor for details, or restore a backup with martlet restore"
    )
    #expect(FileManager.default.contents(atPath: path) == before)
  }

  @Test("Damage found while serving is logged, and the server is no longer ready")
  func damagedWhileServed() throws {
    let server = try MartletProcess(in: folder)
    let client = try RawClient(port: server.port)
    #expect(try client.get("/readyz").status == 200)
    let file = try #require(FileHandle(forUpdatingAtPath: path))
    // The first page, which has the schema, stays intact.
    try file.seek(toOffset: 3 * 4096)
    try file.write(contentsOf: Data(repeating: 0x5A, count: 100_000))
    try file.close()
    let isHit = try ["/v1/lists", "/v1/reminders", "/v1/tags", "/v1/stats"].contains {
      try client.get($0).status == 500
    }
    #expect(isHit)
    #expect(try client.get("/readyz").status == 503)
    #expect(try server.stop().errors.contains("\(path) is damaged: run martlet doctor for details"))
  }

  @Test("A file that is not a database", arguments: commands)
  func somethingElse(_ command: [String]) throws {
    try String(repeating: "Not a database. ", count: 500).write(
      toFile: path, atomically: true, encoding: .utf8)
    try refuses(command, saying: "\(path) is not a database")
  }

  @Test("A file locked by another program")
  func locked() throws {
    // This process must not open the file again: closing it would release the lock (fcntl(2)).
    let other = try Connection(location: .file(path))
    try other.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")
    defer { other.close() }
    try refuses(
      ["serve", "--port", "0"], saying: "another program has locked \(path): stop that program")
  }
  @Test("A command that writes ends if another program keeps the lock")
  func writing() throws {
    // Not longer than an operator waits without a word.
    #expect(DatabaseFile.lockTimeout <= .seconds(10))
    let other = try Connection(location: .file(path))
    defer { other.close() }
    try other.execute("PRAGMA journal_mode = WAL; BEGIN IMMEDIATE")
    let error = #expect(throws: WriteError.self) {
      try DatabaseFile.withDatabase(path, lockTimeout: .milliseconds(20)) { database in
        try database.write { try $0.execute("DELETE FROM reminders") }
      }
    }
    let text = try DatabaseTrouble.describe(#require(error), path)
    #expect(
      text.hasPrefix(
        "another program has locked \(path): stop that program, or wait until it has finished ("))
  }

  @Test("The advice follows the cause")
  func advice() {
    for (code, says) in [
      (ENOSPC, "No space left on device: free disk space"), (EDQUOT, "free disk space"),
      (EBUSY, "busy: mount the folder of a.db instead of the file itself"),
      (EACCES, "Permission denied: the user that runs martlet must own a.db, its folder"),
      (EROFS, "Read-only file system: mount it for writing"),
      (EIO, "Input/output error: the disk reports an I/O error, see dmesg"),
    ] {
      #expect(FileRemedy.cause("a.db", code).contains(says), "\(FileRemedy.cause("a.db", code))")
    }
    #expect(FileRemedy.cause("a.db", EISDIR) == "Is a directory")
    func describe(_ code: Int32) -> String {
      DatabaseTrouble.describe(SQLiteError(code: code, message: "m"), "a.db")
    }
    #expect(describe(13).hasPrefix("there is no space left for a.db: free disk space"))
    #expect(describe(8).contains("must own a.db") && describe(14).contains("must own a.db"))
    #expect(describe(10).contains("see dmesg; restore a backup with martlet restore"))
  }
}
