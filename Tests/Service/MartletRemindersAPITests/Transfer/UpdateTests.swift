import MartletJSON
import MartletReminders
import MartletSQLite
import MartletStore
import MartletTime
import TestSupport
import Testing

@testable import MartletRemindersAPI

@Suite("An import that changes what is there") struct UpdateTests {
  private let folder: TemporaryFolder
  private let db: Connection

  init() throws {
    folder = try TemporaryFolder()
    try RemindersDatabase.migrate(path: folder.file("a.db"))
    db = try Connection(location: .file(folder.file("a.db")))
  }

  private func add(_ lines: [[String]], updates: Bool = true, title: String = "Home") throws {
    let text =
      ["BEGIN:VCALENDAR", "X-WR-CALNAME:\(title)"]
      + lines.flatMap { ["BEGIN:VTODO"] + $0 + ["END:VTODO"] } + ["END:VCALENDAR", ""]
    var source = MemoryLines(SharedBytes(Array(text.joined(separator: "\n").utf8)))
    let records = try TransferFormat.ics.records(&source, most: 1_000)
    try db.execute("BEGIN")
    _ = try Importer.add(records, updates: updates, in: db)
    try db.execute("COMMIT")
  }

  private func rows() throws -> [String] {
    try db.texts("SELECT uid || ' ' || title FROM reminders ORDER BY uid").compactMap { $0 }
  }

  private func versions() throws -> [Int] {
    try db.integers("SELECT version FROM reminders ORDER BY uid")
  }

  /// The reminders, each with its parent.
  private func tree() throws -> [String?] {
    try db.texts(
      """
      SELECT child.uid || coalesce(' below ' || parent.uid, '') FROM reminders AS child
      LEFT JOIN reminders AS parent ON parent.id = child.parentID ORDER BY child.uid
      """)
  }

  @Test(
    "Parents name their subtasks, and the first parent in the list counts",
    arguments: [true, false])
  func families(_ updates: Bool) throws {
    let todos = [
      ["UID:c", "RELATED-TO:nobody", "RELATED-TO:p"], ["UID:d"],
      ["UID:p", "RELATED-TO;RELTYPE=CHILD:d", "RELATED-TO;RELTYPE=CHILD:e"], ["UID:e"],
      ["UID:f", "RELATED-TO;RELTYPE=CHILD:e", "RELATED-TO;RELTYPE=CHILD:c"],
    ]
    try add(todos, updates: updates)
    let tree = ["c below p", "d below p", "e below p", "f", "p"]
    #expect(try self.tree() == tree)
    let before = try versions()
    // The same file again touches nothing.
    try add(todos)
    #expect(try self.tree() == tree && versions() == before)
    try add([["UID:e"], ["UID:p", "RELATED-TO;RELTYPE=CHILD:g"]])
    try add([["UID:g"]])
    #expect(try self.tree() == ["c below p", "d below p", "e", "f", "g below p", "p"])
  }

  @Test("A to-do whose UID is in its list changes the reminder; a new one is added")
  func changes() throws {
    try add([["UID:a", "SUMMARY:One", "X-KEPT:1"], ["UID:b", "SUMMARY:Two", "RELATED-TO:a"]])
    let before = try versions()
    // The same file again touches nothing.
    try add([["UID:a", "SUMMARY:One", "X-KEPT:1"], ["UID:b", "SUMMARY:Two", "RELATED-TO:a"]])
    #expect(try versions() == before)
    #expect(try db.integer("SELECT count(*) FROM remindersLists WHERE title = 'Home'") == 1)
    try add([
      ["UID:a", "SUMMARY:Uno", "X-KEPT:2", "CATEGORIES:c", "STATUS:COMPLETED"],
      ["UID:b", "SUMMARY:Two"], ["UID:c", "SUMMARY:Three", "RELATED-TO:b"],
    ])
    #expect(try rows() == ["a Uno", "b Two", "c Three"])
    #expect(
      try db.texts("SELECT lines FROM calendarObjects ORDER BY reminderID").first
        == "X-MARTLET-LINES:2\nX-KEPT:2")
    #expect(try db.texts("SELECT tagID FROM remindersTags") == ["c"])
    #expect(try db.integer("SELECT status FROM reminders WHERE uid = 'a'") == 1)
    #expect(try db.integer("SELECT parentID IS NULL FROM reminders WHERE uid = 'b'") == 1)
    #expect(
      try db.integer(
        "SELECT p.uid = 'b' FROM reminders c JOIN reminders p ON p.id = c.parentID WHERE c.uid = 'c'"
      ) == 1)
  }

  @Test("Nothing is deleted, and other lists and imports without it are as before")
  func others() throws {
    try add([["UID:a", "SUMMARY:One"]])
    try add([["UID:b", "SUMMARY:Two"]])
    #expect(try rows() == ["a One", "b Two"])
    // A UID is that of a list.
    try add([["UID:a", "SUMMARY:Other"]], title: "Work")
    #expect(try rows() == ["a One", "a Other", "b Two"])
    try add([["UID:a", "SUMMARY:Again"]], updates: false)
    #expect(try db.integer("SELECT count(*) FROM reminders") == 4)
    #expect(try db.integer("SELECT count(*) FROM remindersLists WHERE title = 'Home'") == 2)
  }

  @Test("The list of a new database is used if it has the title")
  func firstList() throws {
    try add([["UID:a", "SUMMARY:One"]], title: RemindersList.defaultTitle)
    #expect(try db.integer("SELECT count(*) FROM remindersLists") == 1)
    #expect(try rows() == ["a One"])
  }

  @Test("A text that a calendar program has put is kept if the file says the same")
  func keepsText() throws {
    try add([["UID:a", "SUMMARY:One", "X-KEPT:1"]])
    try db.execute("UPDATE calendarObjects SET raw = 'text', name = 'x.ics'")
    try add([["UID:a", "SUMMARY:One", "X-KEPT:1"]])
    #expect(try db.texts("SELECT raw FROM calendarObjects") == ["text"])
    try add([["UID:a", "SUMMARY:One", "X-KEPT:2"]])
    #expect(try db.texts("SELECT raw FROM calendarObjects") == [nil])
    #expect(try db.texts("SELECT name FROM calendarObjects") == ["x.ics"])
  }
}

extension Connection {
  fileprivate func integer(_ sql: String) throws -> Int? {
    try value(sql)?.integer.map { Int($0) }
  }
  fileprivate func integers(_ sql: String) throws -> [Int] {
    try rows(sql).map { Int($0[0].integer ?? 0) }
  }
  fileprivate func texts(_ sql: String) throws -> [String?] { try rows(sql).map { $0[0].text } }
}
