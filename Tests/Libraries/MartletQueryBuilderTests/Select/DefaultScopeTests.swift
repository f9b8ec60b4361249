import MartletQueryBuilder
import Testing

@Table private struct Page {
  let id: Int
  var title = ""
  var isDeleted = false

  static let all = Self.where { !$0.isDeleted }.order(by: \.title)
}

@Suite struct DefaultScopeTests {
  @Test func holdsForEverything() {
    let scope = #"WHERE (NOT "pages"."isDeleted")"#
    expectSQL(
      Page.select(\.id), #"SELECT "pages"."id" FROM "pages" \#(scope) ORDER BY "pages"."title""#)
    expectSQL(
      Page.where { $0.title == "a" }.select(\.id),
      """
      SELECT "pages"."id" FROM "pages" \(scope) AND ("pages"."title" = ?) \
      ORDER BY "pages"."title"
      """, [.text("a")])
    expectSQL(
      Page.find(1).update { $0.title = "b" },
      #"UPDATE "pages" SET "title" = ? \#(scope) AND ("pages"."id" = ?)"#,
      [.text("b"), .int(1)])
    expectSQL(Page.delete(), #"DELETE FROM "pages" \#(scope)"#)
    expectSQL(Page.count(), #"SELECT count(*) FROM "pages" \#(scope)"#)
  }

  @Test func isThereOnce() {
    expectSQL(
      Page.all.where { $0.id > 3 }.order(by: \.id).select(\.id),
      """
      SELECT "pages"."id" FROM "pages" WHERE (NOT "pages"."isDeleted") AND ("pages"."id" > ?) \
      ORDER BY "pages"."title", "pages"."id"
      """, [.int(3)])
  }

  @Test func canBeLeft() {
    expectSQL(Page.unscoped.select(\.id), #"SELECT "pages"."id" FROM "pages""#)
  }

  @Test func holdsForAJoinedTable() {
    expectSQL(
      Note.join(Page.all) { $0.id == $1.id }.select { $1.title },
      """
      SELECT "pages"."title" FROM "notes" JOIN "pages" ON ("notes"."id" = "pages"."id") \
      WHERE (NOT "pages"."isDeleted") ORDER BY "pages"."title"
      """)
  }
}
