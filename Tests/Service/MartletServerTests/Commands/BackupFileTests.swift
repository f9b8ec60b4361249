import Foundation
import TestSupport
import Testing

@Suite("The file of martlet backup") struct BackupFileTests {
  @Test("A backup replaces only an earlier one of its version")
  func replaces() throws {
    let folder = try TemporaryFolder()
    let database = folder.file("a.db")
    let backup = folder.file("b.db")
    func backUp(_ file: String) throws -> ChildProcess.Result {
      try MartletProcess.run(["backup", file, "--database", database], in: folder)
    }
    #expect(try MartletProcess.run(["migrate", "--database", database]).code == 0)
    for _ in 0..<2 { #expect(try backUp(backup).code == 0) }
    let empty = folder.file("empty")
    try Data().write(to: URL(filePath: empty))
    #expect(try backUp(empty).code == 0)

    let text = folder.file("notes.txt")
    try Data("important".utf8).write(to: URL(filePath: text))
    let other = folder.file("other.db")
    _ = try MartletProcess.sqlite3(other, "CREATE TABLE mine (a)", in: folder)
    let old = folder.file("old.db")
    try FileManager.default.copyItem(
      atPath: "\(Repository.root)/Tests/Released/0.1.0.db", toPath: old)
    let newer = folder.file("newer.db")
    try FileManager.default.copyItem(atPath: backup, toPath: newer)
    _ = try MartletProcess.sqlite3(
      newer, "INSERT INTO martlet_migrations VALUES (9000, 'x', 'x', 'then')", in: folder)
    for (file, reason) in [
      (text, "is no backup of martlet"), (other, "is no backup of martlet"),
      (old, "is a backup of an older version, and the way back to it"),
      (newer, "is a database of a newer version"),
    ] {
      let before = try Data(contentsOf: URL(filePath: file))
      let result = try backUp(file)
      #expect(result.code == 1 && result.errors.contains(reason), "\(result.errors)")
      #expect(result.errors.contains("choose another file for the backup, or delete it"))
      #expect(try Data(contentsOf: URL(filePath: file)) == before)
    }
    // Before the upgrade, the backup of yesterday is of the same version.
    try FileManager.default.removeItem(atPath: database)
    try FileManager.default.copyItem(atPath: old, toPath: database)
    #expect(try backUp(old).code == 0)
  }
}
