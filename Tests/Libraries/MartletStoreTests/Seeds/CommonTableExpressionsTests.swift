import MartletQueryBuilder
import MartletSQLite
import MartletStore
import Testing

@Table @Selection
private struct HighPriorityRemindersList {
  let id: RemindersList.ID
}

@Table @Selection
private struct Counts: Equatable {
  let value: Int
}

@Table @Selection
private struct Fibonacci {
  let n: Int
  let prevFib: Int
  let fib: Int
}

/// Runs the code blocks of the document on common table expressions, with its two mistakes
/// corrected.
@Suite struct CommonTableExpressionsTests {
  let db: Connection

  init() throws {
    db = try SeedSchema.connection()
    try RemindersList.insert {
      RemindersList(id: 1, title: "work b")
      RemindersList(id: 2, title: "home")
      RemindersList(id: 3, title: "work a")
    }.execute(db)
    try Reminder.insert {
      Reminder(id: 1, remindersListID: 1, priority: 3)
      Reminder(id: 2, remindersListID: 2, priority: 1)
      Reminder(id: 3, remindersListID: 3, priority: 2)
    }.execute(db)
  }

  /// The SQL with the bound numbers inserted, as the document prints it.
  private func literal(_ statement: some MartletQueryBuilder.Statement) -> String {
    let prepared = statement.query.fragment.prepare()
    return prepared.bindings.reduce(into: prepared.sql) { sql, binding in
      guard case .int(let number) = binding.plain, let mark = sql.firstIndex(of: "?") else {
        return
      }
      sql.replaceSubrange(mark...mark, with: String(number))
    }
  }

  @Test func withoutThem() throws {
    let lists =
      try RemindersList
      .group(by: \.id)
      .leftJoin(Reminder.all) { $0.id.eq($1.remindersListID) }
      .select { remindersList, _ in remindersList }
      .having { $1.priority.avg() > 1.5 }
      .fetchAll(db)
    #expect(lists.map(\.id) == [1, 3])
  }

  @Test func theTableInAQuery() throws {
    let lists = try With {
      RemindersList
        .group(by: \.id)
        .leftJoin(Reminder.all) { $0.id.eq($1.remindersListID) }
        .select { remindersList, _ in
          HighPriorityRemindersList.Columns(
            id: remindersList.id
          )
        }
        .having { $1.priority.avg() > 1.5 }
    } query: {
      RemindersList
        .where { $0.id.in(HighPriorityRemindersList.select(\.id)) }
    }.fetchAll(db)
    #expect(lists.map(\.id) == [1, 3])
  }

  @Test func select() throws {
    let lists = try With {
      RemindersList
        .group(by: \.id)
        .leftJoin(Reminder.all) { $0.id.eq($1.remindersListID) }
        .select { remindersList, _ in
          HighPriorityRemindersList.Columns(
            id: remindersList.id
          )
        }
        .having { $1.priority.avg() > 1.5 }
    } query: {
      RemindersList
        .where { $0.id.in(HighPriorityRemindersList.select(\.id)) }
        .where { $0.title.contains("work") }
        .order(by: \.title)
    }.fetchAll(db)
    #expect(lists.map(\.title) == ["work a", "work b"])
  }

