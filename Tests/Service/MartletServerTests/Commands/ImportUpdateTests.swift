import Foundation
import TestSupport
import Testing

@Suite("An import that updates, and an export of one list") struct ImportUpdateTests {
  private let folder: TemporaryFolder
  private let database: [String]

  init() throws {
    folder = try TemporaryFolder()
    database = ["--database", folder.file("martlet.db")]
  }

  private func file(_ title: String, _ due: String = "DUE:20270115T093000") throws -> String {
    let text = """
      BEGIN:VCALENDAR
      X-WR-CALNAME:Home
      BEGIN:VTODO
      UID:7b0c
      SUMMARY:\(title)
      \(due)
      X-OTHER:kept
      END:VTODO
      END:VCALENDAR
      """
    try text.write(toFile: folder.file("in.ics"), atomically: true, encoding: .utf8)
    return folder.file("in.ics")
  }

  @Test("martlet import --update changes a to-do that is there, and only of a calendar")
  func updates() throws {
    let zone = ["--time-zone", "Europe/Vienna"]
    for title in ["Winter tyres", "Summer tyres"] {
      let made = try MartletProcess.run(
        ["import", try file(title), "--update"] + zone + database, in: folder)
      #expect(made.code == 0 && made.output.contains("1 reminder"), "\(made.errors)")
    }
    let table = folder.file("t.csv")
    try "title\na\n".write(toFile: table, atomically: true, encoding: .utf8)
    let refused = try MartletProcess.run(["import", table, "--update"] + database, in: folder)
    #expect(refused.code != 0 && refused.errors.contains("--update"), "\(refused.errors)")
    let server = try MartletProcess(in: folder)
    let client = try RawClient(port: server.port)
    let items = try client.get("/v1/reminders").items
    #expect(items.compactMap { $0["title"] as? String } == ["Summer tyres"])
    // A floating time is in the zone of the setting.
    #expect(items.first?["dueDate"] as? String == "2027-01-15T08:30:00.000Z")
    let text = try String(contentsOfFile: try file("Tyres"), encoding: .utf8)
    let again = try client.request("POST", "/v1/import?update=true", body: text)
    #expect(again.status == 200 && again.json["reminders"] as? Int == 1, "\(again.text)")
    let titles = try client.get("/v1/reminders").items.compactMap { $0["title"] as? String }
    #expect(titles == ["Tyres"])
    for (target, body) in [
      ("/v1/import?update=true", "title\na\n"), ("/v1/import?update=maybe", text),
    ] {
      let answer = try client.request("POST", target, body: body)
      #expect(answer.status == 400 && answer.problem == "invalid-parameter", "\(answer.text)")
    }
    #expect(try client.request("POST", "/v1/import?update=false", body: text).status == 200)
    #expect(try client.get("/v1/reminders").items.count == 2)
  }

  @Test("martlet export --list has one list, and its floating rules the zone of the setting")
  func oneList() throws {
    #expect(try MartletProcess.run(["import", try file("Tyres")] + database, in: folder).code == 0)
    let lists = try MartletProcess.sqlite3(
      folder.file("martlet.db"),
      "INSERT INTO remindersLists (title) VALUES ('Other'); SELECT id FROM remindersLists ORDER BY id",
      in: folder
    ).split(separator: "\n").map(String.init)
    try #require(lists.count == 2)
    func export(_ arguments: [String]) throws -> ChildProcess.Result {
      try MartletProcess.run(["export"] + arguments + database, in: folder)
    }
    let one = try export(["--list", lists[0], "--format", "ics"])
    #expect(one.code == 0 && one.output.contains("SUMMARY:Tyres"), "\(one.errors)")
    let other = try export(["--list", lists[1]])
    #expect(other.code == 0 && other.output.contains(#""title":"Other""#), "\(other.output)")
    #expect(!other.output.contains("Tyres") && !other.output.contains(#""title":"Home""#))
    let missing = try export(["--list", "99"])
    #expect(missing.code != 0 && missing.errors.contains("no list 99"), "\(missing.errors)")
    #expect(try export(["--list", "x"]).errors.contains("--list must be a whole number"))
    #expect(try export(["--time-zone", "Nowhere"]).errors.contains("--time-zone"))
    let zoned = try MartletProcess.sqlite3(
      folder.file("martlet.db"),
      """
      UPDATE reminders SET dueDate = '2027-01-15 08:30:00.000', timeZone = 'Europe/Vienna';
      SELECT count(*) FROM reminders
      """, in: folder)
    #expect(zoned == "1\n")
    let text = try export(["--format", "ics"]).output
    for line in [
      "BEGIN:VTIMEZONE", "TZID:Europe/Vienna", "DUE;TZID=Europe/Vienna:20270115T093000",
    ] {
      #expect(text.contains("\(line)\r\n"), "\(text)")
    }
    #expect(text.components(separatedBy: "BEGIN:VTIMEZONE").count == 2)
  }

  @Test("100,000 reminders with lines of calendars are migrated in bounded memory")
  func migrates() throws {
    let path = folder.file("martlet.db")
    #expect(try MartletProcess.run(["migrate"] + database, in: folder).code == 0)
    // As version 16 has left it.
    let triggers = try MartletProcess.sqlite3(
      path, "SELECT name FROM sqlite_schema WHERE type = 'trigger'", in: folder)
    let drops = triggers.split(separator: "\n").map { "DROP TRIGGER \"\($0)\";" }.joined()
    let lines = "UID:u'||id||'\\nX-KEPT:" + String(repeating: "k", count: 1_000)
    let count = try MartletProcess.sqlite3(
      path,
      """
      PRAGMA synchronous = OFF; \(drops) \(OldSchema.of16)
      INSERT INTO reminders (id, remindersListID, title, uid, createdAt, updatedAt, position)
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
      SELECT i, 1, 'r', 'u' || i, '2026-11-24 10:00:00.000', '2026-11-24 10:00:00.000', i FROM n;
      INSERT INTO calendarLines SELECT id, replace('\(lines)', '\\n', char(10)) FROM reminders;
      SELECT count(*) FROM calendarLines
      """, in: folder)
    #expect(count.hasSuffix("100000\n"))
    // The file has over 120 MB, most of it lines.
    let migrated = try ChildProcess(
      "/bin/sh",
      [
        "-c", "ulimit -v 1200000; exec \"$0\" migrate --database \"$1\"", MartletProcess.executable,
        path,
      ],
      folder: folder
    ).wait()
    #expect(migrated.code == 0, "\(migrated.errors)")
    let found = try MartletProcess.sqlite3(
      path,
      """
      SELECT count(*), min(length(lines)) > 1000 FROM calendarObjects; PRAGMA integrity_check;
      """, in: folder)
    #expect(found == "100000|1\nok\n")
  }
}
