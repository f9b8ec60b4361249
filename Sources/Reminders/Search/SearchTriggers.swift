import QueryBuilder

/// The full-text index knows exactly what the tables hold.
enum SearchTriggers {
  static let insert = Reminder.createTrigger(
    "martlet_reminders_searchInsert",
    after: .insert { new in
      ReminderText.insert {
        // A row that replaces another one may find tags that were left behind.
        ReminderText.Columns(
          rowid: new.id, title: new.title, notes: new.notes, tags: tags(of: new.id))
      }
    })

  static let update = Reminder.createTrigger(
    "martlet_reminders_searchUpdate",
    after: .update(of: { ($0.id, $0.title, $0.notes) }) { old, new in
      ReminderText.find(old.id).update {
        $0.rowid = new.id
        $0.title = new.title
        $0.notes = new.notes
      }
    } when: { old, new in
      old.id != new.id || old.title.isNot(new.title) || old.notes.isNot(new.notes)
    })

  static let delete = Reminder.createTrigger(
    "martlet_reminders_searchDelete",
    after: .delete { old in
      ReminderText.find(old.id).delete()
    })

  static let tagInsert = ReminderTag.createTrigger(
    "martlet_remindersTags_searchInsert", after: .insert { new in index(new.reminderID) })
  static let tagUpdate = ReminderTag.createTrigger(
    "martlet_remindersTags_searchUpdate",
    after: .update(of: { ($0.reminderID, $0.tagID) }) { old, new in
      index(new.reminderID)
      index(old.reminderID)
    })
  static let tagDelete = ReminderTag.createTrigger(
    "martlet_remindersTags_searchDelete", after: .delete { old in index(old.reminderID) })

  private static func index(_ reminder: TableColumn<ReminderTag, Int>) -> Update<ReminderText> {
    ReminderText.find(reminder).update {
      $0.tags = tags(of: reminder)
    }
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
