import MartletQueryBuilder

/// The triggers that keep trees of reminders intact. They are pure SQL and hold for every program
/// that writes to the file. ``TrashTriggers`` deletes a subtree with its parent, and
/// ``Subtasks`` completes it.
enum SubtaskTriggers {
  // MARK: Places in the tree

  /// Checks the parent of a new reminder, and counts it there.
  static let onInsert = Reminder.createTrigger(
    "martlet_reminders_parentOnInsert",
    after: .insert { new in
      Refusal(
        (
          unless: """
          \(new.parentID) IS NULL OR EXISTS (SELECT 1 FROM reminders WHERE id = \(new.parentID))
          """, RuleViolation.unknownParent.rawValue
        ),
        (
          unless: "\(new.parentID) IS NULL OR \(new.parentID) <> \(new.id)",
          RuleViolation.cyclicParent.rawValue
        ),
        (
          unless: """
          \(new.parentID) IS NULL \
          OR \(Subtree.list(of: "\(new.parentID)")) = \(new.remindersListID)
          """, RuleViolation.parentList.rawValue
        ),
        (
          unless: """
          \(new.parentID) IS NULL \
          OR \(Subtree.level(of: "\(new.parentID)")) < \(raw: "\(Subtree.mostLevels)")
          """, RuleViolation.tooDeep.rawValue
        ))
      PlainStatement.reminderLine("\(new.parentID)")
      count("\(new.parentID)", all: "+ 1", open: "+ (\(new.status) <> 1)")
    } when: { new in
      new.parentID.isNot(nil)
    })

  /// Checks a changed parent, and keeps a subtree in one list: with a new parent it moves to the
  /// list of that, and with the list of its root it moves there. A subtask that is moved to another
  /// list alone has no parent there. ``ReminderTriggers/move`` places the root; what is below it
  /// keeps its positions.
  static let tree = Reminder.createTrigger(
    "martlet_reminders_tree",
    after: .update(of: { ($0.parentID, $0.remindersListID) }) { old, new in
      let isNew: QueryFragment =
        "(\(new.parentID) IS NOT NULL AND \(old.parentID) IS NOT \(new.parentID))"
      Refusal(
        (
          unless: "NOT \(isNew) OR EXISTS (SELECT 1 FROM reminders WHERE id = \(new.parentID))",
          RuleViolation.unknownParent.rawValue
        ))
      PlainStatement(
        sql: """
          SELECT CASE WHEN isCyclic THEN RAISE(ABORT, '\(raw: RuleViolation.cyclicParent.rawValue)') \
          WHEN level + 1 + \(Subtree.height(of: "\(new.id)")) > \(raw: "\(Subtree.mostLevels)") \
          THEN RAISE(ABORT, '\(raw: RuleViolation.tooDeep.rawValue)') END \
          FROM (\(Subtree.path(to: "\(new.parentID)", past: "\(new.id)"))) WHERE \(isNew)
          """)
      PlainStatement(
        sql: """
          UPDATE reminders SET parentID = NULL WHERE id = \(new.id) AND NOT \(isNew) \
          AND \(new.parentID) IS NOT NULL \
          AND NOT \(Subtree.isBelow("\(new.parentID)", list: "\(new.remindersListID)"))
          """)
      let next = Reminder.nextPosition(
        in: #sql("parent.remindersListID", as: Int.self), behind: new.id)
      PlainStatement(
        sql: """
          UPDATE reminders SET remindersListID = parent.remindersListID, position = CASE \
          WHEN \(new.position) IS NOT \(old.position) THEN reminders.position ELSE \(next) END \
          FROM reminders AS parent WHERE parent.id = \(new.parentID) AND \(isNew) \
          AND reminders.id = \(new.id) AND reminders.remindersListID <> parent.remindersListID
          """)
      PlainStatement(
        sql: """
          UPDATE reminders SET remindersListID = root.remindersListID FROM reminders AS root \
          WHERE root.id = \(new.id) AND reminders.id IN (\(Subtree.below("\(new.id)"))) \
          AND reminders.remindersListID <> root.remindersListID
          """)
      CalendarTriggers.awaitNone(old, new)
    } when: { old, new in
      #sql(
        """
        (\(old.parentID) IS NOT \(new.parentID) OR \(old.remindersListID) <> \(new.remindersListID)) \
        AND (\(new.parentID) IS NOT NULL \
        OR EXISTS (SELECT 1 FROM reminders AS child WHERE child.parentID = \(new.id)))
        """, as: Bool.self)
    })

  // MARK: Counts

  static let countOnUpdate = Reminder.createTrigger(
    "martlet_reminders_countOnUpdate",
    after: .update(of: { ($0.parentID, $0.status) }) { old, new in
      let hasMoved: QueryFragment = "\(old.parentID) IS NOT \(new.parentID)"
      PlainStatement.reminderLine("\(old.parentID)", when: hasMoved)
      count("\(old.parentID)", all: "- 1", open: "- (\(old.status) <> 1)", when: hasMoved)
      PlainStatement.reminderLine("\(new.parentID)")
      count(
        "\(new.parentID)", all: "+ (\(hasMoved))",
        open: "+ (\(new.status) <> 1) - (NOT (\(hasMoved)) AND \(old.status) <> 1)")
    } when: { old, new in
      #sql(
        """
        coalesce(\(old.parentID), \(new.parentID)) IS NOT NULL \
        AND (\(old.parentID) IS NOT \(new.parentID) OR (\(old.status) = 1) <> (\(new.status) = 1))
        """, as: Bool.self)
    })

  /// Counts again after a program has set the numbers itself: the triggers set them together with
  /// the version.
  static let recount = Reminder.createTrigger(
    "martlet_reminders_recount",
    after: .update(of: { ($0.allSubtasks, $0.openSubtasks, $0.alarmCount) }) { _, new in
      PlainStatement(
        sql: """
          UPDATE reminders SET (allSubtasks, openSubtasks) = \(Subtree.counts(of: "reminders.id")), \
          alarmCount = (SELECT count(*) FROM alarms WHERE reminderID = reminders.id) \
          WHERE id = \(new.id)
          """)
    } when: { old, new in
      #sql(
        """
        \(old.version) = \(new.version) \
        AND ((\(new.allSubtasks), \(new.openSubtasks)) <> \(Subtree.counts(of: "\(new.id)")) \
        OR \(new.alarmCount) <> (SELECT count(*) FROM alarms WHERE reminderID = \(new.id)))
        """, as: Bool.self)
    })

  // MARK: Statements

  /// Changes the numbers of a reminder whose line was just added. `updatedAt` stays.
  static func count(
    _ id: QueryFragment, all: QueryFragment, open: QueryFragment,
    when condition: QueryFragment? = nil
  ) -> PlainStatement {
    PlainStatement(
      sql: """
        UPDATE reminders SET allSubtasks = allSubtasks \(all), openSubtasks = openSubtasks \(open), \
        version = last_insert_rowid() WHERE id = \(id)\(condition.map { " AND \($0)" } ?? "")
        """)
  }
}
