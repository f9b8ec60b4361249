import MartletSQLite
import MartletTime
import Testing

@testable import MartletReminders

@Suite("What a channel that is limited to lists reveals") struct ChannelExtentTests {
  private let file: RemindersFile
  private let db: Connection

  /// A channel of all changes in list 1, and a list 2 that is not its.
  init() throws {
    file = try RemindersFile()
    db = try file.connect(as: .service)
    try db.execute("INSERT INTO remindersLists (id, title) VALUES (2, 'hidden list')")
    var changes = ChannelRepository.Values()
    (changes.name, changes.url) = ("c", "https://example.com")
    (changes.events, changes.lists) = ([ChannelEvent.all], .some([1]))
    _ = try ChannelRepository.create(.webhook, changes, at: .epoch, db)
  }

  /// The bodies of what is added to the outbox after these statements.
  private func sent(_ sql: String) throws -> [String] {
    try db.execute(sql)
    try Outbox.addChanges(at: .epoch, db)
    return try db.texts("SELECT body FROM deliveries ORDER BY id").compactMap { $0 }
  }

  @Test("Nothing of other lists is sent")
  func others() throws {
    let bodies = try sent(
      """
      INSERT INTO reminders (remindersListID, title) VALUES (1, 'shown'), (2, 'hidden');
      UPDATE reminders SET notes = 'hidden' WHERE remindersListID = 2;
      UPDATE remindersLists SET title = 'hidden' WHERE id = 2;
      """)
    #expect(bodies.count == 1 && bodies[0].contains("shown") && !bodies[0].contains("hidden"))
  }

  @Test(
    "What was moved away is gone, without the title that it has got since, also if it is deleted",
    arguments: ["", "DELETE FROM reminders WHERE id = 1"])
  func moved(_ after: String) throws {
    _ = try sent("INSERT INTO reminders (id, remindersListID, title) VALUES (1, 1, 'shown')")
    let bodies = try sent(
      "UPDATE reminders SET remindersListID = 2, title = 'hidden' WHERE id = 1; \(after)")
    let last = try #require(bodies.last)
    #expect(bodies.count == 2 && last.contains(#"{"type":"reminder.deleted""#), "\(bodies)")
    #expect(last.contains(#""reminder":{"id":1,"listID":1,"title":null}"#), "\(last)")
    #expect(!last.contains("hidden"), "\(last)")
  }

  @Test("Alarms of other lists are not sent")
  func alarms() throws {
    try db.execute(
      """
      INSERT INTO reminders (id, remindersListID, title) VALUES (1, 1, 'shown'), (2, 2, 'hidden');
      INSERT INTO alarms (reminderID, at) VALUES (1, '2026-01-01 00:00:00.000'), (2, '2026-01-01 00:00:00.000');
      """)
    let now = try RFC3339.parse("2026-01-01T00:00:01Z")
    try AlarmRepository.settle(at: now, in: .utc, db)
    let firings = try AlarmScheduler.ring(at: now, catchUp: .seconds(60), db)
    try #require(firings.count == 2)
    let bodies = try db.texts("SELECT body FROM deliveries WHERE type = 'alarm.ringing'")
    #expect(bodies.count == 1 && bodies[0]?.contains("shown") == true, "\(bodies)")
  }

  @Test("The more channels there are, the fewer alarms ring in one write", arguments: [0, 9, 49])
  func portions(_ more: Int) throws {
    try db.execute(
      """
      DELETE FROM channels;
      INSERT INTO channels (kind, name, url, events, createdAt)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(more))
      SELECT 0, i, 'https://a.example/', '["alarm.ringing"]', '2026-01-01 00:00:00.000'
      FROM n WHERE \(more) > 0;
      INSERT INTO reminders (id, remindersListID, title)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
      SELECT i, 1, i FROM n;
      INSERT INTO alarms (reminderID, at, fireAt, isStale)
      SELECT id, '2026-01-01 00:00:00.000', '2026-01-01 00:00:00.000', 0 FROM reminders;
      """)
    let now = try RFC3339.parse("2026-01-01T00:00:01Z")
    let firings = try AlarmScheduler.ring(at: now, catchUp: .seconds(60), db)
    let rows = try db.value("SELECT count(*) FROM deliveries")?.integer ?? 0
    #expect(firings.count == max(1, 50 / (more + 1)) && rows == Int64(firings.count * more))
  }

  @Test("What was deleted in the list has its title")
  func deleted() throws {
    _ = try sent("INSERT INTO reminders (id, remindersListID, title) VALUES (1, 1, 'shown')")
    let bodies = try sent("DELETE FROM reminders WHERE id = 1")
    #expect(bodies.last?.contains(#""title":"shown""#) == true, "\(bodies)")
  }
}
