import MartletQueryBuilder

/// The triggers that keep the full-text index equal to the tables.
///
/// The triggers in ``ReminderTriggers`` insert, renumber and delete a reminder's row. The ones here
/// update it, and handle REPLACE on tags: REPLACE may delete a tag of another reminder without
/// running a delete trigger. A trigger before the change records that reminder, and the trigger
/// after it updates its row. Recording a tag that is then not replaced (`OR IGNORE`, a failing row)
/// is harmless, because rows are built from the tables.
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
      // By the new ID: if that changes as well, ``ReminderTriggers/renumber`` rebuilds the row,
      // before or after this.
      ReminderText.find(new.id).update {
        $0.title = new.title
        $0.notes = new.notes
      }
    } when: { old, new in
      old.title.isNot(new.title) || old.notes.isNot(new.notes)
    })

  // MARK: Tags

  /// Records the reminder whose tag an insert is about to replace. An ID that SQLite assigns is -1
  /// here and matches no row.
  static let tagReplacedByInsert = ReminderTag.createTrigger(
    "martlet_remindersTags_replacedByInsert",
    before: .insert { new in
      PlainStatement(sql: "DELETE FROM replacedTags")
      PlainStatement(
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
      PlainStatement(sql: "DELETE FROM replacedTags")
      PlainStatement(
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
      replaced[3]
    })
  static let tagUpdate = ReminderTag.createTrigger(
    "martlet_remindersTags_searchUpdate",
    after: .update(of: { ($0.id, $0.reminderID, $0.tagID) }) { old, new in
      index(new.reminderID)
      index(old.reminderID, when: old.reminderID != new.reminderID)
      replaced[0]
      replaced[1]
      replaced[2]
      replaced[3]
    })
  static let tagDelete = ReminderTag.createTrigger(
    "martlet_remindersTags_searchDelete", after: .delete { old in index(old.reminderID) })

  /// The statements that update the recorded reminder, which has lost a tag. There is at most one,
  /// because a tag is replaced by its ID.
  private static let replaced = [
    PlainStatement(
      sql: """
        UPDATE reminderTexts SET tags = coalesce((SELECT group_concat(tagID, ' ') FROM remindersTags \
        WHERE reminderID = reminderTexts.rowid), '') WHERE rowid IN (SELECT reminderID FROM replacedTags)
        """),
    PlainStatement.reminderLine("(SELECT reminderID FROM replacedTags)"),
    PlainStatement(
      sql: """
        UPDATE reminders SET updatedAt = strftime('%Y-%m-%d %H:%M:%f', 'now'), \
        version = last_insert_rowid(), calendarVersion = last_insert_rowid() \
        WHERE id = (SELECT reminderID FROM replacedTags)
        """),
    CalendarTriggers.forget("(SELECT reminderID FROM replacedTags)"),
    PlainStatement(sql: "DELETE FROM replacedTags"),
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

  /// Inserts the search row of a reminder.
  ///
  /// If a REPLACE fired the trigger, its conflict policy applies here as well and replaces the row
  /// of the deleted reminder. An explicit `OR REPLACE` would make FTS5 look up a row at each
  /// insert.
  static func insert(
    _ id: TableColumn<Reminder, Int>, title: TableColumn<Reminder, String>,
    notes: TableColumn<Reminder, String>
  ) -> PlainStatement {
    PlainStatement(
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
