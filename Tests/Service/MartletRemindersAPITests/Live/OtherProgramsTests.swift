import MartletReminders
import MartletSQLite
import MartletStore
import Synchronization
import TestSupport
import Testing

@Suite("A commit of another program wakes what it may have changed, and no more")
struct OtherProgramsTests {
  /// Every kind of read, with two lists and two reminders to distinguish.
  private static let targets = [
    "/v1/lists", "/v1/lists/1", "/v1/lists/2", "/v1/lists/1/reminders", "/v1/lists/2/reminders",
    "/v1/reminders", "/v1/reminders?tag=red", "/v1/reminders/1", "/v1/reminders/2", "/v1/tags",
    "/v1/tags/red", "/v1/search?q=milk", "/v1/stats", "/v1/completions",
    "/v1/reminders/1/occurrences",
    "/v1/trash", "/v1/alarms", "/v1/alarms?state=ringing", "/v1/alarms/1", "/v1/alarms/2",
    "/v1/smart-lists", "/v1/smart-lists/1", "/v1/smart-lists/1/reminders", "/v1/smart-lists/2",
    "/v1/keys",
    "/v1/channels", "/v1/channels/1", "/v1/deliveries?state=dead", "/v1/deliveries/1",
    "/v1/changes",
    "/v1/changes?listID=1", "stream:/v1/changes", "stream:/v1/changes?listID=1",
  ]
  private static let content = """
    INSERT INTO remindersLists (id, title) VALUES (2, 'second');
    INSERT INTO reminders (id, remindersListID, title) VALUES (1, 1, 'milk'), (2, 2, 'bread');
    INSERT INTO tags VALUES ('red'), ('blue');
    INSERT INTO remindersTags (reminderID, tagID) VALUES (1, 'red'), (2, 'red');
    INSERT INTO apiKeys (id, name, scope, hash, createdAt) VALUES (1, 'k', 'read', 'x', 0);
    INSERT INTO apiKeyParts (keyID, part) VALUES (1, 1);
    INSERT INTO calendarObjects (reminderID, lines) VALUES (1, 'X-A:1');
    INSERT INTO completions (reminderID, title, completedAt, kind)
      VALUES (1, 'milk', '2026-11-20 10:00:00.000', 0);
    INSERT INTO trash (kind, itemID, listID, title, content, deletedAt)
      VALUES (2, 77, 1, 'old', '{}', '2026-11-20 10:00:00.000');
    INSERT INTO alarms (id, reminderID, at, fireAt, isStale) VALUES
      (1, 1, '2026-11-21 10:00:00.000', '2026-11-21 10:00:00.000', 0),
      (2, 2, '2026-11-22 10:00:00.000', '2026-11-22 10:00:00.000', 0);
    INSERT INTO smartLists (id, title, filter)
      VALUES (1, 'a', '{"listID":1}'), (2, 'b', '{"due":"today"}');
    INSERT INTO channels (id, kind, name, url, events, createdAt)
      VALUES (1, 0, 'hook', 'https://example.com', '["*"]', '2026-11-20 10:00:00.000');
    INSERT INTO deliveries (channelID, eventID, type, body, state, createdAt, expiresAt, endedAt)
      VALUES (1, 'e-1', 'alarm.ringing', '{}', 2, '2026-11-20 10:00:00.000',
        '2026-11-20 10:00:00.000', '2026-11-20 10:00:00.000');
    """

