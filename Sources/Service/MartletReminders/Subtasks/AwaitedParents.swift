import MartletQueryBuilder
import MartletSQLite
import MartletStore

/// Parents that a calendar names by their UID, and that may come later than their subtasks. Until
/// then the subtask waits: `calendarObjects.parentUID` has the UID.
enum AwaitedParents {
  /// Stores the UID of a parent that is not there, or cannot be the parent; `nil` for none.
  static func wait(_ id: Int, for uid: String?, in db: Connection) throws {
    try db.run(
      """
      INSERT INTO calendarObjects (reminderID, parentUID) VALUES (?1, ?2)
      ON CONFLICT (reminderID) DO UPDATE SET parentUID = excluded.parentUID
      """, .integer(Int64(id)), uid.map { .text($0) } ?? .null)
  }

  /// Sets or clears the parent of a reminder whose text names it in any case. The text, `updatedAt`
  /// and `calendarVersion` stay.
  static func relink(_ id: Int, below parent: Int?, _ db: Connection) throws {
    try db.run(
      """
      INSERT INTO changes (kind, itemID, listID) SELECT 2, id, remindersListID FROM reminders
      WHERE id = ?
      """, .integer(Int64(id)))
    try Reminder.find(id).update {
      $0.parentID = parent
      $0.version = Int(db.lastInsertRowID)
    }.execute(db)
    guard parent != nil else { return }
    try db.run(
      "UPDATE calendarObjects SET parentUID = NULL WHERE reminderID = ?", .integer(Int64(id)))
  }

  // MARK: Joining

  /// Puts waiting reminders below the parents that they name, where a change of a reminder has made
  /// that possible: it is new, is in another list, or is elsewhere in a tree.
  ///
  /// - Parameters:
  ///   - id: The reminder, which may be deleted.
  ///   - oldParent: The parent that it had. The tree of that is lower now.
  static func join(around id: Int, from oldParent: Int? = nil, in db: Connection) throws {
    for row in try db.rows(
      joinableAround, .integer(Int64(id)), oldParent.map { .integer(Int64($0)) } ?? .null)
    {
      try join(row, db)
    }
  }

  /// Puts waiting reminders below the parents that they name, where that is possible.
  ///
  /// - Parameter most: The maximum number of reminders. The next call continues.
  static func join(in db: Connection, most: Int = .max) throws {
    var left = most
    while left > 0 {
      let joined = try db.rows("\(joinable) LIMIT ?", .integer(Int64(left))).filter {
        try join($0, db)
      }.count
      guard joined > 0 else { return }
      left -= joined
    }
  }

  /// Whether ``join(in:most:)`` has anything to do.
  static func canJoin(in db: Connection) throws -> Bool { try db.value(joinable) != nil }

  @discardableResult
  private static func join(_ row: Row, _ db: Connection) throws -> Bool {
    guard let id = row[0].integer.map(Int.init), let parent = row[1].integer.map(Int.init),
      // Those before may have made the tree higher.
      try canBe(parent, parentOf: id, db)
    else { return false }
    try relink(id, below: parent, db)
    return true
  }

  private static let joinable = joinable("parentUID IS NOT NULL")

  /// Reminder `?1`, all that wait for it or for one below it, and the top of the tree of `?2`.
  private static let joinableAround = joinable(
    """
    reminderID = ?1 OR reminderID = \(Subtree.top(of: "?2").prepare().sql)
    OR parentUID IN (
      SELECT uid FROM reminders WHERE id = ?1 OR id IN (\(Subtree.below("?1").prepare().sql)))
    """)

  /// The waiting reminders among some that have no parent, with the parents that they can have.
  private static func joinable(_ condition: String) -> String {
    """
    SELECT object.reminderID, named.id
    FROM (SELECT reminderID, parentUID FROM calendarObjects WHERE \(condition)) AS object
    CROSS JOIN reminders AS waiting ON waiting.id = object.reminderID AND waiting.parentID IS NULL
    CROSS JOIN reminders AS named ON named.uid = object.parentUID
      AND named.remindersListID = waiting.remindersListID
    WHERE \(Subtree.canBe("named.id", parentOf: "waiting.id").prepare().sql)
    ORDER BY object.parentUID, object.reminderID
    """
  }

  static func canBe(_ parent: Int, parentOf id: Int, _ db: Connection) throws -> Bool {
    try db.value(isPossible, .integer(Int64(parent)), .integer(Int64(id)))?.integer == 1
  }

  private static let isPossible =
    "SELECT \(Subtree.canBe("?1", parentOf: "?2").prepare().sql)"
}
