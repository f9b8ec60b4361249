import Foundation
import MartletSQLite
import TestSupport
import Testing

extension ProcessTests {
  /// The server is killed while it works through alarms that came due before it started. The kills
  /// depend on its progress, not on time.
  @Suite(.timeLimit(.minutes(10))) struct AlarmKillTests {
    @Test("Each alarm rings exactly once, whenever the server is killed")
    func kill() throws {
      let seed = UInt64.random(in: 0..<1_000_000)
      print("alarms and kill -9: seed \(seed)")
      var random = SeededRandom(seed: seed)
      let count = 6_000
      let folder = try TemporaryFolder()
      let first = try MartletProcess(in: folder)
      try first.stop()
      // Some with a date of their reminder, which are still to be worked out.
      _ = try MartletProcess.sqlite3(
        first.database,
        """
        INSERT INTO reminders (remindersListID, title, dueDate)
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
        SELECT 1, i, strftime('%Y-%m-%d %H:%M:%f', 'now', '-' || (i % 7000) || ' seconds') FROM n;
        INSERT INTO alarms (reminderID, at, isStale, fireAt)
        SELECT id, dueDate, 0, dueDate FROM reminders WHERE id % 2 = 0;
        INSERT INTO alarms (reminderID, anchor, offset)
        SELECT id, 0, 'PT3H' FROM reminders WHERE id % 2 = 1;
        UPDATE alarms SET isStale = 0, fireAt = (SELECT dueDate FROM reminders WHERE id = reminderID)
        WHERE reminderID % 4 = 1;
        """, in: folder)
      let db = try Connection(location: .file(first.database), options: .readOnly)
      defer { db.close() }
      db.setBusyTimeout(.seconds(5))
      func rung() throws -> Int { Int(try db.value("SELECT count(*) FROM firings")?.integer ?? 0) }
      // Three quarters are due. The others ring in at least an hour.
      let due = count * 3 / 4
      var kills = 0
      while try rung() < due, kills < 30 {
        let before = try rung()
        let server = try MartletProcess(in: folder)
        let wanted = min(before + Int.random(in: 1...400, using: &random), due)
        while try rung() < wanted {}
        try server.kill9()
        kills += 1
      }
      #expect(kills >= 8)
      let last = try MartletProcess(in: folder)
      while try rung() < due {}
      // What is due rings first. Then the others are worked out.
      while try db.value("SELECT 1 FROM alarms WHERE isStale = 1") != nil {}
      try last.stop()
      #expect(try rung() == due)
      let rows = try db.rows(
        """
        SELECT (SELECT count(DISTINCT alarmID) FROM firings),
          (SELECT count(*) FROM alarms WHERE state = 1),
          (SELECT count(*) FROM alarms JOIN firings ON alarmID = alarms.id
            WHERE state <> 1 OR alarms.firedAt <> firings.firedAt),
          (SELECT count(*) FROM alarms WHERE state = 0 AND fireAt IS NOT NULL AND isStale = 0)
        """)
      #expect(
        rows.map(\.values) == [
          [.integer(Int64(due)), .integer(Int64(due)), 0, .integer(Int64(count - due))]
        ])
    }
  }
}
