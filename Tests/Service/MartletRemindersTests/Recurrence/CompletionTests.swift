import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime
import Testing

@testable import MartletReminders

@Suite("Completions, written by any program") struct CompletionTests {
  let file: RemindersFile
  let db: Connection

  init() throws {
    file = try RemindersFile()
    db = try file.connect(as: .shell)
    try db.execute(
      """
      INSERT INTO reminders (remindersListID, title, dueDate, recurrenceRule) VALUES
        (1, 'daily', '2026-11-20', 'FREQ=DAILY'), (1, 'once', NULL, NULL),
        (1, 'last', '2026-11-20', 'FREQ=DAILY;COUNT=1'), (1, 'wrong', '2026-11-20', 'NOT A RULE');
      """)
  }

  private func rows() throws -> [String?] {
    try db.texts(
      "SELECT reminderID || ' ' || coalesce(dueDate, 'never') FROM completions ORDER BY id")
  }

  @Test("A completed status has a record, and loses it when it is set back")
  func status() throws {
    try db.execute("UPDATE reminders SET status = 1 WHERE id = 2")
    #expect(try rows() == ["2 never"])
    #expect(try db.integer("SELECT completedAt IS updatedAt FROM reminders WHERE id = 2") == 1)
    try db.execute("UPDATE reminders SET completedAt = '2026-01-01 00:00:00.000' WHERE id = 2")
    #expect(try db.text("SELECT completedAt FROM completions") == "2026-01-01 00:00:00.000")
    try db.execute("UPDATE reminders SET status = 2 WHERE id = 2")
    #expect(try rows().isEmpty)
    #expect(try db.text("SELECT completedAt FROM reminders WHERE id = 2") == nil)
    try db.execute("UPDATE reminders SET completedAt = '2026-01-01 00:00:00.000' WHERE id = 2")
    #expect(try db.text("SELECT completedAt FROM reminders WHERE id = 2") == nil)
    try db.execute("INSERT INTO reminders (remindersListID, title, status) VALUES (1, 'new', 1)")
    #expect(try rows() == ["5 never"])
    // A completed one keeps its time.
    let time = try db.text("SELECT completedAt FROM reminders WHERE id = 5")
    try db.execute("UPDATE reminders SET completedAt = NULL WHERE id = 5")
    #expect(try time != nil && db.text("SELECT completedAt FROM reminders WHERE id = 5") == time)
    #expect(try db.text("SELECT completedAt FROM completions") == time)
  }

