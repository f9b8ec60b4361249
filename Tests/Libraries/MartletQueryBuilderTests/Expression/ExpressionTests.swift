import Foundation
import MartletQueryBuilder
import Testing

private let r = Reminder.columns
private let l = RemindersList.columns

@Suite struct ExpressionTests {
  @Test func comparison() {
    expectSQL(r.title == "milk", #"("reminders"."title" = ?)"#, [.text("milk")])
    expectSQL(r.id != 1, #"("reminders"."id" <> ?)"#, [.int(1)])
    // As in Swift, comparing an optional is true or false, even for NULL.
    expectSQL(r.priority == .high, #"("reminders"."priority" IS ?)"#, [.int(3)])
    expectSQL(r.priority != .high, #"("reminders"."priority" IS NOT ?)"#, [.int(3)])
    expectSQL(r.priority.eq(.high), #"("reminders"."priority" = ?)"#, [.int(3)])
    expectSQL(r.priority.neq(.high), #"("reminders"."priority" <> ?)"#, [.int(3)])
    expectSQL(nil as Int? == r.position, #"(? IS "reminders"."position")"#, [.null])
    expectSQL(1 != r.position, #"(? <> "reminders"."position")"#, [.int(1)])
    expectSQL(r.priority == nil, #"("reminders"."priority" IS ?)"#, [.null])
    expectSQL(r.priority != nil, #"("reminders"."priority" IS NOT ?)"#, [.null])
    // NULL on the right side is a different value, too.
    let other = r.priority.cast(as: Int.self)
    expectSQL(
      r.position != other,
      #"("reminders"."position" IS NOT CAST("reminders"."priority" AS INTEGER))"#)
    expectSQL(r.position < 3, #"("reminders"."position" < ?)"#, [.int(3)])
    expectSQL(r.position >= l.position, #"("reminders"."position" >= "remindersLists"."position")"#)
    expectSQL(r.status.eq(.completing), #"("reminders"."status" = ?)"#, [.int(2)])
    expectSQL(r.priority.is(.low), #"("reminders"."priority" IS ?)"#, [.int(1)])
    expectSQL(
      l.id.eq(r.remindersListID), #"("remindersLists"."id" = "reminders"."remindersListID")"#)
  }

  @Test func logic() {
    expectSQL(
      r.isFlagged && !r.isFlagged || r.title == "",
      """
      (("reminders"."isFlagged" AND (NOT "reminders"."isFlagged")) OR ("reminders"."title" = ?))
      """, [.text("")])
    expectSQL(r.isFlagged.not(), #"(NOT "reminders"."isFlagged")"#)
  }

  @Test func arithmetic() {
    expectSQL(r.position + 1, #"("reminders"."position" + ?)"#, [.int(1)])
    expectSQL(1 - r.position * 2, #"(? - ("reminders"."position" * ?))"#, [.int(1), .int(2)])
    expectSQL(r.title + "!", #"("reminders"."title" || ?)"#, [.text("!")])
    expectSQL(-r.position, #"(-"reminders"."position")"#)
  }

  @Test func membership() {
    expectSQL(r.id.in([1, 2]), #"("reminders"."id" IN (?, ?))"#, [.int(1), .int(2)])
    expectSQL(r.id.in([]), #"("reminders"."id" IN ())"#)
    expectSQL(
      r.remindersListID.notIn(RemindersList.select(\.id)),
      #"("reminders"."remindersListID" NOT IN (SELECT "remindersLists"."id" FROM "remindersLists"))"#
    )
    expectSQL(
      r.position.between(1, and: 5), #"("reminders"."position" BETWEEN ? AND ?)"#,
      [.int(1), .int(5)])
  }

  @Test func text() {
    expectSQL(r.title.contains("a"), #"("reminders"."title" LIKE ?)"#, [.text("%a%")])
    expectSQL(
      r.title.hasPrefix("50%"), #"("reminders"."title" LIKE ? ESCAPE ?)"#,
      [.text(#"50\%%"#), .text(#"\"#)])
    // With a combining accent, `%` is another Character in Swift, but SQLite still sees `%`.
    expectSQL(
      r.title.contains("%\u{301}"), #"("reminders"."title" LIKE ? ESCAPE ?)"#,
      [.text("%\\%\u{301}%"), .text(#"\"#)])
    expectSQL(
      r.notes.replace("\n", " "), #"replace("reminders"."notes", ?, ?)"#,
      [.text("\n"), .text(" ")])
    expectSQL(r.title.lower().length(), #"length(lower("reminders"."title"))"#)
    expectSQL(r.title.collate(.nocase), #"("reminders"."title" COLLATE "NOCASE")"#)
  }

  @Test func optionals() {
    expectSQL(r.priority ?? .low, #"coalesce("reminders"."priority", ?)"#, [.int(1)])
    expectSQL(
      r.updatedAt ?? r.dueDate, #"coalesce("reminders"."updatedAt", "reminders"."dueDate")"#)
  }

  @Test func dates() {
    let date = Date(timeIntervalSince1970: 1.5)
    expectSQL(r.dueDate == date, #"("reminders"."dueDate" IS ?)"#, [.date(date)])
    #expect(date.sqliteText == "1970-01-01 00:00:01.500")
    expectSQL(Item.columns.sold == date, #"("main"."stock"."sold" IS ?)"#, [.int(1)])
  }

  @Test func cases() {
    expectSQL(
      Case(r.status).when(.completed, then: 1).else(0),
      #"CASE "reminders"."status" WHEN ? THEN ? ELSE ? END"#, [.int(1), .int(1), .int(0)])
    expectSQL(
      Case().when(r.isFlagged, then: "f").when(r.position > 1, then: "p"),
      #"CASE WHEN "reminders"."isFlagged" THEN ? WHEN ("reminders"."position" > ?) THEN ? END"#,
      [.text("f"), .int(1), .text("p")])
  }

  @Test func plainSwiftIsLeftAlone() {
    let sum = 1 + 2
    let isPrefix = "ab".hasPrefix("a")
    #expect(sum == 3 && isPrefix)
  }
}
