import MartletSQLite
import MartletStore
import MartletTime

/// The subtasks of a reminder that is moved to another list, completed or opened again, or moves on
/// to its next occurrence.
enum Subtasks {
  /// The subtasks of reminder `?1`, at all levels.
  private static let below = Subtree.below("?1").prepare().sql

  /// Places the subtasks of a reminder that was moved to the end of another list behind it, in
  /// their order.
  static func place(behind reminder: Int, in db: Connection) throws {
    try db.run(
      """
      UPDATE reminders SET position = min(\(ValueRule.largest),
        (SELECT position FROM reminders WHERE id = ?1) + \(Positions.gap) * place.number)
      FROM (
        SELECT id, row_number() OVER (ORDER BY position, id) AS number
        FROM reminders WHERE id IN (\(below))) AS place
      WHERE reminders.id = place.id
      """, .integer(Int64(reminder)))
  }

  /// The open subtasks, at any level, that do not recur here and have a text with a rule.
  static func unevaluated(below reminder: Int, _ db: Connection) throws -> [Int] {
    try db.rows(
      """
      SELECT id FROM reminders JOIN calendarObjects ON reminderID = id
      WHERE status <> 1 AND recurrenceRule IS NULL AND lines LIKE '%RRULE%' AND id IN (\(below))
      """, .integer(Int64(reminder))
    ).compactMap { $0[0].integer.map { Int($0) } }
  }

  // MARK: Completing

  /// Completes what is open below a reminder that was just completed. Its record is their cause,
  /// also of subtasks that another program has left to be opened and that are still completed.
  ///
  /// - Parameter most: The maximum number of subtasks. ``follow(in:most:)`` completes the others.
  /// - Returns: The number of subtasks that were completed.
  @discardableResult
  static func complete(below reminder: Int, most: Int = .max, in db: Connection) throws -> Int {
    let id = Value.integer(Int64(reminder))
    let record = try newest(of: id, db)
    try db.run(
      """
      UPDATE completions SET causeID = ?2, followsID = NULL
      WHERE followsID = ?1 AND reminderID <> ?1
      """, id, record)
    let open =
      try db.value(
        """
        SELECT json_group_array(id) FROM (
          SELECT id FROM reminders WHERE status <> 1 AND id IN (\(below)) LIMIT ?2)
        """, id, .integer(Int64(most))) ?? .null
    try db.run(
      """
      UPDATE reminders SET status = 1,
        completedAt = (SELECT completedAt FROM reminders WHERE id = ?1)
      WHERE id IN (SELECT value FROM json_each(?2))
      """, id, open)
    let count = db.changes
    try db.run(
      """
      UPDATE completions SET causeID = ?2, followsID = NULL
      WHERE id > ?2 AND reminderID IN (SELECT value FROM json_each(?1))
      """, open, record)
    if count < most { try db.run("UPDATE completions SET followsID = NULL WHERE id = ?", record) }
    return count
  }

  /// Opens what was completed with a reminder that is about to be opened again, unless it has
  /// changed since.
  static func reopen(below reminder: Int, in db: Connection) throws {
    let id = Value.integer(Int64(reminder))
    let record = try newest(of: id, db)
    try db.run(
      """
      UPDATE reminders SET status = 0 WHERE status = 1 AND id IN (\(below)) AND ?2 = (
        SELECT causeID FROM completions WHERE reminderID = reminders.id ORDER BY id DESC LIMIT 1)
      """, id, record)
    try db.run(
      "DELETE FROM completions WHERE causeID = ?2 AND reminderID IN (\(below))", id, record)
    // A reminder that has left the tree keeps its record.
    try db.run("UPDATE completions SET causeID = NULL WHERE causeID = ?", record)
  }

  private static func newest(of id: Value, _ db: Connection) throws -> Value {
    try db.value("SELECT max(id) FROM completions WHERE reminderID = ?", id) ?? .null
  }

  /// Whether ``follow(in:most:)`` has anything to do.
  static func canFollow(in db: Connection) throws -> Bool {
    try db.value(following, 1) != nil
  }

  /// The records whose reminders another program has completed or opened, or what is above them.
  static let following = """
    SELECT id, reminderID, followsID FROM completions WHERE followsID IS NOT NULL ORDER BY id LIMIT ?
    """

