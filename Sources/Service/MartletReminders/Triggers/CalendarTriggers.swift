import MartletQueryBuilder

/// The triggers of calendar objects: the text of a client is kept until its reminder changes. They
/// are pure SQL and hold for every program that writes.
enum CalendarTriggers {
  /// There are no foreign keys, because they would delete the row, and its name, before the trigger
  /// that writes the line of the deleted reminder.
  static let moved = CalendarObject.createTrigger(
    "martlet_calendarObjects_moved",
    before: .update(of: { _ in return RowID.names("reminderID") }) { old, new in
      Refusal(
        (
          unless: "\(old.reminderID) = \(new.reminderID)",
          RuleViolation.objectWithoutReminder.rawValue
        ))
    })

  /// A new text, new stored lines and a new name change what a client reads. Under its old name the
  /// object is gone.
  static let added = CalendarObject.createTrigger(
    "martlet_calendarObjects_added",
    after: .insert { new in
      Refusal(
        (
          unless: "EXISTS (SELECT 1 FROM reminders WHERE id = \(new.reminderID))",
          RuleViolation.objectWithoutReminder.rawValue
        ))
      PlainStatement.reminderLine("\(new.reminderID)")
      stamp("\(new.reminderID)")
    })
  static let changed = CalendarObject.createTrigger(
    "martlet_calendarObjects_changed",
    after: .update(of: { ($0.name, $0.raw, $0.lines, $0.parentUID) }) { old, new in
      nameGoneLine(
        old.name, of: "\(new.reminderID)", when: "\(old.name) IS NOT \(new.name)")
      PlainStatement.reminderLine("\(new.reminderID)")
      stamp("\(new.reminderID)")
    } when: { old, new in
      #sql(
        """
        (\(old.name) IS NOT \(new.name) \
        OR (\(new.raw) IS NOT NULL AND \(old.raw) IS NOT \(new.raw)) \
        OR (\(new.raw) IS NULL AND (\(old.lines) IS NOT \(new.lines) \
        OR (\(old.parentUID) IS NOT \(new.parentUID) AND \(hasNoParent(new))))))
        """, as: Bool.self)
    })
  static let deleted = CalendarObject.createTrigger(
    "martlet_calendarObjects_deleted",
    after: .delete { old in
      nameGoneLine(old.name, of: "\(old.reminderID)")
      PlainStatement.reminderLine("\(old.reminderID)")
      stamp("\(old.reminderID)")
    } when: { old in
      Reminder.find(old.reminderID).select(\.id).exists()
    })

  /// Adds a line that says that the reminder is gone under a name.
  private static func nameGoneLine(
    _ name: some QueryExpression<String?>, of id: QueryFragment,
    when condition: QueryFragment? = nil
  ) -> PlainStatement {
    PlainStatement(
      sql: """
        INSERT INTO changes (kind, itemID, listID, gone, name) \
        SELECT 2, id, remindersListID, \(sqliteNow), \(name) FROM reminders WHERE id = \(id)\
        \(condition.map { " AND \($0)" } ?? "")
        """)
  }

  /// Stores the version of the line that was added last: the text has changed.
  private static func stamp(_ id: QueryFragment) -> PlainStatement {
    PlainStatement(
      sql: """
        UPDATE reminders SET version = last_insert_rowid(), calendarVersion = last_insert_rowid() \
        WHERE id = \(id)
        """)
  }

  // MARK: Statements of the triggers of reminders

  /// Forgets the text that a client has written.
  static func forget(_ id: QueryFragment, when condition: QueryFragment? = nil) -> PlainStatement {
    PlainStatement(
      sql: """
        UPDATE calendarObjects SET raw = NULL WHERE reminderID = \(id) AND raw IS NOT NULL\
        \(condition.map { " AND \($0)" } ?? "")
        """)
  }

  /// A reminder that is below another one no longer waits for a parent.
  static func awaitNone(
    _ old: Reminder.TableColumns, _ new: Reminder.TableColumns
  ) -> PlainStatement {
    PlainStatement(
      sql: """
        UPDATE calendarObjects SET parentUID = NULL WHERE reminderID = \(new.id) \
        AND parentUID IS NOT NULL AND \(new.parentID) IS NOT NULL \
        AND \(old.parentID) IS NOT \(new.parentID)
        """)
  }

  /// The UID of a reminder has changed, which is in the texts of those below it.
  static let uidChanged = Reminder.createTrigger(
    "martlet_reminders_uidChanged",
    after: .update(of: { $0.uid }) { _, new in
      PlainStatement(
        sql: "UPDATE reminders SET updatedAt = \(PlacedRow.touched()) WHERE parentID = \(new.id)")
    } when: { old, new in
      old.uid.isNot(nil) && new.uid.isNot(nil) && old.uid.isNot(new.uid)
    })

  /// The condition that a column of a reminder has changed that its text shows. Its list is not one
  /// of them.
  static let hasOtherText: QueryFragment = """
    (\(Reminder.clientColumns.values(of: "old")), old."parentID") \
    IS NOT (\(Reminder.clientColumns.values(of: "new")), new."parentID")
    """

  /// The condition that the reminder of an object has no parent, whose UID would be in its text.
  private static func hasNoParent(_ object: CalendarObject.TableColumns) -> QueryFragment {
    """
    NOT EXISTS (SELECT 1 FROM reminders JOIN reminders AS parent ON parent.id = reminders.parentID \
    WHERE reminders.id = \(object.reminderID))
    """
  }

  /// The condition that the UID or a time of a reminder has changed, which its text shows.
  static func hasOtherLines(
    _ old: Reminder.TableColumns, _ new: Reminder.TableColumns
  ) -> QueryFragment {
    func shown(_ row: Reminder.TableColumns) -> QueryFragment {
      "\(row.uid), \(row.createdAt), \(row.updatedAt), \(row.completedAt)"
    }
    return "(\(shown(old))) IS NOT (\(shown(new)))"
  }

  /// The name of a reminder, for the line that says that it is gone.
  static func name(of id: QueryFragment) -> QueryFragment {
    "(SELECT object.name FROM calendarObjects AS object WHERE object.reminderID = \(id))"
  }

  /// Clears the name of a moved reminder if another reminder of the new list has the same one.
  static func yield(_ id: QueryFragment, in list: QueryFragment) -> PlainStatement {
    PlainStatement(
      sql: """
        UPDATE calendarObjects SET name = NULL WHERE reminderID = \(id) AND EXISTS (\
        SELECT 1 FROM calendarObjects AS other CROSS JOIN reminders ON reminders.id = other.reminderID \
        WHERE other.name = calendarObjects.name AND other.reminderID <> \(id) \
        AND reminders.remindersListID = \(list))
        """)
  }

  // MARK: Lists

  static let collectionOnInsert = CalendarCollection.createTrigger(
    "martlet_calendarCollections_onInsert",
    before: .insert { new in
      Refusal(
        (
          unless: "EXISTS (SELECT 1 FROM remindersLists WHERE id = \(new.listID))",
          RuleViolation.collectionWithoutList.rawValue
        ))
    })
}
