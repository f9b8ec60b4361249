import MartletSQLite
import Testing

@Suite struct ListTriggersTests {
  let file: RemindersFile

  init() throws { file = try RemindersFile() }

  @Test func aNewDatabaseHasOneList() throws {
    let db = try file.connect(as: .shell)
    #expect(try db.texts("SELECT title FROM remindersLists") == ["Reminders"])
    #expect(try db.integers("SELECT position FROM remindersLists") == [0])
    #expect(
      try db.integer("SELECT createdAt IS NOT NULL AND updatedAt IS NOT NULL FROM remindersLists")
        == 1)
  }

  @Test(arguments: Program.allCases)
  func deletingTheLastListMakesANewOne(_ program: Program) throws {
    let db = try file.connect(as: program)
    try db.execute("DELETE FROM remindersLists WHERE id = 1")
    #expect(try db.texts("SELECT title FROM remindersLists") == ["Reminders"])
    #expect(try db.integers("SELECT id FROM remindersLists") == [2], "an id is never given twice")
    #expect(try db.integers("SELECT position FROM remindersLists") == [0])
    #expect(try db.integer("SELECT count(createdAt) + count(updatedAt) FROM remindersLists") == 2)
  }

  @Test(arguments: Program.allCases)
  func deletingAllListsAtOnceMakesANewOne(_ program: Program) throws {
    let db = try file.connect(as: program)
    try db.execute("INSERT INTO remindersLists (title) VALUES ('A'), ('B'), ('C')")
    try db.execute("INSERT INTO reminders (remindersListID) VALUES (1), (2), (3)")
    try db.execute("DELETE FROM remindersLists")
    #expect(try db.texts("SELECT title FROM remindersLists") == ["Reminders"])
    #expect(try db.integer("SELECT count(*) FROM reminders") == 0)
  }

  @Test(arguments: Program.allCases)
  func deletingOneOfSeveralMakesNone(_ program: Program) throws {
    let db = try file.connect(as: program)
    try db.execute("INSERT INTO remindersLists (title) VALUES ('A')")
    try db.execute("DELETE FROM remindersLists WHERE id = 1")
    #expect(try db.texts("SELECT title FROM remindersLists") == ["A"])
  }

  @Test(arguments: Program.allCases)
  func aNewListComesLast(_ program: Program) throws {
    let db = try file.connect(as: program)
    try db.execute("INSERT INTO remindersLists (title) VALUES ('A'), ('B')")
    #expect(
      try db.integers("SELECT position FROM remindersLists ORDER BY id") == [0, 65_536, 131_072])
    try db.execute("INSERT INTO remindersLists (title, position) VALUES ('C', 40)")
    #expect(try db.integer("SELECT position FROM remindersLists WHERE title = 'C'") == 40, "kept")
    try db.execute("INSERT INTO remindersLists (title) VALUES ('D')")
    #expect(
      try db.integer("SELECT position FROM remindersLists WHERE title = 'D'") == 131_072 + 65_536)
    try db.execute("UPDATE remindersLists SET position = NULL WHERE title = 'A'")
    #expect(
      try db.integer("SELECT position FROM remindersLists WHERE title = 'A'") == 131_072 + 2
        * 65_536)
  }

  @Test("A statement that sets the version, too, cannot take the UID and the position away")
  func version() throws {
    let db = try RemindersFile().connect(as: .shell)
    try db.execute("INSERT INTO smartLists (title) VALUES ('s'), ('t')")
    try db.execute("INSERT INTO remindersLists (title) VALUES ('A'), ('B')")
    for table in ["remindersLists", "smartLists"] {
      try db.execute("UPDATE \(table) SET uid = NULL, position = NULL, version = version + 1")
      #expect(
        try db.integer("SELECT count(*) FROM \(table) WHERE uid IS NULL OR position IS NULL") == 0)
      #expect(
        db.refusal(
          of: """
            UPDATE \(table) SET uid = (SELECT uid FROM \(table) WHERE id = 1), \
            version = version + 1 WHERE id = 2
            """) == "martlet: the uid exists already", "\(table)")
    }
  }

  @Test(arguments: Program.allCases)
  func onlyChangesOfTheListTouchIt(_ program: Program) throws {
    let db = try file.connect(as: program)
    let long = "2001-02-03 04:05:06.789"
    func touches(_ change: String) throws -> Bool {
      try db.execute("UPDATE remindersLists SET updatedAt = '\(long)', createdAt = '\(long)'")
      try db.execute(change)
      #expect(try db.text("SELECT createdAt FROM remindersLists WHERE id = 1") == long)
      return try db.text("SELECT updatedAt FROM remindersLists WHERE id = 1") != long
    }
    #expect(try touches("UPDATE remindersLists SET title = 'X' WHERE id = 1"))
    #expect(try touches("UPDATE remindersLists SET color = 255 WHERE id = 1"))
    #expect(try !touches("UPDATE remindersLists SET position = 7 WHERE id = 1"))
    #expect(try !touches("INSERT INTO reminders (remindersListID) VALUES (1)"))
    #expect(try !touches("INSERT INTO remindersLists (title) VALUES ('Y')"))
  }

  @Test(arguments: Program.allCases)
  func aListTakesItsRemindersWithIt(_ program: Program) throws {
    let db = try file.connect(as: program)
    try db.execute(
      """
      INSERT INTO remindersLists (title) VALUES ('A');
      INSERT INTO reminders (remindersListID, title) VALUES (1, 'stays'), (2, 'goes'), (2, 'too');
      INSERT INTO tags VALUES ('car');
      INSERT INTO remindersTags (reminderID, tagID) VALUES (1, 'car'), (2, 'car'), (3, 'car');
      DELETE FROM remindersLists WHERE id = 2;
      """)
    #expect(try db.texts("SELECT title FROM reminders") == ["stays"])
    #expect(try db.integers("SELECT reminderID FROM remindersTags") == [1])
    #expect(
      try db.texts("SELECT title FROM tags") == ["car"], "a tag stays when nothing carries it")
    #expect(try db.integers("SELECT rowid FROM reminderTexts") == [1])
  }
}
