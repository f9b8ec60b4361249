import MartletQueryBuilder
import Testing

@Suite struct DeleteTests {
  @Test func rows() {
    expectSQL(Tag.delete(), #"DELETE FROM "tags""#)
    expectSQL(
      Tag.find("a").delete(), #"DELETE FROM "tags" WHERE ("tags"."title" = ?)"#, [.text("a")])
    #expect(Tag.none.delete().query.isEmpty)
  }

  @Test func subselect() {
    expectSQL(
      RemindersList.where { !$0.id.in(Reminder.select(\.remindersListID)) }.delete(),
      """
      DELETE FROM "remindersLists" WHERE (NOT ("remindersLists"."id" IN \
      (SELECT "reminders"."remindersListID" FROM "reminders")))
      """)
  }
}