  // The reads by what they depend on.
  private static let lists: Set = [
    "/v1/lists", "/v1/reminders", "/v1/reminders?tag=red", "/v1/changes", "/v1/changes?listID=1",
    "stream:/v1/changes",
  ]
  private static let alarms: Set = [
    "/v1/alarms", "/v1/alarms?state=ringing", "/v1/alarms/1", "/v1/alarms/2",
  ]
  private static let reminders = lists.union(alarms).union([
    "/v1/search?q=milk", "/v1/stats", "/v1/completions", "/v1/smart-lists", "/v1/smart-lists/1",
    "/v1/smart-lists/2",
  ])
  /// The reads that have alarms.
  private static let alarmed = alarms.union([
    "/v1/reminders", "/v1/reminders?tag=red", "/v1/reminders/1", "/v1/reminders/2",
    "/v1/lists/1/reminders", "/v1/lists/2/reminders", "/v1/search?q=milk", "/v1/changes",
    "/v1/changes?listID=1", "/v1/smart-lists/1/reminders",
  ])
  private static let list1: Set = [
    "/v1/lists/1", "/v1/lists/1/reminders", "stream:/v1/changes?listID=1",
    "/v1/smart-lists/1/reminders",
  ]
  private static let list2: Set = ["/v1/lists/2", "/v1/lists/2/reminders"]
  private static let reminder1: Set = ["/v1/reminders/1", "/v1/reminders/1/occurrences"]
  private static let reminder2: Set = ["/v1/reminders/2"]
  private static let smartLists: Set = [
    "/v1/smart-lists", "/v1/changes", "/v1/changes?listID=1", "stream:/v1/changes",
  ]
  private static let smartList1: Set = ["/v1/smart-lists/1", "/v1/smart-lists/1/reminders"]
  private static let tags: Set = ["/v1/tags", "/v1/tags/red"]
  private static let tagging = tags.union(["/v1/reminders/1"]).union(reminder2)
    .union(["/v1/lists/1/reminders", "/v1/lists/2/reminders", "/v1/smart-lists/1/reminders"])
  private static let streams: Set = ["stream:/v1/changes", "stream:/v1/changes?listID=1"]
  private static let completions: Set = ["/v1/completions"]
  private static let trash: Set = ["/v1/trash"]
  private static let channels: Set = ["/v1/channels", "/v1/channels/1"]
  private static let deliveries: Set = ["/v1/deliveries?state=dead", "/v1/deliveries/1"]
  /// What each commit wakes: the tables of keys have no counters.
  private static let keys: Set = [WatchedReads.keys, "/v1/keys"]
  private static let everything = Set(targets).union(keys)

  /// A statement of the shell and what it wakes.
  struct Case: CustomTestStringConvertible {
    let sql: String
    let woken: Set<String>
    var testDescription: String { sql }

    init(_ sql: String, _ woken: Set<String>...) {
      self.sql = sql
      self.woken = woken.reduce(woken.isEmpty ? [] : keys) { $0.union($1) }
    }
  }

  @Test("Each table", arguments: cases)
  func tables(_ test: Case) throws {
    let reads = try WatchedReads(Self.targets, Self.content)
    let before = try reads.results()
    let stale = try reads.stale { try reads.shell.execute(test.sql) }
    let after = try reads.results()
    let changed = Set(before.keys.filter { before[$0] != after[$0] })
    #expect(changed.isSubset(of: stale), "not woken: \(changed.subtracting(stale).sorted())")
    #expect(stale == test.woken, "\(stale.symmetricDifference(test.woken).sorted())")
  }

  // A program that does not enforce foreign keys, unless the statement says so.
  private static let cases = [
    Case("UPDATE reminders SET title = 'x' WHERE id = 1", reminders, list1, reminder1),
    Case("UPDATE reminders SET position = 9 WHERE id = 2", reminders, list2, reminder2),
    Case(
      "UPDATE reminders SET remindersListID = 1 WHERE id = 2", reminders, list1, list2, reminder2),
    Case("INSERT INTO reminders (remindersListID, title) VALUES (1, 'x')", reminders, list1),
    Case("DELETE FROM reminders WHERE id = 1", reminders, list1, reminder1, tagging, trash),
    Case("UPDATE remindersLists SET title = 'x' WHERE id = 2", lists, list2),
    Case("INSERT INTO remindersLists (title) VALUES ('x')", lists),
    Case("DELETE FROM remindersLists WHERE id = 2", reminders, list2, tagging, trash),
    Case(
      "PRAGMA foreign_keys = ON; DELETE FROM remindersLists WHERE id = 2", reminders, list2,
      tagging, trash),
    Case("DELETE FROM remindersLists WHERE id = 1", reminders, list1, reminder1, tagging, trash),
    Case("INSERT INTO tags VALUES ('x')", tags),
    Case("UPDATE tags SET title = 'x' WHERE title = 'blue'", tags),
    Case(
      "UPDATE tags SET title = 'x' WHERE title = 'red'", reminders, list1, list2, reminder1, tagging
    ),
    Case(
      "INSERT INTO remindersTags (reminderID, tagID) VALUES (1, 'blue')", reminders, list1,
      reminder1, tagging),
    Case("DELETE FROM remindersTags WHERE reminderID = 2", reminders, list2, tagging),
    Case("UPDATE calendarObjects SET lines = 'X-B:1'", reminders, list1, reminder1),
    Case("DELETE FROM trash", trash),
    Case("UPDATE completions SET title = 'x'", completions),
    // It marks the alarm of the reminder.
    Case("UPDATE reminders SET status = 1 WHERE id = 2", reminders, list2, reminder2, alarmed),
    Case("UPDATE alarms SET state = 1, firedAt = fireAt, fireAt = NULL WHERE id = 1", alarmed),
    Case(
      "UPDATE alarms SET acknowledgedAt = fireAt WHERE id = 2", reminders, list2, reminder2, alarmed
    ),
    Case(
      "INSERT INTO alarms (reminderID, anchor, offset) VALUES (2, 0, '-PT10M')", reminders, list2,
      reminder2, alarmed),
    Case("DELETE FROM alarms WHERE id = 1", reminders, list1, reminder1, alarmed),
    Case("UPDATE smartLists SET title = 'x' WHERE id = 1", smartLists, smartList1),
    Case("INSERT INTO smartLists (title) VALUES ('c')", smartLists),
    Case("DELETE FROM smartLists WHERE id = 2", smartLists, ["/v1/smart-lists/2"]),
    Case("UPDATE channels SET name = 'x'", channels),
    Case("UPDATE deliveries SET attempts = 3", deliveries),
    Case("DELETE FROM channels", channels, deliveries),
    Case("UPDATE feedState SET epoch = 'x'", ["/v1/changes", "/v1/changes?listID=1"]),
    Case("BEGIN; DELETE FROM reminders; DELETE FROM tags; ROLLBACK"),
    // Lines and versions that a program changes itself: any list or any reminder.
    Case(
      "UPDATE reminders SET version = 1000 WHERE id = 1",
      reminders.union(list1).union(list2).union(reminder1).union(reminder2).subtracting(streams)),
    Case(
      "UPDATE remindersLists SET version = 0 WHERE id = 2",
      lists.union(list1).union(list2).subtracting(streams).subtracting(smartList1)),
    Case("DELETE FROM changes WHERE version = 1", reminders, list1, list2, reminder1, reminder2),
    // Nothing is known of the table, the schema has changed, or the triggers are gone.
    Case("UPDATE apiKeys SET revokedAt = 1", everything),
    Case("INSERT INTO pairedKeys VALUES (1, 2, 2)", everything),
    Case("INSERT INTO calendarCollections (listID, name) VALUES (1, 'home')", everything),
    Case("INSERT INTO repairs (tableName, rowID, columnName) VALUES ('a', 1, 'b')", everything),
    Case("CREATE TABLE more (a)", everything),
    Case("DROP TRIGGER martlet_reminders_touch", everything),
  ]

