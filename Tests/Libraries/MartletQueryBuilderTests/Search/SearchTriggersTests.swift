import Foundation
import MartletQueryBuilder
import Testing

@Suite struct SearchTriggersTests {
  @Test func ownContent() throws {
    let triggers = ReminderText.createTriggers("search", syncing: Reminder.self) { reminder in
      ReminderText.Columns(
        rowid: reminder.rowid, title: reminder.title, notes: reminder.notes.replace("-", " "),
        tags: "")
    }
    let insert = """
      INSERT INTO "reminderTexts" ("rowid", "title", "notes", "tags") \
      VALUES ("new"."rowid", "new"."title", replace("new"."notes", '-', ' '), '');
      """
    let delete = #"DELETE FROM "reminderTexts" WHERE ("reminderTexts"."rowid" = "old"."rowid");"#
    let sql = triggers.map(\.prepared.sql)
    try #require(sql.count == 3)
    let row = #"ON "reminders" FOR EACH ROW BEGIN"#
    #expect(sql[0] == #"CREATE TRIGGER "search_insert" AFTER INSERT \#(row) \#(insert) END"#)
    let columns = #""title", "notes", "id""#
    #expect(
      sql[1]
        == #"CREATE TRIGGER "search_update" AFTER UPDATE OF \#(columns) \#(row) \#(delete) \#(insert) END"#
    )
    #expect(sql[2] == #"CREATE TRIGGER "search_delete" AFTER DELETE \#(row) \#(delete) END"#)
  }

  @Test func externalContent() {
    let triggers = ReminderText.createTemporaryTriggers(
      syncing: Reminder.self, content: .external
    ) {
      ReminderText.Columns(rowid: $0.id, title: $0.title, notes: $0.notes, tags: "")
    }
    expectTrigger(
      triggers[2],
      """
      CREATE TEMPORARY TRIGGER t AFTER DELETE ON "reminders" FOR EACH ROW BEGIN \
      INSERT INTO "reminderTexts" ("reminderTexts", "rowid", "title", "notes", "tags") \
      VALUES ('delete', "old"."id", "old"."title", "old"."notes", ''); END
      """)
    #expect(triggers[1].name.hasPrefix("after_update_on_reminders@MartletQueryBuilderTests/"))
    #expect(Set(triggers.map(\.name)).count == 3)
  }

  @Test func commands() {
    expectSQL(
      ReminderText.rebuild(), #"INSERT INTO "reminderTexts" ("reminderTexts") VALUES (?)"#,
      [.text("rebuild")])
  }

  @Test func aBoundDateIsNamed() {
    let triggers = ReminderText.createTriggers("search", syncing: Reminder.self) {
      ReminderText.Columns(
        rowid: $0.rowid, title: #sql("\(bind: Date())"), notes: "", tags: "")
    }
    #expect(triggers[0].prepared.issues.first?.hasSuffix("column \"title\")") == true)
  }
}
