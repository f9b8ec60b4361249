import Foundation
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Testing

/// The second case study on triggers: manually ordered lists.
@Suite("Type-Safe Triggers: positional ordering") struct PositionalOrderTests {
  @Table
  struct RemindersList: Equatable, Identifiable {
    let id: Int
    var color = 0x4a99ef_ff
    var position = 0
    var title = ""
  }

  struct RemindersListRow {
    var remindersList: RemindersList
  }

  let file: TemporaryFile
  let database: EmbeddedDatabase

  init() throws {
    file = try TemporaryFile()
    var migrator = Migrator()
    migrator.registerMigration("Create tables") { db in
      try #sql(
        """
        CREATE TABLE "remindersLists" (
          "id" INTEGER PRIMARY KEY AUTOINCREMENT,
          "color" INTEGER NOT NULL DEFAULT \(raw: "\(0x4a99ef_ff)"),
          "title" TEXT NOT NULL
        ) STRICT
        """
      ).execute(db)
    }
    migrator.registerMigration("Add 'position' to 'remindersLists'") { db in
      try #sql(
        """
        ALTER TABLE "remindersLists"
        ADD COLUMN "position" INTEGER NOT NULL DEFAULT 0
        """
      )
      .execute(db)
    }
    try migrator.migrate(path: file.path)
    database = try EmbeddedDatabase(path: file.path)
    try database.write { db in
      try RemindersList.insert {
        RemindersList(
          id: 1,
          color: 0x4a99ef_ff,
          position: 0,
          title: "Personal"
        )
        RemindersList(
          id: 2,
          color: 0xef7e4a_ff,
          position: 1,
          title: "Family"
        )
        RemindersList(
          id: 3,
          color: 0x7ee04a_ff,
          position: 2,
          title: "Business"
        )
      }.execute(db)
    }
  }

  private func titles() throws -> [String] {
    try database.read { db in
      try RemindersList
        .order(by: \.position)
        .fetchAll(db).map(\.title)
    }
  }

  /// The view model, once with whole lists and once with their IDs.
  struct Model {
    let database: EmbeddedDatabase
    var remindersListRows: [RemindersListRow]

    func moveRemindersList(
      fromOffsets source: IndexSet,
      toOffset destination: Int
    ) {
      var remindersLists = remindersListRows.map(\.remindersList)
      remindersLists.move(fromOffsets: source, toOffset: destination)
      withErrorReporting {
        try database.write { db in
          for (offset, remindersList) in remindersLists.enumerated() {
            try RemindersList
              .find(remindersList.id)
              .update { $0.position = offset }
              .execute(db)
          }
        }
      }
    }

    func moveRemindersListIDs(
      fromOffsets source: IndexSet,
      toOffset destination: Int
    ) {
      var remindersListIDs = remindersListRows.map(\.remindersList.id)
      remindersListIDs.move(fromOffsets: source, toOffset: destination)
      withErrorReporting {
        try database.write { db in
          for (offset, remindersListID) in remindersListIDs.enumerated() {
            try RemindersList
              .find(remindersListID)
              .update { $0.position = offset }
              .execute(db)
          }
        }
      }
    }
  }

  private func model() throws -> Model {
    let lists = try database.read { try RemindersList.order(by: \.position).fetchAll($0) }
    return Model(database: database, remindersListRows: lists.map(RemindersListRow.init))
  }

  @Test("The lists are ordered by their positions")
  func order() throws { #expect(try titles() == ["Personal", "Family", "Business"]) }

  @Test("Lists can be moved, using whole lists")
  func move() throws {
    try model().moveRemindersList(fromOffsets: [2], toOffset: 0)
    #expect(try titles() == ["Business", "Personal", "Family"])
    try model().moveRemindersList(fromOffsets: [0, 1], toOffset: 3)
    #expect(try titles() == ["Family", "Business", "Personal"])
  }

  @Test("Lists can be moved, using IDs")
  func moveIDs() throws {
    try model().moveRemindersListIDs(fromOffsets: [0], toOffset: 2)
    #expect(try titles() == ["Family", "Personal", "Business"])
    let positions = try database.read { db in
      try RemindersList.order(by: \.id).select(\.position).fetchAll(db)
    }
    #expect(positions == [1, 0, 2])
  }

  @Test("The log shows an update for each list")
  func log() {
    let prepared = RemindersList.find(3).update { $0.position = 0 }.query.fragment.prepare()
    #expect(
      prepared.sql
        == #"UPDATE "remindersLists" SET "position" = ? WHERE ("remindersLists"."id" = ?)"#)
  }

  @Test("A new list is placed last")
  func newList() throws {
    try database.write { db in
      try RemindersList.createTemporaryTrigger(
        afterInsertTouch: {
          $0.position = RemindersList.count() - 1
        }
      )
      .execute(db)
      try RemindersList.insert { RemindersList.Draft(title: "New") }.execute(db)
    }
    #expect(try titles() == ["Personal", "Family", "Business", "New"])
  }
}

/// Replaces the function of the same name that reports errors in an app.
private func withErrorReporting(_ body: () throws -> Void) {
  do { try body() } catch { Issue.record(error) }
}

extension Array {
  /// Replaces SwiftUI's method: moves the elements at `source` before the one at `destination`.
  fileprivate mutating func move(fromOffsets source: IndexSet, toOffset destination: Int) {
    let moved = source.map { self[$0] }
    let before = source.count { $0 < destination }
    for offset in source.reversed() { remove(at: offset) }
    insert(contentsOf: moved, at: destination - before)
  }
}
