import MartletQueryBuilder
import Testing

@Suite struct InsertFormsTests {
  @Test func someColumns() {
    expectSQL(
      Reminder.insert {
        ($0.title, $0.remindersListID, $0.priority)
      } values: {
        ("a", 1, .high)
        ("b", 2, nil)
      },
      """
      INSERT INTO "reminders" ("title", "remindersListID", "priority") VALUES (?, ?, ?), (?, ?, ?)
      """, [.text("a"), .int(1), .int(3), .text("b"), .int(2), .null])
    expectSQL(
      Tag.insert(\.title) {
        "a"
        for title in ["b", "c"] { title }
      }, #"INSERT INTO "tags" ("title") VALUES (?), (?), (?)"#,
      [.text("a"), .text("b"), .text("c")])
  }

  @Test func expressionsAsValues() {
    expectSQL(
      ReminderTag.insert {
        ($0.reminderID, $0.tagID)
      } values: {
        (Reminder.select { $0.id.max() ?? 0 }, #sql("lower('A')", as: String.self))
      },
      """
      INSERT INTO "remindersTags" ("reminderID", "tagID") \
      VALUES ((SELECT coalesce(max("reminders"."id"), ?) FROM "reminders"), lower('A'))
      """, [.int(0)])
  }

  @Test func fromASelect() {
    let query = ReminderTag.insert {
      ($0.reminderID, $0.tagID)
    } select: {
      Reminder.where(\.isFlagged).select { ($0.id, $0.title) }
    }
    expectSQL(
      query,
      """
      INSERT INTO "remindersTags" ("reminderID", "tagID") \
      SELECT "reminders"."id", "reminders"."title" FROM "reminders" WHERE "reminders"."isFlagged"
      """)
    expectSQL(
      query.onConflictDoNothing(),
      """
      INSERT INTO "remindersTags" ("reminderID", "tagID") \
      SELECT * FROM (SELECT "reminders"."id", "reminders"."title" FROM "reminders" \
      WHERE "reminders"."isFlagged") WHERE 1 ON CONFLICT DO NOTHING
      """)
  }
}
