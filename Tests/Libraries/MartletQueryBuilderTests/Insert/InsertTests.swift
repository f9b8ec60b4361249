import Foundation
import MartletQueryBuilder
import Testing

@Suite struct InsertTests {
  @Test func draftsLeaveOutWhatIsNil() {
    expectSQL(
      RemindersList.insert { RemindersList.Draft(title: "Home") },
      #"INSERT INTO "remindersLists" ("color", "position", "title") VALUES (?, ?, ?)"#,
      [.int(0x4a99ef_ff), .int(0), .text("Home")])
    expectSQL(
      RemindersList.insert { RemindersList.Draft(id: 7, title: "Home") },
      #"INSERT INTO "remindersLists" ("id", "color", "position", "title") VALUES (?, ?, ?, ?)"#,
      [.int(7), .int(0x4a99ef_ff), .int(0), .text("Home")])
  }

  @Test func rows() {
    expectSQL(
      ReminderTag.insert {
        ReminderTag(reminderID: 1, tagID: "a")
        for id in 2...3 { ReminderTag(reminderID: id, tagID: "b") }
      },
      #"INSERT INTO "remindersTags" ("reminderID", "tagID") VALUES (?, ?), (?, ?), (?, ?)"#,
      [.int(1), .text("a"), .int(2), .text("b"), .int(3), .text("b")])
    #expect(Tag.insert { [Tag]() }.query.isEmpty)
    expectSQL(Tag.insert(), #"INSERT INTO "tags" DEFAULT VALUES"#)
  }

  @Test func severalRowsOfDefaults() {
    expectSQL(
      Note.insert {
        Note.Draft()
        Note.Draft()
      }, #"INSERT INTO "notes" ("id") VALUES (NULL), (NULL)"#)
    expectSQL(Note.insert { Note.Draft() }, #"INSERT INTO "notes" DEFAULT VALUES"#)
  }

  @Test func expressions() {
    expectSQL(
      ReminderTag.insert {
        ReminderTag.Columns(reminderID: Reminder.select { $0.id.max() ?? 0 }, tagID: "x")
      },
      """
      INSERT INTO "remindersTags" ("reminderID", "tagID") \
      VALUES ((SELECT coalesce(max("reminders"."id"), ?) FROM "reminders"), ?)
      """, [.int(0), .text("x")])
  }

  @Test func representationsGroupsAndGeneratedColumns() {
    let code = UUID()
    let draft = Item.Draft(
      made: Date(timeIntervalSince1970: 5), tags: ["a/b"], size: Size(width: 2))
    expectSQL(
      Item.insert { draft },
      #"INSERT INTO "main"."stock" ("made", "labels", "width", "height") VALUES (?, ?, ?, ?)"#,
      [.int(5), .text(#"["a/b"]"#), .double(2), .null])
    let item = Item(
      code: code, made: Date(timeIntervalSince1970: 5), size: Size(), search: "x", bytes: [1])
    expectSQL(
      Item.insert { item },
      """
      INSERT INTO "main"."stock" ("item_id", "made", "sold", "labels", "width", "height", \
      "bytes") VALUES (?, ?, ?, ?, ?, ?, ?)
      """,
      [.uuid(code), .int(5), .null, .text("[]"), .double(1), .null, .blob([1])])
    #expect(Item.Draft(item).code == code)
  }

  @Test func conflicts() {
    expectSQL(
      Tag.insert { Tag(title: "a") }.onConflictDoNothing(),
      #"INSERT INTO "tags" ("title") VALUES (?) ON CONFLICT DO NOTHING"#, [.text("a")])
  }
}
