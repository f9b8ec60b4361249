import MartletQueryBuilder
import Testing

@Suite struct WithTests {
  @Test func refactoring() {
    expectSQL(
      With {
        RemindersList
          .group(by: \.id)
          .leftJoin(Reminder.all) { $0.id.eq($1.remindersListID) }
          .select { remindersList, _ in HighPriorityRemindersList.Columns(id: remindersList.id) }
          .having { $1.position.avg() > 1.5 }
      } query: {
        RemindersList
          .where { $0.id.in(HighPriorityRemindersList.select(\.id)) }
          .update { $0.title += " (Urgent!)" }
      },
      """
      WITH "highPriorityRemindersLists" AS (SELECT "remindersLists"."id" AS "id" \
      FROM "remindersLists" LEFT JOIN "reminders" \
      ON ("remindersLists"."id" = "reminders"."remindersListID") \
      GROUP BY "remindersLists"."id" HAVING (avg("reminders"."position") > ?)) \
      UPDATE "remindersLists" SET "title" = ("remindersLists"."title" || ?) \
      WHERE ("remindersLists"."id" IN (SELECT "highPriorityRemindersLists"."id" \
      FROM "highPriorityRemindersLists"))
      """, [.double(1.5), .text(" (Urgent!)")])
  }

  @Test func counter() {
    expectSQL(
      With {
        Counts(value: 1)
          .union(all: true, Counts.select { Counts.Columns(value: $0.value + 1) })
      } query: {
        Counts.limit(100)
      },
      """
      WITH "counts" AS (SELECT ? AS "value" UNION ALL \
      SELECT ("counts"."value" + ?) AS "value" FROM "counts") \
      SELECT "counts"."value" FROM "counts" LIMIT ?
      """, [.int(1), .int(1), .int(100)])
  }

  @Test func fibonacci() {
    expectSQL(
      With {
        Fibonacci(n: 1, prevFib: 0, fib: 1)
          .union(
            all: true,
            Fibonacci.select {
              Fibonacci.Columns(n: $0.n + 1, prevFib: $0.fib, fib: $0.prevFib + $0.fib)
            })
      } query: {
        Fibonacci.select(\.fib).limit(10)
      },
      """
      WITH "fibonaccis" AS (SELECT ? AS "n", ? AS "prevFib", ? AS "fib" UNION ALL \
      SELECT ("fibonaccis"."n" + ?) AS "n", "fibonaccis"."fib" AS "prevFib", \
      ("fibonaccis"."prevFib" + "fibonaccis"."fib") AS "fib" FROM "fibonaccis") \
      SELECT "fibonaccis"."fib" FROM "fibonaccis" LIMIT ?
      """, [.int(1), .int(0), .int(1), .int(1), .int(10)])
  }

  @Test func materialized() {
    let counts = Counts(value: 1)
      .union(all: true, Counts.select { Counts.Columns(value: $0.value) })
    expectSQL(
      With {
        counts.materialized()
        Reminder.select { HighPriorityRemindersList.Columns(id: $0.remindersListID) }
      } query: {
        Counts.all
      },
      """
      WITH "counts" AS MATERIALIZED (SELECT ? AS "value" UNION ALL \
      SELECT "counts"."value" AS "value" FROM "counts"), "highPriorityRemindersLists" AS \
      (SELECT "reminders"."remindersListID" AS "id" FROM "reminders") \
      SELECT "counts"."value" FROM "counts"
      """, [.int(1)])
    expectSQL(
      With(materialized: false) {
        Counts(value: 1)
        Reminder.select { HighPriorityRemindersList.Columns(id: $0.remindersListID) }
          .materialized(true)
      } query: {
        Counts.all
      },
      """
      WITH "counts" AS NOT MATERIALIZED (SELECT ? AS "value"), "highPriorityRemindersLists" \
      AS MATERIALIZED (SELECT "reminders"."remindersListID" AS "id" FROM "reminders") \
      SELECT "counts"."value" FROM "counts"
      """, [.int(1)])
  }

  /// An empty table is printed too. Without it, its name would mean another table or none.
  @Test(arguments: [true, false])
  func anEmptyTableHasNoRows(isWanted: Bool) {
    expectSQL(
      With {
        Reminder.none.select { HighPriorityRemindersList.Columns(id: $0.remindersListID) }
        if isWanted { Counts(value: 2) }
      } query: {
        Tag.all
      },
      isWanted
        ? """
        WITH "highPriorityRemindersLists" AS (SELECT NULL AS "id" WHERE 0), \
        "counts" AS (SELECT ? AS "value") SELECT "tags"."title" FROM "tags"
        """ : "",
      isWanted ? [.int(2)] : [])
    expectSQL(
      With {
        if isWanted { Counts(value: 2) } else { Counts(value: 3) }
      } query: {
        Tag.all
      }, #"WITH "counts" AS (SELECT ? AS "value") SELECT "tags"."title" FROM "tags""#,
      [.int(isWanted ? 2 : 3)])
  }
}
