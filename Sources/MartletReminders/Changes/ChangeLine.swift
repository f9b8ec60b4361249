import MartletQueryBuilder
import MartletTime

/// A line of the change feed. Triggers write one for every visible change of a list or a reminder.
///
/// Versions only grow. A line whose version is not its row's is superseded by a later one.
@Table("changes")
struct ChangeLine: Equatable {
  @Column(primaryKey: true) let version: Int
  var kind: ChangeKind
  var itemID: Int
  /// The list of the reminder, or the list itself.
  var listID: Int
  /// When the item was deleted, or left the list; `nil` if it is there.
  var gone: Instant?
}

/// What a line of the change feed is about.
public enum ChangeKind: Int, QueryBindable, CaseIterable, Sendable {
  /// A list.
  case list = 1
  /// A reminder.
  case reminder

  public static var kind: ColumnKind { .labels(["none"] + allCases.map(\.label)) }
  /// The kind's name in the API.
  public var label: String {
    switch self {
    case .list: "list"
    case .reminder: "reminder"
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
extension Change {
  /// Adds the line of a changed item. The statement after it stores the line's version in the row:
  /// `version = last_insert_rowid()`.
  static func log(_ kind: ChangeKind, _ item: QueryFragment, inList list: QueryFragment) -> Change {
    Change(
      sql: """
        INSERT INTO changes (kind, itemID, listID) \
        VALUES (\(raw: "\(kind.rawValue)"), \(item), \(list))
        """)
  }

  /// Adds the line of a reminder that a change of another table concerns, if the reminder exists
  /// and the condition holds.
  static func logReminder(_ id: QueryFragment, when condition: QueryFragment? = nil) -> Change {
    Change(
      sql: """
        INSERT INTO changes (kind, itemID, listID) \
        SELECT 2, id, remindersListID FROM reminders WHERE id = \(id)\
        \(condition.map { " AND \($0)" } ?? "")
        """)
  }

  /// Adds the line of an item that was deleted, or has left a list.
  static func logGone(
    _ kind: ChangeKind, _ item: QueryFragment, fromList list: QueryFragment
  ) -> Change {
    Change(
      sql: """
        INSERT INTO changes (kind, itemID, listID, gone) \
        VALUES (\(raw: "\(kind.rawValue)"), \(item), \(list), \(sqliteNow))
        """)
  }

  /// Adds such a line for the reminder with this ID, which REPLACE is about to delete.
  static func logReplaced(_ id: QueryFragment) -> Change {
    Change(
      sql: """
        INSERT INTO changes (kind, itemID, listID, gone) \
        SELECT 2, id, remindersListID, \(sqliteNow) FROM reminders \
        WHERE id = \(id)
        """)
  }
}

/// A UID, as calendars have it.
enum UID {
  /// A random UUID (RFC 9562, version 4), made by the service.
  static func make() -> String {
    var generator = SystemRandomNumberGenerator()
    let high = generator.next() & ~0xF000 | 0x4000
    let low = generator.next() & ~(0xC000 << 48) | 0x8000 << 48
    return String(unsafeUninitializedCapacity: 36) { text in
      var place = 0
      for digit in 0..<32 {
        if digit == 8 || digit == 12 || digit == 16 || digit == 20 {
          text[place] = UInt8(ascii: "-")
          place += 1
        }
        let word = digit < 16 ? high : low
        let value = UInt8(truncatingIfNeeded: word >> (60 - digit % 16 * 4)) & 0xF
        text[place] = value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
        place += 1
      }
      return place
    }
  }

  /// The same, made by a trigger for a row of another program.
  static let random: SQLQueryExpression<String?> = SQLQueryExpression(
    """
    lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) \
    || '-' || substr('89AB', 1 + (random() & 3), 1) || substr(hex(randomblob(2)), 2) \
    || '-' || hex(randomblob(6)))
    """)

  /// The rule that no other row of the table, or of the list, has the UID. The other row is
  /// not deleted by a REPLACE, which would run none of its triggers: that is why no index is
  /// UNIQUE.
  static func isUnique<T: Table>(
    _ uid: QueryFragment, among table: T.Type, _ id: QueryFragment, _ list: QueryFragment? = nil
  ) -> (unless: QueryFragment, message: String) {
    let condition: QueryFragment = """
      (\(uid) IS NULL OR NOT EXISTS (SELECT 1 FROM \(raw: T.tableName) AS other \
      WHERE other.uid = \(uid) AND other.id <> \(id)\
      \(list.map { " AND other.remindersListID = \($0)" } ?? "")))
      """
    return (condition, RuleViolation.uidExists.rawValue)
  }
}
