import MartletQueryBuilder
import Testing

private let columns = """
  "reminders"."id", "reminders"."title", "reminders"."notes", "reminders"."remindersListID", \
  "reminders"."position", "reminders"."priority", "reminders"."isFlagged", "reminders"."status", \
  "reminders"."dueDate", "reminders"."updatedAt"
  """

private enum Hidden: AliasName {}

@Suite struct SelectTests {
  @Test func all() {
    expectSQL(Reminder.all, "SELECT \(columns) FROM \"reminders\"")
    #expect(Reminder.none.query.isEmpty)
  }

  @Test func columnsChosen() {
    expectSQL(Tag.select(\.title), #"SELECT "tags"."title" FROM "tags""#)
    expectSQL(
      Reminder.select { ($0.id, $0.title) },
      #"SELECT "reminders"."id", "reminders"."title" FROM "reminders""#)
    expectSQL(
      Reminder.select { ($0.id, $0.title, $0.position, $0.isFlagged) },
      """
      SELECT "reminders"."id", "reminders"."title", "reminders"."position", \
      "reminders"."isFlagged" FROM "reminders"
      """)
    expectSQL(
      Tag.select { $0.title }.distinct(), #"SELECT DISTINCT "tags"."title" FROM "tags""#)
  }

  @Test func selections() {
    let query = RemindersList.select {
      Overview.Columns(list: $0, count: Reminder.where { !$0.isFlagged }.count())
    }
    expectSQL(
      query,
      """
      SELECT "remindersLists"."id" AS "id", "remindersLists"."color" AS "color", \
      "remindersLists"."position" AS "position", "remindersLists"."title" AS "title", \
      (SELECT count(*) FROM "reminders" WHERE (NOT "reminders"."isFlagged")) AS "count" \
      FROM "remindersLists"
      """)
    #expect(
      query.query.columns == [
        ResultColumn("id", in: ["list"], kind: .integer),
        ResultColumn("color", in: ["list"], kind: .integer),
        ResultColumn("position", in: ["list"], kind: .integer),
        ResultColumn("title", in: ["list"], kind: .text),
        ResultColumn("count", kind: .integer),
      ])
  }

  @Test func conditions() {
    let isFlagged = true
    expectSQL(
      Tag.where { tag in
        if isFlagged { tag.title == "a" } else { tag.title == "b" }
        tag.title != "c"
      },
      #"SELECT "tags"."title" FROM "tags" WHERE ("tags"."title" = ?) AND ("tags"."title" <> ?)"#,
      [.text("a"), .text("c")])
    expectSQL(
      Reminder.where(\.isFlagged).select(\.id),
      #"SELECT "reminders"."id" FROM "reminders" WHERE "reminders"."isFlagged""#)
    expectSQL(
      Reminder.where(\.isCompleted).select(\.id),
      #"SELECT "reminders"."id" FROM "reminders" WHERE ("reminders"."status" <> ?)"#, [.int(0)])
  }

  @Test func find() {
    expectSQL(
      Tag.find("a"), #"SELECT "tags"."title" FROM "tags" WHERE ("tags"."title" = ?)"#,
      [.text("a")])
    expectSQL(
      Tag.find(["a", "b"]),
      #"SELECT "tags"."title" FROM "tags" WHERE ("tags"."title" IN (?, ?))"#,
      [.text("a"), .text("b")])
  }

  @Test func orderGroupLimit() {
    expectSQL(
      Reminder.group(by: \.remindersListID).having { $0.position.max() > 3 }
        .order { ($0.dueDate.asc(nulls: .last), $0.title.desc()) }
        .limit(5, offset: 10).select { $0.remindersListID },
      """
      SELECT "reminders"."remindersListID" FROM "reminders" \
      GROUP BY "reminders"."remindersListID" HAVING (max("reminders"."position") > ?) \
      ORDER BY "reminders"."dueDate" ASC NULLS LAST, "reminders"."title" DESC LIMIT ? OFFSET ?
      """, [.int(3), .int(5), .int(10)])
    expectSQL(
      Tag.order(by: \.title, .descending),
      #"SELECT "tags"."title" FROM "tags" ORDER BY "tags"."title" DESC"#)
    expectSQL(
      Tag.all.offset(5), #"SELECT "tags"."title" FROM "tags" LIMIT -1 OFFSET ?"#, [.int(5)])
  }

  @Test func counting() {
    expectSQL(Tag.count, #"SELECT count(*) FROM "tags""#)
    expectSQL(
      Tag.where { $0.title > "a" }.count(),
      #"SELECT count(*) FROM "tags" WHERE ("tags"."title" > ?)"#, [.text("a")])
    expectSQL(
      Reminder.count { $0.isFlagged },
      #"SELECT count(*) FILTER (WHERE "reminders"."isFlagged") FROM "reminders""#)
  }

  @Test func exists() {
    expectSQL(!Tag.exists(), #"(NOT EXISTS (SELECT "tags"."title" FROM "tags"))"#)
  }

  @Test func aliases() {
    enum Other: AliasName {}
    expectSQL(
      Tag.as(Other.self).where { $0.title == "a" },
      #"SELECT "others"."title" FROM "tags" AS "others" WHERE ("others"."title" = ?)"#, [.text("a")]
    )
  }

  /// Also in a release build, where the compiler knows private types by longer names.
  @Test func aPrivateAliasIsCalledAsItIsWritten() {
    #expect(Hidden.aliasName == "hiddens")
    expectSQL(
      Tag.as(Hidden.self).select(\.title),
      #"SELECT "hiddens"."title" FROM "tags" AS "hiddens""#)
  }

  @Test func compounds() {
    expectSQL(
      Tag.where { $0.title < "a" }.union(all: true, Tag.none).union(Tag.all),
      """
      SELECT "tags"."title" FROM "tags" WHERE ("tags"."title" < ?) \
      UNION SELECT "tags"."title" FROM "tags"
      """, [.text("a")])
  }

  @Test func values() {
    expectSQL(Values(1, "a"), "SELECT ?, ?", [.int(1), .text("a")])
  }
}
