import CMartletAssets
import Foundation
import MartletSQLite
import MartletStore
import TestSupport
import Testing

@testable import MartletReminders

@Suite struct RemindersDatabaseTests {
  @Test func migratingTwiceDoesNothing() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("reminders.db")
    let first = try RemindersDatabase.migrate(path: path)
    #expect(first.applied.map(\.number) == RemindersDatabase.migrations.map(\.number))
    #expect(first.triggersRenewed)
    let db = try Connection(location: .file(path))
    let version = try db.dataVersion()
    let schema = try db.rows("SELECT * FROM sqlite_schema ORDER BY rowid")
    let second = try RemindersDatabase.migrate(path: path)
    #expect(second.applied.isEmpty && !second.triggersRenewed)
    #expect(try db.dataVersion() == version, "nothing was written")
    #expect(try db.rows("SELECT * FROM sqlite_schema ORDER BY rowid") == schema)
  }

  @Test func triggersThatDifferAreRenewed() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("reminders.db")
    try RemindersDatabase.migrate(path: path)
    let db = try Connection(location: .file(path))
    try db.execute(
      """
      DROP TRIGGER martlet_remindersLists_touch;
      CREATE TRIGGER martlet_remindersLists_touch AFTER UPDATE ON remindersLists
      BEGIN SELECT 1; END;
      CREATE TRIGGER martlet_old AFTER UPDATE ON reminders BEGIN SELECT 1; END;
      CREATE TRIGGER mine AFTER UPDATE ON reminders BEGIN SELECT 1; END;
      """)
    let report = try RemindersDatabase.migrate(path: path)
    #expect(report.applied.isEmpty && report.triggersRenewed)
    let names = try db.texts("SELECT name FROM sqlite_schema WHERE type = 'trigger' ORDER BY name")
    #expect(
      names.compactMap { $0 } == (RemindersDatabase.triggers.map(\.name) + ["mine"]).sorted())
    try db.execute(
      """
      UPDATE remindersLists SET createdAt = '2001-01-01 00:00:00.000', updatedAt = '2001-01-01 00:00:00.000';
      UPDATE remindersLists SET title = 'x'
      """)
    #expect(try db.integer("SELECT updatedAt > '2020' FROM remindersLists") == 1)
  }

  /// Files of earlier versions have no counters.
  @Test func countersAreCreatedIfTheyAreMissing() throws {
    let file = try RemindersFile()
    let db = try file.connect(as: .shell)
    try db.execute(
      """
      INSERT INTO tags VALUES ('a'), ('b'), ('c');
      INSERT INTO reminders (id, remindersListID) SELECT 1, min(id) FROM remindersLists;
      INSERT INTO remindersTags (reminderID, tagID) VALUES (1, 'a')
      """)
    let counter = "SELECT version FROM tableVersions WHERE name = 'remindersTags'"
    #expect(try db.integer(counter) == 1)
    try db.execute("DROP TABLE tableVersions")
    #expect(try RemindersDatabase.lostTables(db).isEmpty)
    #expect(try RemindersDatabase.missingObjects(db).map(\.name) == ["tableVersions"])
    try RemindersDatabase.migrate(path: file.path)
    let next = try file.connect(as: .shell)
    try next.execute("INSERT INTO remindersTags (reminderID, tagID) VALUES (1, 'b'), (1, 'c')")
    #expect(try next.integer(counter) == 2)
  }

  @Test(
    "Triggers count each change of the tables that have a counter",
    arguments: [
      "INSERT INTO tags VALUES ('x')", "UPDATE tags SET title = 'x'", "DELETE FROM tags",
      "INSERT INTO remindersTags (reminderID, tagID) VALUES (1, 'x')",
      "UPDATE remindersTags SET tagID = 'x'", "DELETE FROM remindersTags",
      "INSERT INTO completions (reminderID, title, completedAt, kind) VALUES (1, '', '2026-11-20 10:00:00.000', 0)",
      "UPDATE completions SET subtasks = '[]'", "DELETE FROM completions",
      "INSERT INTO alarms (reminderID, anchor, offset) VALUES (1, 0, 'PT0S')",
      "UPDATE alarms SET rung = 1", "DELETE FROM alarms",
      """
      INSERT INTO channels (kind, name, url, events, createdAt)
      VALUES (0, 'y', 'https://example.com', '[]', '2026-11-20 10:00:00.000')
      """,
      "UPDATE channels SET name = 'x'", "DELETE FROM channels",
      """
      INSERT INTO deliveries (channelID, eventID, type, body, state, createdAt, expiresAt, endedAt)
      VALUES (1, 'y', '', '{}', 2, '2026-11-20 10:00:00.000', '2026-11-20 10:00:00.000',
            '2026-11-20 10:00:00.000')
      """,
      "UPDATE deliveries SET attempts = 3", "DELETE FROM deliveries",
      """
      INSERT INTO trash (kind, itemID, listID, title, content, deletedAt)
      VALUES (2, 78, 1, '', '{}', '2026-11-20 10:00:00.000')
      """,
      "UPDATE trash SET title = 'x'", "DELETE FROM trash",
      "UPDATE feedState SET horizon = 1", "DELETE FROM feedState",
      "REPLACE INTO feedState SELECT * FROM feedState",
    ])
  func counters(_ statement: String) throws {
    let db = try RemindersFile().connect(as: .shell)
    try db.execute(
      """
      INSERT INTO reminders (id, remindersListID) SELECT 1, min(id) FROM remindersLists;
      INSERT INTO tags VALUES ('a');
      INSERT INTO remindersTags (reminderID, tagID) VALUES (1, 'a');
      INSERT INTO completions (reminderID, title, completedAt, kind)
        VALUES (1, '', '2026-11-20 10:00:00.000', 0);
      INSERT INTO alarms (reminderID, anchor, offset) VALUES (1, 0, 'PT0S');
      INSERT INTO channels (id, kind, name, url, events, createdAt)
        VALUES (1, 0, 'hook', 'https://example.com', '[]', '2026-11-20 10:00:00.000');
      INSERT INTO deliveries (channelID, eventID, type, body, state, createdAt, expiresAt, endedAt)
        VALUES (1, 'x', '', '{}', 2, '2026-11-20 10:00:00.000', '2026-11-20 10:00:00.000',
            '2026-11-20 10:00:00.000');
      INSERT INTO trash (kind, itemID, listID, title, content, deletedAt)
        VALUES (2, 77, 1, '', '{}', '2026-11-20 10:00:00.000');
      """)
    let words = statement.split(whereSeparator: \.isWhitespace)
    let table = try #require(
      CountedTables.tables.map { $0.tableName }.first { words.contains($0[...]) })
    let counter = "SELECT version FROM tableVersions WHERE name = '\(table)'"
    let before = try db.integer(counter) ?? 0
    try db.execute(statement)
    #expect(try db.integer(counter) ?? 0 > before)
  }

  @Test func triggerNamesAreUniqueAndOfTheirTable() {
    let names = RemindersDatabase.triggers.map(\.name)
    #expect(Set(names).count == names.count)
    for (name, sql) in RemindersDatabase.triggers {
      let table = name.split(separator: "_")[1]
      #expect(name.hasPrefix("martlet_") && sql.contains("ON \"\(table)\""), "\(sql)")
    }
  }

  /// Programs without the service's functions must be able to write, so no trigger may call one.
  @Test func triggersArePureSQL() throws {
    let file = try RemindersFile()
    let db = try file.connect(as: .shell)
    for (_, sql) in RemindersDatabase.triggers { #expect(!sql.contains("martlet_completing")) }
    try db.execute("INSERT INTO reminders (remindersListID, status) VALUES (1, 2)")
    try db.execute("UPDATE reminders SET status = 2")
  }

  @Test func theProgramCarriesTheFolder() throws {
    var carried: [String: [UInt8]] = [:]
    var asset = cassets
    while let next = asset, let name = next.pointee.name {
      let bytes = UnsafeBufferPointer(start: next.pointee.bytes, count: next.pointee.count)
      carried[String(cString: name)] = Array(bytes)
      asset = next + 1
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: Repository.root + "/Migrations")
      .filter { $0.hasSuffix(".sql") }.map { "Migrations/" + $0 }
    #expect(!files.isEmpty)
    #expect(
      Set(carried.keys.filter { $0.hasPrefix("Migrations/") }) == Set(files),
      "make assets lists them")
    for (name, bytes) in carried {
      let file = try Data(contentsOf: URL(fileURLWithPath: Repository.root + "/" + name))
      #expect(bytes == Array(file), "\(name)")
    }
    #expect(
      RemindersDatabase.migrations.map(\.number) == Array(1...files.count), "numbered from 1")
  }

  @Test func everyIndexServesAQuery() throws {
    let db = try RemindersFile().connect(as: .shell)
    // The tables of stored responses and of keys belong to the API.
    let indexes = try db.texts(
      """
      SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL \
      AND tbl_name NOT IN (\
      'idempotentAnswers', 'apiKeys', 'apiKeyParts', 'liveSessions', 'pairedKeys')
      """)
    var used = Set<String>()
    for query in try ServiceQueries.all() {
      for step in try QueryPlan(query.query, in: db).steps {
        for index in indexes.compactMap({ $0 }) where step.contains("INDEX \(index)") {
          used.insert(index)
        }
      }
    }
    #expect(Set(indexes.compactMap { $0 }).subtracting(used) == [])
  }
}

@Suite struct CountTests {
  @Test(
    "One is singular, every other number is plural",
    arguments: [
      (0, "0 lists"), (1, "1 list"), (2, "2 lists"), (-1, "-1 lists"), (1000, "1000 lists"),
    ])
  func forms(_ number: Int, _ text: String) {
    #expect("\(Count(number, "list"))" == text)
  }

  @Test func ownPlural() {
    #expect("\(Count(1, "row refers", "rows refer"))" == "1 row refers")
    #expect("\(Count(3, "row refers", "rows refer"))" == "3 rows refer")
  }
}
