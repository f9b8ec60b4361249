import MartletReminders
import MartletSQLite
import Testing

/// Conditions that must hold after every statement of any program, checked on the tables alone.
struct RulesOracle {
  let db: Connection
  /// The largest ID that each table has had.
  private var largest = ["remindersLists": 0, "reminders": 0]

  init(_ db: Connection) { self.db = db }

  private static let wanted = """
    SELECT id, title, notes, coalesce((
      SELECT group_concat(tagID, ' ')
      FROM (SELECT tagID FROM remindersTags WHERE reminderID = reminders.id ORDER BY tagID)
    ), '')
    FROM reminders ORDER BY id
    """
  private static let held = "SELECT rowid, title, notes, tags FROM reminderTexts ORDER BY rowid"

  /// Queries that return rows only if a rule is broken.
  private static let rules = [
    "at least one list": "SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM remindersLists)",
    "at most five tags":
      "SELECT reminderID FROM remindersTags GROUP BY reminderID HAVING count(*) > 5",
    "no reminder without a list":
      "SELECT id FROM reminders WHERE remindersListID NOT IN (SELECT id FROM remindersLists)",
    "no line is newer than the version of its row": """
    SELECT id FROM reminders WHERE version < (SELECT max(version) FROM changes
      WHERE kind = 2 AND itemID = reminders.id AND listID = remindersListID AND gone IS NULL)
    UNION ALL SELECT id FROM remindersLists WHERE version < (SELECT max(version) FROM changes
      WHERE kind = 1 AND itemID = remindersLists.id AND gone IS NULL)
    UNION ALL SELECT id FROM smartLists WHERE version < (SELECT max(version) FROM changes
      WHERE kind = 3 AND itemID = smartLists.id AND gone IS NULL)
    """,
    "positions": """
    SELECT id FROM reminders WHERE (abs(position) <= 9007199254740992) IS NOT 1
    UNION ALL SELECT id FROM remindersLists WHERE (abs(position) <= 9007199254740992) IS NOT 1
    """,
    "ids": """
    SELECT id FROM reminders WHERE id NOT BETWEEN 1 AND 9007199254740992
    UNION ALL SELECT id FROM remindersLists WHERE id NOT BETWEEN 1 AND 9007199254740992
    """,
    "times": """
    SELECT id FROM reminders WHERE createdAt IS NOT strftime('%Y-%m-%d %H:%M:%f', createdAt, '+0 days')
    OR updatedAt IS NOT strftime('%Y-%m-%d %H:%M:%f', updatedAt, '+0 days') OR createdAt IS NULL
    OR updatedAt IS NULL
    UNION ALL
    SELECT id FROM remindersLists WHERE updatedAt IS NULL OR createdAt IS NULL
    OR updatedAt IS NOT strftime('%Y-%m-%d %H:%M:%f', updatedAt, '+0 days')
    """,
    "due dates": """
    SELECT id FROM reminders WHERE dueDate NOT IN (
      date(dueDate, '+0 days'), strftime('%Y-%m-%d %H:%M:%f', dueDate, '+0 days'))
    OR (dueDate IS NOT NULL AND date(dueDate) IS NULL)
    """,
    "start dates": """
    SELECT id FROM reminders WHERE startDate NOT IN (
      date(startDate, '+0 days'), strftime('%Y-%m-%d %H:%M:%f', startDate, '+0 days'))
    OR (startDate IS NOT NULL AND date(startDate) IS NULL)
    OR (length(startDate) <> length(dueDate)) OR startDate > dueDate
    """,
    "recurrence": """
    SELECT id FROM reminders WHERE CASE WHEN recurrenceRule IS NULL
      THEN recurrenceStart IS NOT NULL OR recurrenceBasis <> 0 OR recurrenceExcluded IS NOT NULL
      ELSE dueDate IS NULL OR length(recurrenceStart) <> length(dueDate) END
    """,
    "parents": """
    SELECT id FROM reminders AS child WHERE parentID IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM reminders AS parent
      WHERE parent.id = child.parentID AND parent.remindersListID = child.remindersListID)
    UNION ALL
    SELECT * FROM (
      WITH RECURSIVE above (id, next, level) AS (
        SELECT id, parentID, 1 FROM reminders
        UNION ALL SELECT above.id, reminders.parentID, level + 1
        FROM above JOIN reminders ON reminders.id = above.next WHERE level < 9)
      SELECT id FROM above WHERE level > 5)
    """,
    "counts of subtasks": """
    SELECT id FROM reminders WHERE (allSubtasks, openSubtasks) <> (
      SELECT count(*), count(*) FILTER (WHERE child.status <> 1)
      FROM reminders AS child WHERE child.parentID = reminders.id)
    """,
    "alarms of reminders": """
    SELECT id FROM alarms WHERE reminderID NOT IN (SELECT id FROM reminders)
    """,
    "counts of alarms": """
    SELECT id FROM reminders
    WHERE alarmCount <> (SELECT count(*) FROM alarms WHERE reminderID = reminders.id)
    OR alarmCount > 20
    """,
    "alarms that were acknowledged, or have passed, do not ring": """
    SELECT id FROM alarms WHERE state > 2 AND fireAt IS NOT NULL
    """,
    "at most 50 channels": "SELECT 1 WHERE (SELECT count(*) FROM channels) > 50",
    "deliveries of channels":
      "SELECT id FROM deliveries WHERE channelID NOT IN (SELECT id FROM channels)",
    "an event is sent to a channel once":
      "SELECT eventID FROM deliveries GROUP BY channelID, eventID HAVING count(*) > 1",
    "what waits has a next attempt, and all else an end":
      "SELECT id FROM deliveries WHERE (nextAt IS NULL, endedAt IS NULL) <> (state <> 0, state = 0)",
    "times of channels and deliveries": """
    SELECT id FROM channels WHERE createdAt IS NOT strftime('%Y-%m-%d %H:%M:%f', createdAt, '+0 days')
    OR failingSince IS NOT strftime('%Y-%m-%d %H:%M:%f', failingSince, '+0 days')
    UNION ALL
    SELECT id FROM deliveries WHERE (createdAt, expiresAt, nextAt, endedAt) IS NOT (
      strftime('%Y-%m-%d %H:%M:%f', createdAt, '+0 days'),
      strftime('%Y-%m-%d %H:%M:%f', expiresAt, '+0 days'),
      strftime('%Y-%m-%d %H:%M:%f', nextAt, '+0 days'),
      strftime('%Y-%m-%d %H:%M:%f', endedAt, '+0 days'))
    """,
    "what channels and deliveries have is JSON": """
    SELECT id FROM channels WHERE json_type(events) <> 'array' OR json_type(settings) <> 'object'
    OR json_type(credentials) <> 'object' OR json_type(lists) <> 'array'
    UNION ALL SELECT id FROM deliveries WHERE NOT json_valid(body)
    """,
    "completedAt": """
    SELECT id FROM reminders WHERE (completedAt IS NOT NULL) <> (status = 1)
    OR completedAt IS NOT strftime('%Y-%m-%d %H:%M:%f', completedAt, '+0 days')
    """,
    "completions": """
    SELECT id FROM reminders WHERE status = 1
      AND id NOT IN (SELECT reminderID FROM completions WHERE kind = 0)
    UNION ALL SELECT reminderID FROM completions WHERE reminderID NOT IN (SELECT id FROM reminders)
      AND reminderID NOT IN (SELECT itemID FROM trash WHERE kind = 2)
    """,
    "uids": """
    SELECT uid FROM reminders GROUP BY remindersListID, uid HAVING uid IS NULL OR count(*) > 1
    UNION ALL SELECT uid FROM remindersLists GROUP BY uid HAVING uid IS NULL OR count(*) > 1
    """,
    "a version is that of the row's newest line": """
    SELECT id FROM reminders WHERE version IS NOT coalesce((
      SELECT max(version) FROM changes WHERE kind = 2 AND itemID = id AND gone IS NULL), 0)
    UNION ALL SELECT id FROM remindersLists WHERE version IS NOT coalesce((
      SELECT max(version) FROM changes WHERE kind = 1 AND itemID = id AND gone IS NULL), 0)
    """,
    "colors": "SELECT id FROM remindersLists WHERE color NOT BETWEEN 0 AND 4294967295",
    "tags": "SELECT title FROM tags WHERE unicode(title) < 32",
    "calendar objects of a reminder":
      "SELECT reminderID FROM calendarObjects WHERE reminderID NOT IN (SELECT id FROM reminders)",
    "keys of lists that are there":
      "SELECT part FROM apiKeyParts WHERE part NOT IN (SELECT id FROM remindersLists)",
  ]

