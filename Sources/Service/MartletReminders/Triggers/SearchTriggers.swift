import MartletQueryBuilder

/// The triggers that keep the full-text index equal to the tables.
///
/// The triggers in ``ReminderTriggers`` insert and delete the row of a reminder, and those in
/// ``TagTriggers`` update its tags, with the statements below.
enum SearchTriggers {
  static let update = Reminder.createTrigger(
    "martlet_reminders_searchUpdate",
    after: .update(of: { ($0.title, $0.notes) }) { _, new in
      ReminderText.find(new.id).update {
        $0.title = separated("\(new.title)")
        $0.notes = separated("\(new.notes)")
      }
    } when: { old, new in
      old.title.isNot(new.title) || old.notes.isNot(new.notes)
    })

  /// Updates the tags in the search row of a reminder.
  static func index(
    _ reminder: TableColumn<ReminderTag, Int>, when condition: SQLQueryExpression<Bool>? = nil
  ) -> Update<ReminderText> {
    ReminderText
      .where {
        $0.rowid == reminder
        if let condition { condition }
      }
      .update { $0.tags = tags(of: reminder) }
  }

  /// The condition that the index has no row of a reminder. It reads a table of the index directly,
  /// which costs less than a query of the index (https://sqlite.org/fts5.html#the_docsize_table).
  static func hasNoRow(_ id: QueryFragment) -> QueryFragment {
    "NOT EXISTS (SELECT 1 FROM reminderTexts_docsize AS entry WHERE entry.id = \(id))"
  }

  /// Inserts the search row of a reminder.
  static func insert(
    _ id: TableColumn<Reminder, Int>, title: TableColumn<Reminder, String>,
    notes: TableColumn<Reminder, String>
  ) -> PlainStatement {
    PlainStatement(
      sql: """
        INSERT INTO reminderTexts (rowid, title, notes, tags) \
        VALUES (\(id), \(separated("\(title)")), \(separated("\(notes)")), \(tags(of: id)))
        """)
  }

  static func remove(_ id: TableColumn<Reminder, Int>) -> Delete<ReminderText> {
    ReminderText.find(id).delete()
  }

  private static func tags<Owner>(
    of reminder: TableColumn<Owner, Int>
  ) -> SQLQueryExpression<String> {
    let tags = ReminderTag.where { $0.reminderID == reminder }.select { $0.tagID.groupConcat(" ") }
    return separated("coalesce(\(tags.queryFragment), '')")
  }

  private static func separated(_ text: QueryFragment) -> SQLQueryExpression<String> {
    SQLQueryExpression(UnspacedScripts.separated(text))
  }
}
