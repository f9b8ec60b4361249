import MartletSQLite
import TestSupport
import Testing

/// A `sqlite3` shell can write what it likes if it ignores the constraints. Rows of older files
/// were not checked.
@Suite("Rows that another program has spoiled cause no error of the server")
struct SpoiledRowsTests {
  private func shell(_ service: RemindersService, ignoresChecks: Bool = true) throws -> Connection {
    let shell = try Connection(location: .file(service.path))
    shell.setBusyTimeout(.seconds(5))
    if ignoresChecks { try shell.pragma("ignore_check_constraints", set: "ON") }
    return shell
  }

  @Test(
    "A spoiled entry of the trash is listed, cannot be restored, and can be erased",
    arguments: [
      "content = 'x'", "content = '[]'", "content = '{}'", "kind = 7", "deletedAt = 'x'",
      "content = json_set(content, '$.priority', 9)",
      "content = json_set(content, '$.dueDate', 'x')",
      "content = json_set(content, '$.status', 'x')", "title = char(0)",
      "content = json_set(content, '$.tags', json('[\"..\"]'))",
      "content = json_set(content, '$.alarms', json('[[1, \"x\"]]'))",
    ])
  func trash(_ change: String) throws {
    let service = try RemindersService()
    let client = try service.client()
    _ = try client.post("/v1/reminders", #"{"listID":1,"title":"a"}"#)
    #expect(try client.request("DELETE", "/v1/reminders/1").status == 204)
    let shell = try shell(service)
    defer { shell.close() }
    try shell.execute("UPDATE trash SET \(change)")
    let page = try client.get("/v1/trash?total=true")
    #expect(page.status == 200 && page.items.count == 1, "\(page.text)")
    let restored = try client.post("/v1/trash/1/restore", "")
    #expect(restored.status == 409 && restored.problem == "entry-unreadable", "\(restored.text)")
    #expect(try client.get("/v1/reminders/1").status == 404)
    #expect(try client.request("DELETE", "/v1/trash/1").status == 204)
    #expect(try client.get("/v1/trash").items.isEmpty)
  }

  @Test("A shell that heeds the constraints cannot spoil the trash")
  func checked() throws {
    let service = try RemindersService()
    let client = try service.client()
    _ = try client.post("/v1/reminders", #"{"listID":1,"title":"a"}"#)
    _ = try client.request("DELETE", "/v1/reminders/1")
    let shell = try shell(service, ignoresChecks: false)
    defer { shell.close() }
    for change in ["content = 'x'", "content = '[]'", "kind = 7", "deletedAt = 'x'"] {
      #expect(throws: SQLiteError.self, "\(change)") {
        try shell.execute("UPDATE trash SET \(change)")
      }
    }
    #expect(try client.post("/v1/trash/1/restore", "").status == 201)
  }

  @Test("An export of spoiled rows can be imported")
  func export() throws {
    let service = try RemindersService()
    let client = try service.client()
    _ = try client.post("/v1/smart-lists", #"{"title":"s","filter":{"flagged":true}}"#)
    for title in ["a", "b"] {
      _ = try client.post("/v1/reminders", #"{"listID":1,"title":"\#(title)"}"#)
    }
    let shell = try shell(service)
    defer { shell.close() }
    try shell.execute(
      """
      UPDATE smartLists SET sort = 'x';
      INSERT INTO calendarObjects (reminderID, lines) VALUES
        (1, 'senseless' || char(10) || 'X-A:1' || char(10) || 'BEGIN:VALARM'), (2, char(1));
      """)
    let file = try client.get("/v1/export")
    #expect(file.status == 200)
    #expect(file.text.contains(#""calendar":"X-A:1""#), "\(file.text)")
    let copy = try RemindersService()
    let imported = try copy.client().post("/v1/import", file.text)
    #expect(imported.status == 200, "\(imported.text)")
    let lists = try copy.client().get("/v1/smart-lists")
    #expect(lists.text.contains(#""sort":null"#), "\(lists.text)")
  }
}
