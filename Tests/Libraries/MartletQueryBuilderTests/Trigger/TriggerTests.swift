import Foundation
import MartletQueryBuilder
import Testing

@Suite struct TriggerTests {
  @Test func position() {
    expectTrigger(
      RemindersList.createTemporaryTrigger(
        after: .insert { new in
          RemindersList.find(new.id).update {
            $0.position = RemindersList.select { ($0.position.max() ?? -1) + 1 }
          }
        }),
      """
      CREATE TEMPORARY TRIGGER t AFTER INSERT ON "remindersLists" FOR EACH ROW BEGIN \
      UPDATE "remindersLists" SET "position" = \
      (SELECT (coalesce(max("remindersLists"."position"), -1) + 1) FROM "remindersLists") \
      WHERE ("remindersLists"."id" = "new"."id"); END
      """)
  }

  @Test func condition() {
    expectTrigger(
      RemindersList.createTemporaryTrigger(
        after: .delete { _ in
          RemindersList.insert { RemindersList.Draft(title: "Reminders") }
        } when: { _ in
          !RemindersList.exists()
        }),
      """
      CREATE TEMPORARY TRIGGER t AFTER DELETE ON "remindersLists" FOR EACH ROW \
      WHEN (NOT EXISTS (SELECT "remindersLists"."id", "remindersLists"."color", \
      "remindersLists"."position", "remindersLists"."title" FROM "remindersLists")) BEGIN \
      INSERT INTO "remindersLists" ("color", "position", "title") \
      VALUES (1251602431, 0, 'Reminders'); END
      """)
  }

  @Test func search() {
    expectTrigger(
      Reminder.createTemporaryTrigger(
        after: .insert { new in
          ReminderText.insert {
            ReminderText.Columns(
              rowid: new.rowid, title: new.title, notes: new.notes.replace("\n", " "), tags: "")
          }
        }),
      """
      CREATE TEMPORARY TRIGGER t AFTER INSERT ON "reminders" FOR EACH ROW BEGIN \
      INSERT INTO "reminderTexts" ("rowid", "title", "notes", "tags") \
      VALUES ("new"."rowid", "new"."title", replace("new"."notes", '\n', ' '), ''); END
      """)
    expectTrigger(
      Reminder.createTemporaryTrigger(
        after: .update { new in
          ReminderText.find(new.rowid).update {
            $0.title = new.title
            $0.notes = new.notes.replace("\n", " ")
          }
        }),
      """
      CREATE TEMPORARY TRIGGER t AFTER UPDATE ON "reminders" FOR EACH ROW BEGIN \
      UPDATE "reminderTexts" SET "title" = "new"."title", \
      "notes" = replace("new"."notes", '\n', ' ') \
      WHERE ("reminderTexts"."rowid" = "new"."rowid"); END
      """)
    expectTrigger(
      Reminder.createTemporaryTrigger(
        after: .delete { old in ReminderText.find(old.rowid).delete() }),
      """
      CREATE TEMPORARY TRIGGER t AFTER DELETE ON "reminders" FOR EACH ROW BEGIN \
      DELETE FROM "reminderTexts" WHERE ("reminderTexts"."rowid" = "old"."rowid"); END
      """)
  }

  @Test func oldAndNew() {
    expectTrigger(
      Reminder.createTrigger(
        "t",
        before: .update(of: { ($0.title, $0.notes) }) { old, new in
          Raise(.abort, "it's done")
        } when: { old, new in
          old.status == .completed && new.title != old.title
        }),
      """
      CREATE TRIGGER t BEFORE UPDATE OF "title", "notes" ON "reminders" FOR EACH ROW \
      WHEN (("old"."status" = 1) AND ("new"."title" <> "old"."title")) BEGIN \
      SELECT RAISE(ABORT, 'it''s done'); END
      """)
  }

