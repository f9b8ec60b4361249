import Foundation
import MartletJSON
import MartletSQLite
import MartletStore
import MartletTime
import TestSupport
import Testing

@testable import MartletReminders

/// Migrates a file of an earlier version with invalid values written by another program.
@Suite struct MigrationTests {
  private func old(
    before number: Int = 6, _ sql: String
  ) throws -> (folder: TemporaryFolder, path: String) {
    let folder = try TemporaryFolder()
    let path = folder.file("old.db")
    let db = try Connection(location: .file(path))
    _ = try Migrator(RemindersDatabase.migrations.filter { $0.number < number }).migrate(db)
    try db.pragma("foreign_keys", set: "OFF")
    try db.execute(sql)
    return (folder, path)
  }

  @Test("Old values are repaired, and the originals are kept")
  func repairs() throws {
    let (folder, path) = try old(
      """
      UPDATE remindersLists SET color = -5, updatedAt = NULL;
      INSERT INTO remindersLists (id, title, position, createdAt, updatedAt)
      VALUES (9223372036854775807, 'last', NULL, '2026-01-02', 'x');
      INSERT INTO reminders (id, remindersListID, title, dueDate, position, createdAt, updatedAt) VALUES
        (1, 1, 'a', 'zzz', 9223372036854775807, '2026-01-02 03:04:05', ''),
        (2, 1, 'b', '2026-02-31', 0, '2026-01-02 03:04:05.678', '2026-01-02 03:04:05.678'),
        (3, 1, 'c', '2026-02-03T10:00', NULL, NULL, NULL),
        (4, 1, 'd', '2026-02-03', -9223372036854775808, '2026-01-02 03:04:05.678', '2026-01-02 03:04:05.678'),
        (9223372036854775807, 9223372036854775807, 'e', NULL, 0, '2026-01-02 03:04:05.678',
          '2026-01-02 03:04:05.678');
      INSERT INTO tags VALUES ('car');
      INSERT INTO remindersTags (reminderID, tagID) VALUES (9223372036854775807, 'car');
      INSERT INTO calendarLines VALUES (9223372036854775807, 'X-A:1');
      INSERT INTO apiKeys (id, name, scope, hash, createdAt) VALUES (1, 'k', 'read', '', 0);
      INSERT INTO apiKeyParts (keyID, part) VALUES (1, 9223372036854775807);
      """)
    _ = folder
    let report = try RemindersDatabase.migrate(path: path)
    #expect(report.notes.first?.contains("old values were repaired") == true)
    #expect(report.notes.count == 1, "\(report.notes)")
    let db = try Connection(location: .file(path))
    try RulesOracle(db).check("after the migration")
    let rows = try db.rows("SELECT id, position, dueDate FROM reminders ORDER BY position, id")
    let expected: [[SQLiteValue]] = [
      [4, 0, "2026-02-03"], [2, 1, "2026-03-03"], [1, 2, .null], [3, 3, "2026-02-03 10:00:00.000"],
    ]
    let imported = SQLiteValue.integer(1_000_000_005)
    #expect(rows.map(\.values).filter { $0[0] != imported } == expected)
    let list = try #require(try db.integer("SELECT id FROM remindersLists WHERE title = 'last'"))
    #expect(list == 1_000_000_002)
    #expect(try db.integer("SELECT remindersListID FROM reminders WHERE title = 'e'") == list)
    #expect(try db.integers("SELECT part FROM apiKeyParts") == [list])
    #expect(
      try db.integer("SELECT count(*) FROM calendarObjects JOIN reminders ON id = reminderID") == 1)
    #expect(
      try db.integer(
        "SELECT count(*) FROM remindersTags JOIN reminders ON reminders.id = reminderID")
        == 1)
    #expect(
      try db.rows("SELECT createdAt, updatedAt FROM reminders WHERE id = 1").map(\.values)
        == [["2026-01-02 03:04:05.000", "2026-01-02 03:04:05.000"]])
    #expect(
      try db.texts("SELECT oldValue FROM repairs WHERE columnName = 'dueDate' ORDER BY rowID")
        == ["zzz", "2026-02-31", "2026-02-03T10:00"])
    // Reminders can be created again.
    try db.execute("INSERT INTO reminders (remindersListID) VALUES (1)")
    try db.execute("INSERT INTO remindersLists DEFAULT VALUES")
    #expect(try RemindersDatabase.migrate(path: path).notes == [])
  }

  @Test("Rows whose ID leaves no room for others, or is below 1, get another ID")
  func ids() throws {
    let (folder, path) = try old(
      """
      INSERT INTO remindersLists (id, title) VALUES (0, 'zero'), (9007199254740991, 'edge');
      INSERT INTO reminders (id, remindersListID, title, notes) VALUES
        (-7, 0, 'minus', 'n1'), (5, 9007199254740991, 'five', 'n2'),
        (9007199254740991, 0, 'edge', 'n3'), (9007199254740995, 1, 'beyond', 'n4'),
        (9223372036854775807, 1, 'last', 'n5');
      INSERT INTO tags VALUES ('car');
      INSERT INTO remindersTags (reminderID, tagID) SELECT id, 'car' FROM reminders;
      INSERT INTO calendarLines SELECT id, 'X-A:' || title FROM reminders;
      INSERT INTO apiKeys (id, name, scope, hash, createdAt) VALUES (1, 'k', 'read', '', 0);
      INSERT INTO apiKeyParts (keyID, part) VALUES (1, 0), (1, 9007199254740991);
      """)
    _ = folder
    let report = try RemindersDatabase.migrate(path: path)
    #expect(report.notes.first?.contains("old values were repaired") == true)
    let db = try Connection(location: .file(path))
    try RulesOracle(db).check("after the migration")
    #expect(
      try db.integers("SELECT id FROM reminders WHERE id NOT BETWEEN 1 AND 1000000100") == [])
    #expect(
      try db.texts(
        """
        SELECT reminders.title || ' ' || remindersLists.title FROM reminders
        JOIN remindersLists ON remindersLists.id = remindersListID ORDER BY 1
        """)
        == ["beyond ", "edge zero", "five edge", "last ", "minus zero"].map {
          $0.hasSuffix(" ") ? $0 + defaultTitle(db) : $0
        })
    #expect(
      try db.texts(
        """
        SELECT title FROM reminders JOIN remindersTags ON remindersTags.reminderID = reminders.id
        JOIN calendarObjects ON calendarObjects.reminderID = reminders.id ORDER BY title
        """) == ["beyond", "edge", "five", "last", "minus"])
    #expect(
      try db.integers("SELECT part FROM apiKeyParts ORDER BY part")
        == db.integers("SELECT id FROM remindersLists WHERE title IN ('zero', 'edge') ORDER BY id"))
    for word in ["n1", "n3", "n4", "n5"] {
      #expect(
        try db.integers("SELECT rowid FROM reminderTexts WHERE reminderTexts MATCH '\(word)'")
          == db.integers("SELECT id FROM reminders WHERE notes = '\(word)'"))
    }
    try db.execute("INSERT INTO reminders (remindersListID, title) VALUES (1, 'next')")
    try db.execute("INSERT INTO remindersLists (title) VALUES ('next')")
    try RulesOracle(db).check("after new rows")
    #expect(try RemindersDatabase.migrate(path: path).notes == [])
  }

  @Test("Reminders keep the UID that exports have given them, or that they were imported with")
  func uids() throws {
    let (folder, path) = try old(
      before: 8,
      """
      INSERT INTO reminders (id, remindersListID, createdAt, updatedAt, position) VALUES
        (7, 1, '2026-11-24 10:00:00.123', '2026-11-24 11:00:00.000', 0),
        (8, 1, '1970-01-01 00:00:00.000', '2026-11-24 11:00:00.000', 1),
        (9, 1, '2026-11-24 10:00:00.123', '2026-11-24 11:00:00.000', 2),
        (10, 1, '2026-11-24 10:00:00.123', '2026-11-24 11:00:00.000', 3),
        (11, 1, '2026-11-24 10:00:00.123', '2026-11-24 11:00:00.000', 4);
      INSERT INTO calendarLines VALUES
        (9, 'X-A:1' || char(10) || 'UID:a\\,b' || char(10) || 'X-UID:no'), (10, 'UID:a\\,b'),
        (11, 'X-UID:no');
      """)
    _ = folder
    try RemindersDatabase.migrate(path: path)
    let db = try Connection(location: .file(path))
    let made = String(
      try #require(SQLiteTime.parse("2026-11-24 10:00:00.123")).milliseconds, radix: 36)
    let uids = try db.texts("SELECT uid FROM reminders ORDER BY id")
    #expect(uids[0] == "martlet-7-\(made)" && uids[1]?.hasPrefix("martlet-8-") == true)
    #expect(uids[2] == "a,b" && uids[3] == "martlet-10-\(made)" && uids[4] == "martlet-11-\(made)")
    #expect(
      try db.texts("SELECT DISTINCT updatedAt FROM reminders") == ["2026-11-24 11:00:00.000"])
    #expect(try db.integers("SELECT DISTINCT version FROM reminders") == [0])
    try RulesOracle(db).check("after the migration")
  }

  @Test("Dates in the year 0 become the first of the year 1, and the originals are kept")
  func yearZero() throws {
    let (folder, path) = try old(
      before: 18,
      """
      INSERT INTO reminders (id, remindersListID, position, startDate, dueDate) VALUES
        (7, 1, 0, NULL, '0000-02-29'), (9, 1, 1, '0000-12-31', '2026-12-01'),
        (8, 1, 2, '0000-01-01 23:00:00.000', '0000-01-02 01:00:00.000');
      UPDATE reminders SET uid = id, createdAt = '2026-11-24 10:00:00.000',
        updatedAt = '2026-11-24 10:00:00.000', alarmCount = id = 8;
      INSERT INTO alarms (reminderID, at) VALUES (8, '0000-06-01 09:00:00.000');
      """)
    _ = folder
    #expect(
      try RemindersDatabase.migrate(path: path).notes.first
        == "5 old values were repaired; the originals are in the table repairs")
    let db = try Connection(location: .file(path))
    #expect(
      try db.rows("SELECT startDate, dueDate FROM reminders ORDER BY id").map(\.values) == [
        [.null, "0001-01-01"], ["0001-01-01 00:00:00.000", "0001-01-01 00:00:00.000"],
        ["0001-01-01", "2026-12-01"],
      ])
    #expect(try db.texts("SELECT at FROM alarms") == ["0001-01-01 00:00:00.000"])
    #expect(
      try db.texts("SELECT oldValue FROM repairs ORDER BY oldValue") == [
        "0000-01-01 23:00:00.000", "0000-01-02 01:00:00.000", "0000-02-29",
        "0000-06-01 09:00:00.000", "0000-12-31",
      ])
    for column in ["dueDate", "startDate"] {
      #expect(throws: SQLiteError.self) {
        try db.execute("UPDATE reminders SET \(column) = '0000-12-31' WHERE id = 9")
      }
    }
    #expect(try RemindersDatabase.migrate(path: path).notes == [])
    try RulesOracle(db).check("after the migration")
  }

  /// The lines as version 16 has stored them: what no field stood for.
  private static let oldLines = [
    "UID;X-A=1:plants@example.org", "RELATED-TO:not-here", "PRIORITY:4", "STATUS:IN-PROCESS",
    "PERCENT-COMPLETE:40", "CATEGORIES:f,g", "RRULE:FREQ=HOURLY", "RDATE:20261201T090000Z",
    "X-MOZ-SNOOZE-TIME:20261201T090000Z", "GEO:48.2;16.3", "X-T;TZID=Zone 1:20261125T100000",
  ]
  private static let oldAlarms = [
    "BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT15M", "X-KEPT:1", "END:VALARM",
  ]
  private static let oldZone = [
    "BEGIN:VTIMEZONE", "TZID:Zone 1", "BEGIN:STANDARD", "DTSTART:19700101T000000",
    "TZOFFSETFROM:+0100", "TZOFFSETTO:+0100", "END:STANDARD", "END:VTIMEZONE",
  ]

  private static func insertOldLines(_ count: Int) -> String {
    let lines = (oldZone + oldLines + oldAlarms).joined(separator: "' || char(10) || '")
    return """
      WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < \(count))
      INSERT INTO reminders (id, remindersListID, title, dueDate, priority, uid, createdAt,
        updatedAt, position)
      SELECT id, 1, 'r', '2026-11-25', 3, 'u' || id, '2026-11-24 10:00:00.123',
        '2026-11-24 11:00:00.000', id FROM n;
      UPDATE reminders SET uid = 'plants@example.org' WHERE id = 1;
      INSERT INTO tags SELECT value FROM json_each('["a","b","c","d","e"]');
      INSERT INTO remindersTags (reminderID, tagID) SELECT 1, title FROM tags;
      INSERT INTO calendarLines SELECT id, '\(lines)' FROM reminders;
      INSERT INTO calendarLines SELECT max(id) + 1, 'X-GONE:1' FROM reminders;
      """
  }

  @Test("The lines of calendars come back, in exports and as the text of an object")
  func calendarLines() throws {
    let (folder, path) = try old(before: 17, MigrationTests.insertOldLines(3))
    _ = folder
    try RemindersDatabase.migrate(path: path)
    let db = try Connection(location: .file(path))
    try RulesOracle(db).check("after the migration")
    #expect(try db.integer("SELECT count(*) FROM calendarObjects") == 3)
    #expect(try db.integers("SELECT DISTINCT calendarVersion - version FROM reminders") == [0])
    #expect(
      try db.texts("SELECT DISTINCT updatedAt FROM reminders") == ["2026-11-24 11:00:00.000"])
    func check(_ text: String?, changed: [String] = []) throws {
      let lines = try #require(text).components(separatedBy: "\r\n")
      let all = MigrationTests.oldLines + MigrationTests.oldAlarms + MigrationTests.oldZone
      for line in all where !changed.contains(line) {
        #expect(lines.contains(line), "\(line) in \(lines)")
      }
      for line in ["DUE;VALUE=DATE:20261125", "SUMMARY:r", "CATEGORIES:a,b,c,d,e"] {
        #expect(lines.contains(line), "\(line) in \(lines)")
      }
      #expect(!lines.contains { $0.hasPrefix("X-MARTLET-LINES") })
      // Properties come before components.
      #expect(lines.firstIndex(of: "BEGIN:VALARM")! > lines.firstIndex(of: "GEO:48.2;16.3")!)
    }
    let buffer = ByteBuffer(capacity: 1024)
    var file = CalendarFile(house: .utc)
    file.begin(into: buffer)
    try Exporter.export(in: db) { file.write($0, into: buffer) }
    file.end(into: buffer)
    let export = String(decoding: buffer.bytes, as: UTF8.self)
    try check(export)
    #expect(export.components(separatedBy: "TRIGGER:-PT15M").count == 4)
    // Another reminder has the UID of the line.
    #expect(export.contains("UID:u2\r\n"))
    try check(try CalendarRepository.text(of: 1, house: .utc, in: db))
    // They stay after a change, unless they contradict it.
    try db.execute("UPDATE reminders SET priority = 1, isFlagged = 1 WHERE id = 1")
    try check(
      try CalendarRepository.text(of: 1, house: .utc, in: db), changed: ["PRIORITY:4"])
    #expect(throws: (any Error).self) { try db.integer("SELECT count(*) FROM calendarLines") }
  }

  @Test("A file whose keys were all revoked records that keys existed, even once they are deleted")
  func revokedKeys() throws {
    let (folder, path) = try old(
      before: 5,
      """
      INSERT INTO apiKeys (id, name, scope, hash, createdAt, revokedAt) VALUES
        (6, 'a', 'read', '', 0, 1), (7, 'b', 'admin', '', 0, 1);
      """)
    _ = folder
    try RemindersDatabase.migrate(path: path)
    let db = try Connection(location: .file(path))
    try db.execute("DELETE FROM apiKeys")
    #expect(try db.integers("SELECT lastKeyID FROM apiKeyHistory") == [7])
  }

  private func defaultTitle(_ db: Connection) -> String {
    (try? db.value("SELECT title FROM remindersLists WHERE id = 1")?.text) ?? ""
  }

  @Test("A file without invalid values has no repairs")
  func nothingToDo() throws {
    let (folder, path) = try old("")
    _ = folder
    #expect(try RemindersDatabase.migrate(path: path).notes == [])
    let db = try Connection(location: .file(path))
    #expect(try db.integer("SELECT count(*) FROM repairs") == 0)
    #expect(try db.integers("SELECT id FROM remindersLists") == [1])
  }
}
