import MartletQueryBuilder

/// The reminders' invariants. They hold for every program that writes, so they are pure SQL.
enum ReminderTriggers {
  /// A reminder's list exists, also where foreign keys are off. An id that SQLite gives is not known before the
  /// insert: those may go on where the ones that are given by hand have to stop.
  static let knownListOnInsert = Reminder.createTrigger(
    "martlet_reminders_listOnInsert",
    before: .insert { new in
      Refusal(
        (
          unless: "EXISTS (SELECT 1 FROM remindersLists WHERE id = \(new.remindersListID))",
          RuleViolation.unknownList.rawValue
        ),
        (unless: "\(new.id) <= \(ValueRule.largest)", ValueRule.id.rawValue))
    })

  static let knownListOnUpdate = Reminder.createTrigger(
    "martlet_reminders_listOnUpdate",
    before: .update(of: { $0.remindersListID }) { _, _ in
      Raise(.abort, RuleViolation.unknownList.rawValue)
    } when: { _, new in
      !RemindersList.find(new.remindersListID).exists()
    })

  /// A new reminder comes last in its list, unless it says where; its times are the database's own. Its row of the
  /// index is made anew: one that REPLACE has put it in the place of went without a delete trigger, and may have left
  /// tags behind (https://sqlite.org/lang_conflict.html).
  static let complete = Reminder.createTrigger(
    "martlet_reminders_complete",
    after: .insert { new in
      Refusal(
        (unless: "\(new.id) >= 1", ValueRule.id.rawValue),
        (unless: ValueRule.isTitle("\(new.title)"), ValueRule.title.rawValue),
        (unless: ValueRule.isNotes("\(new.notes)"), ValueRule.notes.rawValue),
        (unless: ValueRule.isDueDate("\(new.dueDate)"), ValueRule.dueDate.rawValue))
      Reminder.find(new.id).update {
        $0.position = new.position ?? Reminder.nextPosition(in: new.remindersListID)
        $0.createdAt = #sql("strftime('%Y-%m-%d %H:%M:%f', 'now')")
        $0.updatedAt = #sql("strftime('%Y-%m-%d %H:%M:%f', 'now')")
      }
      SearchTriggers.insert(new.id, title: new.title, notes: new.notes)
    })

  /// Reordering is not a change of the reminder: `position` is not among the columns.
  static let touch = Reminder.createTrigger(
    "martlet_reminders_touch",
    after: .update(
      of: {
        (
          $0.remindersListID, $0.title, $0.notes, $0.dueDate, $0.priority, $0.isFlagged, $0.status
        )
      },
      touch: \.updatedAt))

  /// Whoever comes from another list comes last.
  static let move = Reminder.createTrigger(
    "martlet_reminders_move",
    after: .update(of: { $0.remindersListID }) { _, new in
      Reminder.find(new.id).update {
        $0.position = Reminder.nextPosition(in: new.remindersListID, except: new.id)
      }
    } when: { old, new in
      old.remindersListID != new.remindersListID
    })

  /// Who loses the place in the list comes last too; a place is not where none could come behind it. Times are NULL
  /// until ``complete`` has run.
  static let place = Reminder.createTrigger(
    "martlet_reminders_place",
    after: .update(of: { ($0.position, $0.createdAt, $0.updatedAt) }) { _, new in
      Refusal(
        (
          unless: "\(new.position) IS NULL OR \(ValueRule.isPosition("\(new.position)"))",
          ValueRule.position.rawValue
        ),
        (unless: ValueRule.isTime("\(new.createdAt)"), ValueRule.time.rawValue),
        (unless: ValueRule.isTime("\(new.updatedAt)"), ValueRule.time.rawValue))
      Reminder
        .where { $0.id == new.id && $0.position.is(nil) }
        .update { $0.position = Reminder.nextPosition(in: new.remindersListID) }
    } when: { old, new in
      PlacedRow.condition(
        position: "\(new.position)", createdAt: ("\(old.createdAt)", "\(new.createdAt)"),
        updatedAt: ("\(old.updatedAt)", "\(new.updatedAt)"))
    })

