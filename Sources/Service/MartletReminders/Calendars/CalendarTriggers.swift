import MartletQueryBuilder

/// The triggers of calendar objects: the text of a client is kept until its reminder changes, and
/// parents may come after their subtasks. They are pure SQL and hold for every program that writes.
enum CalendarTriggers {
  /// There are no foreign keys, because they would delete the row, and its name, before the trigger
  /// that writes the line of the deleted reminder.
  static let onInsert = CalendarObject.createTrigger(
    "martlet_calendarObjects_onInsert",
    before: .insert { new in
      Refusal(
        (
          unless: "EXISTS (SELECT 1 FROM reminders WHERE id = \(new.reminderID))",
          RuleViolation.objectWithoutReminder.rawValue
        ))
    })
  static let onUpdate = CalendarObject.createTrigger(
    "martlet_calendarObjects_onUpdate",
    before: .update(of: { _ in return RowID.names("reminderID") }) { old, new in
      Refusal(
        (
          unless: "\(old.reminderID) = \(new.reminderID)",
          RuleViolation.objectWithoutReminder.rawValue
        ))
    })

  /// A new text or new stored lines change what a client reads.
  static let added = CalendarObject.createTrigger(
    "martlet_calendarObjects_added",
    after: .insert { new in
      PlainStatement.reminderLine("\(new.reminderID)")
      stamp("\(new.reminderID)")
    })
  static let changed = CalendarObject.createTrigger(
    "martlet_calendarObjects_changed",
    after: .update(of: { ($0.raw, $0.lines, $0.parentUID) }) { _, new in
      PlainStatement.reminderLine("\(new.reminderID)")
      stamp("\(new.reminderID)")
    } when: { old, new in
      #sql(
        """
        ((\(new.raw) IS NOT NULL AND \(old.raw) IS NOT \(new.raw)) \
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
      Reminder.find(old.reminderID).exists()
    })

  /// Under its old name it is gone.
  static let renamed = CalendarObject.createTrigger(
    "martlet_calendarObjects_renamed",
    after: .update(of: { $0.name }) { old, new in
      nameGoneLine(old.name, of: "\(new.reminderID)")
      PlainStatement.reminderLine("\(new.reminderID)")
      stamp("\(new.reminderID)")
    } when: { old, new in
      old.name.isNot(new.name)
    })

  /// Adds a line that says that the reminder is gone under a name.
  private static func nameGoneLine(
    _ name: some QueryExpression<String?>, of id: QueryFragment
  ) -> PlainStatement {
    PlainStatement(
      sql: """
        INSERT INTO changes (kind, itemID, listID, gone, name) \
        SELECT 2, id, remindersListID, \(sqliteNow), \(name) FROM reminders WHERE id = \(id)
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
        sql: "UPDATE reminders SET updatedAt = \(sqliteNow) WHERE parentID = \(new.id)")
    } when: { old, new in
      old.uid.isNot(nil) && new.uid.isNot(nil) && old.uid.isNot(new.uid)
    })

  /// The condition that a column of a reminder has changed that its text shows. Its list is not one
  /// of them.
  static let hasOtherText: QueryFragment =
    "(\(ReminderColumn.values(of: "old"))) IS NOT (\(ReminderColumn.values(of: "new")))"

  /// Whether the text stays the same although the parent has changed: a text names the UID of the
  /// parent, whether the parent is there or still awaited.
  static func hasAwaited(
    _ old: Reminder.TableColumns, _ new: Reminder.TableColumns
  ) -> QueryFragment {
    func uidOfParent(_ row: Reminder.TableColumns) -> QueryFragment {
      row.uidOfParent(
        awaited: #sql(
          "(SELECT object.parentUID FROM calendarObjects AS object WHERE object.reminderID = \(row.id))",
          as: String?.self)
      ).queryFragment
    }
    return """
      (\(old.parentID) IS NOT \(new.parentID) \
      AND coalesce(\(uidOfParent(old)) = \(uidOfParent(new)), 0))
      """
  }

  /// The condition that the reminder of an object has no parent, whose UID would be in its text.
  private static func hasNoParent(_ object: CalendarObject.TableColumns) -> QueryFragment {
    """
    NOT EXISTS (SELECT 1 FROM reminders JOIN reminders AS parent ON parent.id = reminders.parentID \
    WHERE reminders.id = \(object.reminderID))
    """
  }

  /// The condition that a time has changed.
  static func isRetimed(
    _ old: Reminder.TableColumns, _ new: Reminder.TableColumns
  ) -> QueryFragment {
    func shown(_ row: Reminder.TableColumns) -> QueryFragment {
      "\(row.createdAt), \(row.updatedAt), \(row.completedAt)"
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

  // MARK: Parents that come later

  /// A reminder has come that others name as their parent, or has its UID or its list now.
  ///
  /// With another parent, everything below it is at another level, and the tree that it has left
  /// may be lower. So what would have been too deep, or below itself, is tried again.
  static let parentAdded = Reminder.createTrigger(
    "martlet_reminders_parentAdded",
    after: .insert { new in
      // Fires `childChanged` for each of them.
      PlainStatement(
        sql: "UPDATE calendarObjects SET parentUID = parentUID WHERE parentUID = \(new.uid)")
    } when: { new in
      isAwaited(new)
    })
  static let parentChanged = Reminder.createTrigger(
    "martlet_reminders_parentChanged",
    after: .update(of: { ($0.uid, $0.remindersListID, $0.parentID) }) { old, new in
      join("reminders.id IN (\(awaiting(new)))")
      join(
        """
        \(old.parentID) IS NOT \(new.parentID) AND reminders.id IN (\
        SELECT object.reminderID FROM calendarObjects AS object \
        JOIN reminders AS parent ON parent.uid = object.parentUID \
        WHERE parent.id IN (\(Subtree.below("\(new.id)"))))
        """)
      join(
        """
        \(old.parentID) IS NOT NULL AND \(old.parentID) IS NOT \(new.parentID) \
        AND reminders.id = \(Subtree.top(of: "\(old.parentID)"))
        """)
      settle("parentUID = \(new.uid)")
    } when: { old, new in
      #sql(
        """
        (\(isAwaited(new)) OR (\(old.parentID) IS NOT \(new.parentID) \
        AND EXISTS (SELECT 1 FROM calendarObjects WHERE parentUID IS NOT NULL)))
        """, as: Bool.self)
    })

  private static func isAwaited(_ new: Reminder.TableColumns) -> SQLQueryExpression<Bool> {
    #sql("EXISTS (\(awaiting(new)))", as: Bool.self)
  }

  private static func awaiting(_ parent: Reminder.TableColumns) -> QueryFragment {
    "SELECT reminderID FROM calendarObjects WHERE parentUID = \(parent.uid)"
  }

  /// A reminder has come to the list of the parent that it names.
  static let childMoved = Reminder.createTrigger(
    "martlet_reminders_childMoved",
    after: .update(of: { $0.remindersListID }) { _, new in
      join("reminders.id = \(new.id)")
      settle("reminderID = \(new.id)")
    } when: { _, new in
      #sql(
        """
        EXISTS (SELECT 1 FROM calendarObjects \
        WHERE reminderID = \(new.id) AND parentUID IS NOT NULL)
        """, as: Bool.self)
    })

  /// A reminder names a parent.
  static let childAdded = CalendarObject.createTrigger(
    "martlet_calendarObjects_childAdded",
    after: .insert { new in
      join("reminders.id = \(new.reminderID)")
      settle("reminderID = \(new.reminderID)")
    } when: { new in
      new.parentUID.isNot(nil)
    })
  static let childChanged = CalendarObject.createTrigger(
    "martlet_calendarObjects_childChanged",
    after: .update(of: { $0.parentUID }) { _, new in
      join("reminders.id = \(new.reminderID)")
      settle("reminderID = \(new.reminderID)")
    } when: { _, new in
      // What has a parent can be about to lose it.
      #sql("\(new.parentUID) IS NOT NULL AND \(hasNoParent(new))", as: Bool.self)
    })

  /// Puts reminders without a parent below the one that they name, where that is possible.
  private static func join(_ condition: QueryFragment) -> PlainStatement {
    let parent: QueryFragment = """
      (SELECT parent.id FROM calendarObjects AS object \
      JOIN reminders AS parent ON parent.uid = object.parentUID \
      AND parent.remindersListID = reminders.remindersListID \
      WHERE object.reminderID = reminders.id)
      """
    return PlainStatement(
      sql: """
        UPDATE reminders SET parentID = \(parent) \
        WHERE \(condition) AND parentID IS NULL AND \(parent) IS NOT NULL \
        AND \(isPossible("reminders.id", below: parent))
        """)
  }

  /// The condition that a reminder can be below another one.
  private static func isPossible(_ id: QueryFragment, below parent: QueryFragment) -> QueryFragment
  {
    """
    NOT \(Subtree.isAbove(id, parent)) AND \(Subtree.level(of: parent)) + 1 \
    + \(Subtree.height(of: id)) <= \(raw: "\(Subtree.mostLevels)")
    """
  }

  /// Clears `parentUID` once the parent is set.
  private static func settle(_ condition: QueryFragment) -> PlainStatement {
    PlainStatement(
      sql: """
        UPDATE calendarObjects SET parentUID = NULL WHERE \(condition) AND EXISTS (\
        SELECT 1 FROM reminders JOIN reminders AS parent ON parent.id = reminders.parentID \
        WHERE reminders.id = calendarObjects.reminderID \
        AND parent.uid = calendarObjects.parentUID)
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
