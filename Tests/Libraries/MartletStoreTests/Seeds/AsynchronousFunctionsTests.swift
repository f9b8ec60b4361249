import Foundation
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Synchronization
import TestSupport
import Testing

@DatabaseFunction
nonisolated func createDefaultRemindersList() {
  Task {
    @Dependency(\.defaultDatabase) var database
    try await database.write { db in
      try RemindersList.insert {
        RemindersList.Draft(
          title: RemindersList.defaultTitle,
          color: RemindersList.defaultColor
        )
      }.execute(db)
    }
  }
}

private let reminderStatusMutex = Mutex<Task<Void, any Error>?>(nil)

@DatabaseFunction
nonisolated func handleReminderStatusUpdate() {
  reminderStatusMutex.withLock {
    $0?.cancel()
    $0 = Task {
      @Dependency(\.defaultDatabase) var database
      try await Task.sleep(for: .seconds(0.4))
      try await database.write { db in
        try Reminder
          .where { $0.status.eq(.completing) }
          .update { $0.status = #bind(.completed) }
          .execute(db)
      }
    }
  }
}

/// Runs the document's synchronous functions that start a task, with the embedded engine.
@Suite(.serialized) struct AsynchronousFunctionsTests {
  let file: TemporaryFile
  let database: EmbeddedDatabase
  let commits = Collected<UInt64>()

  init() throws {
    file = try TemporaryFile()
    try Migrator([Migration(number: 1, name: "tables", sql: SeedSchema.tables)])
      .migrate(path: file.path)
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      db.add(function: $createDefaultRemindersList)
      db.add(function: $handleReminderStatusUpdate)
    }
    configuration.prepareDatabase { db in
      try RemindersList.createTemporaryTrigger(
        after: .delete { _ in
          Values($createDefaultRemindersList())
        } when: { _ in
          !RemindersList.exists()
        }
      ).execute(db)
      try Reminder.createTemporaryTrigger(
        after: .update {
          $0.status
        } forEachRow: { _, _ in
          Values($handleReminderStatusUpdate())
        } when: { _, new in
          new.status.eq(.completing)
        }
      ).execute(db)
    }
    database = try EmbeddedDatabase(path: file.path, configuration: configuration)
    DependencyValues().defaultDatabase = database
    database.onCommit { [commits] in commits.add($0.number) }
  }

  /// Waits on a thread of its own, because the function's task needs the threads that run tests.
  private func commits(_ count: Int) async -> Bool {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { [commits] in
        continuation.resume(returning: commits.wait(for: count) != nil)
      }
    }
  }

  @Test func theLastListIsReplacedByTheDefaultOne() async throws {
    try await database.write { db in
      try RemindersList.insert {
        RemindersList(id: 1, title: "a")
        RemindersList(id: 2, title: "b")
      }.execute(db)
    }
    try await database.write { try RemindersList.find(1).delete().execute($0) }
    try await database.write { try RemindersList.find(2).delete().execute($0) }
    #expect(await commits(4))
    let lists = try await database.read { try RemindersList.all.fetchAll($0) }
    #expect(lists.map(\.title) == [RemindersList.defaultTitle])
  }

  @Test func allListsAreDeletedAtOnce() async throws {
    try await database.write { db in
      try RemindersList.insert {
        RemindersList(id: 1, title: "a")
        RemindersList(id: 2, title: "b")
      }.execute(db)
    }

    // The action of the button in the document on triggers.
    func deleteAllLists() {
      @Dependency(\.defaultDatabase) var database
      try! database.write { db in
        try RemindersList.delete().execute(db)
      }
    }

    deleteAllLists()
    #expect(await commits(3))
    let lists = try await database.read { try RemindersList.all.fetchAll($0) }
    #expect(lists.map(\.title) == [RemindersList.defaultTitle])
  }

  @Test func underLoadTheLastStateIsNotLost() async throws {
    let count = 400
    try await database.write { db in
      try Reminder.insert { for id in 1...count { Reminder(id: id) } }.execute(db)
    }
    let database = database
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<8 {
        group.addTask {
          for id in stride(from: worker + 1, through: count, by: 8) {
            try await database.write { db in
              try Reminder.find(id).update { $0.status = .completing }.execute(db)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    // Whichever task was canceled, the task of the last change completes the work of all.
    func left() throws -> Int {
      try database.read { try Reminder.where { $0.status != .completed }.fetchCount($0) }
    }
    while try left() > 0 {
      guard commits.wait() != nil else { break }
    }
    #expect(try left() == 0)
  }

  @Test func aRowThatIsChangedBackStaysSo() async throws {
    try await database.write { db in
      try Reminder.insert {
        Reminder(id: 1)
        Reminder(id: 2)
      }.execute(db)
    }
    let database = database
    try await database.write { try Reminder.find(1).update { $0.status = .completing }.execute($0) }
    try await database.write { db in
      try Reminder.find(1).update { $0.status = .incomplete }.execute(db)
      try Reminder.find(2).update { $0.status = .completing }.execute(db)
    }
    #expect(commits.wait(for: 4) != nil)
    let states = try await database.read {
      try Reminder.order(by: \.id).select(\.status).fetchAll($0)
    }
    #expect(states == [.incomplete, .completed])
  }
}