  /// An old due date that would be refused today may stay while others change.
  static let due = Reminder.createTrigger(
    "martlet_reminders_due",
    after: .update(of: { $0.dueDate }) { old, new in
      Refusal(
        (
          unless: "\(new.dueDate) IS \(old.dueDate) OR \(ValueRule.isDueDate("\(new.dueDate)"))",
          ValueRule.dueDate.rawValue
        ))
    })

  /// A reminder that gets another id takes its tags, its calendar lines and its row of the index there. What lies
  /// there already is of one that it replaces.
  ///
  /// One trigger, because the index comes after the tags. Nothing is left that could conflict, because the
  /// statement's own `OR IGNORE` would hold in here too (https://sqlite.org/lang_createtrigger.html).
  static let renumber = Reminder.createTrigger(
    "martlet_reminders_renumber",
    after: .update(of: { $0.id }) { old, new in
      Refusal((unless: "\(new.id) BETWEEN 1 AND \(ValueRule.largest)", ValueRule.id.rawValue))
      ReminderTag.where { $0.reminderID == new.id }.delete()
      ReminderTag.where { $0.reminderID == old.id }.update { $0.reminderID = new.id }
      CalendarLines.where { $0.reminderID == new.id }.delete()
      Change(
        sql: "UPDATE calendarLines SET reminderID = \(new.id) WHERE reminderID = \(old.id)")
      SearchTriggers.remove(old.id)
      SearchTriggers.remove(new.id)
      SearchTriggers.insert(new.id, title: new.title, notes: new.notes)
      NeverAgain("reminders", "max(\(old.id), \(new.id))")
    } when: { old, new in
      old.id != new.id
    })

  /// A reminder takes its tags, its calendar lines and its row of the index with it, also where foreign keys are off.
  static let cascade = Reminder.createTrigger(
    "martlet_reminders_cascade",
    after: .delete { old in
      SearchTriggers.remove(old.id)
      ReminderTag.where { $0.reminderID == old.id }.delete()
      CalendarLines.where { $0.reminderID == old.id }.delete()
      NeverAgain("reminders", "\(old.id)")
    })
}

/// A row that has a place and times.
enum PlacedRow {
  /// That one of them is not as it has to be.
  static func condition(
    position: QueryFragment, createdAt: (old: QueryFragment, new: QueryFragment),
    updatedAt: (old: QueryFragment, new: QueryFragment)
  ) -> SQLQueryExpression<Bool> {
    SQLQueryExpression(
      """
      (\(ValueRule.isPosition(position)) IS NOT 1 \
      OR (\(createdAt.old) IS NOT NULL AND \(createdAt.old) IS NOT \(createdAt.new) \
      AND \(ValueRule.isTime(createdAt.new)) IS NOT 1) \
      OR (\(updatedAt.old) IS NOT NULL AND \(updatedAt.old) IS NOT \(updatedAt.new) \
      AND \(ValueRule.isTime(updatedAt.new)) IS NOT 1))
      """)
  }

  /// The place behind the last one, and at the end of all places that one: what is new has the larger id.
  static func next(after last: QueryFragment) -> SQLQueryExpression<Int> {
    SQLQueryExpression("min(coalesce(\(last), -1) + 1, \(raw: "\(ValueRule.largest)"))")
  }
}

extension Reminder {
  /// The place behind the last reminder of a list; the first one is 0.
  fileprivate static func nextPosition(
    in list: TableColumn<Reminder, Int>, except id: TableColumn<Reminder, Int>? = nil
  ) -> SQLQueryExpression<Int> {
    SQLQueryExpression(
      Reminder
        .where {
          $0.remindersListID == list
          if let id { $0.id != id }
        }
        .select { PlacedRow.next(after: "\($0.position.max())") }
        .queryFragment)
  }
}
