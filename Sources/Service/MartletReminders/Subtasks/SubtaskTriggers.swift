import MartletQueryBuilder

/// The triggers that keep trees of reminders intact. They are pure SQL and hold for every program
/// that writes to the file. ``TrashTriggers`` deletes a subtree with its parent, and
/// ``CompletionTriggers`` completes it.
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
      PlainStatement(
        sql: """
          UPDATE reminders SET parentID = NULL WHERE id = \(new.id) AND NOT \(isNew) \
          AND \(new.parentID) IS NOT NULL \
          AND \(Subtree.list(of: "\(new.parentID)")) <> \(new.remindersListID)
          """)
      move(0, old, new, to: list)
      PlainStatement(
        sql: """
          UPDATE reminders SET position = \(place(of: "\(new.id)", in: list)) \
          WHERE id = \(new.id) AND \(old.remindersListID) <> \(new.remindersListID) \
          AND NOT \(isPlaced(old, new)) AND allSubtasks > 0 \
          AND remindersListID = \(new.remindersListID)
          """)
      // From the top down: if triggers are recursive, this one finds the parent in the new list.
      move(1, old, new, to: list)
      move(2, old, new, to: list)
      move(3, old, new, to: list)
      move(4, old, new, to: list)
    } when: { old, new in
      #sql(
        """
        (\(old.parentID) IS NOT \(new.parentID) OR \(old.remindersListID) <> \(new.remindersListID)) \
        AND (\(new.parentID) IS NOT NULL \
        OR EXISTS (SELECT 1 FROM reminders AS child WHERE child.parentID = \(new.id)))
        """, as: Bool.self)
    })

  /// Moves the root of a subtree (level 0), or what is on a level below it.
  private static func move(
    _ level: Int, _ old: Reminder.TableColumns, _ root: Reminder.TableColumns,
    to list: QueryFragment
  ) -> PlainStatement {
    let id: QueryFragment = "\(root.id)"
    let isMoved: QueryFragment =
      level == 0 ? "id = \(id)" : "id IN (\(Subtree.below(id, level: level)))"
    let position: QueryFragment =
      level == 0
      ? """
      CASE WHEN \(isPlaced(old, root)) THEN \(root.position) ELSE \(place(of: id, in: list)) END
      """
      : """
      min(\(place(of: id, in: list)) + max(0, position - \(old.position)), \
      \(raw: "\(ValueRule.largest)"))
      """
    return PlainStatement(
      sql: """
        UPDATE reminders SET remindersListID = \(list), position = \(position) \
        WHERE \(isMoved) AND remindersListID <> \(list)
        """)
  }

  /// The condition that the statement gives the reminder a position. What other triggers have set
  /// meanwhile does not matter.
  private static func isPlaced(
    _ old: Reminder.TableColumns, _ new: Reminder.TableColumns
  ) -> QueryFragment {
    "(\(new.position) IS NOT NULL AND \(new.position) IS NOT \(old.position))"
  }

  /// The position after the last reminder of a list that is not of a subtree.
  private static func place(of root: QueryFragment, in list: QueryFragment) -> QueryFragment {
    """
    (SELECT \(Positions.next(after: "max(position)")) FROM reminders AS other \
    WHERE other.remindersListID = \(list) AND other.id <> \(root) \
    AND other.id NOT IN (\(Subtree.below(root))))
    """
  }

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

  static let countOnDelete = Reminder.createTrigger(
    "martlet_reminders_countOnDelete",
    after: .delete { old in
      PlainStatement.reminderLine("\(old.parentID)")
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
        \(old.version) = \(new.version) \
        AND (\(new.allSubtasks), \(new.openSubtasks)) <> \(Subtree.counts(of: "\(new.id)"))
        """, as: Bool.self)
    })

  // MARK: Statements

  /// Changes the numbers of a reminder whose line was just added. `updatedAt` stays.
  private static func count(
    _ id: QueryFragment, all: QueryFragment, open: QueryFragment,
    when condition: QueryFragment? = nil
  ) -> PlainStatement {
    PlainStatement(
      sql: """
        UPDATE reminders SET allSubtasks = allSubtasks \(all), openSubtasks = openSubtasks \(open), \
        version = last_insert_rowid() WHERE id = \(id)\(condition.map { " AND \($0)" } ?? "")
        """)
  }

  /// Counts the subtasks of a reminder. The version stays.
  private static func recount(_ id: QueryFragment) -> PlainStatement {
    PlainStatement(
      sql: """
        UPDATE reminders SET (allSubtasks, openSubtasks) = \(Subtree.counts(of: "reminders.id")) \
        WHERE id = \(id)
        """)
  }
}
