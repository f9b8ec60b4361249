import MartletSQLite

/// Checks and repairs the full-text index.
///
/// Triggers update it with every change. It can differ from the tables only if a program has
/// dropped the triggers or written to the index directly.
public enum SearchIndex {
  /// The number of rows that differ: reminders missing from the index or indexed with other text,
  /// and index rows without a reminder. Reads all of both.
  public static func strays(_ connection: Connection) throws(SQLiteError) -> Int {
    Int(try connection.value("SELECT count(*) FROM (\(stale))")?.integer ?? 0)
  }

  /// Whether the index agrees with its own content
  /// (https://sqlite.org/fts5.html#the_integrity_check_command).
  ///
  /// The check holds the write lock while it runs. Throws `SQLITE_INTERRUPT` if a progress handler
  /// ends it.
  public static func isSound(_ connection: Connection) throws(SQLiteError) -> Bool {
    do throws(SQLiteError) {
      try connection.execute(
        "INSERT INTO reminderTexts (reminderTexts) VALUES ('integrity-check')")
      return true
    } catch  where error.code & 0xFF == SQLITE_CORRUPT {
      return false
    }
  }

  /// How much ``mend(_:_:)`` checks.
  enum Depth {
    /// The first and the last row, which takes no time and detects an emptied index.
    case ends
    /// Every row.
    case rows
    /// Every row, and the index structure.
    case everything
  }

  /// Repairs the index from the tables, inside a transaction. Returns the number of rebuilt rows,
  /// or `nil` if nothing was wrong and nothing was written.
  static func mend(_ connection: Connection, _ depth: Depth) throws -> Int? {
    guard try connection.tableExists("reminderTexts") else {
      try connection.execute(try RemindersDatabase.definition(of: "reminderTexts"))
      return try makeRows(connection)
    }
    if depth == .ends, try endsAgree(connection) { return nil }
    var wasSound = true
    if depth == .everything {
      wasSound = try isSound(connection)
      // Rebuilds the structure from the existing content: a row can only be deleted from an index
      // that contains its terms.
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
      INSERT INTO reminderTexts (rowid, title, notes, tags) SELECT id, \(title), \(notes), \(tags) FROM reminders \
      WHERE id IN (SELECT id FROM martletStaleTexts);
      """)
    let count = try connection.value("SELECT count(*) FROM martletStaleTexts")
    try connection.execute("DROP TABLE temp.martletStaleTexts")
    return Int(count?.integer ?? 0)
  }

  private static func rebuild(_ connection: Connection) throws(SQLiteError) {
    try connection.execute("INSERT INTO reminderTexts (reminderTexts) VALUES ('rebuild')")
  }

  /// Selects the IDs of the rows that differ.
  private static let stale = """
    SELECT reminders.id AS id FROM reminders LEFT JOIN reminderTexts ON reminderTexts.rowid = reminders.id \
    WHERE reminderTexts.title IS NOT \(title) OR reminderTexts.notes IS NOT \(notes) \
    OR reminderTexts.tags IS NOT \(tags) \
    UNION ALL SELECT rowid FROM reminderTexts WHERE rowid NOT IN (SELECT id FROM reminders)
    """

  /// The texts of a reminder as the triggers write them.
  private static let title = UnspacedScripts.separated(sql: "reminders.title")
  private static let notes = UnspacedScripts.separated(sql: "reminders.notes")
  private static let tags = UnspacedScripts.separated(
    sql: """
      coalesce((SELECT group_concat(tagID, ' ') FROM remindersTags WHERE reminderID = reminders.id), '')
      """)
}
