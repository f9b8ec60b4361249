import MartletQueryBuilder
import Testing

/// Columns of `select`, called several times and on both sides of a join.
@Suite struct PickedTests {
  @Test func aFurtherSelectAccumulates() {
    let query = Reminder.select(\.id).select { ($0.title, $0.isFlagged) }.select(\.priority)
    expectSQL(
      query,
      """
      SELECT "reminders"."id", "reminders"."title", "reminders"."isFlagged", \
      "reminders"."priority" FROM "reminders"
      """)
    let _: [(Int, String, Bool, Reminder.Priority?)] = rows(of: query)
  }

  @Test func bothSidesChoose() {
    let query = Reminder.select { ($0.id, $0.title) }
      .join(RemindersList.select(\.title)) { $0.remindersListID == $1.id }
    expectSQL(
      query,
      """
      SELECT "reminders"."id", "reminders"."title", "remindersLists"."title" FROM "reminders" \
      JOIN "remindersLists" ON ("reminders"."remindersListID" = "remindersLists"."id")
      """)
    let _: [(Int, String, String)] = rows(of: query)
  }

  @Test func aSideThatChoseNothingGivesNothing() {
    let left = Reminder.select { ($0.id, $0.title) }
      .join(RemindersList.all) { $0.remindersListID == $1.id }
    expectSQL(
      left,
      """
      SELECT "reminders"."id", "reminders"."title" FROM "reminders" \
      JOIN "remindersLists" ON ("reminders"."remindersListID" = "remindersLists"."id")
      """)
    let _: [(Int, String)] = rows(of: left)
    let outer = Reminder.all.leftJoin(RemindersList.select { ($0.id, $0.title) }) {
      $0.remindersListID == $1.id
    }
    expectSQL(
      outer,
      """
      SELECT "remindersLists"."id", "remindersLists"."title" FROM "reminders" \
      LEFT JOIN "remindersLists" ON ("reminders"."remindersListID" = "remindersLists"."id")
      """)
    let _: [(Int?, String?)] = rows(of: outer)
  }

  @Test func rightAndFull() {
    let right = Reminder.rightJoin(RemindersList.all) { $0.remindersListID == $1.id }
    let _: [(Reminder?, RemindersList)] = rows(of: right)
    let full = Reminder.fullJoin(RemindersList.all) { $0.remindersListID == $1.id }
      .select { ($0.title, $1.title) }
    expectSQL(
      full,
      """
      SELECT "reminders"."title", "remindersLists"."title" FROM "reminders" \
      FULL JOIN "remindersLists" ON ("reminders"."remindersListID" = "remindersLists"."id")
      """)
    let _: [(String?, String?)] = rows(of: full)
    #expect(
      right.query.fragment.prepare().sql.contains(
        #"FROM "reminders" RIGHT JOIN "remindersLists" ON"#))
  }
}
