import MartletQueryBuilder

/// The lists' invariants. They hold for every program that writes, so they are pure SQL.
enum ListTriggers {
  /// Before the insert, because there an id that SQLite gives is not known yet: those may go on where the ones that
  /// are given by hand have to stop.
  static let idOnInsert = RemindersList.createTrigger(
    "martlet_remindersLists_idOnInsert",
    before: .insert { _ in
      Raise(.abort, ValueRule.id.rawValue)
    } when: { new in
      new.id > ValueRule.largest
    })

  /// A new list comes last, unless it says where; its times are the database's own. What keys were limited to under
  /// its id was another list: one that REPLACE has put it in the place of, for which no delete trigger runs
  /// (https://sqlite.org/lang_conflict.html).
  static let complete = RemindersList.createTrigger(
    "martlet_remindersLists_complete",
    after: .insert { new in
      Refusal(
        (unless: "\(new.id) >= 1", ValueRule.id.rawValue),
        (unless: ValueRule.isTitle("\(new.title)"), ValueRule.title.rawValue),
        (unless: ValueRule.isColor("\(new.color)"), ValueRule.color.rawValue))
      KeyPart.where { $0.part == new.id }.delete()
      RemindersList.find(new.id).update {
        $0.position = new.position ?? RemindersList.nextPosition
        $0.createdAt = #sql("strftime('%Y-%m-%d %H:%M:%f', 'now')")
        $0.updatedAt = #sql("strftime('%Y-%m-%d %H:%M:%f', 'now')")
      }
    })

  static let touch = RemindersList.createTrigger(
    "martlet_remindersLists_touch",
    after: .update(of: { ($0.title, $0.color) }, touch: \.updatedAt))

  /// An old value that would be refused today may stay while others change.
  static let values = RemindersList.createTrigger(
    "martlet_remindersLists_values",
    after: .update(of: { ($0.title, $0.color) }) { old, new in
      Refusal(
        (
          unless: "\(new.title) IS \(old.title) OR \(ValueRule.isTitle("\(new.title)"))",
          ValueRule.title.rawValue
        ),
        (
          unless: "\(new.color) IS \(old.color) OR \(ValueRule.isColor("\(new.color)"))",
          ValueRule.color.rawValue
        ))
    })

  /// What loses its place comes last; a place is not where none could come behind it. Times are NULL until
  /// ``complete`` has run.
  static let place = RemindersList.createTrigger(
    "martlet_remindersLists_place",
    after: .update(of: { ($0.position, $0.createdAt, $0.updatedAt) }) { _, new in
      Refusal(
        (
          unless: "\(new.position) IS NULL OR \(ValueRule.isPosition("\(new.position)"))",
          ValueRule.position.rawValue
        ),
        (unless: ValueRule.isTime("\(new.createdAt)"), ValueRule.time.rawValue),
        (unless: ValueRule.isTime("\(new.updatedAt)"), ValueRule.time.rawValue))
      RemindersList
        .where { $0.id == new.id && $0.position.is(nil) }
        .update { $0.position = RemindersList.nextPosition }
    } when: { old, new in
      PlacedRow.condition(
        position: "\(new.position)", createdAt: ("\(old.createdAt)", "\(new.createdAt)"),
        updatedAt: ("\(old.updatedAt)", "\(new.updatedAt)"))
    })

  /// A list that has reminders keeps its id: they would belong to none. One that has none may get another, also that
  /// of a list which it replaces: no key that was limited to either is for it.
  static let keepID = RemindersList.createTrigger(
    "martlet_remindersLists_keepID",
    after: .update(of: { $0.id }) { old, new in
      Refusal(
        (
          unless: "NOT EXISTS (SELECT 1 FROM reminders WHERE remindersListID = \(old.id))",
          RuleViolation.unknownList.rawValue
        ),
        (unless: "\(new.id) BETWEEN 1 AND \(ValueRule.largest)", ValueRule.id.rawValue))
      KeyPart.where { $0.part == old.id || $0.part == new.id }.delete()
      NeverAgain("remindersLists", "max(\(old.id), \(new.id))")
    } when: { old, new in
      old.id != new.id
    })

  /// A list takes its reminders with it, also where foreign keys are off (a `sqlite3` shell). Its id may be another
  /// list's some day: a key that was limited to this one is not for that one. And deleting the last list makes a new
  /// one in the same instant.
  static let cascade = RemindersList.createTrigger(
    "martlet_remindersLists_cascade",
    after: .delete { old in
      Reminder.where { $0.remindersListID == old.id }.delete()
      KeyPart.where { $0.part == old.id }.delete()
      // An id above the sequence came by an UPDATE. This INSERT would set the sequence without regard to it.
      Change(
        sql: """
          INSERT INTO remindersLists (id, title) \
          SELECT CASE WHEN \(old.id) > (SELECT seq FROM sqlite_sequence WHERE name = 'remindersLists') \
          AND \(old.id) < \(ValueRule.largest) THEN \(old.id) + 1 END, \(bind: RemindersList.defaultTitle) \
          WHERE NOT EXISTS (SELECT 1 FROM remindersLists)
          """)
      NeverAgain("remindersLists", "\(old.id)")
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
    SQLQueryExpression(
      RemindersList.select { PlacedRow.next(after: "\($0.position.max())") }.queryFragment)
  }
}