  @Test("Without one of the triggers, anything may have changed")
  func dropped() throws {
    let reads = try WatchedReads(Self.targets, Self.content)
    try reads.shell.execute("DROP TRIGGER martlet_reminders_touch")
    try reads.database.write { _ in }
    let stale = try reads.stale {
      try reads.shell.execute("UPDATE reminders SET title = 'x' WHERE id = 1; DELETE FROM trash")
    }
    #expect(stale == Self.everything)
  }

  @Test("The service's own changes before a commit of another program are not its changes")
  func own() throws {
    let reads = try WatchedReads(Self.targets, Self.content)
    try reads.database.write { db in
      try db.execute(
        """
        DELETE FROM reminders WHERE id = 1; INSERT INTO tags VALUES ('own');
        UPDATE remindersLists SET title = 'own'; UPDATE apiKeys SET name = 'own';
        """)
    }
    let stale = try reads.stale {
      try reads.shell.execute("UPDATE reminders SET title = 'x' WHERE id = 2")
    }
    #expect(stale == Self.reminders.union(Self.list2).union(Self.reminder2).union(Self.keys))
  }

  @Test("An alarm that rings wakes reads of alarms, and none of reminders")
  func rings() throws {
    let reads = try WatchedReads(Self.targets, Self.content)
    let stale = try reads.stale {
      try reads.database.write { db in
        try db.execute(
          "UPDATE alarms SET state = 1, firedAt = fireAt, fireAt = NULL WHERE id = 1")
      }
    }
    #expect(stale.contains("/v1/alarms?state=ringing") && stale.contains("/v1/alarms/1"))
    #expect(stale.isSubset(of: Self.alarms), "\(stale.subtracting(Self.alarms).sorted())")
  }

