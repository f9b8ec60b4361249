import MartletQueryBuilder

/// The tags' invariants. They hold for every program that writes, so they are pure SQL.
enum TagTriggers {
  static let most = Reminder.mostTags

  /// At most five tags on a reminder. After the insert, so that one which conflicts and is left out
  /// does not count.
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

  /// A tag's first spelling is the one that counts.
  static let spelling = ReminderTag.createTrigger(
    "martlet_remindersTags_spelling",
    after: .insert { new in
      ReminderTag.find(new.id).update {
        $0.tagID = Tag.where { $0.title == new.tagID }.select(\.title)
      }
    } when: { new in
      Tag.where { $0.title == new.tagID && $0.title.collate(.binary) != new.tagID }.exists()
    })

  /// Tagging is a change of the reminder.
  static let touchOnInsert = ReminderTag.createTrigger(
    "martlet_remindersTags_touchOnInsert", after: .insert { new in touch(new.reminderID) })
  static let touchOnUpdate = ReminderTag.createTrigger(
    "martlet_remindersTags_touchOnUpdate",
    after: .update(of: { ($0.reminderID, $0.tagID) }) { old, new in
      touch(new.reminderID)
      touch(old.reminderID, when: old.reminderID != new.reminderID)
    })
  static let touchOnDelete = ReminderTag.createTrigger(
    "martlet_remindersTags_touchOnDelete", after: .delete { old in touch(old.reminderID) })

  private static func touch(
    _ reminder: TableColumn<ReminderTag, Int>, when condition: SQLQueryExpression<Bool>? = nil
  ) -> Update<Reminder> {
    Reminder
      .where {
        $0.id == reminder
        if let condition { condition }
      }
      .update { $0.updatedAt = #sql("strftime('%Y-%m-%d %H:%M:%f', 'now')") }
  }

  /// A tag is one that a client can ask for. Its uses as well, of which a program without foreign keys may make some
  /// that no tag stands behind.
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

  /// Renaming and deleting a tag reach its uses, also where foreign keys are off. A reminder that has a use of the new
  /// name keeps that one: one of the two has to go, whatever `OR` the statement has.
  static let rename = Tag.createTrigger(
    "martlet_tags_rename",
    after: .update(of: { $0.title }) { old, new in
      Refusal((unless: ValueRule.isTag("\(new.title)"), ValueRule.tag.rawValue))
      Change(
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