  @Test func touch() {
    let now = "strftime('%Y-%m-%d %H:%M:%f', 'now')"
    let body = """
      UPDATE "reminders" SET "updatedAt" = \(now) WHERE ("reminders"."rowid" = "new"."rowid"); END
      """
    let head = "CREATE TEMPORARY TRIGGER t AFTER"
    expectTrigger(
      Reminder.createTemporaryTrigger(afterUpdateTouch: \.updatedAt),
      "\(head) UPDATE ON \"reminders\" FOR EACH ROW BEGIN \(body)")
    expectTrigger(
      Reminder.createTemporaryTrigger(after: .insert(touch: \.updatedAt)),
      "\(head) INSERT ON \"reminders\" FOR EACH ROW BEGIN \(body)")
    expectTrigger(
      Reminder.createTemporaryTrigger(
        afterUpdateTouch: { $0.updatedAt = #sql("datetime('subsec')") }),
      "\(head) UPDATE ON \"reminders\" FOR EACH ROW BEGIN "
        + body.replacing(now, with: "datetime('subsec')"))
  }

  @Test func boundDateIsAnIssue() {
    let trigger = Reminder.createTrigger(
      "touch", after: .update { _, _ in Reminder.update { $0.updatedAt = Date() } })
    #expect(
      trigger.prepared.issues == [
        """
        Cannot bind a date to a trigger statement. Specify dates using the '#sql' macro, instead. \
        (trigger "touch" on "reminders", column "updatedAt")
        """
      ])
    let bindings = trigger.query.fragment.prepare().bindings
    #expect(bindings == [.invalid(reason: trigger.prepared.issues[0])])
  }

  @Test func boundValuesAreNamedByColumn() {
    let id = UUID()
    let trigger = Item.createTrigger(
      "t",
      after: .insert { new in
        Item.where { $0.made == new.made }.update { $0.code = #bind(id) }
        Item.where { $0.code == id }.delete()
      } when: { new in
        new.code != id
      })
    let text = """
      Cannot bind a UUID to a trigger statement. Specify UUIDs using the '#sql' macro, instead.
      """
    let place = "(trigger \"t\" on \"stock\")"
    let column = "(trigger \"t\" on \"stock\", column \"item_id\")"
    let issues: [String] = ["\(text) \(column)", "\(text) \(place)", "\(text) \(place)"]
    #expect(trigger.prepared.issues == issues)
  }

  @Test func touchOfChosenColumnsAndDates() {
    let body = """
      ON "reminders" FOR EACH ROW BEGIN UPDATE "reminders" SET "updatedAt" = datetime('subsec') \
      WHERE ("reminders"."rowid" = "new"."rowid"); END
      """
    expectTrigger(
      Reminder.createTemporaryTrigger(
        after: .update(
          of: { ($0.title, $0.notes) }, touch: \.updatedAt, date: #sql("datetime('subsec')"))),
      "CREATE TEMPORARY TRIGGER t AFTER UPDATE OF \"title\", \"notes\" \(body)")
    expectTrigger(
      Reminder.createTemporaryTrigger(
        after: .insert(touch: \.updatedAt, date: #sql("datetime('subsec')"))),
      "CREATE TEMPORARY TRIGGER t AFTER INSERT \(body)")
    expectTrigger(
      Reminder.createTemporaryTrigger(
        after: .update(of: { $0.title }, touch: { $0.updatedAt = #sql("datetime('subsec')") })),
      "CREATE TEMPORARY TRIGGER t AFTER UPDATE OF \"title\" \(body)")
    // For a column of a group, in the representation of the column.
    expectTrigger(
      Item.createTemporaryTrigger(after: .update(touch: \.size.width, date: #sql("1.0"))),
      """
      CREATE TEMPORARY TRIGGER t AFTER UPDATE ON "main"."stock" FOR EACH ROW BEGIN \
      UPDATE "stock" SET "width" = 1.0 WHERE ("main"."stock"."rowid" = "new"."rowid"); END
      """)
    expectTrigger(
      Item.createTemporaryTrigger(afterInsertTouch: \.made),
      """
      CREATE TEMPORARY TRIGGER t AFTER INSERT ON "main"."stock" FOR EACH ROW BEGIN \
      UPDATE "stock" SET "made" = unixepoch('now') \
      WHERE ("main"."stock"."rowid" = "new"."rowid"); END
      """)
  }

  @Test func insteadOf() {
    let trigger = Counts.createTemporaryTrigger(
      insteadOf: .insert { _ in
        Tag.delete()
        for _ in 0..<2 { Raise(.ignore) }
      })
    expectTrigger(
      trigger,
      """
      CREATE TEMPORARY TRIGGER t INSTEAD OF INSERT ON "counts" FOR EACH ROW BEGIN \
      DELETE FROM "tags"; SELECT RAISE(IGNORE); SELECT RAISE(IGNORE); END
      """)
    #expect(trigger.name.hasPrefix("instead_of_insert_on_counts@"))
    #expect(
      Counts.createTrigger("v", insteadOf: .delete { _ in Raise(.ignore) }).prepared.sql
        .hasPrefix(#"CREATE TRIGGER "v" INSTEAD OF DELETE ON "counts""#))
  }

  /// A statement in a trigger cannot give its table an alias
  /// (https://sqlite.org/lang_createtrigger.html).
  @Test func aliasOfTheChangedTable() {
    enum T: AliasName {}
    func issues(_ statement: some Statement) -> [String] {
      Tag.createTemporaryTrigger(after: .delete { _ in statement }).prepared.issues
    }
    let tags = Tag.as(T.self)
    for found in [
      issues(tags.update { $0.title = "a" }), issues(tags.where { $0.title == "a" }.delete()),
      issues(tags.insert { Tag(title: "a") }),
    ] {
      #expect(found.count == 1)
      #expect(found[0].contains("has no alias for the table that it changes: 'ts'. (trigger"))
    }
    #expect(issues(Tag.update { $0.title = "a" }.where { _ in tags.exists() }) == [])
    #expect(issues(Item.delete()) == [])
  }

  @Test func drop() {
    let trigger = Tag.createTrigger("t", after: .delete { _ in Raise(.ignore) })
    expectSQL(trigger.drop(ifExists: true), #"DROP TRIGGER IF EXISTS "t""#)
  }

  @Test func generatedNameTellsThePlace() {
    let line = #line + 1
    let trigger = Tag.createTemporaryTrigger(after: .delete { _ in Raise(.ignore) })
    #expect(
      trigger.name.hasPrefix(
        "after_delete_on_tags@MartletQueryBuilderTests/TriggerTests.swift:\(line):"))
  }
}
