import MartletSQLite
import MartletStore
import MartletTime
import Testing

@testable import MartletReminders

@Suite struct SeedTests {
  private let everything = """
    SELECT r.id, remindersListID, r.title, r.notes, dueDate, priority, isFlagged, status,
      r.position, l.title, l.color, tags
    FROM reminders r JOIN remindersLists l ON l.id = remindersListID
      JOIN reminderTexts t ON t.rowid = r.id
    ORDER BY r.id
    """

  private func large(_ seed: UInt64, slices: [Range<Int>]) throws -> [Row] {
    let file = try RemindersFile()
    let db = try file.connect(as: .service)
    let large = Seed.Large(lists: 3, reminders: 300, seed: seed)
    try db.execute("BEGIN")
    let lists = try large.writeLists(in: db)
    for slice in slices { try large.write(slice, lists: lists, in: db) }
    try db.execute("COMMIT")
    return try db.rows(everything)
  }

  @Test func theSameSeedGivesTheSameRows() throws {
    let rows = try large(7, slices: [0..<300])
    #expect(rows.count == 300)
    #expect(try large(7, slices: [0..<10, 10..<299, 299..<300]) == rows, "in whatever slices")
    #expect(try large(8, slices: [0..<300]) != rows)
  }

  @Test func aLargeSetHasSomeOfEverything() throws {
    let rows = try large(1, slices: [0..<300])
    func count(_ column: String, _ value: (Value) -> Bool) -> Int {
      rows.count { row in row[column].map(value) ?? false }
    }
    #expect(Set(rows.map { $0["remindersListID"] }).count == 3)
    #expect((50...250).contains(count("dueDate") { !$0.isNull }))
    #expect((20...150).contains(count("priority") { !$0.isNull }))
    #expect((5...80).contains(count("isFlagged") { $0 == 1 }))
    #expect((50...170).contains(count("status") { $0 == 1 }))
    #expect((50...170).contains(count("tags") { $0 != "" }))
    #expect(Set(rows.map { $0["title"] }).count > 200)
  }

  @Test func theDemoHasSomethingForEveryQuestion() throws {
    let file = try RemindersFile()
    let db = try file.connect(as: .service)
    let now = try RFC3339.parse("2026-11-20T12:00:00Z")
    let count = try Seed.demo(in: db, now: now)
    #expect(try db.integer("SELECT count(*) FROM reminders") == count)
    #expect(
      try db.texts("SELECT title FROM remindersLists ORDER BY position")
        == ["Reminders", "Personal", "Family", "Work"])
    let oracle = try Oracle(db)
    func finds(_ set: (inout ReminderFilter) -> Void) -> Int {
      var filter = ReminderFilter()
      set(&filter)
      return oracle.ids(filter, ReminderSort(), now: now).count
    }
    for due in ReminderFilter.Due.allCases { #expect(finds { $0.due = due } > 0, "\(due)") }
    #expect(finds { $0.isFlagged = true } > 0)
    #expect(finds { $0.isCompleted = true } > 0)
    #expect(finds { $0.priorities = [.high] } > 0)
    for (text, title) in [
      ("winter ca", "Winter tyres"), ("milk tag:shopping", "Buy milk"),
      ("\"ten slides\"", "Prepare the talk"),
    ] {
      let query = try #require(
        SearchRepository.search(SearchText(text), markers: SearchRepository.Markers(), limit: 9))
      #expect(try db.statement(for: query).rows().map { $0["title"] } == [.text(title)], "\(text)")
    }
  }
}
