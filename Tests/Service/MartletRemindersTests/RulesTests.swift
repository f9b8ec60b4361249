import MartletReminders
import MartletSQLite
import TestSupport
import Testing

/// The settings of a program's connection.
struct Setting: CustomTestStringConvertible, Sendable {
  let foreignKeys: Bool
  let recursiveTriggers: Bool

  var testDescription: String {
    "foreign keys \(foreignKeys), recursive triggers \(recursiveTriggers)"
  }

  static let all = [true, false].flatMap { keys in
    [true, false].map { Setting(foreignKeys: keys, recursiveTriggers: $0) }
  }

  func connect(_ file: RemindersFile) throws -> Connection {
    let db = try file.connect(as: .shell)
    try db.pragma("foreign_keys", set: foreignKeys ? "ON" : "OFF")
    try db.pragma("recursive_triggers", set: recursiveTriggers ? "ON" : "OFF")
    return db
  }
}

/// The rules hold for every statement that a program can execute on the file.
@Suite struct RulesTests {
  let file: RemindersFile

  init() throws { file = try RemindersFile() }

  @Test("After any statements the rules hold and search equals the tables", arguments: Setting.all)
  func anyStatements(_ setting: Setting) throws {
    var statements = ShellStatements(random: SeededRandom())
    let seed = statements.random.seed
    try file.shuffleTriggers(using: &statements.random)
    let db = try setting.connect(file)
    var oracle = RulesOracle(db)
    try db.execute(
      "INSERT INTO apiKeys (id, name, scope, hash, createdAt) VALUES (1, 'k', 'read', '', 0)")
    var done = 0
    let steps = Effort.rounds(300)
    for step in 0..<steps {
      if step % 10 == 0 {
        try db.execute(
          "INSERT OR IGNORE INTO apiKeyParts (keyID, part) SELECT 1, id FROM remindersLists")
      }
      let statement = statements.next()
      // Many statements are refused and change nothing, or with OR FAIL only some rows.
      if db.refusal(of: statement) == nil { done += 1 }
      let comment: Comment = "after \(statement), step \(step), seed \(seed)"
      try oracle.check(comment)
      try oracle.checkIDs(comment)
      if step % 100 == 99 { try oracle.checkIndex(comment) }
    }
    #expect(done > steps / 5, "seed \(seed)")
  }

  /// Statements that write a row with an ID that is there already, and a column that they set.
  private static let taken: [(table: String, insert: String, column: String)] = [
    ("reminders", "reminders (id, remindersListID, title) VALUES (3, 1, 'new')", "title"),
    ("remindersLists", "remindersLists (id, title) VALUES (3, 'new')", "title"),
    ("smartLists", "smartLists (id, title, filter) VALUES (3, 'new', '{}')", "title"),
    ("remindersTags", "remindersTags (id, reminderID, tagID) VALUES (3, 5, 'late')", "tagID"),
    ("remindersTags", "remindersTags (id, reminderID, tagID) VALUES (3, 7, 'home')", "tagID"),
  ]

