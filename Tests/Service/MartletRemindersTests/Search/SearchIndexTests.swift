import Foundation
import MartletJSON
import MartletReminders
import MartletSQLite
import MartletStore
import TestSupport
import Testing

/// Search after triggers were dropped, after writes to the index itself, and with hostile texts.
@Suite struct SearchIndexTests {
  let file: RemindersFile
  let db: Connection

  init() throws {
    file = try RemindersFile()
    db = try file.connect(as: .shell)
    try db.execute(
      """
      INSERT INTO reminders (remindersListID, title) VALUES (1, 'milk'), (1, 'bread'), (1, 'salt');
      INSERT INTO tags VALUES ('car');
      INSERT INTO remindersTags (reminderID, tagID) VALUES (2, 'car');
      """)
  }

  private func found(_ word: String) throws -> [Int?] {
    try db.integers(
      "SELECT rowid FROM reminderTexts WHERE reminderTexts MATCH '\(word)' ORDER BY rowid")
  }

  @Test("Rows written without triggers are found after the next start")
  func droppedTriggers() throws {
    try db.execute(
      """
      DROP TRIGGER martlet_reminders_searchUpdate;
      DROP TRIGGER martlet_remindersTags_deleted;
      UPDATE reminders SET title = 'butter' WHERE id = 1;
      DELETE FROM remindersTags;
      """)
    #expect(try SearchIndex.strays(db) == 2)
    #expect(
      try RemindersDatabase.triggerDifferences(db).map(\.name)
        == ["martlet_reminders_searchUpdate", "martlet_remindersTags_deleted"])
    let report = try RemindersDatabase.migrate(path: file.path)
    #expect(report.triggersRenewed && report.notes.count == 1)
    #expect(report.notes.first?.contains("2 rows") == true)
    #expect(try SearchIndex.strays(db) == 0)
    #expect(try found("butter") == [1])
    #expect(try found("car") == [])
  }

  @Test(
    "An index that lost rows is complete after the next start",
    arguments: ["", " WHERE rowid = 1", " WHERE rowid = 3"])
  func emptied(_ condition: String) throws {
    try db.execute("DELETE FROM reminderTexts\(condition)")
    #expect(try RemindersDatabase.migrate(path: file.path).notes.count == 1)
    #expect(try SearchIndex.strays(db) == 0)
    #expect(try found("bread") == [2])
    #expect(try RemindersDatabase.migrate(path: file.path).notes == [])
  }

  @Test("A difference in the middle is found by comparing the complete index")
  func inTheMiddle() throws {
    try db.execute("DELETE FROM reminderTexts WHERE rowid = 2")
    #expect(try RemindersDatabase.migrate(path: file.path).notes == [])
    #expect(try SearchIndex.strays(db) == 1)
    #expect(try RemindersDatabase.migrate(path: file.path, checksSearch: true).notes.count == 1)
    #expect(try SearchIndex.strays(db) == 0)
    #expect(try found("car") == [2])
  }

  @Test("An index that does not agree with its own content is rebuilt")
  func damaged() throws {
    try db.execute("UPDATE reminderTexts_content SET c0 = 'oil' WHERE id = 1")
    // Uses its own connection, because after the error a connection keeps its snapshot.
    #expect(try !SearchIndex.isSound(file.connect(as: .shell)))
    #expect(try RemindersDatabase.migrate(path: file.path, checksSearch: true).notes.count == 1)
    #expect(try SearchIndex.isSound(db))
    #expect(try SearchIndex.strays(db) == 0)
    #expect(try found("milk") == [1])
    #expect(try found("oil") == [])
  }

  @Test("A dropped index is created again")
  func dropped() throws {
    try db.execute("DROP TABLE reminderTexts")
    #expect(try RemindersDatabase.missingObjects(db).contains { $0.name == "reminderTexts" })
    #expect(try RemindersDatabase.migrate(path: file.path).notes.count == 1)
    #expect(try RemindersDatabase.missingObjects(db) == [])
    #expect(try found("milk") == [1])
  }

  @Test("A missing index of a table is reported with its CREATE statement")
  func missingIndex() throws {
    try db.execute("DROP INDEX reminders_due")
    let missing = try RemindersDatabase.missingObjects(db)
    #expect(missing.map(\.name) == ["reminders_due"])
    try db.execute(missing[0].sql)
    #expect(try RemindersDatabase.missingObjects(db) == [])
  }

  // MARK: Hostile texts

  private func highlighted(_ title: String) throws -> String {
    try db.execute("DELETE FROM reminders")
    try db.execute("INSERT INTO reminders (remindersListID, title) VALUES (1, \(title))")
    let query = try #require(
      SearchRepository.search(SearchText("milk"), markers: .init(), limit: 5))
    let page = PageQuery(
      segments: [{ _ in query }], keyCount: 0, limit: 5, fingerprint: 0, total: nil)
    let item = try #require(try ReadPage(page, in: db).items.first?.object)
    return try #require(item["highlights"]?.object?["title"]?.string)
  }

  @Test("Markers contained in a text are not taken for matches")
  func marksInTexts() throws {
    #expect(
      try highlighted("'a' || char(1) || 'milk' || char(2) || char(1) || 'x'")
        == "a\u{1}<mark>milk</mark>\u{2}\u{1}x")
    #expect(
      try highlighted("char(2) || 'evil' || char(1) || ' milk'")
        == "\u{2}evil\u{1} <mark>milk</mark>")
    #expect(
      try highlighted("'</mark>milk<mark>'") == "&lt;/mark&gt;<mark>milk</mark>&lt;mark&gt;")
  }

  @Test("For any bytes, markers are balanced and the JSON is UTF-8")
  func anyBytes() throws {
    var random = SeededRandom()
    for _ in 0..<300 {
      let bytes = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        random.pick([0x20, 0x41, 0xF8, 0xF9, 0xFF, 0xC3, 0x80, 0x01, 0x02, 0xE2, 0x22] as [UInt8])
      }
      let hex = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      let title = try highlighted("CAST(x'\(hex)' || ' milk ' || x'\(hex)' AS TEXT)")
      let parts = title.split(separator: "<mark>", omittingEmptySubsequences: false)
      #expect(!parts[0].contains("</mark>"), "\(hex), seed \(random.seed)")
      for part in parts.dropFirst() {
        #expect(part.ranges(of: "</mark>").count == 1, "\(hex), seed \(random.seed)")
      }
    }
  }
}
