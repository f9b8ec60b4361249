import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime
import Testing

@testable import MartletReminders

/// The tree of the tests: 1 above 2 and 3, 2 above 4, 4 above 5, 5 above 6; 7 alone; 8 in list 2.
@Suite("Subtasks, written by any program") struct SubtaskTests {
  private static let settings = [(false, false), (true, false), (false, true)]

  func database(_ setting: (foreignKeys: Bool, recursive: Bool)) throws -> Connection {
    let file = try RemindersFile()
    let db = try file.connect(as: .shell)
    try db.pragma("foreign_keys", set: setting.foreignKeys ? "ON" : "OFF")
    try db.pragma("recursive_triggers", set: setting.recursive ? "ON" : "OFF")
    try db.execute(
      """
      INSERT INTO remindersLists (title) VALUES ('two');
      INSERT INTO reminders (remindersListID, title, parentID) VALUES
        (1, 'a', NULL), (1, 'b', 1), (1, 'c', 1), (1, 'd', 2), (1, 'e', 4), (1, 'f', 5),
        (1, 'g', NULL), (2, 'h', NULL);
      """)
    return db
  }

  /// Executes statements of another program one by one, and then what the service does when it
  /// hears of each.
  func run(_ db: Connection, _ sql: String) throws {
    for statement in sql.split(separator: ";") {
      try db.execute(String(statement))
      #expect(try Subtasks.follow(in: db).isEmpty)
      #expect(try !Subtasks.canFollow(in: db))
    }
  }

  /// Each reminder as ID, list, parent, status and counts.
  private func rows(_ db: Connection) throws -> [String] {
    try db.texts(
      """
      SELECT id || ' in ' || remindersListID || coalesce(' below ' || parentID, '')
      || CASE status WHEN 1 THEN ' done' ELSE '' END
      || CASE WHEN allSubtasks > 0 THEN ' ' || openSubtasks || '/' || allSubtasks ELSE '' END
      FROM reminders ORDER BY id
      """
    ).compactMap { $0 }
  }

  private static let whole = [
    "1 in 1 2/2", "2 in 1 below 1 1/1", "3 in 1 below 1", "4 in 1 below 2 1/1",
    "5 in 1 below 4 1/1", "6 in 1 below 5", "7 in 1", "8 in 2",
  ]

  @Test("A place that cannot be is refused", arguments: settings)
  func refused(_ setting: (Bool, Bool)) throws {
    let db = try database(setting)
    for (change, rule) in [
      ("parentID = 99 WHERE id = 7", RuleViolation.unknownParent),
      ("parentID = 1 WHERE id = 1", .cyclicParent), ("parentID = 6 WHERE id = 1", .cyclicParent),
      ("parentID = 6 WHERE id = 7", .tooDeep), ("parentID = 7 WHERE id = 1", .tooDeep),
    ] {
      #expect(db.refusal(of: "UPDATE reminders SET \(change)") == rule.rawValue, "\(change)")
    }
    for (values, rule) in [
      ("NULL, 1, 99", RuleViolation.unknownParent), ("50, 1, 50", .cyclicParent),
      ("NULL, 1, 6", .tooDeep), ("NULL, 2, 1", .parentList),
    ] {
      let insert = "INSERT INTO reminders (id, remindersListID, parentID) VALUES (\(values))"
      #expect(db.refusal(of: insert) == rule.rawValue, "\(values)")
    }
    #expect(try rows(db) == Self.whole)
  }

