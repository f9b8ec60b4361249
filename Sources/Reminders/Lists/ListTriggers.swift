import QueryBuilder

/// The lists' invariants. They hold for every program that writes, so they are pure SQL.
enum ListTriggers {
  /// At least one list: deleting the last one makes a new one in the same instant.
  static let keepOne = RemindersList.createTrigger(
    "martlet_remindersLists_keepOne",
    after: .delete { _ in
      RemindersList.insert { RemindersList.Draft(title: RemindersList.defaultTitle) }
    } when: { _ in
      !RemindersList.exists()
    })

  /// A new list comes last, unless it says where; its times are the database's own.
  static let complete = RemindersList.createTrigger(
    "martlet_remindersLists_complete",
    after: .insert { new in
      RemindersList.find(new.id).update {
        $0.position = new.position ?? RemindersList.nextPosition
        $0.createdAt = #sql("strftime('%Y-%m-%d %H:%M:%f', 'now')")
        $0.updatedAt = #sql("strftime('%Y-%m-%d %H:%M:%f', 'now')")
      }
    })

  static let touch = RemindersList.createTrigger(
    "martlet_remindersLists_touch",
    after: .update(of: { ($0.title, $0.color) }, touch: \.updatedAt))

  /// What loses its place comes last.
  static let place = RemindersList.createTrigger(
    "martlet_remindersLists_place",
    after: .update(of: { $0.position }) { _, new in
      RemindersList.find(new.id).update { $0.position = RemindersList.nextPosition }
    } when: { _, new in
      new.position.is(nil)
    })

  /// A list that has reminders keeps its id: they would belong to none.
  static let keepID = RemindersList.createTrigger(
    "martlet_remindersLists_keepID",
    after: .update(of: { $0.id }) { _, _ in
      Raise(.abort, RuleViolation.unknownList.rawValue)
    } when: { old, new in
      old.id != new.id && Reminder.where { $0.remindersListID == old.id }.exists()
    })

  /// Its id may be another list's some day: a key that was limited to this one is not for that one.
  static let limits = RemindersList.createTrigger(
    "martlet_remindersLists_limits",
    after: .delete { old in
      KeyPart.where { $0.part == old.id }.delete()
    })

  static let limitsOfMoved = RemindersList.createTrigger(
    "martlet_remindersLists_limitsOfMoved",
    after: .update(of: { $0.id }) { old, _ in
      KeyPart.where { $0.part == old.id }.delete()
    } when: { old, new in
      old.id != new.id
    })

  /// A list takes its reminders with it, also where foreign keys are off (a `sqlite3` shell).
  static let cascade = RemindersList.createTrigger(
    "martlet_remindersLists_cascade",
    after: .delete { old in
      Reminder.where { $0.remindersListID == old.id }.delete()
    })
}

/// A list that a key is limited to. Who has which key is nothing to the domain; that a list is gone is.
@Table("apiKeyParts")
struct KeyPart {
  let id: Int
  var keyID: Int
  var part: Int
}

extension RemindersList {
  /// The place behind the last list; the first one is 0.
  fileprivate static var nextPosition: SQLQueryExpression<Int> {
    SQLQueryExpression(RemindersList.select { ($0.position.max() ?? -1) + 1 }.queryFragment)
  }
}
