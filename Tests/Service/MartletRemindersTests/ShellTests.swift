import Foundation
import MartletReminders
import MartletSQLite
import Testing

private let program = ["/usr/bin/sqlite3", "/usr/local/bin/sqlite3"].first {
  FileManager.default.isExecutableFile(atPath: $0)
}

/// Runs the `sqlite3` program itself, with its own foreign keys setting, functions and version.
@Suite(.enabled(if: program != nil, "there is no sqlite3 program"))
struct ShellTests {
  let file: RemindersFile

  init() throws { file = try RemindersFile() }

  private func shell(_ sql: String) throws -> (output: String, errors: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(program))
    process.arguments = ["-batch", "-noheader", file.path, sql]
    let output = Pipe()
    let errors = Pipe()
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let texts = try [output, errors].map {
      String(decoding: try $0.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    }
    process.waitUntilExit()
    return (texts[0], texts[1])
  }

  @Test func theRulesHoldThere() throws {
    #expect(
      try shell(
        """
        PRAGMA foreign_keys;
        DELETE FROM remindersLists;
        SELECT id, title, position FROM remindersLists;
        INSERT INTO remindersLists (title) VALUES ('Family');
        INSERT INTO reminders (remindersListID, title) VALUES (3, 'Milk'), (3, 'Cake'), (2, 'Talk');
        SELECT id, position, createdAt = updatedAt FROM reminders;
        INSERT INTO tags VALUES ('car');
        INSERT INTO remindersTags (reminderID, tagID) VALUES (1, 'CAR');
        SELECT tagID FROM remindersTags;
        SELECT rowid FROM reminderTexts WHERE reminderTexts MATCH 'car';
        UPDATE tags SET title = 'van';
        SELECT rowid, tags FROM reminderTexts WHERE reminderTexts MATCH 'van';
        DELETE FROM remindersLists WHERE id = 3;
        SELECT count(*) FROM reminders;
        SELECT count(*) FROM remindersTags;
        SELECT rowid FROM reminderTexts;
        """
      ).output == """
        0
        2|Reminders|0
        1|0|1
        2|65536|1
        3|0|1
        car
        1
        1|van
        1
        0
        3

        """)
  }

  @Test func whatBreaksARuleIsRefusedThere() throws {
    let unknown = try shell("INSERT INTO reminders (remindersListID) VALUES (99)")
    #expect(unknown.errors.contains(RuleViolation.unknownList.rawValue))
    let tags = try shell(
      """
      INSERT INTO reminders (remindersListID) VALUES (1);
      INSERT INTO tags VALUES ('a'), ('b'), ('c'), ('d'), ('e'), ('f');
      INSERT INTO remindersTags (reminderID, tagID) SELECT 1, title FROM tags;
      """)
    #expect(tags.errors.contains(RuleViolation.tooManyTags.rawValue))
    #expect(try shell("SELECT count(*) FROM remindersTags").output == "0\n")
  }
}
