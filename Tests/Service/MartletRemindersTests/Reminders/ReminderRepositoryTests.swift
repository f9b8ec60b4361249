import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime
import Testing

@testable import MartletReminders

@Suite struct ReminderRepositoryTests {
  let file: RemindersFile
  let db: Connection

  init() throws {
    file = try RemindersFile()
    db = try file.connect(as: .service)
  }

  private func changes(
    _ set: (inout ReminderRepository.Values) -> Void
  ) -> ReminderRepository.Values {
    var changes = ReminderRepository.Values()
    set(&changes)
    return changes
  }

  private func tags(of id: Int) throws -> [String?] {
    try db.texts("SELECT tagID FROM remindersTags WHERE reminderID = \(id) ORDER BY tagID")
  }

  private let long = "2001-01-01 00:00:00.000"

  private func forget() throws {
    try db.execute("UPDATE reminders SET createdAt = '\(long)', updatedAt = '\(long)'")
  }
  private func isTouched(_ id: Int) throws -> Bool {
    try db.text("SELECT updatedAt FROM reminders WHERE id = \(id)") != long
  }

  @Test func whatIsCreatedIsThere() throws {
    let given = changes {
      $0.listID = 1
      $0.title = "Buy milk"
      $0.notes = "two"
      $0.dueDate = .day(CivilDate("2026-11-20")!)
      $0.priority = .high
      $0.isFlagged = true
      $0.status = .completing
      $0.tags = ["b", "A", "a"]
    }
    let id = try ReminderRepository.create(given, in: db)
    let stored = try #require(try Reminder.find(id).fetchOne(db))
    #expect(
      stored
        == Reminder(
          id: id, remindersListID: 1, title: "Buy milk", notes: "two",
          dueDate: .day(CivilDate("2026-11-20")!),
          priority: .high, isFlagged: true, status: .completing, position: 0,
          createdAt: stored.createdAt, updatedAt: stored.updatedAt, uid: stored.uid,
          version: stored.version, calendarVersion: stored.calendarVersion))
    #expect(stored.uid?.count == 36 && stored.version > 0)
    #expect(stored.createdAt != nil && stored.updatedAt != nil)
    #expect(try tags(of: id) == ["A", "b"])
  }

  @Test func anUpdateThatChangesNothingTouchesNothing() throws {
    let given = changes {
      $0.listID = 1
      $0.title = "Café"
      $0.notes = "n"
      $0.dueDate = .some(nil)
      $0.priority = .some(.low)
      $0.isFlagged = true
      $0.status = .completed
      $0.tags = ["Home", "car"]
    }
    let id = try ReminderRepository.create(given, in: db)
    try forget()
    try ReminderRepository.update(id, given, at: .epoch, in: db)
    try ReminderRepository.update(id, changes { $0.tags = ["CAR", "home"] }, at: .epoch, in: db)
    try ReminderRepository.update(id, ReminderRepository.Values(), at: .epoch, in: db)
    #expect(try !isTouched(id))
    let each: [ReminderRepository.Values] = [
      changes { $0.title = "Cafe\u{301}" }, changes { $0.notes = "" },
      changes { $0.dueDate = .day(CivilDate("2026-01-01")!) }, changes { $0.dueDate = .some(nil) },
      changes { $0.priority = .some(nil) }, changes { $0.isFlagged = false },
      changes { $0.status = .incomplete }, changes { $0.tags = ["car"] }, changes { $0.tags = [] },
    ]
    for change in each {
      try forget()
      try ReminderRepository.update(id, change, at: .epoch, in: db)
      #expect(try isTouched(id), "\(change)")
    }
    #expect(
      try db.integer("SELECT length(CAST(title AS BLOB)) FROM reminders") == 6,
      "a letter and its accent are not the letter with an accent")
  }

  @Test func fiveTagsAreReplacedByFiveOthers() throws {
    let id = try ReminderRepository.create(
      changes {
        $0.listID = 1
        $0.tags = ["a", "b", "c", "d", "e"]
      }, in: db)
    try ReminderRepository.update(
      id, changes { $0.tags = ["v", "w", "x", "y", "z"] }, at: .epoch, in: db)
    #expect(try tags(of: id) == ["v", "w", "x", "y", "z"])
    try ReminderRepository.update(
      id, changes { $0.tags = ["Z", "Y", "p", "q", "r"] }, at: .epoch, in: db)
    #expect(try tags(of: id) == ["p", "q", "r", "y", "z"], "the first spelling is kept")
    #expect(throws: RuleViolation.tooManyTags) {
      try ReminderRepository.update(
        id, changes { $0.tags = ["1", "2", "3", "4", "5", "6"] }, at: .epoch, in: db)
    }
    #expect(try tags(of: id) == ["p", "q", "r", "y", "z"])
  }

  @Test func equalTagsAreOneInsert() throws {
    let many = Array(repeating: ["T", "t"], count: 10_000).flatMap { $0 }
    let before = try db.integer("SELECT total_changes()") ?? 0
    let id = try ReminderRepository.create(
      changes {
        $0.listID = 1
        $0.tags = many
      }, in: db)
    #expect(try tags(of: id) == ["T"])
    try ReminderRepository.update(id, changes { $0.tags = many + ["u"] }, at: .epoch, in: db)
    #expect(try tags(of: id) == ["T", "u"])
    #expect(try (db.integer("SELECT total_changes()") ?? 0) - before < 50)
  }

  @Test func aSixthTagIsRefusedBeforeAnythingIsWritten() throws {
    let before = try db.integer("SELECT total_changes()")
    #expect(throws: RuleViolation.tooManyTags) {
      try ReminderRepository.create(
        changes {
          $0.listID = 1
          $0.tags = ["1", "2", "3", "4", "5", "6"]
        }, in: db)
    }
    #expect(try db.integer("SELECT total_changes()") == before)
  }

  @Test func taggingTwiceIsTaggingOnce() throws {
    let id = try ReminderRepository.create(changes { $0.listID = 1 }, in: db)
    try ReminderRepository.tag(id, with: "Car", in: db)
    try forget()
    try ReminderRepository.tag(id, with: "CAR", in: db)
    #expect(try tags(of: id) == ["Car"])
    #expect(try !isTouched(id))
    try ReminderRepository.untag(id, from: "car", in: db)
    #expect(try tags(of: id) == [])
    #expect(throws: DomainError.notFound(.tagging("car", reminder: id))) {
      try ReminderRepository.untag(id, from: "car", in: db)
    }
    #expect(throws: DomainError.notFound(.reminder(99))) {
      try ReminderRepository.tag(99, with: "x", in: db)
    }
    #expect(throws: DomainError.notFound(.reminder(99))) {
      try ReminderRepository.untag(99, from: "x", in: db)
    }
    #expect(
      try db.texts("SELECT title FROM tags") == ["Car"],
      "no tag is left for a reminder that is not there")
  }

  @Test func tagsAreShownInOrder() throws {
    let id = try ReminderRepository.create(
      changes {
        $0.listID = 1
        $0.tags = ["zebra", "Apple", "car"]
      }, in: db)
    let page = PageQuery(
      segments: [{ _ in ReminderRepository.item(id) }], keyCount: 0, limit: 1, fingerprint: 0)
    let item = try #require(try ReadPage(page, in: db).items.first?.object)
    #expect(item["tags"] == ["Apple", "car", "zebra"])
    #expect(item["status"] == "incomplete")
  }

  @Test func anUnknownListIsARuleOfTheDomain() throws {
    let id = try ReminderRepository.create(changes { $0.listID = 1 }, in: db)
    for write in [
      { _ = try ReminderRepository.create(ReminderRepository.Values(), in: db) },
      { try ReminderRepository.update(id, changes { $0.listID = 99 }, at: .epoch, in: db) },
    ] {
      let error = #expect(throws: SQLiteError.self) { try write() }
      #expect(error.flatMap { RuleViolation(rawValue: $0.message) } == .unknownList)
    }
  }

  @Test func orderIsOfAListsReminders() throws {
    let ids = try (0..<4).map { _ in
      try ReminderRepository.create(changes { $0.listID = 1 }, in: db)
    }
    try forget()
    try ReminderRepository.order(ids.reversed(), ofList: 1, in: db)
    #expect(try db.integers("SELECT id FROM reminders ORDER BY position") == ids.reversed())
    #expect(try ids.allSatisfy { try !isTouched($0) })
    #expect(
      throws: DomainError.incompleteOrder(missing: [ids[0]], unknown: [77], repeated: [ids[1]])
    ) {
      try ReminderRepository.order([ids[1], 77, ids[3], ids[1], ids[2]], ofList: 1, in: db)
    }
    #expect(throws: DomainError.notFound(.list(99))) {
      try ReminderRepository.order([], ofList: 99, in: db)
    }
  }

  @Test func whatIsNotThereIsNotFound() {
    #expect(throws: DomainError.notFound(.reminder(99))) {
      try ReminderRepository.update(99, ReminderRepository.Values(), at: .epoch, in: db)
    }
    #expect(throws: DomainError.notFound(.reminder(99))) {
      try ReminderRepository.delete(99, in: db)
    }
  }

  @Test func whoSeesSomeListsMovesReminderAmongThoseAlone() throws {
    try db.execute("INSERT INTO remindersLists (title) VALUES ('two')")
    let id = try ReminderRepository.create(changes { $0.listID = 1 }, in: db)
    let own = ListExtent.only([1])
    #expect(throws: RuleViolation.unknownList) {
      try ReminderRepository.update(id, changes { $0.listID = 2 }, among: own, at: .epoch, in: db)
    }
    #expect(throws: RuleViolation.unknownList) {
      try ReminderRepository.create(changes { $0.listID = 2 }, among: own, in: db)
    }
    #expect(throws: DomainError.notFound(.reminder(id))) {
      try ReminderRepository.update(
        id, changes { $0.title = "x" }, among: .only([2]), at: .epoch, in: db)
    }
    #expect(try db.integers("SELECT remindersListID FROM reminders") == [1])
  }
}