  /// Completes and opens subtasks of reminders that another program has completed or opened. A
  /// record that cannot be followed is given up, so that it does not hold up the others.
  ///
  /// - Parameter most: About how many rows may change. The next call continues.
  /// - Returns: The reminders whose records were given up.
  static func follow(in db: Connection, most: Int = .max) throws -> [LeftReminder] {
    var (rest, left) = (most, [LeftReminder]())
    for row in try db.rows(following, .integer(Int64(most))) where rest > 0 {
      left += try db.changeEach([row[1].integer.map(Int.init) ?? 0]) { _ in
        rest -= max(1, try follow(row, most: rest, in: db))
      } leave: { _ in
        try db.run("UPDATE completions SET followsID = NULL WHERE id = ?", row[0])
      }
    }
    return left
  }

  private static func follow(_ row: Row, most: Int, in db: Connection) throws -> Int {
    let (record, reminder, above) = (row[0], row[1], row[2])
    let isNewest = try isCompleted(reminder, db) && newest(of: reminder, db) == record
    if isNewest, reminder == above, let id = reminder.integer {
      return try complete(below: Int(id), most: most, in: db)
    }
    if isNewest, try db.value("SELECT ?2 IN (\(below))", above, reminder) == 1 {
      if try isCompleted(above, db) {
        // It has been opened and completed again since.
        try db.run(
          "UPDATE completions SET causeID = ?2 WHERE id = ?1", record, try newest(of: above, db))
      } else {
        // A trigger deletes the record.
        try db.run("UPDATE reminders SET status = 0 WHERE id = ?", reminder)
      }
    }
    try db.run("UPDATE completions SET followsID = NULL WHERE id = ?", record)
    return 1
  }

  private static func isCompleted(_ id: Value, _ db: Connection) throws -> Bool {
    try db.value("SELECT status FROM reminders WHERE id = ?", id) == 1
  }

  // MARK: Moving on

  /// Makes all subtasks incomplete. Open ones are recorded as completed with the reminder, unless
  /// it was skipped. The records of completed ones stay.
  ///
  /// - Parameter record: The record of the reminder, which remembers the completed subtasks.
  static func reset(
    of reminder: Int, for record: Int, _ kind: CompletionKind, at now: Instant, in db: Connection
  ) throws {
    let id = Value.integer(Int64(reminder))
    let record = Value.integer(Int64(record))
    try db.run(
      """
      UPDATE completions SET subtasks = (
        SELECT json_group_array(id) FROM reminders WHERE status = 1 AND id IN (\(below)))
      WHERE id = ?2
      """, id, record)
    if kind != .skipped {
      try db.run(
        """
        INSERT INTO completions (reminderID, title, dueDate, startDate, completedAt, kind, causeID)
        SELECT id, title, dueDate, startDate, ?3, 0, ?2
        FROM reminders WHERE status <> 1 AND id IN (\(below)) ORDER BY id
        """, id, record, .text(SQLiteTime.string(now)))
    }
    // A trigger deletes the record of a completion that is undone. These are not undone, so they
    // are hidden from it.
    try db.run(
      """
      UPDATE completions SET reminderID = -reminderID WHERE reminderID IN (
        SELECT id FROM reminders WHERE status = 1 AND id IN (\(below)))
      """, id)
    try db.run("UPDATE reminders SET status = 0 WHERE status <> 0 AND id IN (\(below))", id)
    try db.execute("UPDATE completions SET reminderID = -reminderID WHERE reminderID < 0")
  }

  /// Undoes it: subtasks that were completed are completed again, if they are still open.
  static func undo(_ completion: Completion, in db: Connection) throws {
    let id = Value.integer(Int64(completion.reminderID))
    let record = Value.integer(Int64(completion.id))
    try db.run(
      "DELETE FROM completions WHERE causeID = ?2 AND reminderID IN (\(below))", id, record)
    // A reminder that has left the tree keeps its record.
    try db.run("UPDATE completions SET causeID = NULL WHERE causeID = ?", record)
    guard let done = completion.subtasks, done != "[]" else { return }
    let open =
      try db.value(
        "SELECT json_group_array(id) FROM reminders WHERE status = 0 AND id IN (\(below))", id)
      ?? .null
    let newest = try db.value("SELECT max(id) FROM completions") ?? .null
    try db.run(
      """
      UPDATE reminders SET status = 1 WHERE id IN (SELECT value FROM json_each(?1))
      AND id IN (SELECT value FROM json_each(?2))
      """, .text(done), open)
    // The old records are still there.
    try db.run("DELETE FROM completions WHERE id > ?", newest)
    try db.run(
      """
      UPDATE reminders SET completedAt = coalesce((
        SELECT completedAt FROM completions WHERE reminderID = reminders.id
        ORDER BY id DESC LIMIT 1), completedAt)
      WHERE status = 1 AND id IN (SELECT value FROM json_each(?))
      """, open)
  }
}
