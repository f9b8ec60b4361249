import MartletSQLite
import MartletStore
import MartletTime
import TestSupport
import Testing

@testable import MartletReminders

@Suite struct ReminderPagesTests {
  let file: RemindersFile
  let db: Connection
  var source: RandomReminders
  var seed: UInt64 { source.random.seed }

  init() throws {
    file = try RemindersFile()
    db = try file.connect(as: .service)
    source = RandomReminders(
      random: SeededRandom(), now: Instant(milliseconds: 1_790_000_000_000),
      zones: try ["UTC", "Europe/Vienna"].map { try ZoneDatabase.system.zone(named: $0) })
  }

  private func page(
    _ filter: ReminderFilter, _ sort: ReminderSort, limit: Int, after cursor: String?,
    total: Bool = false
  ) throws -> ReadPage {
    var request = PageRequest()
    request.limit = limit
    request.wantsTotal = total
    request.cursor = try cursor.map { try #require(PageCursor($0)) }
    return try ReadPage(
      ReminderRepository.page(filter, sort: sort, request, now: source.now), in: db)
  }

  @Test mutating func cursorsLeadThroughAllRowsOnce() throws {
    try source.fill(db, 60)
    let oracle = try Oracle(db)
    for round in 0..<400 {
      let filter = round % 4 == 0 ? ReminderFilter() : source.filter()
      let sort = source.sort()
      let limit = Int.random(in: 1...7, using: &source.random)
      let wanted = oracle.ids(filter, sort, now: source.now)
      let comment: Comment = "\(filter) \(sort), \(limit) a page, seed \(seed)"
      var found: [Int] = []
      var cursor: String?
      repeat {
        let page = try page(filter, sort, limit: limit, after: cursor, total: true)
        try #require(page.ids.count == min(limit, wanted.count - found.count), comment)
        #expect(page.total == wanted.count, comment)
        found += page.ids
        cursor = page.next
      } while cursor != nil
      try #require(found == wanted, comment)
    }
  }

  /// The reminders without what no filter and no order depends on.
  private func rows() throws -> [Int: Reminder] {
    let rows = try Reminder.all.fetchAll(db).map { reminder in
      var same = reminder
      (same.version, same.allSubtasks, same.openSubtasks) = (0, 0, 0)
      return (reminder.id, same)
    }
    return Dictionary(uniqueKeysWithValues: rows)
  }

  @Test mutating func rowsThatStayAreNeitherLostNorDoubled() throws {
    try source.fill(db, 60)
    for _ in 0..<60 {
      let filter = source.filter()
      let sort = source.sort()
      let limit = Int.random(in: 1...7, using: &source.random)
      let oracle = try Oracle(db)
      let before = try rows()
      var stayed = Set(oracle.reminders.map(\.id))
      var found: [Int] = []
      var cursor: String?
      var pages = 0
      repeat {
        let page = try page(filter, sort, limit: limit, after: cursor)
        found += page.ids
        cursor = page.next
        pages += 1
        for _ in 0..<3 {
          // Deletions of subtrees can leave no reminder.
          let some = try db.integer("SELECT id FROM reminders ORDER BY random() LIMIT 1")
          guard let id = some else {
            try source.insert(db)
            continue
          }
          switch Int.random(in: 0..<3, using: &source.random) {
          case 0: try source.insert(db)
          case 1: try ReminderRepository.delete(id, in: db)
          default:
            try source.change(id, db)
            stayed.remove(id)
          }
        }
        // What happens to a reminder may happen to its subtasks.
        let after = try rows()
        stayed = stayed.filter { after[$0] == before[$0] }
        // If rows are added faster than pages are read, reading may never end.
      } while cursor != nil && pages < 200
      let wanted = oracle.ids(filter, sort, now: source.now).filter(stayed.contains)
      #expect(
        found.filter(stayed.contains) == wanted, "\(filter) \(sort), \(limit) a page, seed \(seed)")
    }
  }

