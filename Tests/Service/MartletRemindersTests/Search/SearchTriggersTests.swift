import MartletSQLite
import TestSupport
import Testing

@testable import MartletReminders

@Suite struct SearchTriggersTests {
  let file: RemindersFile

  init() throws { file = try RemindersFile() }

  /// The expected content of the index, from the tables alone.
  private static let wanted = """
    SELECT id, title, notes, coalesce((
      SELECT group_concat(tagID, ' ')
      FROM (SELECT tagID FROM remindersTags WHERE reminderID = reminders.id ORDER BY tagID)
    ), '')
    FROM reminders ORDER BY id
    """
  private static let held = "SELECT rowid, title, notes, tags FROM reminderTexts ORDER BY rowid"

  @Test(arguments: Program.allCases)
  func searchKnowsWhatTheTablesHold(_ program: Program) throws {
    var random = SeededRandom()
    let db = try file.connect(as: program)
    for step in 0..<600 {
      let change = Self.change(&random, program)
      // Some changes are refused and then have no effect.
      _ = db.refusal(of: change)
      if step % 20 == 0 || step > 580 {
        let comment: Comment = "after \(change), seed \(random.seed)"
        let wanted = try db.rows(Self.wanted).map { row in
          row.values.map { $0.text.map { .text(UnspacedScripts.separated($0)) } ?? $0 }
        }
        try #require(try db.rows(Self.held).map(\.values) == wanted, comment)
      }
    }
    #expect(try db.integer("SELECT count(*) > 5 FROM reminders") == 1, "seed \(random.seed)")
    // Throws if the index and its own content differ
    // (https://sqlite.org/fts5.html#the_integrity_check_command).
    try db.execute("INSERT INTO reminderTexts (reminderTexts) VALUES ('integrity-check')")
    #expect(try db.text("PRAGMA integrity_check") == "ok")
    #expect(try db.rows("PRAGMA foreign_key_check").isEmpty, "seed \(random.seed)")
  }

  private static func change(_ random: inout SeededRandom, _ program: Program) -> String {
    let words = [
      "milk", "Café", "take", "car", "it''s", "", "two words", "🚗", "ÄRGER", "会議", "iPhone修理",
    ]
    let tags = ["car", "CAR", "home", "two words", "late", "Straße", "red", "x-ray", "旅行"]
    let reminder = "(SELECT id FROM reminders ORDER BY random() LIMIT 1)"
    let list = "(SELECT id FROM remindersLists ORDER BY random() LIMIT 1)"
    let word = random.pick(words)
    let other = random.pick(words)
    let tag = random.pick(tags)
    return switch Int.random(in: 0..<16, using: &random) {
    case 0, 1, 2:
      """
      INSERT INTO reminders (remindersListID, title, notes)
      VALUES (\(list), '\(word)', '\(other)')
      """
    case 3: "INSERT INTO remindersLists (title) VALUES ('\(word)')"
    case 4: "UPDATE reminders SET title = '\(word)' WHERE id = \(reminder)"
    case 5: "UPDATE reminders SET notes = notes || ' \(word)', isFlagged = 1 WHERE id = \(reminder)"
    case 6, 7, 8:
      """
      INSERT OR IGNORE INTO tags VALUES ('\(tag)');
      INSERT OR IGNORE INTO remindersTags (reminderID, tagID) VALUES (\(reminder), '\(tag)');
      """
    case 9: "DELETE FROM remindersTags WHERE reminderID = \(reminder)"
    case 10: "UPDATE OR IGNORE remindersTags SET reminderID = \(reminder) WHERE tagID = '\(tag)'"
    case 11: "UPDATE tags SET title = '\(random.pick(tags))' WHERE title = '\(tag)'"
    case 12: random.once(in: 3) ? "DELETE FROM tags WHERE title = '\(tag)'" : "SELECT 1"
    case 13:
      random.once(in: 8)
        ? "DELETE FROM remindersLists WHERE id = \(list)"
        : "DELETE FROM reminders WHERE id = \(reminder)"
    default:
      """
      INSERT INTO reminders (id, remindersListID, title) VALUES (\(reminder), \(list), '\(word)')
      ON CONFLICT (id) DO UPDATE SET title = excluded.title
      """
    }
  }

  @Test(arguments: Program.allCases)
  func aRefusedChangeLeavesNoTrace(_ program: Program) throws {
    let db = try file.connect(as: program)
    try db.execute(
      """
      INSERT INTO reminders (remindersListID, title) VALUES (1, 'milk');
      INSERT INTO tags VALUES ('a'), ('b'), ('c'), ('d'), ('e'), ('f');
      """)
    #expect(
      db.refusal(of: "INSERT INTO remindersTags (reminderID, tagID) SELECT 1, title FROM tags")
        != nil)
    #expect(try db.text("SELECT tags FROM reminderTexts") == "")
    #expect(try db.integers("SELECT rowid FROM reminderTexts WHERE reminderTexts MATCH 'a'") == [])
  }

  @Test func diacriticsAndCaseDoNotMatter() throws {
    let db = try file.connect(as: .service)
    try db.execute("INSERT INTO reminders (remindersListID, title) VALUES (1, 'Café au lait')")
    for word in ["cafe", "CAFÉ", "cafe\u{301}", "ca*", "café*"] {
      let query = word.hasSuffix("*") ? "\"\(word.dropLast())\"*" : "\"\(word)\""
      let found = try db.value(
        "SELECT rowid FROM reminderTexts WHERE reminderTexts MATCH ?", .text(query))
      #expect(found == 1, "\(word)")
    }
  }
}
