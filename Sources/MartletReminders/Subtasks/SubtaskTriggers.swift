import MartletQueryBuilder

/// The numbers of a reminder's direct subtasks.
@Selection
public struct SubtaskCounts: Equatable, Sendable {
  /// The subtasks that are not completed. `completing` counts as open.
  public let open: Int
  /// All subtasks.
  public let all: Int
}

/// A tree of reminders, as SQL. Statements reach a whole subtree by a recursive query, because a
/// trigger does not fire itself again, unless a program has enabled `recursive_triggers`.
enum Subtree {
  /// The maximum number of levels: a reminder without a parent, and four below it.
  static let mostLevels = 5

  /// The IDs below a reminder; on one level, from 1, or on all.
  static func below(_ id: QueryFragment, level: Int? = nil) -> QueryFragment {
    """
    WITH RECURSIVE below (id, level) AS (\
    SELECT id, 1 FROM reminders WHERE parentID = \(id) \
    UNION ALL SELECT child.id, level + 1 FROM below JOIN reminders AS child ON child.parentID = below.id \
    WHERE level <= \(raw: "\(mostLevels)")) SELECT id FROM below\
    \(level.map { " WHERE level = \(raw: "\($0)")" } ?? "")
    """
  }

  /// The number of levels below a reminder.
  static func height(of id: QueryFragment) -> QueryFragment {
    """
    (WITH RECURSIVE below (id, level) AS (\
    SELECT id, 1 FROM reminders WHERE parentID = \(id) \
    UNION ALL SELECT child.id, level + 1 FROM below JOIN reminders AS child ON child.parentID = below.id \
    WHERE level <= \(raw: "\(mostLevels)")) SELECT coalesce(max(level), 0) FROM below)
    """
  }

  /// The number of levels down to a reminder, with its own.
  static func level(of id: QueryFragment) -> QueryFragment {
    "(\(above(id)) SELECT coalesce(max(level), 0) FROM above)"
  }

  /// The same for the column `trash.parentID`.
  static let levelOfParent = level(of: "trash.parentID").prepare().sql

  /// The condition that a reminder is another one, or above it.
  static func isAbove(_ id: QueryFragment, _ other: QueryFragment) -> QueryFragment {
    "EXISTS (\(above(other)) SELECT 1 FROM above WHERE above.id = \(id))"
  }

  private static func above(_ id: QueryFragment) -> QueryFragment {
    """
    WITH RECURSIVE above (id, level) AS (SELECT \(id), 1 UNION ALL \
    SELECT parentID, level + 1 FROM above JOIN reminders ON reminders.id = above.id \
    WHERE parentID IS NOT NULL AND level <= \(raw: "\(mostLevels)"))
    """
  }

  /// The list of a reminder.
  static func list(of id: QueryFragment) -> QueryFragment {
    "(SELECT parent.remindersListID FROM reminders AS parent WHERE parent.id = \(id))"
  }
}

/// The triggers that keep trees of reminders intact. They are pure SQL and hold for every program
/// that writes to the file. ``TrashTriggers`` deletes a subtree with its parent, and
/// ``CompletionTriggers`` completes it.
enum SubtaskTriggers {
  // MARK: Places in the tree

