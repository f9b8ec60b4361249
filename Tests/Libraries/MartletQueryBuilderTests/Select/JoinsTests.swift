import MartletQueryBuilder
import Testing

@Suite struct JoinsTests {
  @Test func inner() {
    expectSQL(
      ReminderTag.join(Tag.all) { $0.tagID == $1.title }.select { $1.title },
      """
      SELECT "tags"."title" FROM "remindersTags" \
      JOIN "tags" ON ("remindersTags"."tagID" = "tags"."title")
      """)
  }

  @Test func outer() {
    let query = Reminder.leftJoin(RemindersList.all) { $0.remindersListID.eq($1.id) }
      .where { $1.title == nil }
      .select { ($0.title, $1.title) }
    expectSQL(
      query,
      """
      SELECT "reminders"."title", "remindersLists"."title" FROM "reminders" \
      LEFT JOIN "remindersLists" ON ("reminders"."remindersListID" = "remindersLists"."id") \
      WHERE ("remindersLists"."title" IS ?)
      """, [.null])
    let _: [(String, String?)] = rows(of: query)
  }

  @Test func outerTableInASelection() {
    let query = Tag.select(\.title).where { $0.title != "" }
    _ = query
    let joined = Reminder.leftJoin(RemindersList.all) { $0.remindersListID.eq($1.id) }
      .select { ReminderWithList.Columns(reminder: $0, list: $1) }
    #expect(joined.query.columns.count == 14)
    let list = ResultGroup("list", isOptional: true)
    #expect(joined.query.columns.last == ResultColumn("title", in: [list], kind: .text))
    let _: [ReminderWithList] = rows(of: joined)
  }

  @Test func threeTables() {
    expectSQL(
      Reminder
        .join(ReminderTag.all) { $0.id.eq($1.reminderID) }
        .leftJoin(Tag.all) { $1.tagID.eq($2.title) }
        .select { ($0.id, $2.title) },
      """
      SELECT "reminders"."id", "tags"."title" FROM "reminders" \
      JOIN "remindersTags" ON ("reminders"."id" = "remindersTags"."reminderID") \
      LEFT JOIN "tags" ON ("remindersTags"."tagID" = "tags"."title")
      """)
  }

  @Test func conditionsOfBothSides() {
    expectSQL(
      Tag.where { $0.title > "a" }
        .join(ReminderTag.where { $0.reminderID == 1 }) { $0.title == $1.tagID }
        .order { _, reminderTag in reminderTag.reminderID }
        .select { tag, _ in tag.title },
      """
      SELECT "tags"."title" FROM "tags" \
      JOIN "remindersTags" ON ("tags"."title" = "remindersTags"."tagID") \
      WHERE ("tags"."title" > ?) AND ("remindersTags"."reminderID" = ?) \
      ORDER BY "remindersTags"."reminderID"
      """, [.text("a"), .int(1)])
  }
}
