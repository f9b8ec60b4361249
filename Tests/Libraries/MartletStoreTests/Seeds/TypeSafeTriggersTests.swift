import Foundation
import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Testing

/// Runs the code blocks of the document on type-safe triggers.
@Suite struct TypeSafeTriggersTests {
  let db: Connection

  init() throws {
    db = try SeedSchema.connection()
    try db.addSubsecondDates()
  }

  private func touched(
    _ trigger: some MartletQueryBuilder.Statement, _ column: String = "updatedAt"
  ) throws -> Bool {
    try trigger.execute(db)
    try Reminder.insert { Reminder(id: 1) }.execute(db)
    try Reminder.find(1).update { $0.title = "a" }.execute(db)
    let text = try db.value("SELECT \"\(column)\" FROM reminders")?.text ?? ""
    return text.map { $0.isNumber ? "0" : String($0) }.joined() == "0000-00-00 00:00:00.000"
  }

  @Test func interpolatedSQL() throws {
    #expect(
      try touched(
        #sql(
          """
          CREATE TEMPORARY TRIGGER "reminders_updatedAt"
          AFTER UPDATE ON \(Reminder.self) FOR EACH ROW
          BEGIN
            UPDATE \(Reminder.self) SET \(quote: Reminder.updatedAt.name) = datetime('subsec')
            WHERE \(quote: Reminder.id.name) = "new".\(quote: Reminder.id.name);
          END
          """)))
  }

  @Test func aQualifiedColumnCannotBeSet() throws {
    let error = #expect(throws: SQLiteError.self) {
      try #sql(
        """
        CREATE TEMPORARY TRIGGER "reminders_updatedAt"
        AFTER UPDATE ON \(Reminder.self)
        FOR EACH ROW
        BEGIN
          UPDATE \(Reminder.self)
          SET \(Reminder.updatedAt) = datetime('subsec')
          WHERE \(Reminder.id) = "new"."id";
        END
        """
      ).execute(db)
    }
    #expect(error?.message.contains(#"near ".": syntax error"#) == true)
  }

  @Test func withoutFindEveryRowIsTouched() throws {
    try Reminder.createTemporaryTrigger(
      after: .update { _, _ in
        Reminder
          .update { $0.updatedAt = #sql("datetime('subsec')") }
      }
    )
    .execute(db)
    try Reminder.insert {
      Reminder(id: 1)
      Reminder(id: 2)
    }.execute(db)
    try Reminder.find(1).update { $0.title = "a" }.execute(db)
    #expect(try Reminder.where { $0.updatedAt.is(nil) }.fetchCount(db) == 0)
  }

  @Test func theDateFunctionAsSQL() throws {
    #expect(
      try touched(
        Reminder.createTemporaryTrigger(
          after: .update { _, new in
            Reminder
              .find(new.id)
              .update { $0.updatedAt = #sql("datetime('subsec')") }
          })))
  }

  @Test func touchClosure() throws {
    #expect(
      try touched(
        Reminder
          .createTemporaryTrigger(
            afterUpdateTouch: {
              $0.updatedAt = #sql("datetime('subsec')")
            }
          )))
  }

  @Test func touchKeyPath() throws {
    #expect(try touched(Reminder.createTemporaryTrigger(afterUpdateTouch: \.updatedAt)))
  }

  @Test func touchOnInsert() throws {
    #expect(
      try touched(Reminder.createTemporaryTrigger(afterInsertTouch: \.createdAt), "createdAt"))
  }

  @Test func touchOfChosenColumns() throws {
    let trigger = Reminder.createTemporaryTrigger(
      after: .update(
        of: { $0.title }, touch: \.updatedAt, date: #sql("datetime('now', 'subsec')")))
    #expect(try touched(trigger))
    try db.execute("UPDATE reminders SET updatedAt = NULL")
    try Reminder.find(1).update { $0.notes = "n" }.execute(db)
    #expect(try db.value("SELECT updatedAt FROM reminders") == .null)
    try trigger.drop().execute(db)
    try trigger.drop(ifExists: true).execute(db)
    #expect(throws: SQLiteError.self) { try trigger.drop().execute(db) }
  }

  @Test func aBoundDateIsRefused() throws {
    let error = #expect(throws: SQLiteError.self) {
      try Reminder.createTemporaryTrigger(
        after: .update { _, new in
          Reminder.update { $0.updatedAt = Date() }
        }
      )
      .execute(db)
    }
    #expect(
      error?.message.hasPrefix(
        """
        Cannot bind a date to a trigger statement. Specify dates using the '#sql' macro, instead.
        """) == true)
    #expect(error?.message.hasSuffix(#"on "reminders", column "updatedAt")"#) == true)
  }

  @Test func withoutAConditionEveryDeletionInserts() throws {
    try RemindersList.createTemporaryTrigger(
      after: .delete { old in
        RemindersList
          .insert {
            RemindersList.Draft(title: "Reminders")
          }
      }
    )
    .execute(db)
    try RemindersList.insert {
      RemindersList(id: 1, title: "a")
      RemindersList(id: 2, title: "b")
    }.execute(db)
    try RemindersList.find(1).delete().execute(db)
    #expect(
      try RemindersList.order(by: \.id).select(\.title).fetchAll(db) == ["b", "Reminders"])
  }

  @Test func thereIsAlwaysAList() throws {
    try RemindersList
      .createTemporaryTrigger(
        after: .delete { _ in
          RemindersList
            .insert {
              RemindersList.Draft(title: "Reminders")
            }
        } when: { _ in
          !RemindersList.exists()
        }
      )
      .execute(db)
    try RemindersList.insert {
      RemindersList(id: 1, title: "a")
      RemindersList(id: 2, title: "b")
    }.execute(db)
    try RemindersList.find(1).delete().execute(db)
    #expect(try RemindersList.all.select(\.title).fetchAll(db) == ["b"])
    try RemindersList.delete().execute(db)
    #expect(try RemindersList.all.select(\.title).fetchAll(db) == ["Reminders"])
  }

  @Test func aNewListIsTheLast() throws {
    try RemindersList.createTemporaryTrigger(
      afterInsertTouch: {
        $0.position = RemindersList.count() - 1
      }
    ).execute(db)
    for title in ["a", "b", "c"] {
      try RemindersList.insert { RemindersList.Draft(title: title) }.execute(db)
    }
    #expect(try RemindersList.order(by: \.id).select(\.position).fetchAll(db) == [0, 1, 2])
  }

  @Test func aViewThatCanBeWrittenTo() throws {
    try ReminderTitle.createTemporaryView(
      as: Reminder.where { $0.title != "hidden" }
        .select { ReminderTitle.Columns(id: $0.id, title: $0.title) }
    ).execute(db)
    try ReminderTitle.createTemporaryTrigger(
      insteadOf: .insert { new in
        Reminder.insert {
          ($0.title, $0.notes)
        } select: {
          Values(new.title, "from the view")
        }
        RemindersList.insert { RemindersList.Draft(title: "log") }
      }
    ).execute(db)
    try ReminderTitle.createTemporaryTrigger(
      insteadOf: .update { old, new in
        Reminder.find(old.id).update { $0.title = new.title }
      }
    ).execute(db)
    try ReminderTitle.insert {
      ReminderTitle.Draft(title: "a")
      ReminderTitle.Draft(title: "hidden")
    }.execute(db)
    try ReminderTitle.find(1).update { $0.title = "b" }.execute(db)
    #expect(try ReminderTitle.all.fetchAll(db) == [ReminderTitle(id: 1, title: "b")])
    #expect(try Reminder.select(\.notes).fetchAll(db) == ["from the view", "from the view"])
    #expect(try RemindersList.all.fetchCount(db) == 2)
    try ReminderTitle.dropView().execute(db)
    #expect(throws: SQLiteError.self) { try ReminderTitle.all.fetchAll(db) }
  }
}

@Table
private struct ReminderTitle: Equatable {
  let id: Int
  var title = ""
}
