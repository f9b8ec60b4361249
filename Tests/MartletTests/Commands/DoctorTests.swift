import Foundation
import TestSupport
import Testing

@Suite("martlet doctor") struct DoctorTests {
  private func doctor(
    _ folder: TemporaryFolder, _ arguments: [String] = []
  ) throws -> ChildProcess.Result {
    try MartletProcess.run(["doctor", "--database", "a.db"] + arguments, in: folder)
  }

  @Test("A database that is well, also while it is served")
  func well() throws {
    let folder = try TemporaryFolder()
    let none = try doctor(folder)
    #expect(none.code == 0 && none.output.contains("no database at a.db yet"))
    _ = try MartletProcess.run(["seed", "--database", "a.db"], in: folder)
    let server = try MartletProcess(in: folder, name: "a.db")
    let result = try doctor(folder)
    #expect(result.code == 0, "\(result)")
    for text in ["SQLite 3.", "this version's", "is sound", "search knows"] {
      #expect(result.output.contains(text), "\(result.output)")
    }
    #expect(!result.output.contains("wrong"))
    let backups = try doctor(folder, ["--backup-dir", "backups"])
    #expect(backups.output.contains("warning  there is no backup in backups yet"))
    _ = try server.stop()
  }

  @Test("What is wrong is told, with what to do")
  func unwell() throws {
    let folder = try TemporaryFolder()
    _ = try MartletProcess.run(["seed", "--database", "a.db"], in: folder)
    let sound = try Data(contentsOf: URL(fileURLWithPath: folder.file("a.db")))
    _ = try MartletProcess.sqlite3(
      folder.file("a.db"),
      "PRAGMA foreign_keys = OFF; DELETE FROM reminderTexts WHERE rowid = 1;", in: folder)
    var result = try doctor(folder)
    #expect(result.code == 1 && result.output.contains("wrong    search disagrees"), "\(result)")

    var damaged = sound
    for place in stride(from: 2 * 4096 + 8, to: 9 * 4096, by: 64) { damaged[place] ^= 0x5A }
    try damaged.write(to: URL(fileURLWithPath: folder.file("a.db")))
    result = try doctor(folder)
    #expect(result.code == 1 && result.output.contains("wrong "), "\(result)")

    try Data("no database at all, but long enough to be looked at".utf8)
      .write(to: URL(fileURLWithPath: folder.file("a.db")))
    result = try doctor(folder)
    #expect(result.code == 1 && result.output.contains("not a database"), "\(result)")
  }
}
