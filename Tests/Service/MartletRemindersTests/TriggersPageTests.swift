import Foundation
import MartletReminders
import TestSupport
import Testing

/// The page docs/triggers.md is printed from the triggers. `make golden` rewrites it.
@Suite("The page of the triggers") struct TriggersPageTests {
  private static let url = URL(filePath: Repository.root).appending(path: "docs/triggers.md")

  @Test("It says what the triggers do")
  func isCurrent() throws {
    let page = TriggersPage.text(RemindersDatabase.triggers)
    if ProcessInfo.processInfo.environment["GOLDEN"] == "rewrite" {
      try Data(page.utf8).write(to: Self.url)
    }
    #expect(
      try String(contentsOf: Self.url, encoding: .utf8) == page,
      "run make golden, and review the diff of docs/triggers.md")
  }

  @Test("What a trigger does is read from its SQL")
  func reads() {
    let trigger = PrintedTrigger(
      "martlet_t_x",
      """
      CREATE TRIGGER "martlet_t_x" AFTER UPDATE OF "a", "b" ON "t" FOR EACH ROW WHEN (new.a = ';') BEGIN
      SELECT CASE WHEN (new.a) IS NOT 1 THEN RAISE(ABORT, 'martlet: it''s wrong') END;
      INSERT INTO u (x) SELECT 1 FROM t WHERE a = (b); UPDATE "t" SET "c" = (SELECT d = 1 FROM v), e = 2 WHERE id = 3;
      DELETE FROM "v"; END
      """)
    #expect(trigger.table == "t" && trigger.event == "after update of a, b, sometimes")
    #expect(trigger.refuses == ["it's wrong"])
    #expect(trigger.writes == ["adds to u", "sets c, e of t", "deletes from v"])
  }
}

/// The page as Markdown.
enum TriggersPage {
  static func text(_ triggers: [(name: String, sql: String)]) -> String {
    let rules = triggers.map { PrintedTrigger($0.name, $0.sql) }
    let bytes = triggers.reduce(0) { $0 + $1.sql.utf8.count }
    var text = """
      # Triggers

      The triggers of a reminders database, table by table: when each fires, what it refuses, and what it
      writes, in this order. They are plain SQL, and hold for every program that writes to the file.
      The names begin with `martlet_` and the table. A trigger that fires *sometimes* has a condition.
      \(triggers.count) triggers with \(bytes / 1_000) KB of SQL are in a file. `make golden` prints this page.

      A trigger that counts increments the number of its table in `tableVersions`, which tells the
      server what another program has changed.

      """
    var tables: [String] = []
    for trigger in rules where !tables.contains(trigger.table) { tables.append(trigger.table) }
    for table in tables {
      text += "\n## \(table)\n\n| Trigger | Fires | Refuses | Writes |\n|---|---|---|---|\n"
      for trigger in rules where trigger.table == table {
        text +=
          "| `\(trigger.name)` | \(trigger.event) | \(trigger.refuses.joined(separator: "; ")) "
          + "| \(trigger.writes.map(Self.text).joined(separator: "; ")) |\n"
      }
    }
    return text
  }

  private static func text(_ write: String) -> String {
    write == "adds to tableVersions" ? "counts" : write
  }
}
