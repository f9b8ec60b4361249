import QueryBuilder
import Testing

@Suite struct ReturningTests {
  @Test func columnsAreBare() {
    expectSQL(
      Tag.insert { Tag(title: "a") }.returning(\.title),
      #"INSERT INTO "tags" ("title") VALUES (?) RETURNING "title""#, [.text("a")])
    expectSQL(
      RemindersList.find(1).update { $0.title = "b" }.returning { ($0.id, $0.title.upper()) },
      """
      UPDATE "remindersLists" SET "title" = ? WHERE ("remindersLists"."id" = ?) \
      RETURNING "id", upper("title")
      """, [.text("b"), .int(1)])
  }

  @Test func wholeRows() {
    let deleted = RemindersList.delete().returning { $0 }
    expectSQL(
      deleted, #"DELETE FROM "remindersLists" RETURNING "id", "color", "position", "title""#)
    #expect(deleted.query.columns.map(\.name) == ["id", "color", "position", "title"])
  }
}