  @Test mutating func aCursorBelongsToItsSortAndFilters() throws {
    try source.fill(db, 30)
    var filters = [ReminderFilter()]
    func add(_ set: (inout ReminderFilter) throws -> Void) rethrows {
      var filter = ReminderFilter()
      try set(&filter)
      filters.append(filter)
    }
    add { $0.listID = 2 }
    add { $0.status = .completed }
    add { $0.isCompleted = false }
    add { $0.isCompleted = true }
    add { $0.isFlagged = true }
    add { $0.isFlagged = false }
    add { $0.listIDs = [2, 3] }
    add { $0.parent = .reminder(1) }
    add { $0.parent = ReminderFilter.Parent.none }
    add { $0.priorities = [.low] }
    add { $0.priorities = [.low, .high] }
    add { $0.isRecurring = true }
    add { $0.isRecurring = false }
    add { $0.isAvailable = true }
    add { $0.dueWithin = 7 }
    add { $0.tags = ["car"] }
    add { $0.tags = ["today"] }
    add { $0.due = .today }
    add { $0.dueBefore = .instant(source.now) }
    add { $0.dueAfter = .instant(source.now) }
    add { $0.dueAfter = .day(CivilDate(utc: source.now)) }
    add { $0.text = SearchText("milk") }
    add { $0.text = SearchText("") }
    try add { $0.zone = try ZoneDatabase.system.zone(named: "Europe/Vienna") }
    var lists: [(ReminderFilter, ReminderSort)] = []
    for filter in filters { for sort in ServiceQueries.sorts { lists.append((filter, sort)) } }
    let prints = try lists.map { filter, sort in
      try ReminderRepository.page(filter, sort: sort, PageRequest(), now: source.now).fingerprint
    }
    #expect(Set(prints).count == prints.count)
    let cursor = try #require(
      try page(filters[0], ReminderSort(.title), limit: 3, after: nil).next)
    for (filter, sort) in lists where (filter, sort) != (filters[0], ReminderSort(.title)) {
      #expect(throws: InvalidCursor.self) {
        try page(filter, sort, limit: 3, after: cursor)
      }
    }
  }

  @Test mutating func forgedCursorsAreRefusedOrHarmless() throws {
    try source.fill(db, 20)
    let values: [Value] = [
      .null, 0, -1, .integer(.max), .integer(.min), .real(.nan), .real(.infinity), 1.5, "", "x",
      .text("\0"), .text(String(repeating: "a", count: 500)), .blob([]), .blob([0, 255]),
    ]
    for _ in 0..<600 {
      let filter = source.filter()
      let sort = source.sort()
      var request = PageRequest()
      let first = try ReminderRepository.page(filter, sort: sort, request, now: source.now)
      let keys = (0..<Int.random(in: 0...5, using: &source.random))
        .map { _ in source.random.pick(values) }
      let forged = PageCursor(fingerprint: first.fingerprint, keys: keys)
      request.cursor = PageCursor(forged.text)
      #expect(request.cursor != nil, "seed \(seed)")
      do {
        _ = try ReadPage(
          ReminderRepository.page(filter, sort: sort, request, now: source.now), in: db)
        #expect(keys.count == first.keyCount, "seed \(seed)")
      } catch is InvalidCursor {}
    }
  }

  @Test mutating func brokenCursorsAreNone() throws {
    let whole = PageCursor(fingerprint: 7, keys: [1, "text", .null, 2.5, .blob([1, 2])])
    #expect(PageCursor(whole.text) == whole)
    for length in 0..<whole.text.count {
      let cut = PageCursor(String(whole.text.prefix(length)))
      #expect(cut == nil || cut != whole)
    }
    for _ in 0..<2_000 {
      let bytes = (0..<Int.random(in: 0..<60, using: &source.random)).map { _ in
        source.random.pick(Array("AQ-_b3=+/ é\0"))
      }
      if let cursor = PageCursor(String(bytes)) {
        #expect(PageCursor(cursor.text) == cursor, "\(bytes), seed \(seed)")
      }
    }
  }

  @Test func aLongTitleHasACursorToo() throws {
    for length in [0, 100, 1_000] {
      try db.run(
        "INSERT INTO reminders (remindersListID, title) VALUES (1, ?)",
        .text(String(repeating: "ä", count: length)))
    }
    let first = try page(
      ReminderFilter(), ReminderSort(.title, isDescending: true), limit: 1, after: nil)
    #expect(first.ids == [3])
    let rest = try page(
      ReminderFilter(), ReminderSort(.title, isDescending: true), limit: 5, after: first.next)
    #expect(rest.ids == [2, 1])
  }
}
