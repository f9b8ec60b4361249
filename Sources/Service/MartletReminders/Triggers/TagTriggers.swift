import MartletQueryBuilder

/// The triggers that enforce the invariants of tags. They are pure SQL and hold for every program
/// that writes to the file.
enum TagTriggers {
  /// Refuses to replace a tag on a reminder by its ID, for which no delete trigger would run. A
  /// trigger before the insert cannot tell REPLACE from an upsert of this ID, which is refused,
  /// too. An ID that SQLite assigns is -1 here.
  static let keep = ReminderTag.createTrigger(
    "martlet_remindersTags_keep",
    before: .insert { _ in
      Raise(.abort, ValueRule.replaced.rawValue)
    } when: { new in
      #sql(
        """
        \(new.id) <> -1 AND EXISTS (SELECT 1 FROM remindersTags AS other WHERE other.id = \(new.id) \
        AND (other.reminderID <> \(new.reminderID) OR other.tagID <> \(new.tagID)))
        """, as: Bool.self)
    })
  static let keepID = ReminderTag.keepsID

  /// Checks a tag on a reminder, gives it the spelling of the existing tag, and updates the
  /// reminder and its search row.
  ///
  /// It runs after the insert, so that a conflicting row that is ignored does not count.
  static let inserted = ReminderTag.createTrigger(
    "martlet_remindersTags_inserted",
    after: .insert { new in
      rules(new)
      ReminderTag
        .where { row in
          row.id == new.id
            && Tag.where { $0.title == new.tagID && $0.title.collate(.binary) != new.tagID }
              .select(\.title).exists()
        }
        .update { $0.tagID = Tag.where { $0.title == new.tagID }.select(\.title) }
      SearchTriggers.index(new.reminderID)
      PlainStatement.reminderLine("\(new.reminderID)")
      touch(new.reminderID)
      CalendarTriggers.forget("\(new.reminderID)")
      PlainStatement.count(ReminderTag.self)
    })
  static let changed = ReminderTag.createTrigger(
    "martlet_remindersTags_changed",
    after: .update(of: { ($0.reminderID, $0.tagID) }) { old, new in
      let isOther: QueryFragment = "\(old.reminderID) <> \(new.reminderID)"
      rules(new)
      SearchTriggers.index(new.reminderID)
      PlainStatement.reminderLine("\(new.reminderID)")
      touch(new.reminderID)
      CalendarTriggers.forget("\(new.reminderID)")
      SearchTriggers.index(old.reminderID, when: old.reminderID != new.reminderID)
      PlainStatement.reminderLine("\(old.reminderID)", when: isOther)
      touch(old.reminderID, when: old.reminderID != new.reminderID)
      CalendarTriggers.forget("\(old.reminderID)", when: isOther)
      PlainStatement.count(ReminderTag.self)
    })
  static let deleted = ReminderTag.createTrigger(
    "martlet_remindersTags_deleted",
    after: .delete { old in
      SearchTriggers.index(old.reminderID)
      PlainStatement.reminderLine("\(old.reminderID)")
      touch(old.reminderID)
      CalendarTriggers.forget("\(old.reminderID)")
      PlainStatement.count(ReminderTag.self)
    })

  /// A reminder has at most five tags, and each has the form of a tag: a program without foreign
  /// keys can write some that have no row in the table of tags.
  private static func rules(_ new: ReminderTag.TableColumns) -> Refusal {
    Refusal(
      (unless: "\(new.id) >= 1", ValueRule.id.rawValue),
      (
        unless: """
        (SELECT count(*) FROM remindersTags WHERE reminderID = \(new.reminderID)) \
        <= \(raw: "\(Reminder.mostTags)")
        """, RuleViolation.tooManyTags.rawValue
      ),
      (unless: ValueRule.isTag("\(new.tagID)"), ValueRule.tag.rawValue))
  }

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
        $0.updatedAt = #sql("\(PlacedRow.touched())")
        $0.version = #sql("last_insert_rowid()")
        $0.calendarVersion = #sql("last_insert_rowid()")
      }
  }

  /// Checks the title of a new tag.
  static let title = Tag.createTrigger(
    "martlet_tags_title",
    after: .insert { new in
      Refusal((unless: ValueRule.isTag("\(new.title)"), ValueRule.tag.rawValue))
      PlainStatement.count(Tag.self)
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
      PlainStatement.count(Tag.self)
    })
  static let cascade = Tag.createTrigger(
    "martlet_tags_cascade",
    after: .delete { old in
      ReminderTag.where { $0.tagID == old.title }.delete()
      PlainStatement.count(Tag.self)
    })
}
