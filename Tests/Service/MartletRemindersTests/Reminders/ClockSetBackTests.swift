import MartletReminders
import MartletSQLite
import TestSupport
import Testing

@Suite("updatedAt does not go back with the clock") struct ClockSetBackTests {
  /// A time that the clock showed before it was set back.
  private static let ahead = "9000-01-01 00:00:00.000"

  private let file: RemindersFile

  init() throws { file = try RemindersFile() }

  @Test("A change keeps a later time than now", arguments: Program.allCases)
  func changes(by program: Program) throws {
    let db = try file.connect(as: program)
    try db.execute(
      """
      INSERT INTO reminders (remindersListID, title) VALUES (1, 'a'), (1, 'child');
      INSERT INTO smartLists (title) VALUES ('s');
      UPDATE reminders SET parentID = 1 WHERE id = 2;
      INSERT INTO tags VALUES ('car');
      """)
    let tables = ["remindersLists", "reminders", "smartLists"]
    for table in tables { try db.execute("UPDATE \(table) SET updatedAt = '\(Self.ahead)'") }
    for change in [
      "UPDATE remindersLists SET title = 'b'", "UPDATE smartLists SET title = 'b'",
      "UPDATE reminders SET title = 'b'", "UPDATE reminders SET uid = 'new' WHERE id = 1",
      "INSERT INTO remindersTags (reminderID, tagID) VALUES (1, 'car')",
      "UPDATE tags SET title = 'bike'", "DELETE FROM remindersTags",
      "INSERT INTO alarms (reminderID, at) VALUES (1, '2026-12-01 09:00:00.000')",
      "UPDATE alarms SET at = '2026-12-02 09:00:00.000'", "DELETE FROM alarms",
      "UPDATE reminders SET status = 1",
    ] {
      try db.execute(change)
      for table in tables {
        #expect(
          try db.text("SELECT DISTINCT updatedAt FROM \(table)") == Self.ahead,
          "\(table) after \(change)")
      }
    }
    // The time of the clock comes back with a change that sets both.
    try db.execute("UPDATE reminders SET title = 'c', updatedAt = '2020-01-01 00:00:00.000'")
    #expect(try db.text("SELECT DISTINCT updatedAt FROM reminders") == Self.ahead)
  }

  @Test("createdAt is never after updatedAt", arguments: Program.allCases)
  func created(by program: Program) throws {
    let db = try file.connect(as: program)
    try db.execute(
      """
      INSERT INTO reminders (remindersListID, title, uid, position, createdAt, updatedAt)
      VALUES (1, 'a', 'u', 0, '\(Self.ahead)', '2026-01-01 00:00:00.000');
      INSERT INTO smartLists (title) VALUES ('s');
      """)
    func isSound(_ place: String) throws {
      for table in ["remindersLists", "reminders", "smartLists"] {
        #expect(
          try db.integer("SELECT count(*) FROM \(table) WHERE createdAt > updatedAt") == 0,
          "\(table) after \(place)")
      }
    }
    try isSound("an insert")
    for table in ["remindersLists", "reminders", "smartLists"] {
      try db.execute("UPDATE \(table) SET createdAt = '\(Self.ahead)'")
      try isSound("createdAt")
      try db.execute("UPDATE \(table) SET updatedAt = '2020-01-01 00:00:00.000'")
      try isSound("updatedAt")
      #expect(try db.text("SELECT DISTINCT updatedAt FROM \(table)") == Self.ahead)
    }
  }
}
