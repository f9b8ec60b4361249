import MartletReminders
import MartletSQLite
import Testing

@Suite struct TagTriggersTests {
  let file: RemindersFile

  init() throws { file = try RemindersFile() }

  /// Reminder 1 carries the tags a to e, reminder 2 carries f.
  private func connect(as program: Program) throws -> Connection {
    let db = try file.connect(as: program)
    try db.execute(
      """
      INSERT INTO reminders (remindersListID) VALUES (1), (1);
      INSERT INTO tags VALUES ('a'), ('b'), ('c'), ('d'), ('e'), ('f'), ('g');
      INSERT INTO remindersTags (reminderID, tagID)
      VALUES (1, 'a'), (1, 'b'), (1, 'c'), (1, 'd'), (1, 'e'), (2, 'f');
      """)
    return db
  }

  private let tooMany = RuleViolation.tooManyTags.rawValue

  @Test(arguments: Program.allCases)
  func atMostFiveTagsAreInserted(_ program: Program) throws {
    let db = try connect(as: program)
    #expect(
      db.refusal(of: "INSERT INTO remindersTags (reminderID, tagID) VALUES (1, 'f')") == tooMany)
    #expect(
      db.refusal(
        of:
          """
          INSERT INTO remindersTags (reminderID, tagID)
          SELECT 2, title FROM tags WHERE title <> 'f'
          """
      )
        == tooMany, "several at once")
    #expect(
      db.refusal(of: "INSERT OR IGNORE INTO remindersTags (reminderID, tagID) VALUES (1, 'f')")
        == tooMany)
    #expect(try db.integer("SELECT count(*) FROM remindersTags") == 6)
  }

  @Test(arguments: Program.allCases)
  func taggingAgainIsNoSixthTag(_ program: Program) throws {
    let db = try connect(as: program)
    try db.execute("INSERT OR IGNORE INTO remindersTags (reminderID, tagID) VALUES (1, 'A')")
    #expect(try db.integer("SELECT count(*) FROM remindersTags WHERE reminderID = 1") == 5)
  }

  @Test(arguments: Program.allCases)
  func atMostFiveTagsByMovingOne(_ program: Program) throws {
    let db = try connect(as: program)
    #expect(
      db.refusal(of: "UPDATE remindersTags SET reminderID = 1 WHERE reminderID = 2") == tooMany)
    try db.execute("DELETE FROM remindersTags WHERE tagID = 'e'")
    try db.execute("UPDATE remindersTags SET reminderID = 1 WHERE reminderID = 2")
    #expect(try db.integer("SELECT count(*) FROM remindersTags WHERE reminderID = 1") == 5)
    try db.execute("UPDATE remindersTags SET tagID = 'g' WHERE tagID = 'a'")
    #expect(
      try db.texts("SELECT tagID FROM remindersTags ORDER BY 1") == ["b", "c", "d", "f", "g"])
  }

  @Test(arguments: Program.allCases)
  func theFirstSpellingIsKept(_ program: Program) throws {
    let db = try connect(as: program)
    try db.execute(
      """
      INSERT INTO tags VALUES ('Straße');
      INSERT INTO remindersTags (reminderID, tagID) VALUES (2, 'STRAßE');
      """)
    #expect(
      try db.texts("SELECT tagID FROM remindersTags WHERE reminderID = 2") == ["f", "Straße"])
    #expect(try db.text("SELECT tags FROM reminderTexts WHERE rowid = 2") == "f Straße")
  }

  @Test(arguments: Program.allCases)
  func renamingATagReachesItsUses(_ program: Program) throws {
    let db = try connect(as: program)
    try db.execute("UPDATE tags SET title = 'zebra' WHERE title = 'a'")
    #expect(
      try db.texts("SELECT tagID FROM remindersTags WHERE reminderID = 1 ORDER BY 1")
        == ["b", "c", "d", "e", "zebra"])
    #expect(try db.integers("SELECT rowid FROM reminderTexts WHERE tags MATCH 'zebra'") == [1])
    #expect(try db.integers("SELECT rowid FROM reminderTexts WHERE tags MATCH 'a'") == [])
    try db.execute("UPDATE tags SET title = 'ZEBRA' WHERE title = 'zebra'")
    #expect(
      try db.texts("SELECT tagID FROM remindersTags WHERE tagID = 'zebra'") == ["ZEBRA"],
      "also when only the case differs")
    #expect(
      try db.text("SELECT tags FROM reminderTexts WHERE rowid = 1")?.contains("ZEBRA") == true)
  }

  @Test(arguments: Program.allCases)
  func deletingATagRemovesItsUses(_ program: Program) throws {
    let db = try connect(as: program)
    try db.execute("DELETE FROM tags WHERE title = 'C'")
    #expect(
      try db.texts("SELECT tagID FROM remindersTags WHERE reminderID = 1 ORDER BY 1")
        == ["a", "b", "d", "e"])
    #expect(try db.text("SELECT tags FROM reminderTexts WHERE rowid = 1") == "a b d e")
    try db.execute("DELETE FROM tags")
    #expect(try db.integer("SELECT count(*) FROM remindersTags") == 0)
  }
}
