import MartletSQLite
import MartletStore
import Testing

@testable import MartletReminders

@Suite struct ListRepositoryTests {
  let file: RemindersFile
  let db: Connection

  init() throws {
    file = try RemindersFile()
    db = try file.connect(as: .service)
  }

  private func create(_ title: String) throws -> Int {
    var changes = ListRepository.Values()
    changes.title = title
    return try ListRepository.create(changes, in: db)
  }

  private func page(limit: Int, after cursor: String?) throws -> ReadPage {
    var request = PageRequest()
    request.limit = limit
    request.wantsTotal = true
    request.cursor = cursor.flatMap { PageCursor($0) }
    return try ReadPage(ListRepository.page(request), in: db)
  }

  @Test func aListAsItIsShown() throws {
    let id = try create("Family")
    try db.execute(
      "INSERT INTO reminders (remindersListID, status) VALUES (2, 0), (2, 1), (2, 2), (1, 0)")
    let page = try page(limit: 5, after: nil)
    #expect(page.ids == [1, id] && page.total == 2)
    #expect(
      page.items[1] == [
        "id": 2, "uid": page.items[1]["uid"] ?? .null, "title": "Family", "color": "#4a99ef",
        "position": 65536,
        "reminders": ["open": 2, "all": 3],
      ])
    #expect(try RemindersList.exists(id, in: db) && !RemindersList.exists(99, in: db))
  }

  @Test func pagesInTheOrderOfPositions() throws {
    for title in ["b", "c", "d", "e"] { _ = try create(title) }
    // Equal positions are ordered by ID.
    try db.execute(
      """
      UPDATE remindersLists SET position = 300000 WHERE id IN (1, 4);
      UPDATE remindersLists SET position = 65536 WHERE id = 5;
      """)
    let all = try page(limit: 9, after: nil).ids
    #expect(all == [2, 5, 3, 1, 4])
    for limit in 1...4 {
      var found: [Int] = []
      var cursor: String?
      repeat {
        let page = try page(limit: limit, after: cursor)
        found += page.ids
        cursor = page.next
      } while cursor != nil
      #expect(found == all)
    }
  }

  @Test func cursorsOfOtherCollectionsAreRefused() throws {
    var request = PageRequest()
    request.cursor = PageCursor(
      fingerprint: try TagRepository.page(request).fingerprint, keys: [1, 1])
    #expect(throws: InvalidCursor.self) { try ListRepository.page(request) }
    let own = try ListRepository.page(PageRequest()).fingerprint
    for keys: [Value] in [[], [1], ["x", 1], [1, .null], [1, 1, 1]] {
      request.cursor = PageCursor(fingerprint: own, keys: keys)
      #expect(throws: InvalidCursor.self) { try ListRepository.page(request) }
    }
  }

  @Test func anUpdateThatChangesNothingTouchesNothing() throws {
    let id = try create("Family")
    try db.execute(
      "UPDATE remindersLists SET createdAt = '2001-01-01 00:00:00.000', updatedAt = '2001-01-01 00:00:00.000'"
    )
    var changes = ListRepository.Values()
    changes.title = "Family"
    changes.color = RemindersList.defaultColor
    try ListRepository.update(id, changes, in: db)
    #expect(try db.text("SELECT max(updatedAt) FROM remindersLists") == "2001-01-01 00:00:00.000")
    changes.color = 0xff00_00ff
    try ListRepository.update(id, changes, in: db)
    #expect(try db.integer("SELECT color FROM remindersLists WHERE id = \(id)") == 0xff00_00ff)
    #expect(try db.integer("SELECT updatedAt > '2020' FROM remindersLists WHERE id = \(id)") == 1)
  }

  @Test func whatIsNotThereIsNotFound() {
    #expect(throws: DomainError.notFound(.list(99))) {
      try ListRepository.update(99, ListRepository.Values(), in: db)
    }
    #expect(throws: DomainError.notFound(.list(99))) { try ListRepository.delete(99, in: db) }
  }

  @Test func orderIsOfAllLists() throws {
    let other = try create("Family")
    try ListRepository.order([other, 1], in: db)
    #expect(try db.integers("SELECT id FROM remindersLists ORDER BY position") == [other, 1])
    #expect(throws: DomainError.incompleteOrder(missing: [1], unknown: [9], repeated: [other])) {
      try ListRepository.order([other, 9, other], in: db)
    }
  }
}
