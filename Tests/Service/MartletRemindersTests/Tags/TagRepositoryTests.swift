import MartletSQLite
import MartletStore
import Testing

@testable import MartletReminders

@Suite struct TagRepositoryTests {
  let file: RemindersFile
  let db: Connection

  /// Reminder 1 carries Car and home, 2 carries Car, 3 carries home.
  init() throws {
    file = try RemindersFile()
    db = try file.connect(as: .service)
    try db.execute(
      """
      INSERT INTO reminders (remindersListID) VALUES (1), (1), (1);
      INSERT INTO tags VALUES ('Car'), ('home');
      INSERT INTO remindersTags (reminderID, tagID)
      VALUES (1, 'Car'), (1, 'home'), (2, 'Car'), (3, 'home');
      """)
  }

  private var uses: [String] {
    get throws {
      try db.texts("SELECT reminderID || tagID FROM remindersTags ORDER BY reminderID, tagID")
        .compactMap { $0 }
    }
  }

  @Test func aNewTitleReachesEveryReminder() throws {
    try TagRepository.rename("CAR", to: "Van", merging: false, in: db)
    #expect(try uses == ["1home", "1Van", "2Van", "3home"])
    #expect(try db.texts("SELECT title FROM tags") == ["home", "Van"])
    #expect(try db.integers("SELECT rowid FROM reminderTexts WHERE tags MATCH 'van'") == [1, 2])
  }

  @Test func onlyTheCaseChanges() throws {
    try TagRepository.rename("car", to: "CAR", merging: false, in: db)
    #expect(try uses == ["1CAR", "1home", "2CAR", "3home"])
    #expect(try db.texts("SELECT title FROM tags") == ["CAR", "home"])
  }

  @Test func anotherTagsTitleIsTaken() throws {
    #expect(throws: DomainError.tagExists(title: "home")) {
      try TagRepository.rename("car", to: "HOME", merging: false, in: db)
    }
    #expect(try uses == ["1Car", "1home", "2Car", "3home"])
    try TagRepository.rename("car", to: "HOME", merging: true, in: db)
    #expect(try uses == ["1home", "2home", "3home"])
    #expect(try db.texts("SELECT title FROM tags") == ["home"], "the other one stays as it is")
    #expect(
      try db.texts("SELECT tags FROM reminderTexts ORDER BY rowid") == ["home", "home", "home"])
  }

  /// Five tags before, four afterwards: merging never creates a sixth.
  @Test func mergingTwoOfFive() throws {
    try db.execute(
      """
      INSERT INTO tags VALUES ('a'), ('b'), ('c');
      INSERT INTO remindersTags (reminderID, tagID) VALUES (1, 'a'), (1, 'b'), (1, 'c');
      """)
    try TagRepository.rename("a", to: "b", merging: true, in: db)
    #expect(try uses.filter { $0.hasPrefix("1") } == ["1b", "1c", "1Car", "1home"])
  }

  @Test func renamingToWhatItIsTouchesNothing() throws {
    try db.execute(
      "UPDATE reminders SET createdAt = '2001-01-01 00:00:00.000', updatedAt = '2001-01-01 00:00:00.000'"
    )
    try TagRepository.rename("car", to: "Car", merging: false, in: db)
    #expect(try db.text("SELECT max(updatedAt) FROM reminders") == "2001-01-01 00:00:00.000")
  }

  /// SQLite, and therefore the service, distinguishes a composed letter from a letter and a
  /// combining accent.
  @Test func accentsAreComparedByBytes() throws {
    try TagRepository.create("Café", in: db)
    try TagRepository.rename("Café", to: "Cafe\u{301}", merging: false, in: db)
    #expect(
      try db.integer("SELECT length(CAST(title AS BLOB)) FROM tags WHERE title LIKE 'caf%'") == 6)
    try TagRepository.create("Café", in: db)
  }

  @Test func createAndDelete() throws {
    try TagRepository.create("New", in: db)
    #expect(throws: DomainError.tagExists(title: "New")) { try TagRepository.create("NEW", in: db) }
    try TagRepository.delete("new", in: db)
    try TagRepository.delete("CAR", in: db)
    #expect(try uses == ["1home", "3home"])
    #expect(throws: DomainError.notFound(.tag("car"))) { try TagRepository.delete("car", in: db) }
    #expect(throws: DomainError.notFound(.tag("car"))) {
      try TagRepository.rename("car", to: "x", merging: true, in: db)
    }
  }

  @Test func pagesByTitleWithoutCase() throws {
    for title in ["apple", "Banana", "zoo", "Äpfel", "_"] {
      try TagRepository.create(title, in: db)
    }
    for limit in 1...8 {
      var found: [String?] = []
      var request = PageRequest()
      request.limit = limit
      request.wantsTotal = true
      repeat {
        let page = try ReadPage(TagRepository.page(request), in: db)
        #expect(page.total == 7)
        found += page.items.map { $0.object?["title"]?.string }
        request.cursor = page.next.flatMap { PageCursor($0) }
      } while request.cursor != nil
      #expect(found == ["_", "apple", "Banana", "Car", "home", "zoo", "Äpfel"])
    }
    let first = try ReadPage(TagRepository.page(PageRequest()), in: db)
    #expect(first.items[3] == ["title": "Car", "reminders": 2])
  }

  @Test func cursorsOfOtherCollectionsAreRefused() throws {
    var request = PageRequest()
    let own = try TagRepository.page(request).fingerprint
    for (print, keys) in [(own &+ 1, ["x"]), (own, []), (own, [1]), (own, ["x", "y"])]
      as [(UInt64, [Value])]
    {
      request.cursor = PageCursor(fingerprint: print, keys: keys)
      #expect(throws: InvalidCursor.self) { try TagRepository.page(request) }
    }
  }

  @Test func theTotalIsOfTheTagsThatAreShown() throws {
    try db.execute(
      """
      INSERT INTO remindersLists (title) VALUES ('theirs');
      INSERT INTO reminders (remindersListID) VALUES (2);
      INSERT INTO tags VALUES ('secret');
      INSERT INTO remindersTags (reminderID, tagID) VALUES (4, 'secret');
      """)
    var request = PageRequest()
    request.wantsTotal = true
    for (lists, count) in [(ListExtent.all, 3), (.only([1]), 2), (.only([2]), 1), (.only([]), 0)] {
      let total = try #require(try TagRepository.page(request, among: lists).total)
      #expect(try db.statement(for: total).rows()[0][0].integer == Int64(count), "\(lists)")
    }
  }
}
