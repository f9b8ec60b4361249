import MartletQueryBuilder
import Testing

@Suite struct UpdateFormsTests {
  @Test func conditionsAfterwards() {
    expectSQL(
      Reminder.update { $0.isFlagged = true }.where { $0.id == 1 },
      #"UPDATE "reminders" SET "isFlagged" = ? WHERE ("reminders"."id" = ?)"#,
      [.bool(true), .int(1)])
    expectSQL(
      Reminder.delete().where { $0.isFlagged }.where { $0.id > 2 },
      #"DELETE FROM "reminders" WHERE "reminders"."isFlagged" AND ("reminders"."id" > ?)"#,
      [.int(2)])
  }

  @Test func wholeRows() {
    let list = RemindersList(id: 3, color: 1, position: 2, title: "a")
    expectSQL(
      RemindersList.update(list),
      """
      UPDATE "remindersLists" SET "color" = ?, "position" = ?, "title" = ? \
      WHERE ("remindersLists"."id" = ?)
      """, [.int(1), .int(2), .text("a"), .int(3)])
    expectSQL(
      RemindersList.delete(list),
      #"DELETE FROM "remindersLists" WHERE ("remindersLists"."id" = ?)"#, [.int(3)])
  }

  @Test func fromAnotherTable() {
    expectSQL(
      Reminder.update(from: RemindersList.where { $0.position > 1 }) {
        $0.title = $1.title
      } where: {
        $0.remindersListID == $1.id
      },
      """
      UPDATE "reminders" SET "title" = "remindersLists"."title" FROM "remindersLists" \
      WHERE ("remindersLists"."position" > ?) \
      AND ("reminders"."remindersListID" = "remindersLists"."id")
      """, [.int(1)])
  }

  @Test func membership() {
    expectSQL(
      Reminder.where { [1, 2].contains($0.id) }.delete(),
      #"DELETE FROM "reminders" WHERE ("reminders"."id" IN (?, ?))"#, [.int(1), .int(2)])
    expectSQL(
      Reminder.where { (0...10).contains($0.position) }.delete(),
      #"DELETE FROM "reminders" WHERE ("reminders"."position" BETWEEN ? AND ?)"#,
      [.int(0), .int(10)])
    expectSQL(
      Reminder.where { _ in #sql("random() > 0") }.delete(),
      #"DELETE FROM "reminders" WHERE random() > 0"#)
    expectSQL(
      Reminder.select { $0.priority.avg() }, #"SELECT avg("reminders"."priority") FROM "reminders""#
    )
  }
}
