import MartletSQLite
import MartletStore
import MartletTime
import Testing

@testable import MartletReminders

// What the service does after the commit of another program.
extension SubtaskTests {
  @Test("A tree is completed in portions, each of so many rows")
  func portions() throws {
    let db = try database((true, false))
    try db.execute("UPDATE reminders SET status = 1 WHERE parentID IS NULL")
    var open: [Int] = []
    while try Subtasks.canFollow(in: db) {
      #expect(try Subtasks.follow(in: db, most: 2).isEmpty)
      open.append(try db.integer("SELECT count(*) FROM reminders WHERE status <> 1") ?? -1)
    }
    #expect(open == [3, 1, 0])
    #expect(try db.integer("SELECT count(*) FROM completions WHERE causeID = 1") == 5)
    try Subtasks.reopen(below: 1, in: db)
    #expect(try db.integer("SELECT count(*) FROM reminders WHERE status = 1") == 3)
  }

  @Test("A subtask that cannot be completed does not hold up other trees")
  func leftReminder() throws {
    let db = try database((true, false))
    try db.execute(
      """
      UPDATE reminders SET parentID = 7 WHERE id = 6;
      PRAGMA ignore_check_constraints = ON;
      UPDATE reminders SET title = printf('%.*c', 1500, 'x') WHERE id = 3;
      PRAGMA ignore_check_constraints = OFF;
      UPDATE reminders SET status = 1 WHERE id IN (1, 7);
      """)
    let left = try Subtasks.follow(in: db)
    #expect(left.map(\.id) == [1])
    #expect(left.first?.description.contains("reminder 1: ") == true)
    #expect(try !Subtasks.canFollow(in: db))
    #expect(try db.integers("SELECT id FROM reminders WHERE status = 1") == [1, 6, 7])
  }

  @Test("A subtask stays completed if its parent is opened and completed before the service hears")
  func completedAgain() throws {
    for program in ["shell", "service"] {
      let db = try database((true, false))
      try run(db, "UPDATE reminders SET status = 1 WHERE id = 1")
      try db.execute("UPDATE reminders SET status = 0 WHERE id = 1")
      if program == "shell" {
        try db.execute("UPDATE reminders SET status = 1 WHERE id = 1")
      } else {
        var values = ReminderRepository.Values()
        values.status = .completed
        try ReminderRepository.update(1, values, at: Clock.system.now(), in: db)
      }
      try run(db, "SELECT 1")
      #expect(try db.integer("SELECT count(*) FROM reminders WHERE status = 1") == 6, "\(program)")
      // And all of them open with it.
      try run(db, "UPDATE reminders SET status = 0 WHERE id = 1")
      #expect(try db.integer("SELECT count(*) FROM reminders WHERE status = 1") == 0, "\(program)")
    }
  }

  @Test("A recurring subtask that is to open with its parent does not move on")
  func opensInsteadOfMovingOn() throws {
    let db = try database((true, false))
    try db.execute(
      "UPDATE reminders SET dueDate = '2026-12-01', recurrenceRule = 'FREQ=DAILY' WHERE id = 3")
    try run(db, "UPDATE reminders SET status = 1 WHERE id = 1")
    try db.execute("UPDATE reminders SET status = 0 WHERE id = 1")
    try CompletionRepository.moveOn(3, in: .utc, db)
    try run(db, "SELECT 1")
    #expect(try db.text("SELECT status || dueDate FROM reminders WHERE id = 3") == "02026-12-01")
    #expect(try db.integer("SELECT count(*) FROM completions") == 0)
  }

  @Test("Subtasks that stood before their parent are behind it in another list, in their order")
  func placedBehind() throws {
    let db = try database((true, false))
    try db.execute(
      "UPDATE reminders SET position = CASE id WHEN 3 THEN 1 WHEN 2 THEN 2 ELSE position + 9 END")
    var values = ReminderRepository.Values()
    values.listID = 2
    try ReminderRepository.update(1, values, at: Clock.system.now(), in: db)
    #expect(
      try db.integers("SELECT id FROM reminders WHERE remindersListID = 2 ORDER BY position")
        == [8, 1, 3, 2, 4, 5, 6])
  }

  @Test("A reminder that waits for a parent joins when a deletion makes the tree lower")
  func joinsAfterDeletion() throws {
    let db = try database((true, false))
    // 7 waits for 3, with a tree of four levels below it.
    try db.execute(
      """
      INSERT INTO reminders (id, remindersListID, title, parentID) VALUES
        (11, 1, 'i', 7), (12, 1, 'j', 11), (13, 1, 'k', 12);
      UPDATE reminders SET uid = 'three' WHERE id = 3;
      INSERT INTO calendarObjects (reminderID, parentUID) VALUES (7, 'three');
      """)
    #expect(try !AwaitedParents.canJoin(in: db))
    try ReminderRepository.delete(13, in: db)
    #expect(try db.integer("SELECT parentID FROM reminders WHERE id = 7") == 3)
  }

  @Test("Many that wait for a parent join in portions")
  func joinsInPortions() throws {
    let db = try database((true, false))
    try db.execute(
      """
      INSERT INTO calendarObjects (reminderID, parentUID) VALUES (6, 'late'), (7, 'late'), (5, 'none');
      UPDATE reminders SET parentID = NULL WHERE id IN (5, 6);
      INSERT INTO reminders (id, remindersListID, title, uid) VALUES (20, 1, 'late', 'late');
      """)
    try AwaitedParents.join(in: db, most: 1)
    #expect(try db.integer("SELECT count(*) FROM reminders WHERE parentID = 20") == 1)
    #expect(try AwaitedParents.canJoin(in: db))
    try AwaitedParents.join(in: db)
    #expect(try db.integers("SELECT id FROM reminders WHERE parentID = 20") == [6, 7])
    #expect(try !AwaitedParents.canJoin(in: db))
  }
}
