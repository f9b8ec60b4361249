import MartletQueryBuilder

/// The triggers that enforce the invariants of tags. They are pure SQL and hold for every program
/// that writes to the file.
enum TagTriggers {
  static let most = Reminder.mostTags

  /// Allows at most five tags on a reminder. It runs after the insert, so that a conflicting row
  /// that is ignored does not count.
  static let fiveOnInsert = ReminderTag.createTrigger(
    "martlet_remindersTags_fiveOnInsert",
    after: .insert { _ in
      Raise(.abort, RuleViolation.tooManyTags.rawValue)
    } when: { new in
      ReminderTag.where { $0.reminderID == new.reminderID }.count() > most
    })

  static let fiveOnUpdate = ReminderTag.createTrigger(
    "martlet_remindersTags_fiveOnUpdate",
    after: .update(of: { $0.reminderID }) { _, _ in
      Raise(.abort, RuleViolation.tooManyTags.rawValue)
    } when: { _, new in
      ReminderTag.where { $0.reminderID == new.reminderID }.count() > most
    })

  /// Gives a new tag on a reminder the spelling of the existing tag.
  static let spelling = ReminderTag.createTrigger(
    "martlet_remindersTags_spelling",
    after: .insert { new in
      ReminderTag.find(new.id).update {
        $0.tagID = Tag.where { $0.title == new.tagID }.select(\.title)
      }
    } when: { new in
      Tag.where { $0.title == new.tagID && $0.title.collate(.binary) != new.tagID }.exists()
    })

  /// Updates the reminder's `updatedAt` when its tags change.
  static let touchOnInsert = ReminderTag.createTrigger(
    "martlet_remindersTags_touchOnInsert",
    after: .insert { new in
      PlainStatement.reminderLine("\(new.reminderID)")
      touch(new.reminderID)
      CalendarTriggers.forget("\(new.reminderID)")
    })
  static let touchOnUpdate = ReminderTag.createTrigger(
    "martlet_remindersTags_touchOnUpdate",
    after: .update(of: { ($0.reminderID, $0.tagID) }) { old, new in
      PlainStatement.reminderLine("\(new.reminderID)")
      touch(new.reminderID)
      CalendarTriggers.forget("\(new.reminderID)")
      PlainStatement.reminderLine(
        "\(old.reminderID)", when: "\(old.reminderID) <> \(new.reminderID)")
      touch(old.reminderID, when: old.reminderID != new.reminderID)
      CalendarTriggers.forget(
        "\(old.reminderID)", when: "\(old.reminderID) <> \(new.reminderID)")
    })
  static let touchOnDelete = ReminderTag.createTrigger(
    "martlet_remindersTags_touchOnDelete",
    after: .delete { old in
      PlainStatement.reminderLine("\(old.reminderID)")
      touch(old.reminderID)
      CalendarTriggers.forget("\(old.reminderID)")
    })

  /// Sets the time and the version of a reminder whose line has just been added.
  private static func touch(
    _ reminder: TableColumn<ReminderTag, Int>, when condition: SQLQueryExpression<Bool>? = nil
  ) -> Update<Reminder> {
    Reminder
      .where {
        $0.id == reminder
        if let condition { condition }
      }
      .update {
        $0.updatedAt = #sql("strftime('%Y-%m-%d %H:%M:%f', 'now')")
        $0.version = #sql("last_insert_rowid()")
        $0.calendarVersion = #sql("last_insert_rowid()")
      }
  }

  /// Checks the titles of tags, and of the tags on reminders: a program without foreign keys can
  /// write some that have no row in the table of tags.
  static let title = Tag.createTrigger(
    "martlet_tags_title",
    after: .insert { new in
      Refusal((unless: ValueRule.isTag("\(new.title)"), ValueRule.tag.rawValue))
    })
  static let formOnInsert = ReminderTag.createTrigger(
    "martlet_remindersTags_formOnInsert",
    after: .insert { new in
      Refusal((unless: ValueRule.isTag("\(new.tagID)"), ValueRule.tag.rawValue))
    })
  static let formOnUpdate = ReminderTag.createTrigger(
    "martlet_remindersTags_formOnUpdate",
    after: .update(of: { $0.tagID }) { old, new in
      Refusal((unless: ValueRule.isTag("\(new.tagID)"), ValueRule.tag.rawValue))
    })

  /// Renames and deletes a tag on its reminders as well, even with foreign keys disabled.
  ///
  /// A reminder that already carries the new name keeps that row. The other one is deleted,
  /// whatever conflict clause the statement has.
  static let rename = Tag.createTrigger(
    "martlet_tags_rename",
    after: .update(of: { $0.title }) { old, new in
      Refusal((unless: ValueRule.isTag("\(new.title)"), ValueRule.tag.rawValue))
      PlainStatement(
        sql: """
          DELETE FROM remindersTags WHERE tagID = \(old.title) AND \(old.title) <> \(new.title) \
          AND reminderID IN (SELECT reminderID FROM remindersTags WHERE tagID = \(new.title))
          """)
      ReminderTag.where { $0.tagID == old.title }.update { $0.tagID = new.title }
    })
  static let cascade = Tag.createTrigger(
    "martlet_tags_cascade",
    after: .delete { old in
      ReminderTag.where { $0.tagID == old.title }.delete()
    })
}
