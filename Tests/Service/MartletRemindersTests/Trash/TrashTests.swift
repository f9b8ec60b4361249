import MartletJSON
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime
import TestSupport
import Testing

@testable import MartletReminders

@Suite("The trash") struct TrashTests {
  let file: RemindersFile
  let db: Connection

  init() throws {
    file = try RemindersFile()
    db = try file.connect(as: .service)
    try db.execute(
      """
      INSERT INTO remindersLists (title, color, uid) VALUES ('two', 255, 'L');
      INSERT INTO reminders (remindersListID, title, notes, dueDate, priority, isFlagged, status, uid)
      VALUES (2, 'a', 'n', '2026-11-24', 3, 1, 1, 'u'), (2, 'b', '', NULL, NULL, 0, 0, NULL),
        (1, 'c', '', '2026-11-24 10:00:00.000', 1, 0, 2, NULL);
      INSERT INTO tags VALUES ('car'), ('Home');
      INSERT INTO remindersTags (reminderID, tagID) VALUES (1, 'car'), (1, 'Home'), (3, 'car');
      UPDATE reminders SET createdAt = '2025-01-01 00:00:00.000';
      INSERT INTO calendarObjects VALUES (1, 'one.ics', 'elsewhere', 'BEGIN', 'X-A:1');
      """)
  }

  /// All rows that a deletion removes, but for what a restore changes: times and versions.
  private func rows() throws -> [String] {
    let reminders = try Reminder.all.order(by: \.id).fetchAll(db).map { reminder in
      var same = reminder
      same.updatedAt = nil
      same.version = 0
      same.calendarVersion = 0
      return "\(same)"
    }
    let lists = try RemindersList.all.order(by: \.id).fetchAll(db).map { list in
      "\(list.id) \(list.title) \(list.color) \(list.position ?? -1) \(list.uid ?? "")"
    }
    return try reminders + lists
      + db.texts(
        """
        SELECT reminderID || tagID FROM remindersTags
        UNION ALL SELECT reminderID || name || parentUID || raw || lines FROM calendarObjects
        UNION ALL SELECT rowid || title || notes || tags FROM reminderTexts ORDER BY 1
        """
      ).compactMap { $0 }
  }

  private func entries(_ lists: ListExtent = .all) throws -> [TrashItem] {
    let page = try TrashRepository.page(PageRequest(), among: lists, keep: .seconds(60))
    var items: [TrashItem] = []
    let body = ByteBuffer(capacity: 1024)
    try db.writeJSON(page, into: body)
    let document = try JSONValue.parse(String(decoding: body.bytes, as: UTF8.self))
    for item in document["items"]?.array ?? [] {
      items.append(
        TrashItem(
          id: Int(item["id"]?.int64 ?? 0), kind: item["kind"]?.string == "list" ? .list : .reminder,
          itemID: Int(item["itemID"]?.int64 ?? 0), listID: Int(item["listID"]?.int64 ?? 0),
          title: item["title"]?.string ?? "",
          deletedAt: try RFC3339.parse(item["deletedAt"]?.string ?? ""),
          expiresAt: try RFC3339.parse(item["expiresAt"]?.string ?? ""),
          contains: Int(item["contains"]?.int64 ?? -1)))
    }
    return items
  }

