import MartletSQLite

/// The full-text index as a whole: whether it holds what the tables hold, and how to make it so.
///
/// Triggers keep it in step with every change. It can differ only where a program has dropped the triggers, or has
/// written to the index itself.
public enum SearchIndex {
  /// How many rows differ: reminders that the index lacks or has otherwise, and rows of none. Reads all of both.
  public static func strays(_ connection: Connection) throws(SQLiteError) -> Int {
    Int(try connection.value("SELECT count(*) FROM (\(stale))")?.integer ?? 0)
  }

  /// Whether the index agrees with its own content
  /// (https://sqlite.org/fts5.html#the_integrity_check_command). Takes the place of a writer as long as it looks,
  /// and throws `SQLITE_INTERRUPT` where a progress handler ends it.
  public static func isSound(_ connection: Connection) throws(SQLiteError) -> Bool {
    do throws(SQLiteError) {
      try connection.execute(
        "INSERT INTO reminderTexts (reminderTexts) VALUES ('integrity-check')")
      return true
    } catch  where error.code & 0xFF == SQLITE_CORRUPT {
      return false
    }
  }

  /// What ``mend(_:as:)`` looks for.
  enum Depth {
    /// The first and the last row: costs nothing, and finds an index that was emptied.
    case ends
    /// Every row.
    case rows
    /// Every row, and the index behind them.
    case everything
  }

  /// Makes the index what the tables say, inside a transaction. Gives how many rows were made anew; `nil` where
  /// nothing was wrong, and then nothing was written.
  static func mend(_ connection: Connection, _ depth: Depth) throws -> Int? {
    guard try connection.tableExists("reminderTexts") else {
      try connection.execute(try RemindersDatabase.definition(of: "reminderTexts"))
      return try makeRows(connection)
    }
    if depth == .ends, try endsAgree(connection) { return nil }
    var wasSound = true
    if depth == .everything {
      wasSound = try isSound(connection)
      // From the content that is there, row by row: a row can only be taken out of an index that knows it.
      if !wasSound { try rebuild(connection) }
    }
    let rows = try strays(connection) > 0 ? makeRows(connection) : 0
    return rows > 0 || !wasSound ? rows : nil
  }

  private static func endsAgree(_ connection: Connection) throws -> Bool {
    try connection.value(
      """
      SELECT (SELECT min(id) FROM reminders) IS (SELECT rowid FROM reminderTexts ORDER BY rowid LIMIT 1) \
      AND (SELECT max(id) FROM reminders) IS (SELECT rowid FROM reminderTexts ORDER BY rowid DESC LIMIT 1)
      """) == 1
  }

  private static func makeRows(_ connection: Connection) throws -> Int {
    try connection.execute(
      """
      DROP TABLE IF EXISTS temp.martletStaleTexts;
      CREATE TEMPORARY TABLE martletStaleTexts AS \(stale);
      DELETE FROM reminderTexts WHERE rowid IN (SELECT id FROM martletStaleTexts);
      INSERT INTO reminderTexts (rowid, title, notes, tags) SELECT id, title, notes, \(tags) FROM reminders \
      WHERE id IN (SELECT id FROM martletStaleTexts);
      """)
    let count = try connection.value("SELECT count(*) FROM martletStaleTexts")
    try connection.execute("DROP TABLE temp.martletStaleTexts")
    return Int(count?.integer ?? 0)
  }

  private static func rebuild(_ connection: Connection) throws(SQLiteError) {
    try connection.execute("INSERT INTO reminderTexts (reminderTexts) VALUES ('rebuild')")
  }

  /// The ids of the rows that differ.
  private static let stale = """
    SELECT reminders.id AS id FROM reminders LEFT JOIN reminderTexts ON reminderTexts.rowid = reminders.id \
    WHERE reminderTexts.title IS NOT reminders.title OR reminderTexts.notes IS NOT reminders.notes \
    OR reminderTexts.tags IS NOT \(tags) \
    UNION ALL SELECT rowid FROM reminderTexts WHERE rowid NOT IN (SELECT id FROM reminders)
    """

  /// As the triggers write them.
  private static let tags = """
    coalesce((SELECT group_concat(tagID, ' ') FROM remindersTags WHERE reminderID = reminders.id), '')
    """
}
