import Foundation
import MartletQueryBuilder
import Testing

@Suite struct TableTests {
  @Test func names() {
    #expect(Reminder.tableName == "reminders")
    #expect(RemindersList.tableName == "remindersLists")
    #expect(ReminderTag.tableName == "remindersTags")
    #expect(ReminderText.tableName == "reminderTexts")
    #expect(Counts.tableName == "counts")
    #expect(Fibonacci.tableName == "fibonaccis")
    #expect(Item.schemaName == "main")
    #expect(Reminder.schemaName == nil)
  }

  @Test func columns() {
    #expect(
      Item.TableColumns.all == [
        ColumnInfo("item_id", .text, isKey: true), ColumnInfo("made", .integer),
        ColumnInfo("sold", .integer, isOptional: true), ColumnInfo("labels", .json),
        ColumnInfo("width", .real, groups: ["size"]),
        ColumnInfo("height", .real, isOptional: true, groups: ["size"]),
        ColumnInfo("search", .text, isGenerated: true),
        ColumnInfo("bytes", .blob, isOptional: true),
      ])
    #expect(Item.columnCount == 8)
    #expect(Overview.columnCount == 5)
  }

  @Test func keys() {
    #expect(Reminder.columns.primaryKey.name == "id")
    #expect(Tag.columns.primaryKey.name == "title")
    #expect(Item.columns.primaryKey.name == "item_id")
    #expect(ReminderText.columns.primaryKey.name == "rowid")
    #expect(!(ReminderTag.self is any PrimaryKeyedTable.Type))
  }

  @Test func staticAccess() {
    expectSQL(Reminder.title, #""reminders"."title""#)
    expectSQL(Reminder.columns.isCompleted, #"("reminders"."status" <> ?)"#, [.int(0)])
    #expect(ReminderText.columns.title.index == 0)
    #expect(ReminderText.columns.tags.index == 2)
  }

  @Test func schemaPrefixesTheTable() {
    expectSQL(
      Item.select { $0.search }, #"SELECT "main"."stock"."search" FROM "main"."stock""#)
    expectSQL(Item.delete(), #"DELETE FROM "main"."stock""#)
  }

  @Test func nestedInATypeItSeesItsNeighbours() {
    expectSQL(
      Shop.Article.insert { Shop.Article.Draft(kind: .food) },
      #"INSERT INTO "articles" ("kind", "second") VALUES (?, ?)"#, [.int(0), .int(1)])
    expectSQL(
      Shop.Article.where { $0.kind == .tool }.update { $0.sold = nil },
      #"UPDATE "articles" SET "sold" = ? WHERE ("articles"."kind" = ?)"#, [.null, .int(1)])
  }

  @Test func embeddedColumns() {
    expectSQL(
      Item.where { $0.size.width > 2 }.select { ($0.size.height, $0.tags) },
      """
      SELECT "main"."stock"."height", "main"."stock"."labels" FROM "main"."stock" \
      WHERE ("main"."stock"."width" > ?)
      """, [.double(2)])
  }
}