  /// Checks the parent of a new reminder, and counts it there. If REPLACE has deleted a reminder of
  /// a tree, its parent is counted again, and its subtasks have no parent any more.
  ///
  /// This is one trigger, because counting again must come after adding one. The record of a
  /// replaced reminder may be stale (`OR IGNORE`); counting again is then harmless.
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
      Change.logReminder("\(new.parentID)")
      count("\(new.parentID)", all: "+ 1", open: "+ (\(new.status) <> 1)")
      Change(
        sql: """
          UPDATE reminders SET parentID = NULL WHERE parentID = \(new.id) \
          AND EXISTS (SELECT 1 FROM replacedReminders WHERE reminderID = \(new.id))
          """)
      recount("(SELECT reminderID FROM replacedReminders)")
      settleReplaced[0]
      settleReplaced[1]
      recount("\(new.parentID)", when: "EXISTS (SELECT 1 FROM replacedReminders)")
      settleReplaced[2]
    } when: { new in
      #sql(
        "\(new.parentID) IS NOT NULL OR EXISTS (SELECT 1 FROM replacedReminders)", as: Bool.self)
    })

  /// Checks a changed parent, and keeps a subtree in one list: with a new parent it moves to the
  /// list of that, and with the list of its root it moves there. A subtask that is moved to another
  /// list alone has no parent there.
  ///
  /// Moved subtasks keep their order behind their parent, and both come last in the list.
  static let tree = Reminder.createTrigger(
    "martlet_reminders_tree",
    after: .update(of: { ($0.parentID, $0.remindersListID) }) { old, new in
      let isNew: QueryFragment =
        "(\(new.parentID) IS NOT NULL AND \(old.parentID) IS NOT \(new.parentID))"
      let list: QueryFragment =
        "CASE WHEN \(isNew) THEN \(Subtree.list(of: "\(new.parentID)")) ELSE \(new.remindersListID) END"
      Refusal(
        (
          unless: "NOT \(isNew) OR EXISTS (SELECT 1 FROM reminders WHERE id = \(new.parentID))",
          RuleViolation.unknownParent.rawValue
        ),
        (
          unless: "NOT \(isNew) OR NOT \(Subtree.isAbove("\(new.id)", "\(new.parentID)"))",
          RuleViolation.cyclicParent.rawValue
        ),
        (
          unless: """
          NOT \(isNew) OR \(Subtree.level(of: "\(new.parentID)")) + 1 \
          + \(Subtree.height(of: "\(new.id)")) <= \(raw: "\(Subtree.mostLevels)")
          """, RuleViolation.tooDeep.rawValue
        ))
      Change(
        sql: """
          UPDATE reminders SET parentID = NULL WHERE id = \(new.id) AND NOT \(isNew) \
          AND \(new.parentID) IS NOT NULL \
          AND \(Subtree.list(of: "\(new.parentID)")) <> \(new.remindersListID)
          """)
      move("id = \(new.id)", of: "\(new.id)", from: "\(old.position)", to: list)
      Change(
        sql: """
          UPDATE reminders SET position = \(last(of: "\(new.id)", in: list)) + 1 \
          WHERE id = \(new.id) AND \(old.remindersListID) <> \(new.remindersListID) \
          AND \(new.position) IS \(old.position) AND allSubtasks > 0 \
          AND remindersListID = \(new.remindersListID)
          """)
      // From the top down: if triggers are recursive, this one finds the parent in the new list.
      move(
        "id IN (\(Subtree.below("\(new.id)", level: 1)))", of: "\(new.id)", from: "\(old.position)",
        to: list)
      move(
        "id IN (\(Subtree.below("\(new.id)", level: 2)))", of: "\(new.id)", from: "\(old.position)",
        to: list)
      move(
        "id IN (\(Subtree.below("\(new.id)", level: 3)))", of: "\(new.id)", from: "\(old.position)",
        to: list)
      move(
        "id IN (\(Subtree.below("\(new.id)", level: 4)))", of: "\(new.id)", from: "\(old.position)",
        to: list)
    } when: { old, new in
      #sql(
        """
        (\(old.parentID) IS NOT \(new.parentID) OR \(old.remindersListID) <> \(new.remindersListID)) \
        AND (\(new.parentID) IS NOT NULL \
        OR EXISTS (SELECT 1 FROM reminders AS child WHERE child.parentID = \(new.id)))
        """, as: Bool.self)
    })

  /// Moves a root, or subtasks below it. `position` is the one that the root had.
  private static func move(
    _ condition: QueryFragment, of root: QueryFragment, from position: QueryFragment,
    to list: QueryFragment
  ) -> Change {
    Change(
      sql: """
        UPDATE reminders SET remindersListID = \(list), position = min(\
        \(last(of: root, in: list)) + 1 + max(0, position - \(position)), \
        \(raw: "\(ValueRule.largest)")) WHERE \(condition) AND remindersListID <> \(list)
        """)
  }

  /// The last position of a list without a subtree, or -1.
  private static func last(of root: QueryFragment, in list: QueryFragment) -> QueryFragment {
    """
    min(coalesce((SELECT max(position) FROM reminders AS other \
    WHERE other.remindersListID = \(list) AND other.id <> \(root) \
    AND other.id NOT IN (\(Subtree.below(root)))), -1), \(raw: "\(ValueRule.largest)") - 1)
    """
  }

  // MARK: Counts

  static let countOnUpdate = Reminder.createTrigger(
    "martlet_reminders_countOnUpdate",
    after: .update(of: { ($0.parentID, $0.status) }) { old, new in
      let hasMoved: QueryFragment = "\(old.parentID) IS NOT \(new.parentID)"
      Change.logReminder("\(old.parentID)", when: hasMoved)
      count("\(old.parentID)", all: "- 1", open: "- (\(old.status) <> 1)", when: hasMoved)
      Change.logReminder("\(new.parentID)")
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

  static let countOnDelete = Reminder.createTrigger(
    "martlet_reminders_countOnDelete",
    after: .delete { old in
      Change.logReminder("\(old.parentID)")
      count("\(old.parentID)", all: "- 1", open: "- (\(old.status) <> 1)")
    } when: { old in
      old.parentID.isNot(nil)
    })

  /// Counts again after a program has set the numbers itself: the triggers set them together with
  /// the version.
  static let recountOnUpdate = Reminder.createTrigger(
    "martlet_reminders_recountOnUpdate",
    after: .update(of: { ($0.allSubtasks, $0.openSubtasks) }) { _, new in
      recount("\(new.id)")
    } when: { old, new in
      #sql(
        """
        \(old.version) = \(new.version) AND (\(new.allSubtasks), \(new.openSubtasks)) <> (\
        SELECT count(*), count(*) FILTER (WHERE child.status <> 1) \
        FROM reminders AS child WHERE child.parentID = \(new.id))
        """, as: Bool.self)
    })

  static let recountOnInsert = Reminder.createTrigger(
    "martlet_reminders_recountOnInsert",
    after: .insert { new in
      recount("\(new.id)")
    } when: { new in
      #sql("\(new.allSubtasks) <> 0 OR \(new.openSubtasks) <> 0", as: Bool.self)
    })

  // MARK: REPLACE

  /// Records the reminder that REPLACE is about to delete, which runs no delete trigger. For an
  /// insert, ``ReminderTriggers/replacedOnInsert`` does it.
  static let replacingOnUpdate = Reminder.createTrigger(
    "martlet_reminders_replacingOnUpdate",
    before: .update(of: { $0.id }) { _, new in
      Change(sql: "DELETE FROM replacedReminders")
      record("\(new.id)")
    } when: { old, new in
      #sql("\(old.id) <> \(new.id)", as: Bool.self) && isInTree("\(new.id)")
    })

  private static func isInTree(_ id: QueryFragment) -> SQLQueryExpression<Bool> {
    #sql(
      """
      EXISTS (SELECT 1 FROM reminders AS other WHERE other.id = \(id) \
      AND (other.parentID IS NOT NULL OR other.allSubtasks > 0))
      """, as: Bool.self)
  }

  /// Records a reminder that is in a tree.
  static func record(_ id: QueryFragment) -> Change {
    Change(
      sql: """
        INSERT INTO replacedReminders (reminderID, parentID) SELECT id, parentID FROM reminders \
        WHERE id = \(id) AND (parentID IS NOT NULL OR allSubtasks > 0)
        """)
  }

  /// Makes the subtasks of a replaced reminder reminders without a parent.
  static func orphans(of id: QueryFragment) -> Change {
    Change(sql: "UPDATE reminders SET parentID = NULL WHERE parentID = \(id)")
  }

  /// Counts the subtasks of the recorded reminder's parent again.
  static let settleReplaced = [
    Change.logReminder("(SELECT parentID FROM replacedReminders)"),
    recount("(SELECT parentID FROM replacedReminders)"),
    Change(sql: "DELETE FROM replacedReminders"),
  ]

  // MARK: Statements

  /// Changes the numbers of a reminder whose line was just added. `updatedAt` stays.
  private static func count(
    _ id: QueryFragment, all: QueryFragment, open: QueryFragment,
    when condition: QueryFragment? = nil
  ) -> Change {
    Change(
      sql: """
        UPDATE reminders SET allSubtasks = allSubtasks \(all), openSubtasks = openSubtasks \(open), \
        version = last_insert_rowid() WHERE id = \(id)\(condition.map { " AND \($0)" } ?? "")
        """)
  }

  /// Counts the subtasks of a reminder. The version stays unless the statement before it has added
  /// a line of the reminder.
  static func recount(_ id: QueryFragment, when condition: QueryFragment? = nil) -> Change {
    Change(
      sql: """
        UPDATE reminders SET (allSubtasks, openSubtasks) = (\
        SELECT count(*), count(*) FILTER (WHERE child.status <> 1) \
        FROM reminders AS child WHERE child.parentID = reminders.id), \
        version = coalesce((SELECT max(version) FROM changes \
        WHERE kind = 2 AND itemID = reminders.id AND gone IS NULL), version) WHERE id = \(id)\
        \(condition.map { " AND \($0)" } ?? "")
        """)
  }
}