  @Test("A reminder comes back as it was", arguments: Program.allCases)
  func reminder(_ program: Program) throws {
    let before = try rows()
    let connection = try file.connect(as: program)
    try connection.execute(
      "DELETE FROM reminders WHERE id = 1; DELETE FROM tags WHERE title = 'car'")
    let entry = try #require(try entries().first)
    #expect(entry.itemID == 1 && entry.kind == .reminder && entry.listID == 2 && entry.title == "a")
    #expect(entry.expiresAt == entry.deletedAt.adding(seconds: 60) && entry.contains == 0)
    try db.execute("INSERT INTO tags VALUES ('CAR')")
    try db.execute("INSERT INTO remindersTags (reminderID, tagID) VALUES (3, 'CAR')")
    let restored = try TrashRepository.restore(entry.id, in: db)
    #expect(restored == (.reminder, 1))
    // The tag has the spelling that it has by now.
    #expect(try rows().map { $0.replacing("CAR", with: "car") }.sorted() == before.sorted())
    #expect(try entries().isEmpty)
    #expect(throws: DomainError.notFound(.trash(entry.id))) {
      try TrashRepository.restore(entry.id, in: db)
    }
    try RulesOracle(db).check("after a restore")
  }

  @Test("Pages have each entry once, the newest first")
  func pages() throws {
    for id in [2, 1, 3] { try ReminderRepository.delete(id, in: db) }
    try db.execute("UPDATE trash SET deletedAt = '2026-01-01 00:00:00.000' WHERE itemID < 3")
    var request = PageRequest()
    request.limit = 1
    request.wantsTotal = true
    var ids: [Int] = []
    repeat {
      let page = try ReadPage(
        TrashRepository.page(request, among: .all, keep: .zero), in: db)
      #expect(page.total == 3)
      ids += page.items.compactMap { ($0["itemID"]?.int64).map(Int.init) }
      request.cursor = page.next.flatMap { PageCursor($0) }
    } while request.cursor != nil
    #expect(ids == [3, 1, 2])
  }

  @Test("A list comes back with its reminders, and with a large one's portions")
  func list() throws {
    let before = try rows()
    try ListRepository.delete(2, in: db)
    var entry = try #require(try entries().first)
    #expect(try entries().count == 1 && entry.kind == .list && entry.contains == 2)
    #expect(try TrashRepository.restore(entry.id, in: db) == (.list, 2))
    #expect(try rows() == before)
    #expect(try db.integer("SELECT count(*) FROM trash") == 0)
    // In portions: the last reminders go first.
    try db.execute("DELETE FROM reminders WHERE id = 2")
    try db.execute("UPDATE trash SET isPortion = 1")
    #expect(try entries().count == 1)
    try ListRepository.delete(2, in: db)
    entry = try #require(try entries().first)
    #expect(try entries().count == 1 && entry.contains == 2)
    #expect(try TrashRepository.restore(entry.id, in: db) == (.list, 2))
    #expect(try rows() == before)
    try RulesOracle(db).check("after a restore")
  }

  @Test("A list with too many reminders is deleted and restored in portions")
  func portions() throws {
    let count = TrashRepository.mostAtOnce + 700
    try db.execute(
      """
      INSERT INTO reminders (remindersListID, title)
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
      SELECT 2, i FROM n
      """)
    var times = 0
    while try ListRepository.shrink(2, in: db) { times += 1 }
    #expect(times == 2)
    try ListRepository.delete(2, in: db)
    let entry = try #require(try entries().first)
    #expect(try entries().count == 1 && entry.contains == count + 2)
    times = 0
    while try TrashRepository.restorePortion(entry.id, in: db) { times += 1 }
    #expect(times == 2)
    #expect(try TrashRepository.restore(entry.id, in: db) == (.list, 2))
    #expect(
      try db.integer("SELECT count(*) FROM reminders WHERE remindersListID = 2") == count + 2)
    #expect(try db.integer("SELECT count(*) FROM trash") == 0)
    #expect(
      try db.integers("SELECT position FROM reminders WHERE title IN ('1', '700') ORDER BY id")
        == [131_072, 701 * 65_536])
  }

  @Test("A reminder with too many subtasks is restored in portions")
  func portionsOfSubtasks() throws {
    let count = TrashRepository.mostAtOnce + 700
    try db.execute(
      """
      INSERT INTO reminders (remindersListID, title, parentID)
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
      SELECT 2, i, 1 FROM n
      """)
    try ReminderRepository.delete(1, in: db)
    let entry = try #require(try entries().first)
    #expect(entry.contains == count)
    #expect(throws: DomainError.notFound(.trash(entry.id))) {
      try TrashRepository.restorePortion(entry.id, among: .only([1]), in: db)
    }
    var times = 0
    while try TrashRepository.restorePortion(entry.id, among: .only([2]), in: db) { times += 1 }
    #expect(times == 2)
    #expect(try TrashRepository.restore(entry.id, in: db) == (.reminder, 1))
    #expect(try db.integer("SELECT count(*) FROM reminders WHERE parentID = 1") == count)
    #expect(try db.integer("SELECT allSubtasks FROM reminders WHERE id = 1") == count)
    #expect(try db.integer("SELECT count(*) FROM trash") == 0)
  }

  @Test("What another program has inserted with the same ID stays, and so does the entry")
  func idExists() throws {
    try db.execute("UPDATE reminders SET parentID = 1 WHERE id = 2")
    try ReminderRepository.delete(1, in: db)
    let entry = try #require(try entries().first)
    // First the subtask's ID, then the reminder's, then the list's.
    for (table, id) in [("reminders", 2), ("reminders", 1), ("remindersLists", 2)] {
      let isList = table == "remindersLists"
      if isList { try ListRepository.delete(2, in: db) }
      try db.execute(
        isList
          ? "INSERT INTO remindersLists (id, title) VALUES (2, 'other')"
          : "INSERT INTO reminders (id, remindersListID, title) VALUES (\(id), 2, 'other')")
      try db.execute("UPDATE \(table) SET createdAt = '2020-01-01 00:00:00.000' WHERE id = \(id)")
      let entry = isList ? try #require(try entries().first) : entry
      try db.execute("SAVEPOINT restore")
      #expect(throws: DomainError.idExists(isList ? .list(2) : .reminder(id))) {
        try TrashRepository.restore(entry.id, in: db)
      }
      try db.execute("ROLLBACK TO restore; RELEASE restore")
      #expect(try entries().contains { $0.id == entry.id })
      #expect(try db.value("SELECT title FROM \(table) WHERE id = \(id)")?.text == "other")
      if !isList { try db.execute("DELETE FROM reminders WHERE id = \(id)") }
    }
  }

  @Test("A reminder whose list is gone goes where the caller says")
  func listIsGone() throws {
    try ReminderRepository.delete(1, in: db)
    let entry = try #require(try entries().first)
    try ListRepository.delete(2, isPermanent: true, in: db)
    #expect(throws: DomainError.listIsGone(2)) { try TrashRepository.restore(entry.id, in: db) }
    #expect(throws: RuleViolation.unknownList) {
      try TrashRepository.restore(entry.id, into: 9, in: db)
    }
    try db.execute("INSERT INTO reminders (remindersListID, uid) VALUES (1, 'u')")
    #expect(try TrashRepository.restore(entry.id, into: 1, in: db) == (.reminder, 1))
    let reminder = try #require(try Reminder.find(1).fetchOne(db))
    #expect(
      reminder.remindersListID == 1 && reminder.position == 131_072 && reminder.uid?.count == 32)
    #expect(try db.integer("SELECT count(*) FROM trash") == 0)
  }

  @Test("A limited caller sees what lay in its lists, and erases only that")
  func limited() throws {
    for id in [1, 2, 3] { try ReminderRepository.delete(id, in: db) }
    #expect(try entries(.only([1])).map(\.itemID) == [3])
    let other = try #require(try entries(.only([2])).first)
    for body in [
      { try TrashRepository.erase(other.id, among: .only([1]), in: db) },
      { _ = try TrashRepository.restore(other.id, among: .only([1]), in: db) },
    ] as [() throws -> Void] {
      #expect(throws: DomainError.notFound(.trash(other.id))) { try body() }
    }
    #expect(try !TrashRepository.erasePortion(among: .only([1]), in: db))
    #expect(try entries().map(\.itemID) == [2, 1])
    try TrashRepository.erase(other.id, among: .all, in: db)
    #expect(try entries().map(\.itemID) == [1])
  }

  @Test("A permanent deletion leaves nothing, and erased text is not in the file")
  func permanent() throws {
    try db.execute("UPDATE reminders SET notes = 'zanzibar' WHERE id IN (1, 2)")
    try ReminderRepository.delete(1, isPermanent: true, in: db)
    try ListRepository.delete(2, in: db)
    #expect(try db.integer("SELECT count(*) FROM trash") == 2)
    #expect(try !TrashRepository.erasePortion(among: .all, in: db))
    #expect(try db.integer("SELECT count(*) FROM trash") == 0)
    #expect(try db.value("PRAGMA secure_delete")?.integer == 1)
  }

  @Test("Upkeep erases what has expired, and the oldest entries if there are too many")
  func upkeep() throws {
    for id in [1, 2, 3] { try ReminderRepository.delete(id, in: db) }
    try db.execute("UPDATE trash SET deletedAt = '2020-01-01 00:00:00.000' WHERE itemID = 2")
    var pass = TrashPass(cutoff: "2021")
    try pass.begin(in: db)
    try pass.next(in: db)?(db)
    #expect(try entries().map(\.itemID) == [3, 1])
    #expect(try pass.next(in: db) == nil)
    pass = TrashPass(cutoff: "2021")
    try pass.begin(most: 1, in: db)
    try pass.next(in: db)?(db)
    #expect(try entries().map(\.itemID) == [3])
  }
}
