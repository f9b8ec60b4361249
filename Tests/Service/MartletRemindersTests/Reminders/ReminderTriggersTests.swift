import MartletReminders
import MartletSQLite
import Testing

@Suite struct ReminderTriggersTests {
  let file: RemindersFile

  init() throws { file = try RemindersFile() }

  private func connect(as program: Program) throws -> Connection {
    let db = try file.connect(as: program)
    try db.execute("INSERT INTO remindersLists (title) VALUES ('A'), ('B')")
    return db
  }

  @Test(arguments: Program.allCases)
  func aReminderNeedsAListThatExists(_ program: Program) throws {
    let db = try connect(as: program)
    let message = RuleViolation.unknownList.rawValue
    #expect(db.refusal(of: "INSERT INTO reminders (remindersListID) VALUES (99)") == message)
    try db.execute("INSERT INTO reminders (remindersListID) VALUES (1), (2)")
    #expect(db.refusal(of: "UPDATE reminders SET remindersListID = 99 WHERE id = 2") == message)
    #expect(try db.integers("SELECT remindersListID FROM reminders ORDER BY id") == [1, 2])
  }

  @Test(arguments: Program.allCases)
  func aNewReminderComesLastInItsList(_ program: Program) throws {
    let db = try connect(as: program)
    try db.execute("INSERT INTO reminders (remindersListID) VALUES (1), (1), (2), (1)")
    #expect(
      try db.integers("SELECT position FROM reminders ORDER BY id") == [0, 65_536, 0, 131_072])
    try db.execute("INSERT INTO reminders (remindersListID, position) VALUES (2, 40)")
    try db.execute("INSERT INTO reminders (remindersListID) VALUES (2)")
    #expect(
      try db.integers("SELECT position FROM reminders WHERE remindersListID = 2 ORDER BY id")
        == [0, 40, 65_576])
  }

  @Test(arguments: Program.allCases)
  func whoMovesToAnotherListComesLast(_ program: Program) throws {
    let db = try connect(as: program)
    try db.execute("INSERT INTO reminders (remindersListID) VALUES (1), (1), (1), (2), (2)")
    try db.execute("UPDATE reminders SET remindersListID = 2 WHERE id IN (1, 3)")
    #expect(
      try db.integers("SELECT position FROM reminders WHERE remindersListID = 2 ORDER BY position")
        == [0, 65_536, 131_072, 196_608])
    #expect(
      try db.integers("SELECT id FROM reminders WHERE position > 65536 ORDER BY id") == [1, 3])
    try db.execute("UPDATE reminders SET remindersListID = 3 WHERE id = 2")
    #expect(try db.integer("SELECT position FROM reminders WHERE id = 2") == 0, "the first is 0")
    try db.execute("UPDATE reminders SET remindersListID = 3 WHERE id = 2")
    #expect(try db.integer("SELECT position FROM reminders WHERE id = 2") == 0, "it did not move")
    try db.execute("UPDATE reminders SET position = NULL WHERE id = 4")
    #expect(try db.integer("SELECT position FROM reminders WHERE id = 4") == 262_144)
  }

  @Test(arguments: Program.allCases)
  func theDatabaseGivesTheTimes(_ program: Program) throws {
    let db = try connect(as: program)
    try db.execute(
      """
      INSERT INTO reminders (remindersListID, createdAt, updatedAt)
      VALUES (1, '2001-01-01 00:00:00.000', '2001-01-01 00:00:00.000')
      """)
    #expect(
      try db.integer(
        """
        SELECT count(*) FROM reminders
        WHERE createdAt = updatedAt AND abs(julianday('now') - julianday(createdAt)) < 1.0 / 1440
          AND createdAt GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9] ??:??:??.[0-9][0-9][0-9]'
        """) == 1)
  }

  @Test(arguments: Program.allCases)
  func onlyChangesOfTheReminderTouchIt(_ program: Program) throws {
    let db = try connect(as: program)
    try db.execute(
      """
      INSERT INTO reminders (remindersListID) VALUES (1), (1);
      INSERT INTO tags VALUES ('car'), ('home'), ('other');
      """)
    let long = "2001-02-03 04:05:06.789"
    func touches(_ change: String) throws -> [Int?] {
      try db.execute("UPDATE reminders SET createdAt = '\(long)', updatedAt = '\(long)'")
      try db.execute(change)
      #expect(try db.integer("SELECT count(*) FROM reminders WHERE createdAt <> '\(long)'") == 0)
      return try db.integers("SELECT id FROM reminders WHERE updatedAt > '\(long)' ORDER BY id")
    }
    for change in [
      "title = 'x'", "notes = 'x'", "dueDate = '2026-01-01'", "priority = 2", "isFlagged = 1",
      "status = 1", "remindersListID = 2",
    ] {
      #expect(try touches("UPDATE reminders SET \(change) WHERE id = 1") == [1], "\(change)")
    }
    #expect(try touches("UPDATE reminders SET position = 9 WHERE id = 1") == [], "reordering")
    #expect(
      try touches("INSERT INTO remindersTags (reminderID, tagID) VALUES (1, 'car')") == [1])
    #expect(
      try touches("INSERT OR IGNORE INTO remindersTags (reminderID, tagID) VALUES (1, 'CAR')")
        == [], "nothing was inserted")
    #expect(try touches("UPDATE tags SET title = 'van' WHERE title = 'car'") == [1])
    #expect(try touches("UPDATE tags SET title = 'none' WHERE title = 'other'") == [])
    #expect(try touches("UPDATE remindersTags SET reminderID = 2") == [1, 2])
    #expect(try touches("DELETE FROM remindersTags WHERE reminderID = 2") == [2])
    try db.execute("INSERT INTO remindersTags (reminderID, tagID) VALUES (2, 'home')")
    #expect(try touches("DELETE FROM tags WHERE title = 'home'") == [2])
  }
}