  @Test("Each read whose result changes is woken, whatever a shell executes", arguments: 0..<3)
  func random(_ round: Int) throws {
    let reads = try WatchedReads(
      Self.targets + [
        "/v1/lists/3", "/v1/lists/3/reminders?sort=title", "/v1/reminders/3",
        "/v1/reminders?completed=false&limit=2", "/v1/reminders?due=scheduled", "/v1/tags/car",
        "/v1/search?q=tag:car", "/v1/changes?kind=list", "/v1/changes?open=true",
      ], Self.content)
    var statements = ShellStatements(random: SeededRandom())
    let seed = statements.random.seed
    try reads.shell.pragma("foreign_keys", set: round.isMultiple(of: 2) ? "ON" : "OFF")
    try reads.shell.pragma("recursive_triggers", set: round.isMultiple(of: 3) ? "ON" : "OFF")
    var before = try reads.results()
    var spared = 0
    for step in 0..<Effort.rounds(30) {
      var story: [String] = []
      for _ in 0..<statements.random.pick([1, 1, 1, 2, 4]) {
        story.append(
          statements.random.once(in: 4)
            ? statements.random.pick(Self.more) : statements.next())
      }
      let isOwn = statements.random.once(in: 5)
      let end = statements.random.once(in: 6) ? "ROLLBACK" : "COMMIT"
      let stale = try reads.stale {
        if isOwn {
          // A refused statement undoes the write.
          try? reads.database.write { db in for sql in story { try db.execute(sql) } }
        } else {
          try reads.shell.execute("BEGIN")
          for sql in story { try? reads.shell.execute(sql) }
          try reads.shell.execute(end)
        }
      }
      let after = try reads.results()
      let changed = Set(before.keys.filter { before[$0] != after[$0] })
      try #require(
        changed.isSubset(of: stale),
        "\(changed.subtracting(stale).sorted()) after \(story), \(end), step \(step), seed \(seed)")
      if !changed.isEmpty { spared += before.count - stale.count }
      before = after
    }
    #expect(spared > 0, "seed \(seed)")
  }

  /// Statements on what ``ShellStatements`` leaves out, among them on columns that belong to the
  /// triggers.
  private static let more = [
    "UPDATE reminders SET status = 1 WHERE id = 2", "UPDATE reminders SET status = status",
    "UPDATE reminders SET isFlagged = 1, priority = 3 WHERE id < 3",
    "UPDATE reminders SET uid = 'u' || id, position = id WHERE id > 1",
    "UPDATE reminders SET version = 0, position = 40 WHERE id = 1",
    "UPDATE reminders SET version = (SELECT max(version) FROM changes), position = 7 WHERE id = 2",
    "UPDATE reminders SET version = version + 1, updatedAt = '2026-02-03 10:00:00.000'",
    "UPDATE remindersLists SET version = 3, position = 5 WHERE id = 2",
    "UPDATE remindersLists SET createdAt = '2026-02-03 10:00:00.000', uid = NULL WHERE id = 1",
    "DELETE FROM changes WHERE version % 3 = 0", "DELETE FROM changes",
    "DELETE FROM changes WHERE version = (SELECT max(version) FROM changes)",
    "REPLACE INTO changes (version, kind, itemID, listID) SELECT max(version), 2, 1, 1 FROM changes",
    "INSERT INTO changes (kind, itemID, listID, gone) VALUES (2, 3, 1, '2026-02-03 10:00:00.000')",
    "UPDATE changes SET listID = 2 WHERE itemID = 1",
    "UPDATE feedState SET horizon = horizon + 1", "UPDATE feedState SET epoch = 'e'",
    "INSERT INTO alarms (reminderID, anchor, offset) SELECT id, 0, 'PT1H' FROM reminders",
    "INSERT OR IGNORE INTO alarms (id, reminderID, at) VALUES (1, 3, '2026-11-20 10:00:00.000')",
    "UPDATE alarms SET state = 1, firedAt = '2026-11-20 10:00:00.000', fireAt = NULL",
    "UPDATE alarms SET acknowledgedAt = '2026-11-20 10:00:00.000' WHERE id % 2 = 0",
    "UPDATE alarms SET snoozedUntil = '2026-11-21 10:00:00.000' WHERE reminderID = 1",
    "UPDATE alarms SET offset = 'PT2H' WHERE anchor IS NOT NULL",
    "DELETE FROM alarms WHERE reminderID = 2", "UPDATE reminders SET alarmCount = 7",
    "DELETE FROM trash WHERE id % 2 = 0", "UPDATE trash SET title = title || 'x'",
    "UPDATE apiKeys SET revokedAt = 5", "UPDATE apiKeys SET revokedAt = NULL, name = 'other'",
    "INSERT OR IGNORE INTO apiKeyParts (keyID, part) SELECT 1, id FROM remindersLists",
    "DELETE FROM apiKeyParts", "DELETE FROM liveSessions", "DELETE FROM apiKeys",
    "REPLACE INTO apiKeys (id, name, scope, hash, createdAt) VALUES (1, 'k', 'read', 'y', 0)",
    "INSERT INTO liveSessions (keyID, hash, expiresAt) SELECT id, 'h', 9 FROM apiKeys",
    "INSERT OR REPLACE INTO tags VALUES ('car'), ('red')",
  ]
}
