import Foundation
import MartletReminders
import MartletSQLite
import MartletStore
import MartletTime
import Synchronization
import TestSupport
import Testing

@testable import MartletLiveQueries

/// The number of refreshes that a write causes with subscriptions to ten thousand lists.
@Suite("A write refreshes exactly the queries whose result it changes")
struct LivePrecisionTests {
  private static let count = 10_000
  private let turns = DispatchSemaphore(value: 0)

  /// Counts the refreshed queries and the changed results.
  private final class Runs: Sendable {
    private let counts = Mutex((queries: 0, changed: 0))
    func add(queries: Int, changed: Int) {
      counts.withLock { $0 = ($0.queries + queries, $0.changed + changed) }
    }
    func take() -> (queries: Int, changed: Int) {
      counts.withLock { counts in
        defer { counts = (0, 0) }
        return counts
      }
    }
  }

  @Test("10,000 queries on 10,000 lists")
  func lists() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("reminders.db")
    try RemindersDatabase.migrate(path: path)
    var settings = Configuration()
    settings.changeTable = RemindersDatabase.changeTable
    // A sanitizer makes the 30,000 rows slow.
    settings.writeTimeout = .seconds(120)
    let database = try EmbeddedDatabase(
      path: path, configuration: settings, prepare: { LiveQueries.prepare($0) })
    defer { database.close() }
    try database.write { db in
      try db.execute(
        """
        WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < \(Self.count))
        INSERT INTO remindersLists(id, title) SELECT i, 'list ' || i FROM n;
        INSERT INTO reminders(id, remindersListID, title) SELECT id, id, 'reminder' FROM remindersLists;
        INSERT INTO reminders(id, remindersListID, title)
          SELECT id + \(Self.count), id, 'second' FROM remindersLists;
        INSERT INTO tags VALUES ('red'), ('blue');
        INSERT INTO remindersTags(reminderID, tagID) SELECT id, 'red' FROM reminders WHERE id <= 3;
        INSERT INTO remindersTags(reminderID, tagID) SELECT id, 'blue' FROM reminders WHERE id > 3;
        """)
    }
    let runs = Runs()
    let live = LiveQueries(database) {
      if case .refreshed(let queries, let changed, _) = $0 {
        runs.add(queries: queries, changed: changed)
      }
    }
    live.onTurn { [turns] in turns.signal() }
    var open: [Subscription] = []
    for list in 1...Self.count {
      let source = LiveSource(key: "/v1/lists/\(list)/reminders") { db, body in
        guard try RemindersList.exists(list, in: db) else { return false }
        var filter = ReminderFilter()
        filter.listID = list
        let page = try ReminderRepository.page(
          filter, sort: ReminderSort(), PageRequest(), now: Instant(seconds: 0))
        try db.writeJSON(page, into: body)
        return true
      }
      open.append(live.subscribe(source) { _ in })
    }
    settle(live)
    #expect(runs.take().queries >= Self.count)

    func cost(_ write: @escaping @Sendable (Connection) throws -> Void) throws -> [Int] {
      try database.write(write)
      settle(live)
      let (queries, changed) = runs.take()
      return [queries, changed]
    }
    // Changes of a reminder's title and status, a new reminder and a deleted one.
    #expect(try cost { try $0.run("UPDATE reminders SET title = 'x' WHERE id = 7") } == [1, 1])
    #expect(try cost { try $0.run("UPDATE reminders SET status = 1 WHERE id = 7") } == [1, 1])
    #expect(
      try cost { db in
        var changes = ReminderRepository.Values()
        changes.listID = 9
        changes.title = "new"
        _ = try ReminderRepository.create(changes, in: db)
      } == [1, 1])
    #expect(try cost { try ReminderRepository.delete(8, in: $0) } == [1, 1])
    // An existing tag and a new tag on one reminder; a renamed tag on four reminders of four lists.
    #expect(try cost { try ReminderRepository.tag(5, with: "red", in: $0) } == [1, 1])
    #expect(try cost { try ReminderRepository.tag(5, with: "never seen", in: $0) } == [1, 1])
    #expect(
      try cost { try $0.run("UPDATE tags SET title = 'crimson' WHERE title = 'red'") } == [4, 4])
    // The rows of reminders do not contain the title or the color of their list.
    #expect(
      try cost { try $0.run("UPDATE remindersLists SET title = 'x' WHERE id = 7") } == [0, 0])
    #expect(try cost { try $0.run("UPDATE remindersLists SET color = 7") } == [0, 0])
    // A move affects the old and the new list.
    #expect(
      try cost { try $0.run("UPDATE reminders SET remindersListID = 4 WHERE id = 6") } == [2, 2])
    // Deleting a list deletes its reminders.
    #expect(try cost { try $0.run("DELETE FROM remindersLists WHERE id = 10") } == [1, 1])
    // The same by another program, whose commit the next write finds.
    let shell = try Connection(location: .file(path))
    func foreignCost(_ sql: String) throws -> [Int] {
      try shell.execute(sql)
      return try cost { _ in }
    }
    #expect(try foreignCost("UPDATE reminders SET title = 'y' WHERE id = 7") == [1, 1])
    #expect(try foreignCost("UPDATE reminders SET title = title WHERE id = 7") == [1, 1])
    #expect(
      try foreignCost("INSERT INTO reminders (remindersListID, title) VALUES (9, 'y')") == [1, 1])
    #expect(try foreignCost("UPDATE reminders SET remindersListID = 5 WHERE id = 4") == [2, 2])
    #expect(try foreignCost("UPDATE remindersLists SET title = 'y' WHERE id = 7") == [1, 0])
    #expect(try foreignCost("DELETE FROM trash") == [0, 0])
    #expect(live.count == Self.count && open.count == Self.count)
  }

  /// Returns when no refresh is pending. A commit marks its queries before it returns.
  private func settle(_ live: LiveQueries) {
    while !live.isIdle { turns.wait() }
  }
}