  @Test(
    "REPLACE over a row and a changed ID are refused and change nothing", arguments: Setting.all)
  func idsStay(_ setting: Setting) throws {
    let db = try setting.connect(file)
    try db.execute(
      """
      INSERT INTO remindersLists (id, title) VALUES (3, 'theirs'), (5, 'mine');
      INSERT INTO reminders (id, remindersListID, title) VALUES (3, 3, 'a'), (5, 5, 'b'),
        (7, 5, 'c');
      INSERT INTO smartLists (id, title, filter) VALUES (3, 'a', '{}'), (5, 'b', '{}');
      INSERT INTO tags VALUES ('home'), ('late');
      INSERT INTO remindersTags (id, reminderID, tagID) VALUES (3, 3, 'home'), (5, 5, 'home');
      INSERT INTO apiKeys (id, name, scope, hash, createdAt) VALUES (1, 'k', 'read', '', 0);
      INSERT INTO apiKeyParts (keyID, part) VALUES (1, 3);
      """)
    func content() throws -> [[[Value]]] {
      try ["reminders", "remindersLists", "smartLists", "remindersTags", "trash", "changes"].map {
        try db.rows("SELECT * FROM \($0) ORDER BY 1").map(\.values)
      }
    }
    let before = try content()
    for (table, insert, column) in Self.taken {
      // An upsert changes the row, and OR IGNORE leaves it.
      if table != "remindersTags" {
        try db.execute("SAVEPOINT one; INSERT OR IGNORE INTO \(insert)")
        #expect(try content() == before, "\(table)")
        try db.execute(
          "INSERT INTO \(insert) ON CONFLICT (id) DO UPDATE SET \(column) = excluded.\(column)")
        #expect(try db.text("SELECT \(column) FROM \(table) WHERE id = 3") == "new")
        try db.execute("ROLLBACK TO one; RELEASE one")
      }
      for update in ["UPDATE", "UPDATE OR REPLACE", "UPDATE OR IGNORE"] {
        // The ID has four names.
        for set in [
          "id = 5", "id = 9", "rowid = 5", "OID = 9", "(\(column), [_RowID_]) = ('x', 9)",
        ] {
          #expect(
            db.refusal(of: "\(update) \(table) SET \(set) WHERE id = 3")
              == ValueRule.keepsID.rawValue, "\(update) \(table) \(set)")
        }
      }
      // With recursive triggers it is a deletion, which runs its triggers, and an insert.
      if !setting.recursiveTriggers || table == "remindersTags" {
        for replace in ["REPLACE INTO", "INSERT OR REPLACE INTO"] {
          #expect(
            db.refusal(of: "\(replace) \(insert)") == ValueRule.replaced.rawValue,
            "\(replace) \(table)")
        }
      }
      #expect(try content() == before, "\(table)")
    }
    #expect(try db.integers("SELECT part FROM apiKeyParts") == [3])
  }

  @Test(
    "A list that is deleted and made again is closed to the keys of the first one",
    arguments: Setting.all)
  func keysOfADeletedList(_ setting: Setting) throws {
    let db = try setting.connect(file)
    try db.execute(
      """
      INSERT INTO remindersLists (id, title) VALUES (3, 'theirs');
      INSERT INTO apiKeys (id, name, scope, hash, createdAt) VALUES (1, 'k', 'read', '', 0);
      INSERT INTO apiKeyParts (keyID, part) VALUES (1, 1), (1, 3);
      DELETE FROM remindersLists WHERE id = 3; INSERT INTO remindersLists (id) VALUES (3);
      """)
    #expect(try db.integers("SELECT part FROM apiKeyParts") == [1])
  }

  @Test("A deleted key leaves nothing to the next key with its ID", arguments: Setting.all)
  func keysLeaveNothing(_ setting: Setting) throws {
    let db = try setting.connect(file)
    for change in [
      "DELETE FROM apiKeys WHERE id = 1", "UPDATE apiKeys SET id = 7 WHERE id = 1",
    ] {
      try db.execute(
        """
        INSERT INTO apiKeys (id, name, scope, hash, createdAt) VALUES (1, 'k', 'read', '', 0);
        INSERT INTO apiKeyParts (keyID, part) VALUES (1, 1);
        INSERT INTO liveSessions (keyID, hash, expiresAt) VALUES (1, '', 0);
        """)
      try db.execute(change)
      #expect(try db.integers("SELECT part FROM apiKeyParts") == [], "\(change)")
      #expect(try db.integers("SELECT id FROM liveSessions") == [], "\(change)")
    }
  }

  @Test("The ID of a deleted row is not assigned again", arguments: Setting.all)
  func idsOfWhatIsGone(_ setting: Setting) throws {
    let db = try setting.connect(file)
    for (table, columns) in [
      ("reminders", "(remindersListID, id) VALUES (1, "), ("remindersLists", "(id) VALUES ("),
    ] {
      try db.execute("INSERT INTO \(table) \(columns) 1000); DELETE FROM \(table) WHERE id = 1000")
      try db.execute("INSERT INTO \(table) \(columns) NULL)")
      #expect(try db.integer("SELECT max(id) FROM \(table)") == 1_001, "\(table)")
    }
  }

  @Test(
    "Calendar objects stay with their reminder, and are deleted with it", arguments: Setting.all)
  func calendarObjects(_ setting: Setting) throws {
    let db = try setting.connect(file)
    try db.execute(
      """
      INSERT INTO reminders (id, remindersListID) VALUES (1, 1), (2, 1);
      INSERT INTO calendarObjects (reminderID, lines) VALUES (1, 'one'), (2, 'two');
      """)
    #expect(
      db.refusal(of: "UPDATE calendarObjects SET reminderID = 2 WHERE reminderID = 1")
        == RuleViolation.objectWithoutReminder.rawValue)
    try db.execute("DELETE FROM reminders WHERE id = 1")
    let rows = try db.rows("SELECT reminderID, lines FROM calendarObjects")
    #expect(rows.map(\.values) == [[2, "two"]])
  }

  private static let refused: [(ValueRule, [String])] = [
    (
      .id,
      [
        "INSERT INTO reminders (id, remindersListID) VALUES (9223372036854775807, 1)",
        "INSERT INTO reminders (id, remindersListID) VALUES (-7, 1)",
        "INSERT INTO reminders (id, remindersListID) VALUES (0, 1)",
        "INSERT INTO remindersLists (id) VALUES (9223372036854775807)",
        "INSERT INTO remindersLists (id) VALUES (-1)",
        "INSERT INTO remindersTags (id, reminderID, tagID) VALUES (-1, 1, 'a')",
      ]
    ),
    (
      .position,
      [
        "INSERT INTO reminders (remindersListID, position) VALUES (1, 9223372036854775807)",
        "UPDATE reminders SET position = -9007199254740993",
        "UPDATE remindersLists SET position = 9223372036854775806",
      ]
    ),
    (
      .time,
      [
        "UPDATE reminders SET updatedAt = NULL", "UPDATE reminders SET updatedAt = ''",
        "UPDATE reminders SET createdAt = '2026-11-20'",
        "UPDATE reminders SET createdAt = '2026-02-31 10:00:00.000'",
        "UPDATE reminders SET createdAt = '2026-02-01 24:00:00.000'",
        "UPDATE remindersLists SET updatedAt = '-999-01-01 00:00:00.000'",
        "UPDATE remindersLists SET createdAt = NULL",
      ]
    ),
    (
      .dueDate,
      [
        "UPDATE reminders SET dueDate = 'zzz'", "UPDATE reminders SET dueDate = ''",
        "UPDATE reminders SET dueDate = '2026-02-31'", "UPDATE reminders SET dueDate = 'now'",
        "UPDATE reminders SET dueDate = '2460000.5'",
        "INSERT INTO reminders (remindersListID, dueDate) VALUES (1, '2026-13-01')",
        "UPDATE reminders SET dueDate = '2026-02-01' || char(0)",
      ]
    ),
    (
      .title,
      [
        "UPDATE reminders SET title = 'a' || char(0)",
        "UPDATE reminders SET title = printf('%.*c', 1001, 'x')",
        "INSERT INTO reminders (remindersListID, title) VALUES (1, char(0))",
        "UPDATE remindersLists SET title = printf('%.*c', 1001, 'x')",
        "INSERT INTO remindersLists (title) VALUES ('a' || char(0) || 'b')",
      ]
    ),
    (
      .notes,
      [
        "UPDATE reminders SET notes = char(0)",
        "INSERT INTO reminders (remindersListID, notes) VALUES (1, printf('%.*c', 100001, 'x'))",
      ]
    ),
    (
      .color,
      [
        "UPDATE remindersLists SET color = -1",
        "INSERT INTO remindersLists (color) VALUES (1 << 40)",
      ]
    ),
    (
      .tag,
      [
        "INSERT INTO tags VALUES ('.')", "INSERT INTO tags VALUES ('a' || char(10))",
        "INSERT INTO tags VALUES (char(127))", "INSERT INTO tags VALUES ('a' || char(0))",
        "UPDATE tags SET title = printf('%.*c', 101, 'x')",
        "PRAGMA foreign_keys = OFF; INSERT INTO remindersTags (reminderID, tagID) VALUES (1, '..')",
      ]
    ),
  ]

  @Test("Values that would break the service are refused", arguments: Setting.all)
  func refusedValues(_ setting: Setting) throws {
    let db = try setting.connect(file)
    try db.execute(
      """
      INSERT INTO remindersLists (id) VALUES (2);
      INSERT INTO reminders (remindersListID) VALUES (1);
      INSERT INTO tags VALUES ('a');
      """)
    for (rule, changes) in Self.refused {
      for change in changes { #expect(db.refusal(of: change) == rule.rawValue, "\(change)") }
    }
    #expect(try db.integer("SELECT count(*) FROM reminders") == 1)
  }

  @Test("Values at the limits are accepted, and further rows can follow", arguments: Setting.all)
  func bounds(_ setting: Setting) throws {
    let db = try setting.connect(file)
    try db.execute(
      """
      INSERT INTO reminders (id, remindersListID, position, title, notes, dueDate)
      VALUES (9007199254740992, 1, 9007199254740992, printf('%.*c', 1000, 'ä'), printf('%.*c', 100000, 'x'),
        '2028-02-29');
      UPDATE reminders SET dueDate = '2028-02-29 23:59:59.999', createdAt = '0001-01-01 00:00:00.000';
      INSERT INTO reminders (remindersListID) VALUES (1), (1);
      INSERT INTO remindersLists (id, position) VALUES (9007199254740992, 9007199254740992);
      INSERT INTO remindersLists DEFAULT VALUES;
      """)
    let last = try db.integers("SELECT id FROM reminders ORDER BY position, id").compactMap { $0 }
    #expect(last == last.sorted() && last.count == 3)
    #expect(try db.integer("SELECT count(*) FROM remindersLists") == 3)
  }
}
