import Foundation
import MartletQueryBuilder
import Testing

@Suite struct UpdateTests {
  @Test func assignments() {
    let date = Date(timeIntervalSince1970: 0)
    expectSQL(
      Reminder.find(1).update {
        $0.title = "x"
        $0.priority = .high
        $0.dueDate = date
        $0.isFlagged = true
      },
      """
      UPDATE "reminders" SET "title" = ?, "priority" = ?, "dueDate" = ?, "isFlagged" = ? \
      WHERE ("reminders"."id" = ?)
      """, [.text("x"), .int(3), .date(date), .bool(true), .int(1)])
    expectSQL(
      Reminder.update {
        $0.priority = nil
        $0.dueDate = nil
      }, #"UPDATE "reminders" SET "priority" = ?, "dueDate" = ?"#, [.null, .null])
  }

  @Test func expressions() {
    expectSQL(
      Reminder.update {
        $0.title += "!"
        $0.position -= 1
        $0.isFlagged = !$0.isFlagged
        $0.notes = $0.title
      },
      """
      UPDATE "reminders" SET "title" = ("reminders"."title" || ?), \
      "position" = ("reminders"."position" - ?), "isFlagged" = (NOT "reminders"."isFlagged"), \
      "notes" = "reminders"."title"
      """, [.text("!"), .int(1)])
    expectSQL(
      Reminder.update { $0.position = Reminder.select { ($0.position.max() ?? -1) + 1 } },
      """
      UPDATE "reminders" SET "position" = \
      (SELECT (coalesce(max("reminders"."position"), ?) + ?) FROM "reminders")
      """, [.int(-1), .int(1)])
  }

  @Test func macros() {
    expectSQL(
      Reminder.where { $0.status.eq(.completing) }.update { $0.status = #bind(.completed) },
      #"UPDATE "reminders" SET "status" = ? WHERE ("reminders"."status" = ?)"#,
      [.int(1), .int(2)])
    expectSQL(
      Reminder.update { $0.updatedAt = #sql("datetime('subsec')") },
      #"UPDATE "reminders" SET "updatedAt" = datetime('subsec')"#)
    expectSQL(
      Item.update {
        $0.made = #sql("unixepoch()")
        $0.sold = #bind(Date(timeIntervalSince1970: 9))
      }, #"UPDATE "main"."stock" SET "made" = unixepoch(), "sold" = ?"#, [.int(9)])
  }

  @Test func lastAssignmentCounts() {
    expectSQL(
      Reminder.update {
        $0.title = "a"
        $0.title = "b"
      }, #"UPDATE "reminders" SET "title" = ?"#, [.text("b")])
    #expect(Reminder.update { _ in }.query.isEmpty)
  }

  @Test func limited() {
    expectSQL(
      Reminder.order(by: \.position).limit(1).update { $0.isFlagged = true },
      """
      UPDATE "reminders" SET "isFlagged" = ? WHERE ("reminders"."rowid" IN \
      (SELECT "reminders"."rowid" FROM "reminders" ORDER BY "reminders"."position" LIMIT ?))
      """, [.bool(true), .int(1)])
  }
}
