import QueryBuilder

/// The reminders' invariants. They hold for every program that writes, so they are pure SQL.
enum ReminderTriggers {
  /// A reminder's list exists, also where foreign keys are off.
  static let knownListOnInsert = Reminder.createTrigger(
    "martlet_reminders_listOnInsert",
    before: .insert { _ in
      Raise(.abort, RuleViolation.unknownList.rawValue)
    } when: { new in
      !RemindersList.find(new.remindersListID).exists()
    })

  static let knownListOnUpdate = Reminder.createTrigger(
    "martlet_reminders_listOnUpdate",
    before: .update(of: { $0.remindersListID }) { _, _ in
      Raise(.abort, RuleViolation.unknownList.rawValue)
    } when: { _, new in
      !RemindersList.find(new.remindersListID).exists()
    })

  /// A new reminder comes last in its list, unless it says where; its times are the database's own.
  static let complete = Reminder.createTrigger(
    "martlet_reminders_complete",
    after: .insert { new in
      Reminder.find(new.id).update {
        $0.position = new.position ?? Reminder.nextPosition(in: new.remindersListID)
        $0.createdAt = #sql("strftime('%Y-%m-%d %H:%M:%f', 'now')")
        $0.updatedAt = #sql("strftime('%Y-%m-%d %H:%M:%f', 'now')")
      }
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

  /// Who loses the place in the list comes last too.
  static let place = Reminder.createTrigger(
    "martlet_reminders_place",
    after: .update(of: { $0.position }) { _, new in
      Reminder.find(new.id).update {
        $0.position = Reminder.nextPosition(in: new.remindersListID)
      }
    } when: { _, new in
      new.position.is(nil)
    })

  /// A reminder that gets another id keeps its tags.
  static let renumber = Reminder.createTrigger(
    "martlet_reminders_renumber",
    after: .update(of: { $0.id }) { old, new in
      ReminderTag.where { $0.reminderID == old.id }.update { $0.reminderID = new.id }
    } when: { old, new in
      old.id != new.id
    })

  /// A reminder takes its tags with it, also where foreign keys are off.
  static let cascade = Reminder.createTrigger(
    "martlet_reminders_cascade",
    after: .delete { old in
      ReminderTag.where { $0.reminderID == old.id }.delete()
    })

  static let calendar = Reminder.createTrigger(
    "martlet_reminders_calendar",
    after: .delete { old in
      CalendarLines.where { $0.reminderID == old.id }.delete()
    })
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
        .select { ($0.position.max() ?? -1) + 1 }
        .queryFragment)
  }
}
