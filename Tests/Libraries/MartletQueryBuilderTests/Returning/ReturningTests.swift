import MartletQueryBuilder
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

  /// In a subquery, an unqualified name would be the inner table's, whether the subquery is built
  /// or hand-written.
  @Test func subselectsKeepTheirQualifiers() {
    func returned(_ expression: (Tag.TableColumns) -> SQLQueryExpression<Int>) -> String {
      let sql = Tag.delete().returning { expression($0) }.query.fragment.prepare().sql
      return String(sql.dropFirst(#"DELETE FROM "tags" RETURNING "#.count))
    }
    #expect(
      returned { tag in #sql("(\n  select count(*) FROM x WHERE y = \(tag.title))") }
        == #"(\#n  select count(*) FROM x WHERE y = "tags"."title")"#)
    #expect(
      returned { tag in SQLQueryExpression("(SELECT count(*) FROM x WHERE y = \(tag.title))") }
        == #"(SELECT count(*) FROM x WHERE y = "tags"."title")"#)
    #expect(
      returned { tag in SQLQueryExpression("(SELECT" + " y = " + tag.title.queryFragment + ")") }
        == #"(SELECT y = "tags"."title")"#)
    #expect(
      returned { tag in ReminderTag.where { $0.tagID == tag.title }.count.ifnull(0) }
        == """
        ifnull((SELECT count(*) FROM "remindersTags" \
        WHERE ("remindersTags"."tagID" = "tags"."title")), ?)
        """)
    // The word SELECT in a string or a comment is not a subquery.
    #expect(returned { #sql("'(SELECT ' = \($0.title)") } == #"'(SELECT ' = "title""#)
    #expect(returned { #sql("\($0.title) -- SELECT") } == "\"title\" -- SELECT\n")
  }

  @Test func wholeRows() {
    let deleted = RemindersList.delete().returning { $0 }
    expectSQL(
      deleted, #"DELETE FROM "remindersLists" RETURNING "id", "color", "position", "title""#)
    #expect(deleted.query.columns.map(\.name) == ["id", "color", "position", "title"])
  }
}