  @Test(
    "A subtree moves with its root, in its order, and a subtask alone has no parent there",
    arguments: settings)
  func moves(_ setting: (Bool, Bool)) throws {
    let db = try database(setting)
    try db.execute(
      "UPDATE reminders SET position = CASE id WHEN 3 THEN 0 ELSE position END WHERE id IN (2, 3)")
    try db.execute("UPDATE reminders SET remindersListID = 2 WHERE id = 1")
    #expect(
      try rows(db) == Self.whole.map { $0.hasPrefix("7") ? $0 : $0.replacing("in 1", with: "in 2") }
    )
    #expect(
      try db.integers("SELECT id FROM reminders WHERE parentID = 1 ORDER BY position, id") == [
        3, 2,
      ])
    #expect(
      try db.integers(
        "SELECT id FROM reminders WHERE remindersListID = 2 AND parentID IS NULL ORDER BY position")
        == [8, 1])
    try db.execute("UPDATE reminders SET remindersListID = 1 WHERE id = 4")
    #expect(try rows(db)[1] == "2 in 2 below 1")
    #expect(try rows(db)[3...5] == ["4 in 1 1/1", "5 in 1 below 4 1/1", "6 in 1 below 5"])
    // A new parent takes the subtree to its list.
    try db.execute("UPDATE reminders SET parentID = 8 WHERE id = 4")
    #expect(try rows(db)[3...5] == ["4 in 2 below 8 1/1", "5 in 2 below 4 1/1", "6 in 2 below 5"])
    #expect(try rows(db)[7] == "8 in 2 1/1")
  }

  @Test("The service places a moved subtree at the end of the list, in its order")
  func movesToTheEnd() throws {
    let db = try database((true, false))
    try db.execute("UPDATE reminders SET position = 1000000000 WHERE id = 8")
    for (id, move) in [(1, "list"), (4, "parent")] {
      var values = ReminderRepository.Values()
      if move == "list" { values.listID = 2 } else { values.parentID = .some(8) }
      try db.execute("UPDATE reminders SET remindersListID = 1 WHERE id = 4")
      try ReminderRepository.update(id, values, at: Clock.system.now(), in: db)
    }
    #expect(
      try db.integers("SELECT id FROM reminders WHERE remindersListID = 2 ORDER BY position, id")
        == [8, 1, 2, 3, 4, 5, 6])
  }

  @Test(
    "Completing a parent completes what is open below it, and reopening undoes exactly this",
    arguments: settings)
  func completing(_ setting: (Bool, Bool)) throws {
    let db = try database(setting)
    try run(db, "UPDATE reminders SET status = 1 WHERE id = 5")
    #expect(try rows(db)[4...5] == ["5 in 1 below 4 done 0/1", "6 in 1 below 5 done"])
    let open = try rows(db)
    try run(db, "UPDATE reminders SET status = 1 WHERE id = 1")
    #expect(try db.integers("SELECT status FROM reminders WHERE id < 7") == [1, 1, 1, 1, 1, 1])
    #expect(
      try db.texts(
        "SELECT reminderID || coalesce(' by ' || causeID, '') FROM completions ORDER BY id")
        == ["5", "6 by 1", "1", "2 by 3", "3 by 3", "4 by 3"])
    try run(db, "UPDATE reminders SET status = 0 WHERE id = 1")
    #expect(try rows(db) == open)
    #expect(try db.integers("SELECT reminderID FROM completions") == [5, 6])
    // Completing the last subtask leaves the parent alone.
    try run(db, "UPDATE reminders SET status = 1 WHERE id IN (2, 3)")
    #expect(try rows(db)[0] == "1 in 1 0/2")
    // One that was reopened by itself stays open.
    try run(
      db,
      "UPDATE reminders SET status = 1 WHERE id = 7; UPDATE reminders SET parentID = 7 WHERE id = 8"
    )
    try run(
      db,
      "UPDATE reminders SET status = 0 WHERE id = 7; UPDATE reminders SET status = 1 WHERE id = 7")
    try run(
      db,
      "UPDATE reminders SET status = 0 WHERE id = 8; UPDATE reminders SET status = 1 WHERE id = 8")
    try run(db, "UPDATE reminders SET status = 0 WHERE id = 7")
    #expect(try rows(db)[7] == "8 in 1 below 7 done")
    // One that has a newer record, of another program, stays completed.
    try run(
      db,
      "UPDATE reminders SET status = 0 WHERE id < 7; UPDATE reminders SET status = 1 WHERE id = 1")
    #expect(try db.integers("SELECT status FROM reminders WHERE id IN (3, 4)") == [1, 1])
    try run(
      db,
      """
      INSERT INTO completions (reminderID, title, completedAt, kind)
      VALUES (4, 'again', '2030-01-01 00:00:00.000', 0)
      """)
    try run(db, "UPDATE reminders SET status = 0 WHERE id = 1")
    #expect(try db.integers("SELECT status FROM reminders WHERE id IN (3, 4)") == [0, 1])
  }

  @Test("A subtask that another program has completed since stays so when its parent is reopened")
  func completedSince() throws {
    let db = try database((true, false))
    var changes = ReminderRepository.Values()
    changes.status = .completed
    try ReminderRepository.update(1, changes, at: .epoch, in: db)
    #expect(try db.integers("SELECT status FROM reminders WHERE id < 7") == [1, 1, 1, 1, 1, 1])
    try db.execute(
      """
      INSERT INTO completions (reminderID, title, completedAt, kind)
      VALUES (4, 'again', '2030-01-01 00:00:00.000', 0)
      """)
    try CompletionRepository.reopen(1, among: .all, in: db)
    #expect(try db.integers("SELECT status FROM reminders WHERE id < 7") == [0, 0, 0, 1, 0, 0])
    #expect(try db.integers("SELECT reminderID FROM completions") == [4])
  }

  @Test("A subtree is one entry of the trash, and comes back whole", arguments: settings)
  func trash(_ setting: (Bool, Bool)) throws {
    let db = try database(setting)
    try run(db, "UPDATE reminders SET status = 1 WHERE id = 5")
    let before = try rows(db)
    try run(db, "DELETE FROM reminders WHERE id = 2")
    #expect(try rows(db) == ["1 in 1 1/1", "3 in 1 below 1", "7 in 1", "8 in 2"])
    let entry = try #require(try db.integer("SELECT id FROM trash WHERE entryID IS NULL"))
    #expect(try db.integer("SELECT count(*) FROM trash WHERE entryID = \(entry)") == 3)
    _ = try TrashRepository.restore(entry, in: db)
    #expect(try rows(db) == before)
    #expect(try db.integers("SELECT reminderID FROM completions ORDER BY id") == [5, 6])
    // With its list.
    try run(db, "DELETE FROM remindersLists WHERE id = 1")
    #expect(try rows(db) == ["8 in 2"])
    let list = try #require(try db.integer("SELECT id FROM trash WHERE kind = 1"))
    _ = try TrashRepository.restore(list, in: db)
    #expect(try rows(db) == before)
    // In another list, without the parent that is not there.
    try run(db, "DELETE FROM reminders WHERE id = 4")
    let part = try #require(try db.integer("SELECT id FROM trash WHERE itemID = 4"))
    _ = try TrashRepository.restore(part, into: 2, in: db)
    #expect(
      try rows(db)[3...5] == ["4 in 2 0/1", "5 in 2 below 4 done 0/1", "6 in 2 below 5 done"])
    try run(db, "DELETE FROM reminders WHERE id = 4; DELETE FROM trash WHERE itemID = 4")
    #expect(try db.integer("SELECT count(*) FROM reminders") == 5)
  }

  @Test("A changed ID and a replaced parent are refused", arguments: settings)
  func ids(_ setting: (Bool, Bool)) throws {
    let db = try database(setting)
    let whole = try rows(db)
    let replace = "REPLACE INTO reminders (id, remindersListID, title) VALUES (4, 2, 'new')"
    #expect(
      db.refusal(of: "UPDATE reminders SET id = 20 WHERE id = 2") == ValueRule.keepsID.rawValue)
    if !setting.1 { #expect(db.refusal(of: replace) == ValueRule.replaced.rawValue) }
    #expect(try rows(db) == whole)
    guard setting.1 else { return }
    // With recursive triggers, REPLACE is a deletion, which runs its triggers, and an insert.
    try db.execute(replace)
    let replaced = try rows(db)
    #expect(!replaced.contains { $0.hasPrefix("5 ") } && replaced.contains("4 in 2"))
    #expect(try db.integer("SELECT count(*) FROM trash WHERE itemID = 4") == 1)
  }

  @Test("OR IGNORE and upserts of a subtask leave right counts", arguments: settings)
  func conflicts(_ setting: (Bool, Bool)) throws {
    let db = try database(setting)
    let whole = try rows(db)
    for insert in [
      "INSERT OR IGNORE INTO reminders (id, remindersListID, title) VALUES (3, 1, 'x')",
      """
      INSERT INTO reminders (id, remindersListID, title, parentID) VALUES (3, 1, 'x', 1)
      ON CONFLICT (id) DO UPDATE SET notes = 'n'
      """,
    ] {
      try db.execute(insert)
      #expect(try rows(db) == whole, "\(insert)")
      try db.execute(
        "INSERT INTO reminders (remindersListID, title, parentID) VALUES (1, 'new', 1)")
      #expect(try rows(db)[0] == "1 in 1 3/3", "\(insert)")
      try db.execute("DELETE FROM reminders WHERE title = 'new'")
    }
  }

  @Test("A reminder that has left the tree is not reopened with it", arguments: settings)
  func left(_ setting: (Bool, Bool)) throws {
    let db = try database(setting)
    try run(db, "UPDATE reminders SET status = 1 WHERE id = 1")
    try run(db, "UPDATE reminders SET remindersListID = 2 WHERE id = 3")
    try run(db, "UPDATE reminders SET status = 0 WHERE id = 1")
    #expect(try rows(db)[2] == "3 in 2 done")
    #expect(try db.texts("SELECT reminderID || coalesce(causeID, '') FROM completions") == ["3"])
    // Also if it left the tree of a subtask of a recurring reminder.
    try run(
      db,
      """
      UPDATE reminders SET status = 1 WHERE id = 2; UPDATE reminders SET parentID = NULL WHERE id = 4;
      UPDATE reminders SET dueDate = '2026-11-20', recurrenceRule = 'FREQ=DAILY' WHERE id = 1;
      """)
    var changes = ReminderRepository.Values()
    changes.status = .completed
    try ReminderRepository.update(1, changes, at: .epoch, in: db)
    #expect(try rows(db)[1...3] == ["2 in 1 below 1", "3 in 2 done", "4 in 1 done 0/1"])
    #expect(try db.integer("SELECT count(*) FROM completions WHERE reminderID = 4") == 1)
  }

  @Test("A deletion is an entry of the trash, also of an ID that was in it before")
  func again() throws {
    let db = try database((false, false))
    try db.execute(
      """
      DELETE FROM reminders WHERE id = 4; UPDATE trash SET deletedAt = '2026-01-01 00:00:00.000';
      INSERT INTO reminders (id, remindersListID, title) VALUES (5, 1, 'again');
      INSERT INTO reminders (id, remindersListID, title, parentID) VALUES (50, 1, 'below', 5);
      DELETE FROM reminders WHERE id = 5;
      """)
    #expect(try !rows(db).contains { $0.hasPrefix("5") })
    #expect(try db.integer("SELECT count(*) FROM trash WHERE title IN ('again', 'below')") == 2)
  }

  @Test("Trees that move between lists keep small positions")
  func positions() throws {
    let db = try database((false, false))
    for _ in 0..<200 {
      try db.execute(
        "UPDATE reminders SET remindersListID = 3 - remindersListID WHERE id IN (1, 7, 8)")
    }
    #expect(try rows(db) == Self.whole)
    let last = try #require(try db.integer("SELECT max(position) FROM reminders"))
    #expect(last < 20 * Positions.gap)
    #expect(
      try db.integers("SELECT id FROM reminders WHERE parentID = 1 ORDER BY position, id") == [
        2, 3,
      ])
  }

  @Test("A recurring parent begins anew with open subtasks, and undoing it brings them back")
  func recurring() throws {
    let db = try database((false, false))
    try run(
      db,
      """
      UPDATE reminders SET dueDate = '2026-11-20', recurrenceRule = 'FREQ=DAILY' WHERE id = 1;
      UPDATE reminders SET status = 1, completedAt = '2026-11-01 00:00:00.000' WHERE id = 4;
      UPDATE reminders SET status = 0 WHERE id = 6;
      """)
    let before = try rows(db)
    let records = try db.texts("SELECT id || completedAt FROM completions ORDER BY id")
    var changes = ReminderRepository.Values()
    changes.status = .completed
    let now = try RFC3339.parse("2026-11-20T12:00:00Z")
    for kind in [CompletionKind.completed, .skipped] {
      if kind == .completed {
        try ReminderRepository.update(1, changes, at: now, in: db)
      } else {
        try CompletionRepository.skip(1, among: .all, at: now, in: .utc, db)
      }
      #expect(try db.text("SELECT dueDate FROM reminders WHERE id = 1") == "2026-11-21")
      #expect(try rows(db) == Self.whole)
      // The subtasks that were open are recorded with their parent, if it was completed.
      #expect(
        try db.integer("SELECT count(*) FROM completions WHERE causeID IS NOT NULL AND id > 2")
          == (kind == .completed ? 3 : 0))
      try CompletionRepository.reopen(1, among: .all, in: db)
      #expect(try rows(db) == before)
      #expect(try db.texts("SELECT id || completedAt FROM completions ORDER BY id") == records)
    }
  }

  @Test("Subtasks of several levels have their own times of completion after an undo")
  func times() throws {
    let db = try database((false, false))
    try run(
      db,
      """
      UPDATE reminders SET dueDate = '2026-11-20', recurrenceRule = 'FREQ=DAILY' WHERE id = 1;
      UPDATE reminders SET status = 1, completedAt = '2026-11-01 00:00:00.000' WHERE id = 5;
      UPDATE reminders SET status = 1, completedAt = '2026-11-02 00:00:00.000' WHERE id = 2;
      UPDATE reminders SET status = 0 WHERE id = 4;
      """)
    let before = try db.texts("SELECT id || status || coalesce(completedAt, '') FROM reminders")
    var changes = ReminderRepository.Values()
    changes.status = .completed
    try ReminderRepository.update(1, changes, at: .epoch, in: db)
    try CompletionRepository.reopen(1, among: .all, in: db)
    #expect(
      try db.texts("SELECT id || status || coalesce(completedAt, '') FROM reminders") == before)
  }

  @Test("A recurring subtask that was completed with its parent does not move on")
  func recurringSubtask() throws {
    let db = try database((false, false))
    try run(
      db,
      """
      UPDATE reminders SET dueDate = '2026-11-20', recurrenceRule = 'FREQ=DAILY' WHERE id = 3;
      UPDATE reminders SET status = 1 WHERE id = 1;
      """)
    try CompletionRepository.moveOn(3, in: .utc, db)
    #expect(try rows(db)[2] == "3 in 1 below 1 done")
  }
}
