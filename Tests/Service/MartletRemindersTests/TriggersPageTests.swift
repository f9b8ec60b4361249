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

/// What the page says about a trigger.
struct PrintedTrigger {
  let name: String
  let table: String
  let event: String
  let refuses: [String]
  let writes: [String]

  init(_ name: String, _ sql: String) {
    let sql = sql.replacing("\"", with: "")
    let head = sql.firstMatch(
      of:
        #/CREATE TRIGGER \w+ (BEFORE|AFTER) (INSERT|DELETE|UPDATE(?: OF [\w, ]+)?) ON (\w+)(.*?)\bBEGIN\b/#
        .dotMatchesNewlines())
    let kind = head.map { "\($0.output.1) \($0.output.2)" } ?? ""
    table = head.map { String($0.output.3) } ?? ""
    let condition = head?.output.4.contains("WHEN") == true ? ", sometimes" : ""
    event =
      kind.replacing("BEFORE", with: "before").replacing("AFTER", with: "after")
      .replacing("INSERT", with: "insert").replacing("DELETE", with: "delete")
      .replacing("UPDATE OF", with: "update of").replacing("UPDATE", with: "update") + condition
    self.name = name.replacing("martlet_", with: "").replacing("\(table)_", with: "")
    let body = head.map { String(sql[$0.range.upperBound...]) } ?? ""
    refuses = body.matches(of: #/RAISE\(ABORT, 'martlet: ((?:[^']|'')*)'\)/#).map {
      String($0.output.1).replacing("''", with: "'")
    }.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    let statement =
      #/(?:INSERT (?:OR \w+ )?INTO (?<added>\w+)|DELETE FROM (?<deleted>\w+)|UPDATE (?:OR \w+ )?(?<set>\w+) SET )/#
    writes = body.matches(of: statement).map { match in
      if let table = match.output.added { return "adds to \(table)" }
      if let table = match.output.deleted { return "deletes from \(table)" }
      let columns = Self.columns(setBy: body[match.range.upperBound...]).joined(separator: ", ")
      return "sets \(columns) of \(match.output.set ?? "")"
    }
  }

  /// The columns that the text behind `SET` assigns, up to the end of the assignments.
  private static func columns(setBy text: Substring) -> [String] {
    var depth = 0
    var pieces = [""]
    var columns: [String] = []
    for character in text {
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      pieces[0].append(character)
      if depth == 0, character == ";" || pieces[0].hasSuffix(" WHERE") { break }
      guard depth == 0, character == "=" else { continue }
      // The word before the sign, or the names in parentheses before it.
      let before = pieces[0].dropLast().trimmingCharacters(in: .whitespaces)
      if let names = before.firstMatch(of: #/\(([\w, ]+)\)$/#) {
        columns += names.output.1.split(separator: ", ").map(String.init)
      } else if let name = before.firstMatch(of: #/(?:^|, )(?:\w+\.)?(\w+)$/#) {
        columns.append(String(name.output.1))
      }
    }
    return columns
  }
}

/// The page as Markdown.
enum TriggersPage {
  static func text(_ triggers: [(name: String, sql: String)]) -> String {
    let counters = triggers.filter { $0.sql.contains("INTO tableVersions") }
    let rules = triggers.filter { !$0.sql.contains("INTO tableVersions") }
      .map { PrintedTrigger($0.name, $0.sql) }
    let bytes = triggers.reduce(0) { $0 + $1.sql.utf8.count }
    var text = """
      # Triggers

      The triggers of a reminders database, table by table: when each fires, what it refuses, and what it
      writes, in this order. They are plain SQL, and hold for every program that writes to the file.
      The names begin with `martlet_` and the table. A trigger that fires *sometimes* has a condition.
      \(triggers.count) triggers with \(bytes / 1_000) KB of SQL are in a file. `make golden` prints this page.

      The table `tableVersions` has a number for each of these tables, which triggers increment with
      each change:

      \(names(of: counters))

      """
    var tables: [String] = []
    for trigger in rules where !tables.contains(trigger.table) { tables.append(trigger.table) }
    for table in tables {
      text += "\n## \(table)\n\n| Trigger | Fires | Refuses | Writes |\n|---|---|---|---|\n"
      for trigger in rules where trigger.table == table {
        text +=
          "| `\(trigger.name)` | \(trigger.event) | \(trigger.refuses.joined(separator: "; ")) "
          + "| \(trigger.writes.joined(separator: "; ")) |\n"
      }
    }
    return text
  }

  private static func names(of counters: [(name: String, sql: String)]) -> String {
    Set(counters.map { PrintedTrigger($0.name, $0.sql).table }).sorted().map { "- `\($0)`" }
      .joined(separator: "\n")
  }
}
