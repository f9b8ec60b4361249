import Foundation
import TestSupport
import Testing

@Suite struct SeedCommandTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func seed(_ name: String, _ arguments: String...) throws -> ChildProcess.Result {
    try MartletProcess.run(["seed", "--database", folder.file(name)] + arguments, in: folder)
  }

  /// All rows without their times of creation.
  private func rows(_ name: String) throws -> String {
    try MartletProcess.sqlite3(
      folder.file(name),
      """
      SELECT id, title, color, position FROM remindersLists ORDER BY id;
      SELECT id, remindersListID, title, notes, dueDate, priority, isFlagged, status, position
        FROM reminders ORDER BY id;
      SELECT title FROM tags ORDER BY title;
      SELECT reminderID, tagID FROM remindersTags ORDER BY 1, 2;
      SELECT rowid, title, notes, tags FROM reminderTexts ORDER BY rowid;
      """, in: folder)
  }

  @Test("The same seed creates the same rows, another seed different ones")
  func deterministic() throws {
    let large = ["--lists", "3", "--reminders", "100", "--random-seed"]
    for (name, seed) in [("a.db", "7"), ("b.db", "7"), ("c.db", "8")] {
      let result = try MartletProcess.run(
        ["seed", "--database", folder.file(name)] + large + [seed], in: folder)
      #expect(result.code == 0)
      #expect(result.output == "100 reminders in 3 lists\n")
    }
    let rows = try rows("a.db")
    #expect(try self.rows("b.db") == rows)
    #expect(try self.rows("c.db") != rows)
    let count = "SELECT count(*) FROM reminders; SELECT count(*) FROM remindersLists"
    // The schema begins with a list of its own.
    #expect(try MartletProcess.sqlite3(folder.file("a.db"), count, in: folder) == "100\n4\n")
  }

  @Test("Without a number the demo is created, which has data for each view")
  func demo() throws {
    let result = try seed("demo.db")
    #expect(result.code == 0)
    #expect(result.output == "10 reminders in 3 lists\n")
    let server = try MartletProcess(in: folder, name: "demo.db")
    let stats = try RawClient(port: server.port).get("/v1/stats").json
    for name in ["all", "open", "today", "overdue", "scheduled", "flagged", "completed"] {
      #expect((stats[name] as? Int ?? 0) > 0, "\(name) has nothing to show")
    }
  }

  @Test("One number is enough, and the output says what was created")
  func oneNumber() throws {
    #expect(try seed("a.db", "--reminders", "5").output == "5 reminders in 10 lists\n")
    let lists = try seed("b.db", "--lists", "3")
    #expect(lists.output == "3 empty lists; --reminders N adds reminders to them\n")
    let count = "SELECT count(*) FROM reminders; SELECT count(*) FROM remindersLists"
    // The schema begins with a list of its own.
    #expect(try MartletProcess.sqlite3(folder.file("b.db"), count, in: folder) == "0\n4\n")
  }

  @Test("The streams of a running server are updated")
  func whileServing() throws {
    let server = try MartletProcess(in: folder, name: "live.db")
    let streams = StreamClient(port: server.port)
    try streams.open("/v1/stats")
    #expect(streams.event(after: 0)?.json["all"] as? Int == 0)
    #expect(try seed("live.db", "--reminders", "1200").code == 0)
    #expect(streams.wait { $0[0].last?.json["all"] as? Int == 1200 })
  }
}
