import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime
import TestSupport

@testable import MartletReminders

/// Random reminders around an instant, with many equal and missing values.
struct RandomReminders {
  var random: SeededRandom
  let now: Instant
  let zones: [ZoneInfo]

  static let titles = [
    "Milk", "milk", "MILK", "tea", "Tea two", "", "zoo", "Äpfel", "_", "milk tea",
  ]
  static let tags = ["car", "Home", "red", "late"]

  /// Adds a few lists and `count` reminders.
  mutating func fill(_ db: Connection, _ count: Int) throws {
    try db.execute("BEGIN")
    for position in ["NULL", "0", "7"] {
      try db.execute("INSERT INTO remindersLists (title, position) VALUES ('', \(position))")
    }
    for tag in Self.tags { try db.run("INSERT INTO tags VALUES (?)", .text(tag)) }
    for _ in 0..<count { try insert(db) }
    try db.execute("COMMIT")
  }

  mutating func insert(_ db: Connection) throws {
    let list = try db.value("SELECT id FROM remindersLists ORDER BY random() LIMIT 1")
    try db.run("INSERT INTO reminders (remindersListID) VALUES (?)", list ?? .null)
    let id = Int(db.lastInsertRowID)
    for tag in Self.tags where random.once(in: 4) {
      try db.run(
        "INSERT INTO remindersTags (reminderID, tagID) VALUES (?, ?)", .integer(Int64(id)),
        .text(tag))
    }
    try change(id, db)
  }

  /// Makes a reminder a subtask of one of the first, if that is possible.
  private mutating func setParent(_ id: Int, _ db: Connection) throws {
    let parent: Int? = random.pick([nil, nil, 1, 2])
    try db.execute("SAVEPOINT parent")
    if (try? Reminder.find(id).update { $0.parentID = parent }.execute(db)) == nil {
      try db.execute("ROLLBACK TO parent")
    }
    try db.execute("RELEASE parent")
  }

  /// Sets new values in all columns that are used for sorting and filtering.
  mutating func change(_ id: Int, _ db: Connection) throws {
    try setParent(id, db)
    let (due, start) = dates()
    try Reminder.find(id).update {
      $0.title = random.pick(Self.titles)
      $0.notes = random.pick(Self.titles)
      $0.dueDate = due
      $0.startDate = start
      $0.recurrenceRule = due != nil && random.once(in: 3) ? "FREQ=DAILY" : nil
      $0.priority = random.pick([nil, nil] + Reminder.Priority.allCases)
      $0.isFlagged = random.once(in: 3)
      $0.status = random.pick(Reminder.Status.allCases)
    }.execute(db)
    // The triggers have set the times, so they are changed afterwards.
    try Reminder.find(id).update {
      $0.position = Int.random(in: 0..<6, using: &random)
      $0.createdAt = now.adding(seconds: random.pick([-5, -4, 0, 9]))
      $0.updatedAt = now.adding(seconds: random.pick([-1, 0, 3]))
    }.execute(db)
  }

  /// A due date and a start date that are possible together.
  private mutating func dates() -> (due: DueDate?, start: DueDate?) {
    let (due, start) = (dueDate(), dueDate())
    guard let due, let start else { return (due, start) }
    let isRight = due.isTimed == start.isTimed && start.stored <= due.stored
    return isRight ? (due, start) : (due, random.once(in: 2) ? nil : due)
  }

  private mutating func dueDate() -> DueDate? {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: nil
    case 1: .day(CivilDate(utc: now).adding(days: Int.random(in: -2...2, using: &random)))
    default: .instant(moment())
    }
  }

  /// A random instant, often at the very start or end of a day in some time zone.
  mutating func moment() -> Instant {
    let day = CivilDate(utc: now).adding(days: Int.random(in: -1...1, using: &random))
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return now.adding(milliseconds: Int64.random(in: -1...1, using: &random))
    case 1: return now.adding(seconds: Int64.random(in: -150_000...150_000, using: &random))
    default:
      return LocalDay(day, in: random.pick(zones)).start
        .adding(milliseconds: Int64.random(in: -1...1, using: &random))
    }
  }

  mutating func filter() -> ReminderFilter {
    var filter = ReminderFilter()
    filter.zone = random.pick(zones)
    if random.once(in: 5) { filter.listID = random.pick([1, 2, 3, 4, 99]) }
    if random.once(in: 6) { filter.status = random.pick(Reminder.Status.allCases) }
    if random.once(in: 5) { filter.isCompleted = Bool.random(using: &random) }
    if random.once(in: 6) { filter.isFlagged = Bool.random(using: &random) }
    if random.once(in: 6) { filter.listIDs = random.pick([[2, 3], [1, 99], [4, 2, 1]]) }
    if random.once(in: 6) {
      filter.priorities = random.pick([[.low], [.medium], [.high], [.low, .high]])
    }
    if random.once(in: 6) {
      filter.parent = random.pick([ReminderFilter.Parent.none, .reminder(1), .reminder(2)])
    }
    if random.once(in: 6) { filter.isRecurring = Bool.random(using: &random) }
    if random.once(in: 6) { filter.isAvailable = Bool.random(using: &random) }
    if random.once(in: 6) { filter.dueWithin = Int.random(in: 0...2, using: &random) }
    if random.once(in: 5) { filter.tags = [random.pick(["car", "HOME", "none"])] }
    if random.once(in: 12) { filter.tags = ["car", "home"] }
    if random.once(in: 5) { filter.due = random.pick(ReminderFilter.Due.allCases) }
    if random.once(in: 6) { filter.dueBefore = bound() }
    if random.once(in: 6) { filter.dueAfter = bound() }
    if random.once(in: 8) {
      filter.text = SearchText(random.pick(["milk", "te", "tea mi", "car"]))
    }
    return filter
  }

  mutating func bound() -> DueDate {
    Bool.random(using: &random)
      ? .instant(moment())
      : .day(CivilDate(utc: now).adding(days: Int.random(in: -1...1, using: &random)))
  }

  mutating func sort() -> ReminderSort {
    let key = random.pick(ReminderSort.Key.allCases)
    // The default order has no name in the API, so it cannot be descending.
    return ReminderSort(key, isDescending: key != .list && Bool.random(using: &random))
  }
}