  @Test("What another program has completed moves on when the service hears of it")
  func movingOn() async throws {
    let database = try EmbeddedDatabase(path: file.path)
    let (commits, heard) = AsyncStream.makeStream(of: UInt64.self)
    database.onCommit { heard.yield($0.number) }
    try db.execute(
      "UPDATE reminders SET status = 1, completedAt = '2026-11-25 10:00:00.000'")
    let grace = FollowUps(
      database, signal: FollowUps.Signal(), duration: .zero
    ) { Issue.record("\($0)") }
    func due() throws -> String? { try db.text("SELECT dueDate FROM reminders WHERE id = 1") }
    for await _ in commits { if try due() != "2026-11-20" { break } }
    #expect(try due() == "2026-11-26")
    #expect(
      try db.integers("SELECT status FROM reminders ORDER BY id") == [0, 1, 1, 1])
    #expect(
      try db.texts("SELECT completedAt FROM completions WHERE reminderID = 1")
        == ["2026-11-25 10:00:00.000"])
    withExtendedLifetime(grace) {}
    database.close()
  }

  @Test("Completions stay while their reminder is in the trash, and go when it is erased")
  func trash() throws {
    try db.execute("UPDATE reminders SET status = 1 WHERE id IN (1, 2)")
    let stored = try db.texts("SELECT completedAt FROM reminders WHERE id < 3")
    try db.execute("DELETE FROM reminders WHERE id IN (1, 2)")
    #expect(try rows().count == 2)
    let page = try CompletionRepository.page(CompletionRepository.Filter(), PageRequest())
    #expect(try db.statement(for: page.segments[0](51)).rows().isEmpty)
    let entry = try #require(try db.integer("SELECT id FROM trash WHERE itemID = 2"))
    _ = try TrashRepository.restore(entry, in: db)
    #expect(try rows() == ["1 2026-11-20", "2 never"])
    #expect(try db.text("SELECT completedAt FROM reminders WHERE id = 2") == stored[1])
    try db.execute("DELETE FROM trash")
    #expect(try rows() == ["2 never"])
  }

  @Test("Old completions are forgotten, and the oldest if there are too many")
  func pass() throws {
    try db.execute(
      """
      INSERT INTO completions (reminderID, title, completedAt, kind)
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      SELECT 1, '', strftime('%Y-%m-%d %H:%M:%f', '2026-01-01', '+' || i || ' minutes'), 0 FROM n
      """)
    func run(_ pass: AgePass<Completion>, most: Int) throws -> Int? {
      var pass = pass
      pass.most = most
      try pass.begin(in: db)
      while let write = try pass.next(in: db) { try write(db) }
      return try db.integer("SELECT count(*) FROM completions")
    }
    let cutoff = try #require(SQLiteTime.parse("2026-01-01 16:40:00.000"))
    #expect(try run(AgePass(cutoff: nil), most: 100_000) == 5_000)
    #expect(try run(AgePass(cutoff: cutoff), most: 100_000) == 4_001)
    #expect(try run(AgePass(cutoff: cutoff), most: 10) == 10)
    #expect(try db.text("SELECT min(completedAt) FROM completions") == "2026-01-04 11:11:00.000")
  }

  @Test(
    "Values that cannot be are refused",
    arguments: [
      ("startDate = '2026-11-21'", RuleViolation.startDate.rawValue),
      ("startDate = '2026-11-20 10:00:00.000'", RuleViolation.startDate.rawValue),
      ("startDate = 'x'", ValueRule.startDate.rawValue),
      ("timeZone = 'not a zone'", ValueRule.timeZone.rawValue),
      ("dueDate = NULL", RuleViolation.recurrenceWithoutDue.rawValue),
      ("recurrenceRule = char(10)", ValueRule.recurrence.rawValue),
      ("recurrenceExcluded = '{}'", ValueRule.recurrence.rawValue),
      ("recurrenceExcluded = '[7]'", ValueRule.recurrence.rawValue),
      ("recurrenceStart = 'x'", ValueRule.dueDate.rawValue),
      ("status = 1, completedAt = 'x'", ValueRule.completedAt.rawValue),
    ])
  func values(_ change: String, _ message: String) throws {
    #expect(db.refusal(of: "UPDATE reminders SET \(change) WHERE id = 1") == message)
  }

  @Test("A reminder that stops recurring has nothing left of its recurrence")
  func settling() throws {
    try db.execute(
      """
      UPDATE reminders SET recurrenceBasis = 2, recurrenceExcluded = '["2026-12-24"]' WHERE id = 1;
      UPDATE reminders SET recurrenceStart = '2026-11-01' WHERE id = 1;
      """)
    try db.execute("UPDATE reminders SET dueDate = '2026-11-21' WHERE id = 1")
    #expect(try db.text("SELECT recurrenceStart FROM reminders WHERE id = 1") == "2026-11-01")
    try db.execute("UPDATE reminders SET dueDate = '2026-11-21 09:00:00.000' WHERE id = 1")
    #expect(
      try db.text("SELECT recurrenceStart FROM reminders WHERE id = 1") == "2026-11-21 09:00:00.000"
    )
    try db.execute("UPDATE reminders SET recurrenceRule = NULL WHERE id = 1")
    #expect(
      try db.text(
        """
        SELECT recurrenceBasis || coalesce(recurrenceStart, '') || coalesce(recurrenceExcluded, '')
        FROM reminders WHERE id = 1
        """) == "0")
  }
}
