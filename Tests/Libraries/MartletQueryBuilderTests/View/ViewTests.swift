import Foundation
import MartletQueryBuilder
import Testing

@Suite struct ViewTests {
  @Test func temporaryAndPersistent() {
    let query = Reminder.where { $0.title == "it's" }
      .select { HighPriorityRemindersList.Columns(id: $0.remindersListID) }
    let body = """
      VIEW "highPriorityRemindersLists" ("id") AS SELECT "reminders"."remindersListID" AS "id" \
      FROM "reminders" WHERE ("reminders"."title" = 'it''s')
      """
    expectSQL(
      HighPriorityRemindersList.createTemporaryView(as: query), "CREATE TEMPORARY \(body)")
    expectSQL(HighPriorityRemindersList.createView(as: query), "CREATE \(body)")
    expectSQL(
      HighPriorityRemindersList.createView(ifNotExists: true, as: query),
      "CREATE \(body)".replacing("VIEW", with: "VIEW IF NOT EXISTS"))
    expectSQL(
      HighPriorityRemindersList.createView(as: query).drop(ifExists: true),
      #"DROP VIEW IF EXISTS "highPriorityRemindersLists""#)
  }

  @Test func commonTableExpressions() {
    expectSQL(
      Counts.createTemporaryView(
        as: With {
          Fibonacci(n: 1, prevFib: 0, fib: 1)
        } query: {
          Fibonacci.select { Counts.Columns(value: $0.fib) }
        }),
      """
      CREATE TEMPORARY VIEW "counts" ("value") AS WITH "fibonaccis" AS \
      (SELECT 1 AS "n", 0 AS "prevFib", 1 AS "fib") \
      SELECT "fibonaccis"."fib" AS "value" FROM "fibonaccis"
      """)
  }

  @Test func whatCannotBeStoredIsNeverExecuted() {
    let query = Reminder.where { #sql("\($0.id) = \(bind: UInt64.max)") }
      .select { HighPriorityRemindersList.Columns(id: $0.remindersListID) }
    let bindings = HighPriorityRemindersList.createView(as: query).query.fragment.prepare().bindings
    #expect(bindings == [UInt64.bind(.max)])
  }
}
