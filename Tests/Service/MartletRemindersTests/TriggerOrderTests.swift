import MartletReminders
import MartletSQLite
import TestSupport
import Testing

/// SQLite does not define the order in which the triggers of a statement fire
/// (https://sqlite.org/lang_createtrigger.html). So nothing may depend on it.
@Suite("The order of triggers") struct TriggerOrderTests {
  /// What is compared. Times, random UIDs and the numbers of lines differ in any case.
  private static let contents = [
    """
    SELECT id, remindersListID, parentID, title, notes, position, status, dueDate, startDate, timeZone,
      recurrenceRule, recurrenceBasis, recurrenceStart, recurrenceExcluded, priority, isFlagged,
      allSubtasks, openSubtasks, alarmCount, completedAt IS NULL FROM reminders ORDER BY id
    """,
    "SELECT id, title, position, color FROM remindersLists ORDER BY id",
    "SELECT id, title, position, filter FROM smartLists ORDER BY id",
    "SELECT id, reminderID, tagID FROM remindersTags ORDER BY id",
    "SELECT rowid, title, notes, tags FROM reminderTexts ORDER BY rowid",
    "SELECT id, reminderID, at, anchor, offset, state, isStale FROM alarms ORDER BY id",
    """
    SELECT reminderID, title, dueDate, startDate, kind, causeID IS NULL FROM completions
    ORDER BY 1, 2, 3, 4, 5, 6
    """,
    "SELECT kind, itemID, listID, title, parentID IS NULL FROM trash ORDER BY 1, 2, 3, 4, 5",
    """
    SELECT reminderID, name, raw, lines,
      (SELECT group_concat(id) FROM reminders WHERE uid = calendarObjects.parentUID)
    FROM calendarObjects ORDER BY reminderID
    """,
    "SELECT DISTINCT kind, itemID, listID FROM changes WHERE gone IS NOT NULL ORDER BY 1, 2, 3",
    // The lines that are not superseded.
    """
    SELECT kind, itemID, listID FROM changes WHERE version = CASE kind
      WHEN 1 THEN (SELECT version FROM remindersLists WHERE id = itemID)
      WHEN 2 THEN (SELECT version FROM reminders WHERE id = itemID)
      ELSE (SELECT version FROM smartLists WHERE id = itemID) END ORDER BY 1, 2, 3
    """,
  ]

  /// Statements whose triggers have depended on their order.
  private static let first = [
    "UPDATE reminders SET remindersListID = 3, position = NULL WHERE id = 1",
    "UPDATE reminders SET parentID = 2, position = 7 WHERE id = 3",
    "UPDATE reminders SET remindersListID = 2 WHERE id = 5",
  ]

  private func content(_ db: Connection) throws -> [[[Value]]] {
    try Self.contents.map { try db.rows($0).map(\.values) }
  }

  @Test("Statements do the same in any order of the triggers")
  func same() throws {
    var statements = ShellStatements(random: SeededRandom())
    let seed = statements.random.seed
    for round in 0..<Effort.rounds(10) {
      let files = [try RemindersFile(), try RemindersFile()]
      let db = try files[0].connect(as: .shell)
      try files[1].shuffleTriggers(using: &statements.random)
      let other = try files[1].connect(as: .shell)
      let start = """
        INSERT INTO remindersLists (title) VALUES ('two'), ('three');
        INSERT INTO reminders (remindersListID, title) VALUES (1, 'a'), (1, 'b'), (2, 'c'), (2, 'd');
        INSERT INTO reminders (remindersListID, parentID, title) VALUES (1, 1, 'aa'), (2, 3, 'cc');
        """
      try db.execute(start)
      try other.execute(start)
      var before = try content(db)
      for step in 0..<60 {
        let statement = step < Self.first.count ? Self.first[step] : statements.next()
        let refusals = [db.refusal(of: statement), other.refusal(of: statement)]
        let contents = [try content(db), try content(other)]
        let comment: Comment =
          "\(statement), round \(round), step \(step), seed \(seed), \(refusals)"
        #expect((refusals[0] == nil) == (refusals[1] == nil), comment)
        for index in contents[0].indices where contents[0][index] != contents[1][index] {
          Issue.record(
            "\(comment)\n\(before[index])\n\(contents[0][index])\n\(contents[1][index])")
        }
        guard contents[0] == contents[1] else { break }
        before = contents[0]
      }
    }
  }
}
