import Foundation
import MartletQueryBuilder
import Testing

@Suite struct SQLTests {
  @Test func statementsWithoutRows() {
    let statement = #sql("ALTER TABLE \(Reminder.self) ADD COLUMN \(quote: "a b") INTEGER")
    expectSQL(statement, #"ALTER TABLE "reminders" ADD COLUMN "a b" INTEGER"#)
    let _: any Statement<NoRows> = statement
  }

  @Test func interpolation() {
    let statement = #sql(
      """
      SELECT \(Tag.columns) FROM \(Tag.self) \
      WHERE \(Tag.title) = \(bind: "a") OR \(Tag.exists()) \
      OR \(quote: Tag.title.name) LIKE '\(raw: "%")'
      """, as: Tag.self)
    expectSQL(
      statement,
      """
      SELECT "tags"."title" FROM "tags" WHERE "tags"."title" = ? \
      OR EXISTS (SELECT "tags"."title" FROM "tags") OR "title" LIKE '%'
      """, [.text("a")])
    let _: any Statement<Tag> = statement
    expectSQL(
      Item.where { _ in #sql("\(Item.self) IS NOT NULL", as: Bool.self) }.select(\.search),
      #"SELECT "main"."stock"."search" FROM "main"."stock" WHERE "main"."stock" IS NOT NULL"#)
  }

  @Test func resultColumns() {
    let lists = #sql("SELECT * FROM \(RemindersList.self)", as: RemindersList.self)
    #expect(lists.query.columns.map(\.name) == ["id", "color", "position", "title"])
    let overviews = #sql("SELECT 1", as: Overview.self)
    #expect(overviews.query.columns.map(\.groups) == [["list"], ["list"], ["list"], ["list"], []])
    #expect(#sql("SELECT 1", as: Int?.self).query.columns == [ResultColumn("", kind: .integer)])
    #expect(#sql("DROP TABLE \(Tag.self)").query.columns == [])
  }

  @Test func expressions() {
    expectSQL(
      Tag.select { ($0.title, #sql("random()", as: Int.self)) },
      #"SELECT "tags"."title", random() FROM "tags""#)
    expectSQL(
      Tag.order { #sql("\($0.title) COLLATE NOCASE") },
      #"SELECT "tags"."title" FROM "tags" ORDER BY "tags"."title" COLLATE NOCASE"#)
    expectSQL(
      Tag.where { $0.title == #bind("x") }.count,
      #"SELECT count(*) FROM "tags" WHERE ("tags"."title" = ?)"#, [.text("x")])
    expectSQL(
      #bind(Date(timeIntervalSince1970: 2), as: Date.UnixTimeRepresentation.self), "?", [.int(2)])
  }
}
