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
///
/// The queries name no table `reminders`, so that `reminders.id` is that of the statement around
/// them. An argument must not name their own tables: `child`, `above` and `below`.
enum Subtree {
  /// The maximum number of levels: a reminder without a parent, and four below it.
  static let mostLevels = 5

  /// The IDs below a reminder.
  static func below(_ id: QueryFragment) -> QueryFragment {
    "\(descendants(of: id)) SELECT id FROM below"
  }

  /// The ID of the reminder at the top of a tree.
  static func top(of id: QueryFragment) -> QueryFragment {
    "(\(above(id)) SELECT id FROM above ORDER BY level DESC LIMIT 1)"
  }

  /// The number of levels below a reminder.
  static func height(of id: QueryFragment) -> QueryFragment {
    "(\(descendants(of: id)) SELECT coalesce(max(level), 0) FROM below)"
  }

  private static func descendants(of id: QueryFragment) -> QueryFragment {
    """
    WITH RECURSIVE below (id, level) AS (\
    SELECT child.id, 1 FROM reminders AS child WHERE child.parentID = \(id) \
    UNION ALL SELECT child.id, level + 1 FROM below JOIN reminders AS child ON child.parentID = below.id \
    WHERE level <= \(raw: "\(mostLevels)"))
    """
  }

  /// The number of levels down to a reminder, with its own.
  static func level(of id: QueryFragment) -> QueryFragment {
    "(\(above(id)) SELECT coalesce(max(level), 0) FROM above)"
  }

  /// The same for the column `trash.parentID`.
  static let levelOfParent = level(of: "trash.parentID").prepare().sql

  /// A row with the number of levels down to a reminder, `level`, and whether it is another one or
  /// below that, `isCyclic`.
  static func path(to id: QueryFragment, past other: QueryFragment) -> QueryFragment {
    "\(above(id)) SELECT max(level) AS level, max(above.id = \(other)) AS isCyclic FROM above"
  }

  /// The condition that a reminder is another one, or above it.
  static func isAbove(_ id: QueryFragment, _ other: QueryFragment) -> QueryFragment {
    "EXISTS (\(above(other)) SELECT 1 FROM above WHERE above.id = \(id))"
  }

  /// The condition that a reminder, or one above it, is in a list: what is below it is about to
  /// follow.
  static func isBelow(_ id: QueryFragment, list: QueryFragment) -> QueryFragment {
    """
    EXISTS (\(above(id)) SELECT 1 FROM above JOIN reminders AS other ON other.id = above.id \
    WHERE other.remindersListID = \(list))
    """
  }

  /// The condition that a reminder can be below another one.
  static func canBe(_ parent: QueryFragment, parentOf id: QueryFragment) -> QueryFragment {
    """
    NOT \(isAbove(id, parent)) AND \(level(of: parent)) + 1 + \(height(of: id)) \
    <= \(raw: "\(mostLevels)")
    """
  }

  private static func above(_ id: QueryFragment) -> QueryFragment {
    """
    WITH RECURSIVE above (id, level) AS (SELECT \(id), 1 UNION ALL \
    SELECT child.parentID, level + 1 FROM above JOIN reminders AS child ON child.id = above.id \
    WHERE child.parentID IS NOT NULL AND level <= \(raw: "\(mostLevels)"))
    """
  }

  /// The numbers of a reminder's direct subtasks: all, and the open ones.
  static func counts(of id: QueryFragment) -> QueryFragment {
    """
    (SELECT count(*), count(*) FILTER (WHERE child.status <> 1) \
    FROM reminders AS child WHERE child.parentID = \(id))
    """
  }

  /// The list of a reminder.
  static func list(of id: QueryFragment) -> QueryFragment {
    "(SELECT parent.remindersListID FROM reminders AS parent WHERE parent.id = \(id))"
  }
}

/// A query that was printed once, with the decoder of its rows. Printing a query of many columns
/// takes longer than reading one row with it.
struct PreparedRows<Row>: Statement {
  let query: Query
  let decode: @Sendable (inout RowReader) throws(DecodingProblem) -> Row
}