  func check(_ comment: Comment) throws {
    for (name, rule) in Self.rules {
      try #require(try db.rows(rule).isEmpty, "\(name), \(comment)")
    }
    try #require(
      try db.rows(Self.held).map(\.values) == db.rows(Self.wanted).map(\.values), comment)
  }

  /// Checks that an ID assigned by SQLite is larger than all previous ones.
  mutating func checkIDs(_ comment: Comment) throws {
    for table in largest.keys.sorted() {
      let before = largest[table] ?? 0
      let next = try db.savepointThatIsUndone {
        try db.execute(
          table == "reminders"
            ? "INSERT INTO reminders (remindersListID) SELECT min(id) FROM remindersLists"
            : "INSERT INTO remindersLists DEFAULT VALUES")
        return Int(db.lastInsertRowID)
      }
      try #require(next > before, "\(table) gives \(next), had \(before): \(comment)")
      largest[table] = max(before, try db.integer("SELECT max(id) FROM \(table)") ?? 0)
    }
  }

  /// Checks that a new index filled from the tables finds the same, and that the index is
  /// consistent.
  func checkIndex(_ comment: Comment) throws {
    try db.execute("INSERT INTO reminderTexts (reminderTexts) VALUES ('integrity-check')")
    try db.execute(
      """
      DROP TABLE IF EXISTS temp.copy; DROP TABLE IF EXISTS temp.words; DROP TABLE IF EXISTS temp.held;
      CREATE VIRTUAL TABLE temp.copy USING fts5 (
        title, notes, tags, tokenize = 'unicode61 remove_diacritics 2');
      INSERT INTO temp.copy (rowid, title, notes, tags) \(Self.wanted);
      CREATE VIRTUAL TABLE temp.words USING fts5vocab (temp, copy, instance);
      CREATE VIRTUAL TABLE temp.held USING fts5vocab (main, reminderTexts, instance);
      """)
    let order = "ORDER BY term, doc, col, offset"
    try #require(
      try db.rows("SELECT term, doc, col, offset FROM temp.held \(order)").map(\.values)
        == db.rows("SELECT term, doc, col, offset FROM temp.words \(order)").map(\.values), comment)
    try #require(try db.text("PRAGMA integrity_check") == "ok", comment)
  }
}

extension Connection {
  fileprivate func savepointThatIsUndone<T>(_ body: () throws -> T) throws -> T {
    try execute("SAVEPOINT look")
    defer { try? execute("ROLLBACK TO look; RELEASE look") }
    return try body()
  }
}