  @Test func update() throws {
    try With {
      RemindersList
        .group(by: \.id)
        .leftJoin(Reminder.all) { $0.id.eq($1.remindersListID) }
        .select { remindersList, _ in
          HighPriorityRemindersList.Columns(
            id: remindersList.id
          )
        }
        .having { $1.priority.avg() > 1.5 }
    } query: {
      RemindersList
        .where { $0.id.in(HighPriorityRemindersList.select(\.id)) }
        .update {
          $0.title += " (Urgent!)"
        }
    }.execute(db)
    #expect(
      try RemindersList.order(by: \.id).select(\.title).fetchAll(db)
        == ["work b (Urgent!)", "home", "work a (Urgent!)"])
  }

  @Test func delete() throws {
    try With {
      RemindersList
        .group(by: \.id)
        .leftJoin(Reminder.all) { $0.id.eq($1.remindersListID) }
        .select { remindersList, _ in
          HighPriorityRemindersList.Columns(
            id: remindersList.id
          )
        }
        .having { $1.priority.avg() > 1.5 }
    } query: {
      RemindersList
        .where { !$0.id.in(HighPriorityRemindersList.select(\.id)) }
        .delete()
    }.execute(db)
    #expect(try RemindersList.order(by: \.id).select(\.id).fetchAll(db) == [1, 3])
  }

  @Test func insertReturnsRows() throws {
    let ids = try With {
      Counts(value: 10).union(
        all: true,
        Counts.select { Counts.Columns(value: $0.value + 1) }
          .where { $0.value < 12 })
    } query: {
      Reminder.insert {
        ($0.priority, $0.title)
      } select: {
        Counts.select { (#sql("\($0.value)", as: Int?.self), #sql("'new'", as: String.self)) }
      }.returning(\.priority)
    }.fetchAll(db)
    #expect(ids == [10, 11, 12])
  }

  @Test func counter() throws {
    let counter = With {
      Counts(value: 1)
        .union(
          all: true,
          Counts.select {
            Counts.Columns(
              value: $0.value + 1
            )
          }
        )
    } query: {
      Counts.limit(100)
    }
    #expect(
      literal(counter) == """
        WITH "counts" AS (SELECT 1 AS "value" UNION ALL \
        SELECT ("counts"."value" + 1) AS "value" FROM "counts") \
        SELECT "counts"."value" FROM "counts" LIMIT 100
        """)
    #expect(try counter.fetchAll(db).map(\.value) == Array(1...100))
  }

  // Bounded, because a materialized table is computed completely before the first row is read.
  @Test(arguments: [true, false])
  func hints(isMaterialized: Bool) throws {
    let counts = try With(materialized: isMaterialized) {
      Counts(value: 1)
        .union(
          all: true, Counts.where { $0.value < 5 }.select { Counts.Columns(value: $0.value + 1) })
    } query: {
      Counts.all
    }.fetchAll(db)
    #expect(counts.map(\.value) == Array(1...5))
  }

  @Test func fibonacci() throws {
    let fibonacci = With {
      Fibonacci(n: 1, prevFib: 0, fib: 1)
        .union(
          all: true,
          Fibonacci
            .select {
              Fibonacci.Columns(
                n: $0.n + 1,
                prevFib: $0.fib,
                fib: $0.prevFib + $0.fib
              )
            }
        )
    } query: {
      Fibonacci
        .select(\.fib)
        .limit(10)
    }
    #expect(
      literal(fibonacci) == """
        WITH "fibonaccis" AS (SELECT 1 AS "n", 0 AS "prevFib", 1 AS "fib" UNION ALL \
        SELECT ("fibonaccis"."n" + 1) AS "n", "fibonaccis"."fib" AS "prevFib", \
        ("fibonaccis"."prevFib" + "fibonaccis"."fib") AS "fib" FROM "fibonaccis") \
        SELECT "fibonaccis"."fib" FROM "fibonaccis" LIMIT 10
        """)
    #expect(try fibonacci.fetchAll(db) == [1, 1, 2, 3, 5, 8, 13, 21, 34, 55])
  }

  /// An empty table is omitted. A statement over empty tables only is not executed, which is also
  /// the meaning of a DELETE over them.
  @Test func anEmptyTableIsLeftOut() throws {
    let rows = try With {
      Reminder.none.select { HighPriorityRemindersList.Columns(id: $0.remindersListID) }
      Counts(value: 1)
    } query: {
      RemindersList.all
    }.fetchAll(db)
    #expect(rows.count == 3)
    let delete = With {
      Reminder.none.select { HighPriorityRemindersList.Columns(id: $0.remindersListID) }
    } query: {
      RemindersList.delete()
    }
    #expect(delete.query.isEmpty)
    try delete.execute(db)
    #expect(try RemindersList.count().fetchOne(db) == 3)
  }

  @Test func inAView() throws {
    try Counts.createView(
      as: With {
        Fibonacci(n: 1, prevFib: 0, fib: 1)
          .union(
            all: true,
            Fibonacci.select {
              Fibonacci.Columns(n: $0.n + 1, prevFib: $0.fib, fib: $0.prevFib + $0.fib)
            }.where { $0.n < 5 })
      } query: {
        Fibonacci.select { Counts.Columns(value: $0.fib) }
      }
    ).execute(db)
    #expect(try Counts.order(by: \.value).fetchAll(db).map(\.value) == [1, 1, 2, 3, 5])
    try Counts.dropView(ifExists: true).execute(db)
  }
}
