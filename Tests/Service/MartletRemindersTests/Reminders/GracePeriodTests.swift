import Dispatch
import MartletQueryBuilder
import MartletReminders
import MartletSQLite
import MartletStore
import MartletTime
import Synchronization
import Testing

/// Uses real time, because SQLite sets `updatedAt`. The tests wait for commits.
@Suite(.timeLimit(.minutes(10)))
struct GracePeriodTests {
  let file: RemindersFile

  init() throws { file = try RemindersFile() }

  /// A database with a grace period, and its commits as events.
  private final class Service: Sendable {
    let database: EmbeddedDatabase
    let grace: FollowUps
    let errors: AsyncStream<String>
    private let commits: AsyncStream<UInt64>

    init(_ path: String, milliseconds: Int) throws {
      let signal = FollowUps.Signal()
      var settings = Configuration()
      settings.otherWritersInterval = .milliseconds(20)
      settings.changeTable = RemindersDatabase.changeTable
      database = try EmbeddedDatabase(path: path, configuration: settings) {
        try FollowUps.prepare($0, signal: signal)
      }
      let (commits, heard) = AsyncStream.makeStream(of: UInt64.self)
      self.commits = commits
      database.onCommit { heard.yield($0.number) }
      let (errors, failed) = AsyncStream.makeStream(of: String.self)
      self.errors = errors
      grace = FollowUps(database, signal: signal, duration: .milliseconds(milliseconds)) {
        failed.yield("\($0)")
      }
    }

    func reminder(_ id: Int) throws -> Reminder {
      try #require(try database.read { try Reminder.find(id).fetchOne($0) })
    }

    /// Reads the reminder after each commit until it is as expected.
    func reminder(_ id: Int, when isReady: (Reminder) -> Bool) async throws -> Reminder {
      let now = try reminder(id)
      if isReady(now) { return now }
      for await _ in commits {
        let now = try reminder(id)
        if isReady(now) { return now }
      }
      throw CancellationError()
    }

    func set(_ id: Int, _ status: Reminder.Status) throws {
      var changes = ReminderRepository.Values()
      changes.status = status
      let fixed = changes
      try database.write { try ReminderRepository.update(id, fixed, at: .epoch, in: $0) }
    }

    func create(_ status: Reminder.Status = .incomplete) throws -> Int {
      try database.write { db in
        var changes = ReminderRepository.Values()
        changes.listID = 1
        changes.status = status
        return try ReminderRepository.create(changes, in: db)
      }
    }
  }

  private func elapsed(_ from: Reminder, _ to: Reminder) throws -> Int64 {
    try #require(to.updatedAt).milliseconds(since: try #require(from.updatedAt))
  }

