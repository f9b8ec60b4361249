import MartletQueryBuilder
import MartletTime

/// A line of the change feed. Triggers write one for every visible change of a list, a reminder or
/// a smart list.
///
/// Versions only grow. A line whose version is not its row's is superseded by a later one.
@Table("changes")
struct ChangeLine: Equatable {
  @Column(primaryKey: true) let version: Int
  var kind: ChangeKind
  var itemID: Int
  /// The list of the reminder, or the list itself; 0 for a smart list.
  var listID: Int
  /// When the item was deleted, or left the list; `nil` if it is there.
  var gone: Instant?
  /// The last name of the calendar object of a deleted reminder.
  var name: String?
}

extension ChangeLine {
  /// The condition, in a trigger after an insert, that there was no list or smart list with this
  /// ID: its newest line does not say that it is there. If it does, REPLACE has deleted the row,
  /// for which no delete trigger ran. No
  /// line is read for an ID that was never used: the sequence is raised at the end of the
  /// statement.
  static func isNew(
    _ item: QueryFragment, _ kind: ChangeKind, inList list: QueryFragment
  ) -> QueryFragment {
    let table = kind == .list ? RemindersList.tableName : SmartList.tableName
    return """
      \(item) > (SELECT seq FROM sqlite_sequence WHERE name = '\(raw: table)') \
      OR coalesce((SELECT line.gone IS NOT NULL FROM changes AS line WHERE line.listID = \(list) \
      AND line.kind = \(raw: "\(kind.rawValue)") AND line.itemID = \(item) \
      ORDER BY line.version DESC LIMIT 1), 1)
      """
  }
}

extension ChangeLine.TableColumns {
  /// The version of the row that the line is about; NULL if there is no such row.
  var versionOfItem: QueryFragment {
    """
    CASE \(kind) WHEN 1 THEN (SELECT version FROM remindersLists WHERE id = \(itemID)) \
    WHEN 2 THEN (SELECT version FROM reminders WHERE id = \(itemID)) \
    ELSE (SELECT version FROM smartLists WHERE id = \(itemID)) END
    """
  }
}

/// The kind of a row that a line of the change feed is about.
public enum ChangeKind: Int, QueryBindable, CaseIterable, Sendable {
  /// A list.
  case list = 1
  /// A reminder.
  case reminder
  /// A smart list.
  case smartList

  public static var kind: ColumnKind { .labels(["none"] + allCases.map(\.label)) }
  /// The kind's name in the API.
  public var label: String {
    switch self {
    case .list: "list"
    case .reminder: "reminder"
    case .smartList: "smart-list"
    }
  }
}

/// The state of the change feed: one row.
@Table("feedState")
struct FeedState: Equatable {
  let id: Int
  /// A part of every token. A restore sets a new one.
  var epoch: String
  /// The newest version of a deleted line that said that an item is gone.
  var horizon: Int
}

// Statements of triggers.
extension PlainStatement {
  /// Adds the line of a changed item. The statement after it stores the line's version in the row:
  /// `version = last_insert_rowid()`.
  static func line(_ kind: ChangeKind, _ item: QueryFragment, inList list: QueryFragment)
    -> PlainStatement
  {
    PlainStatement(
      sql: """
        INSERT INTO changes (kind, itemID, listID) \
        VALUES (\(raw: "\(kind.rawValue)"), \(item), \(list))
        """)
  }

  /// Adds the line of a reminder that a change of another table concerns, if the reminder exists
  /// and the condition holds.
  static func reminderLine(_ id: QueryFragment, when condition: QueryFragment? = nil)
    -> PlainStatement
  {
    PlainStatement(
      sql: """
        INSERT INTO changes (kind, itemID, listID) \
        SELECT 2, id, remindersListID FROM reminders WHERE id = \(id)\
        \(condition.map { " AND \($0)" } ?? "")
        """)
  }

  /// Adds the line of an item that was deleted, or has left a list.
  static func goneLine(
    _ kind: ChangeKind, _ item: QueryFragment, fromList list: QueryFragment
  ) -> PlainStatement {
    PlainStatement(
      sql: """
        INSERT INTO changes (kind, itemID, listID, gone, name) \
        VALUES (\(raw: "\(kind.rawValue)"), \(item), \(list), \(sqliteNow), \
        \(kind == .reminder ? CalendarTriggers.name(of: item) : "NULL"))
        """)
  }
}
