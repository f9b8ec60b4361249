import MartletQueryBuilder
import Testing

private let t = ReminderText.columns

@Suite struct FTS5Tests {
  @Test func match() {
    let text = "take OR apple"
    expectSQL(
      ReminderText.where { if !text.isEmpty { $0.match(text) } }
        .join(Reminder.all) { $0.rowid.eq($1.rowid) }
        .select { $1.id },
      """
      SELECT "reminders"."id" FROM "reminderTexts" \
      JOIN "reminders" ON ("reminderTexts"."rowid" = "reminders"."rowid") \
      WHERE ("reminderTexts" MATCH ?)
      """, [.text(text)])
    expectSQL(t.title.match("x"), #"("reminderTexts" MATCH ?)"#, [.text(#"title:"x""#)])
  }

  @Test func functionsTakeColumnNumbers() {
    expectSQL(
      t.tags.highlight("**", "**"), #"highlight("reminderTexts", 2, ?, ?)"#,
      [.text("**"), .text("**")])
    expectSQL(
      t.notes.snippet("<", ">", "…", 64).replace("\n", " "),
      #"replace(snippet("reminderTexts", 1, ?, ?, ?, ?), ?, ?)"#,
      [.text("<"), .text(">"), .text("…"), .int(64), .text("\n"), .text(" ")])
    expectSQL(t.bm25([\.notes: 2]), #"bm25("reminderTexts", 1.0, 2.0)"#)
    expectSQL(
      t.ranked(by: [\.notes: 2]), #"("reminderTexts"."rank" MATCH 'bm25(1.0, 2.0)')"#)
    expectSQL(
      ReminderText.order { $0.rank }.select(\.rowid),
      #"SELECT "reminderTexts"."rowid" FROM "reminderTexts" ORDER BY "reminderTexts"."rank""#)
  }
}