  @Test func completingBecomesCompletedAfterThePeriod() async throws {
    let service = try Service(file.path, milliseconds: 60)
    let id = try service.create()
    try service.set(id, .completing)
    let before = try service.reminder(id)
    let after = try await service.reminder(id) { $0.status == .completed }
    if before.status == .completing { #expect(try elapsed(before, after) >= 60) }
  }

  @Test("Only the writer has the triggers: a reader would parse the schema for nothing")
  func writerOnly() throws {
    let service = try Service(file.path, milliseconds: 20)
    let count = "SELECT count(*) FROM temp.sqlite_schema"
    #expect(try service.database.write { try $0.value(count) } == .integer(2))
    #expect(try service.database.read { try $0.value(count) } == .integer(0))
  }

  @Test func oneThatIsCreatedSoBecomesCompletedToo() async throws {
    let service = try Service(file.path, milliseconds: 20)
    let id = try service.create(.completing)
    _ = try await service.reminder(id) { $0.status == .completed }
  }

  @Test("A time from before the clock was set back does not hold up the completion")
  func clockSetBack() async throws {
    let service = try Service(file.path, milliseconds: 20)
    let id = try service.create()
    try await service.database.write { db in
      try db.execute("UPDATE reminders SET updatedAt = '9000-01-01 00:00:00.000'")
    }
    try service.set(id, .completing)
    let after = try await service.reminder(id) { $0.status == .completed }
    #expect(after.updatedAt.map { SQLiteTime.string($0) } == "9000-01-01 00:00:00.000")
  }

  @Test func eachChangeStartsThePeriodAgain() async throws {
    let service = try Service(file.path, milliseconds: 120)
    let id = try service.create(.completing)
    var lastChange: Instant?
    for round in 0..<6 {
      lastChange = try await service.database.write { db in
        try Reminder.find(id).update { $0.notes = "\(round)" }.execute(db)
        // On a slow machine the period may have ended before.
        guard try Reminder.find(id).fetchOne(db)?.status == .completing else { return nil }
        return try db.text("SELECT strftime('%Y-%m-%d %H:%M:%f', 'now')")
          .flatMap { SQLiteTime.parse($0) }
      }
    }
    let after = try await service.reminder(id) { $0.status == .completed }
    let end = try #require(after.updatedAt)
    if let lastChange { #expect(end.milliseconds(since: lastChange) >= 119) }
  }

  @Test func goingBackStopsIt() async throws {
    let service = try Service(file.path, milliseconds: 300)
    let first = try service.create(.completing)
    try service.set(first, .incomplete)
    try #require(try service.reminder(first).status == .incomplete)
    // This one was checked off later: when its period ends, that of the first would have ended.
    let second = try service.create(.completing)
    _ = try await service.reminder(second) { $0.status == .completed }
    #expect(try service.reminder(first).status == .incomplete)
  }

  @Test func eachReminderHasItsOwnPeriod() async throws {
    let service = try Service(file.path, milliseconds: 50)
    let ids = try (0..<20).map { _ in try service.create(.completing) }
    let ticked = try ids.map { try service.reminder($0) }
    for (id, before) in zip(ids, ticked) {
      let after = try await service.reminder(id) { $0.status == .completed }
      if before.status == .completing { #expect(try elapsed(before, after) >= 50) }
    }
  }

  @Test func afterARestartThoseThatAreDueAreCompleted() async throws {
    let db = try file.connect(as: .shell)
    try db.execute(
      """
      INSERT INTO reminders (remindersListID, status) VALUES (1, 2), (1, 0);
      UPDATE reminders SET createdAt = '2001-01-01 00:00:00.000', updatedAt = '2001-01-01 00:00:00.000';
      """)
    db.close()
    // The period is long, but it has ended already.
    let service = try Service(file.path, milliseconds: 3_600_000)
    _ = try await service.reminder(1) { $0.status == .completed }
    #expect(try service.reminder(2).status == .incomplete)
  }

  /// Another program left an invalid time, or it is older than the constraint.
  @Test(arguments: ["NULL", "''", "'yesterday'", "'2026-02-31 10:00:00.000'"])
  func oneBrokenTimeKeepsNoOtherWaiting(_ time: String) async throws {
    let db = try file.connect(as: .shell)
    try db.execute(
      """
      INSERT INTO reminders (remindersListID, status) VALUES (1, 2), (1, 2), (1, 2);
      UPDATE reminders SET createdAt = '2001-01-01 00:00:00.000', updatedAt = '2001-01-01 00:00:00.000'
      WHERE id = 1;
      DROP TRIGGER martlet_reminders_log; DROP TRIGGER martlet_reminders_times;
      PRAGMA ignore_check_constraints = ON;
      UPDATE reminders SET updatedAt = \(time) WHERE id = 2;
      """)
    db.close()
    let service = try Service(file.path, milliseconds: 3_600_000)
    _ = try await service.reminder(1) { $0.status == .completed }
    _ = try await service.reminder(2) { $0.status == .completed }
    #expect(try service.reminder(3).status == .completing)
  }

  @Test("A reminder that cannot be completed keeps no other waiting, and is tried again")
  func oneIsRefused() async throws {
    let db = try file.connect(as: .shell)
    try db.execute(
      """
      PRAGMA ignore_check_constraints = ON;
      INSERT INTO reminders (remindersListID, title, status) VALUES
        (1, printf('%.*c', 1500, 'x'), 2), (1, 'other', 2);
      """)
    let service = try Service(file.path, milliseconds: 0)
    _ = try await service.reminder(2) { $0.status == .completed }
    var errors = service.errors.makeAsyncIterator()
    #expect(await errors.next()?.contains("reminder 1: CHECK constraint failed") == true)
    #expect(try service.reminder(1).status == .completing)
    try db.execute("UPDATE reminders SET title = 'short' WHERE id = 1")
    _ = try await service.reminder(1) { $0.status == .completed }
  }

  @Test func anotherProgramsAreCompletedToo() async throws {
    let service = try Service(file.path, milliseconds: 30)
    let id = try service.create()
    let db = try file.connect(as: .shell)
    try db.execute("UPDATE reminders SET status = 2 WHERE id = \(id)")
    _ = try await service.reminder(id) { $0.status == .completed }
    try db.execute("INSERT INTO reminders (remindersListID, status) VALUES (1, 2)")
    _ = try await service.reminder(id + 1) { $0.status == .completed }
  }

  /// The signal is sent after a commit. A rollback sends none and leaves nothing to complete.
  @Test func whatIsUndoneIsNotCompleted() async throws {
    let service = try Service(file.path, milliseconds: 20)
    let first = try service.create()
    struct Undone: Error {}
    await #expect(throws: Undone.self) {
      try await service.database.write { db in
        try Reminder.find(first).update { $0.status = .completing }.execute(db)
        throw Undone()
      }
    }
    let second = try service.create(.completing)
    _ = try await service.reminder(second) { $0.status == .completed }
    #expect(try service.reminder(first).status == .incomplete)
  }

  @Test func aFailureIsToldAndTriedAgain() async throws {
    let service = try Service(file.path, milliseconds: 10)
    let id = try service.create()
    let db = try file.connect(as: .shell)
    try db.execute(
      """
      CREATE TRIGGER stubborn BEFORE UPDATE OF status ON reminders WHEN new.status = 1
      BEGIN SELECT RAISE(ABORT, 'not now'); END
      """)
    try service.set(id, .completing)
    var errors = service.errors.makeAsyncIterator()
    #expect(await errors.next()?.contains("not now") == true)
    try db.execute("DROP TRIGGER stubborn")
    _ = try await service.reminder(id) { $0.status == .completed }
  }

  @Test("Reminders that wait for a parent are put below the one that another program brings")
  func joins() async throws {
    let service = try Service(file.path, milliseconds: 60_000)
    let child = try service.create()
    let db = try file.connect(as: .shell)
    try db.execute("INSERT INTO calendarObjects (reminderID, parentUID) VALUES (\(child), 'p')")
    let before = try service.reminder(child)
    try db.execute("INSERT INTO reminders (remindersListID, title, uid) VALUES (1, 'Parent', 'p')")
    let after = try await service.reminder(child) { $0.parentID != nil }
    #expect(try db.text("SELECT uid FROM reminders WHERE id = \(after.parentID ?? 0)") == "p")
    #expect(after.updatedAt == before.updatedAt && after.calendarVersion == before.calendarVersion)
    #expect(try db.integer("SELECT count(*) FROM calendarObjects WHERE parentUID NOT NULL") == 0)
    service.database.close()
  }
}
