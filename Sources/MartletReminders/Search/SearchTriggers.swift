import MartletQueryBuilder

/// The full-text index knows exactly what the tables hold.
///
/// A reminder's row comes, moves and goes in the triggers of ``ReminderTriggers``. Here is what changes in it, and
/// what REPLACE does to tags: the row that it deletes may be another reminder's, and no delete trigger runs for it. A
/// trigger before the change notes that reminder, the one after it makes its row of the index anew. What is noted and
/// then not replaced (`OR IGNORE`, a row that fails) does no harm: the row is made from the tables.
enum SearchTriggers {
  static let update = Reminder.createTrigger(
    "martlet_reminders_searchUpdate",
    after: .update(of: { ($0.title, $0.notes) }) { old, new in
      Refusal(
        (
          unless: "\(new.title) IS \(old.title) OR \(ValueRule.isTitle("\(new.title)"))",
          ValueRule.title.rawValue
        ),
        (
          unless: "\(new.notes) IS \(old.notes) OR \(ValueRule.isNotes("\(new.notes)"))",
          ValueRule.notes.rawValue
        ))
      // By the new id: where it changes too, ``ReminderTriggers/renumber`` makes the row anew, before or after this.
      ReminderText.find(new.id).update {
        $0.title = new.title
        $0.notes = new.notes
      }
    } when: { old, new in
      old.title.isNot(new.title) || old.notes.isNot(new.notes)
    })

  // MARK: Tags

  /// An id that SQLite gives is -1 here, and no row's.
  static let tagReplacedByInsert = ReminderTag.createTrigger(
    "martlet_remindersTags_replacedByInsert",
    before: .insert { new in
      Change(sql: "DELETE FROM replacedTags")
      Change(
        sql: """
          INSERT INTO replacedTags (reminderID) \
          SELECT reminderID FROM remindersTags WHERE id = \(new.id)
          """)
    } when: { new in
      ReminderTag.where { $0.id == new.id && $0.reminderID != new.reminderID }.exists()
    })
  static let tagReplacedByUpdate = ReminderTag.createTrigger(
    "martlet_remindersTags_replacedByUpdate",
    before: .update(of: { $0.id }) { _, new in
      Change(sql: "DELETE FROM replacedTags")
      Change(
        sql: """
          INSERT INTO replacedTags (reminderID) \
          SELECT reminderID FROM remindersTags WHERE id = \(new.id)
          """)
    } when: { old, new in
      old.id != new.id && ReminderTag.where { $0.id == new.id }.exists()
    })

  static let tagInsert = ReminderTag.createTrigger(
    "martlet_remindersTags_searchInsert",
    after: .insert { new in
      index(new.reminderID)
      replaced[0]
      replaced[1]
      replaced[2]
    })
  static let tagUpdate = ReminderTag.createTrigger(
    "martlet_remindersTags_searchUpdate",
    after: .update(of: { ($0.id, $0.reminderID, $0.tagID) }) { old, new in
      index(new.reminderID)
      index(old.reminderID, when: old.reminderID != new.reminderID)
      replaced[0]
      replaced[1]
      replaced[2]
    })
  static let tagDelete = ReminderTag.createTrigger(
    "martlet_remindersTags_searchDelete", after: .delete { old in index(old.reminderID) })

  /// The reminders that were noted: theirs is a tag less.
  private static let replaced = [
    Change(
      sql: """
        UPDATE reminderTexts SET tags = coalesce((SELECT group_concat(tagID, ' ') FROM remindersTags \
        WHERE reminderID = reminderTexts.rowid), '') WHERE rowid IN (SELECT reminderID FROM replacedTags)
        """),
    Change(
      sql: """
        UPDATE reminders SET updatedAt = strftime('%Y-%m-%d %H:%M:%f', 'now') \
        WHERE id IN (SELECT reminderID FROM replacedTags)
        """),
    Change(sql: "DELETE FROM replacedTags"),
  ]

  private static func index(
    _ reminder: TableColumn<ReminderTag, Int>, when condition: SQLQueryExpression<Bool>? = nil
  ) -> Update<ReminderText> {
    ReminderText
      .where {
        $0.rowid == reminder
        if let condition { condition }
      }
      .update { $0.tags = tags(of: reminder) }
  }

  // MARK: Rows, for the triggers of reminders

  /// The row of a reminder. Where a REPLACE fired the trigger this replaces too, as its policy holds in here: the row
  /// of the reminder that went. To say `OR REPLACE` would have FTS5 look for a row at each insert.
  static func insert(
    _ id: TableColumn<Reminder, Int>, title: TableColumn<Reminder, String>,
    notes: TableColumn<Reminder, String>
  ) -> Change {
    Change(
      sql: """
        INSERT INTO reminderTexts (rowid, title, notes, tags) \
        VALUES (\(id), \(title), \(notes), \(tags(of: id)))
        """)
  }

  static func remove(_ id: TableColumn<Reminder, Int>) -> Delete<ReminderText> {
    ReminderText.find(id).delete()
  }

  private static func tags<Owner>(
    of reminder: TableColumn<Owner, Int>
  ) -> SQLQueryExpression<String> {
    ReminderTag.where { $0.reminderID == reminder }.select { $0.tagID.groupConcat(" ") }.orEmpty
  }
}

extension Select where Picked == String?, Output == String? {
  fileprivate var orEmpty: SQLQueryExpression<String> {
    SQLQueryExpression("coalesce(\(queryFragment), '')")
  }
}
