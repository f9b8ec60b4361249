import Foundation
import TestSupport
import Testing

@Suite("What martlet restore refuses, and what it leaves") struct RestoreTests {
  @Test("A backup with triggers or views of another program is not restored; doctor names them")
  func foreign() throws {
    let folder = try TemporaryFolder()
    _ = try MartletProcess.run(["seed", "--database", "a.db"], in: folder)
    _ = try MartletProcess.sqlite3(
      "a.db",
      """
      CREATE TRIGGER evil AFTER INSERT ON reminders BEGIN UPDATE apiKeys SET scope = 'admin'; END;
      CREATE VIEW mine AS SELECT title FROM reminders; CREATE TABLE notes (a);
      """, in: folder)
    let doctor = try MartletProcess.run(["doctor", "--database", "a.db"], in: folder).output
    #expect(
      doctor.contains(
        "warning  martlet does not know the trigger evil, which may change data: sqlite3 a.db 'DROP TRIGGER \"evil\"'"
      ), "\(doctor)")
    #expect(doctor.contains("does not know the view mine"))
    #expect(doctor.contains("ok       tables of other programs: notes"))
    // Making a backup is no reason to lose them.
    #expect(
      try MartletProcess.run(["backup", "b.db", "--database", "a.db"], in: folder).code == 0)
    func restore() throws -> ChildProcess.Result {
      try MartletProcess.run(["restore", "b.db", "--database", "c.db"], in: folder)
    }
    let refused = try restore()
    #expect(refused.code == 1)
    #expect(
      refused.errors.contains("b.db has the trigger evil, the view mine, which martlet does not"),
      "\(refused.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.file("c.db")))
    _ = try MartletProcess.sqlite3("b.db", "DROP TRIGGER evil; DROP VIEW mine", in: folder)
    #expect(try restore().code == 0)
  }

  @Test("What a killed restore has left is deleted by the next one, and by a start")
  func left() throws {
    let folder = try TemporaryFolder()
    _ = try MartletProcess.run(["seed", "--database", "b.db"], in: folder)
    // A process that has ended.
    let process = try ChildProcess("/bin/sh", ["-c", "echo $$"], folder: folder).wait().output
    let dead = try #require(Int32(process.trimmingCharacters(in: .whitespacesAndNewlines)))
    let left = ["martlet.db.\(dead).partial", "martlet.db.\(dead).partial-journal"]
    let others = [
      "martlet.db.\(getppid()).partial", "martlet.db.0\(dead).partial",
      "martlet.db.\(dead).partial.bak",
      "martlet.db.\(dead).partial-x", "other.db.\(dead).partial", "xmartlet.db.\(dead).partial",
    ]
    func isThere(_ name: String) -> Bool {
      FileManager.default.fileExists(atPath: folder.file(name))
    }
    func leave() throws {
      for name in left + others {
        try Data("x".utf8).write(to: URL(fileURLWithPath: folder.file(name)))
      }
    }
    try leave()
    let restored = try MartletProcess.run(
      ["restore", "b.db", "--database", "martlet.db"], in: folder)
    #expect(restored.code == 0, "\(restored.errors)")
    #expect(!left.contains(where: isThere) && others.allSatisfy(isThere))
    try leave()
    let server = try MartletProcess(in: folder)
    #expect(try server.stop().errors.contains("deleted what a killed restore has left"))
    #expect(!left.contains(where: isThere) && others.allSatisfy(isThere))
  }
}
