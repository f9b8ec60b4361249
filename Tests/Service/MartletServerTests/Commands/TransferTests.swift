import Foundation
import TestSupport
import Testing

@Suite("Export and import") struct TransferTests {
  /// The lines of an export without IDs: lists are numbered by their position.
  private func lines(_ text: String) throws -> [[String: String]] {
    var lists: [Int: Int] = [:]
    return try text.split(separator: "\n").map { line in
      var object = try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
      if object["type"] as? String == "list", let id = object["id"] as? Int {
        lists[id] = lists.count
      }
      if let list = object["listID"] as? Int { object["listID"] = lists[list] }
      object["id"] = nil
      object["reminderID"] = nil
      return try object.mapValues { value in
        let bytes = try JSONSerialization.data(
          withJSONObject: value, options: [.sortedKeys, .fragmentsAllowed])
        return String(decoding: bytes, as: UTF8.self)
      }
    }
  }

  private func export(_ path: String) throws -> String {
    let result = try MartletProcess.run(["export", "--database", path])
    #expect(result.code == 0, "\(result.errors)")
    return result.output
  }

  @Test(
    "A file without line breaks, or sent as a form, has an error that mentions --data-binary"
  )
  func sentWrong() throws {
    let server = try MartletProcess()
    let client = try RawClient(port: server.port)
    for file in [
      "title,list\"Milk\",Shop", "{\"type\":\"list\"}{\"type\":\"tag\"}",
      "BEGIN:VCALENDAREND:VCALENDAR",
    ] {
      let answer = try client.post("/v1/import", file)
      #expect(answer.status >= 400 && answer.text.contains("--data-binary"), "\(answer.text)")
    }
    let form = [("Content-Type", "multipart/form-data; boundary=x")]
    let answer = try client.request("POST", "/v1/import", form, body: "--x--\n")
    #expect(answer.status == 415 && answer.text.contains("--data-binary"), "\(answer.text)")
  }

  @Test("An export and import preserves everything except IDs")
  func roundTrip() throws {
    let folder = try TemporaryFolder()
    let server = try MartletProcess(in: folder, name: "a.db")
    let client = try RawClient(port: server.port)
    #expect(
      try client.post("/v1/lists", ##"{"title":"\"Zoë\"\n\u0001 🦜","color":"#00000a"}"##).status
        == 201)
    for body in [
      #"{"listID":2,"title":"a \\ \" \n b","notes":"línea\r\n\ttab 🛠️","dueDate":"2026-12-24","tags":["Ärger","b c","c,d;e"]}"#,
      #"{"listID":2,"title":"","dueDate":"2026-12-24T17:30:00.123+01:00","priority":"low","isFlagged":true}"#,
      #"{"listID":1,"title":"done","status":"completed"}"#,
      #"{"listID":2,"title":"first"}"#,
    ] {
      #expect(try client.post("/v1/reminders", body).status == 201)
    }
    #expect(try client.request("PUT", "/v1/lists/order", body: #"{"ids":[2,1]}"#).status == 204)
    #expect(
      try client.request("PUT", "/v1/lists/2/reminders/order", body: #"{"ids":[4,1,2]}"#).status
        == 204)
    let seed = ["seed", "--lists", "3", "--reminders", "300", "--database", server.database]
    #expect(try MartletProcess.run(seed).code == 0)
    let whole = try export(server.database)
    #expect(try client.get("/v1/export").text == whole)
    try whole.write(toFile: folder.file("all.ndjson"), atomically: true, encoding: .utf8)
    let arguments = ["import", folder.file("all.ndjson"), "--database", folder.file("b.db")]
    let made = try MartletProcess.run(arguments)
    #expect(made.code == 0 && made.output.contains("304 reminders, "), "\(made.errors)")
    let copy = try export(folder.file("b.db"))
    #expect(try lines(copy) == lines(whole))
    // Search and positions work as for data created there.
    let other = try MartletProcess(in: folder, name: "b.db")
    let reader = try RawClient(port: other.port)
    #expect(try reader.get("/v1/search?q=l%C3%ADnea").items.count == 1)
    #expect(try reader.get("/v1/stats").text == client.get("/v1/stats").text)
    // A second import adds everything again, with a single event for subscribers.
    let streams = StreamClient(port: other.port)
    try streams.open("/v1/stats")
    #expect(streams.wait { $0[0].events.count == 1 })
    let again = try reader.request("POST", "/v1/import", body: whole)
    #expect(again.status == 200 && again.json["reminders"] as? Int == 304, "\(again.text)")
    #expect(streams.wait { $0[0].last?.json["all"] as? Int == 608 })
    #expect(streams.streams[0].events.count == 2)
  }

  static let faults: [(String, String)] = [
    ("", "The file is empty"), ("\n \n", "The file is empty"),
    (
      "\n{\"type\" 1}",
      "Line 2: The line is not JSON: expected ':', found '1' at column 9.\nNothing was imported."
    ),
    ("{", "Line 1: The line is not JSON"),
    ("[]", "Line 1: The line begins an array"),
    (#"{"type":"tag"}"#, "Line 1: The line is invalid"),
    (#"{"title":"x"}"#, "/type is required"),
    (#"{"type":"task"}"#, "/type expected one of"),
    (#"{"type":"martlet","version":2}"#, "/version expected 1"),
    (#"{"type":"martlet"}"#, "/version is required"),
    (
      #"{"type":"tag","title":"a"}"# + "\n" + #"{"type":"martlet","version":1}"#,
      "only allowed on the first line"
    ),
    (#"{"type":"end","lists":5,"tags":0,"reminders":9}"#, "counts 5 lists"),
    (#"{"type":"list","id":1,"title":5}"#, "/title expected a string"),
    (#"{"type":"list","id":1,"title":"a","colour":"red"}"#, "/colour unknown"),
    (
      #"{"type":"list","id":1,"title":"a"}"# + "\n" + #"{"type":"list","id":1,"title":"b"}"#,
      "Line 2: The list 1 appears twice"
    ),
    (
      "\n\n" + #"{"type":"reminder","listID":3,"title":"a"}"#,
      "Line 3: The list 3 must come before this line"
    ),
    (
      #"{"type":"list","id":1,"title":"a"}"# + "\n"
        + #"{"type":"reminder","listID":1,"title":"a","dueDate":"soon"}"#, "Line 2: "
    ),
    (
      #"{"type":"list","id":1,"title":"a"}"# + "\n"
        + #"{"type":"reminder","listID":1,"title":"a","tags":["1","2","3","4","5","6"]}"#,
      "Line 2: A reminder can have at most five tags"
    ),
    (
      #"{"type":"martlet","version":1}"# + "\n" + #"{"type":"list","id":1,"title":"a"}"#,
      "ends early"
    ),
    (
      #"{"type":"end","lists":0,"tags":0,"reminders":0}"# + "\n" + #"{"type":"tag","title":"a"}"#,
      "Line 2: There are more lines after the one of type end"
    ),
    (
      #"{"type":"martlet","version":1}"# + "\n"
        + #"{"type":"end","lists":1,"tags":0,"reminders":0}"#, "the file has 0, 0, 0, 0 and 0"
    ),
  ]

  @Test("An error names its line, and nothing is imported", arguments: faults)
  func mistakes(_ text: String, _ says: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("m.db")
    try (#"{"type":"list","id":9,"title":"before"}"# + "\n").write(
      toFile: folder.file("good"), atomically: true, encoding: .utf8)
    #expect(try MartletProcess.run(["import", folder.file("good"), "--database", path]).code == 0)
    let before = try export(path)
    #expect(before.contains("before"))
    try text.write(toFile: folder.file("bad"), atomically: true, encoding: .utf8)
    let result = try MartletProcess.run(["import", folder.file("bad"), "--database", path])
    #expect(result.code == 1 && result.output.isEmpty)
    #expect(result.errors.contains(says), "\(result.errors)")
    #expect(result.errors.contains("Nothing was imported"))
    #expect(try export(path) == before)
  }

  @Test("CSV: a table as written by a spreadsheet survives import and export")
  func table() throws {
    let folder = try TemporaryFolder()
    let server = try MartletProcess(in: folder)
    let client = try RawClient(port: server.port)
    let file = #"""
      \#u{FEFF}title,list,tags,isFlagged,dueDate,notes\#r
      "Milk, ""fresh""",Shop,food; b\;c ,yes,2026-12-24,"two\#r
      lines"\#r
      Sweep,,,0,2026-12-24T17:00:00+01:00,\#r
      \#r
      ,Shop,,,,

      """#
    let made = try client.request("POST", "/v1/import?format=csv", body: file)
    #expect(made.status == 200 && made.json["reminders"] as? Int == 3, "\(made.text)")
    let items = try client.get("/v1/reminders").items
    #expect(items.compactMap { $0["title"] as? String } == ["Milk, \"fresh\"", "", "Sweep"])
    #expect(items[0]["tags"] as? [String] == ["b;c", "food"])
    #expect(items[0]["notes"] as? String == "two\r\nlines")
    #expect(
      items[0]["isFlagged"] as? Bool == true && items[0]["dueDate"] as? String == "2026-12-24")
    #expect(items[2]["dueDate"] as? String == "2026-12-24T16:00:00.000Z")
    let lists = try client.get("/v1/lists").items.compactMap { $0["title"] as? String }
    #expect(lists == ["Shop", "Reminders"])
    let table = try client.get("/v1/export?format=csv")
    #expect(table["Content-Type"] == "text/csv; charset=utf-8")
    #expect(table["Content-Disposition"] == "attachment; filename=\"martlet.csv\"")
    try table.text.write(toFile: folder.file("t.csv"), atomically: true, encoding: .utf8)
    let other = folder.file("other.db")
    let arguments = ["import", folder.file("t.csv"), "--format", "csv", "--database", other]
    #expect(try MartletProcess.run(arguments).code == 0)
    let again = try MartletProcess.run(["export", "--format", "csv", "--database", other]).output
    #expect(again == table.text)
    for (wrong, says) in [
      ("", "The file is empty"),
      ("title,colour\na,b", "Line 1: There is no column \"colour\""),
      ("list\na", "the column title is required"),
      ("title,notes\na", "Line 2: The row has 1 field, but there are 2 columns"),
      ("title\n\"a", "is not closed in this row"),
      ("title\n\"a\"b", "Line 2: A closing quotation mark"), ("title\na\"b\"", "must be quoted"),
      ("title,dueDate\na,soon", "Line 2: "), ("title,isFlagged\na,maybe", "Line 2: "),
    ] {
      let fault = try client.request("POST", "/v1/import?format=csv", body: wrong)
      #expect(fault.status == 422, "\(wrong)")
      #expect(
        fault.text.contains(says) || (fault.json["detail"] as? String)?.contains(says) == true,
        "\(fault.text)")
    }
  }

  @Test("iCalendar: properties of other programs survive import and export")
  func calendar() throws {
    let folder = try TemporaryFolder()
    let file = """
      BEGIN:VCALENDAR
      X-WR-CALNAME:Home
      BEGIN:VTODO
      UID:7b0c
      SUMMARY:Winter tyres
      DUE;TZID=Europe/Vienna:20270115T093000
      CATEGORIES:car
      RRULE:FREQ=YEARLY
      X-OTHER:kept
      END:VTODO
      END:VCALENDAR
      """
    try file.write(toFile: folder.file("in.ics"), atomically: true, encoding: .utf8)
    let format = ["--format", "ics", "--database", folder.file("martlet.db")]
    #expect(try MartletProcess.run(["import", folder.file("in.ics")] + format).code == 0)
    let server = try MartletProcess(in: folder)
    let client = try RawClient(port: server.port)
    let reminder = try #require(try client.get("/v1/reminders").items.first)
    #expect(reminder["dueDate"] as? String == "2027-01-15T08:30:00.000Z")
    #expect(reminder["tags"] as? [String] == ["car"])
    let out = try client.get("/v1/export?format=ics")
    #expect(out["Content-Type"] == "text/calendar; charset=utf-8")
    #expect(out.text == (try MartletProcess.run(["export"] + format).output))
    for line in [
      "UID:7b0c", "DUE;TZID=Europe/Vienna:20270115T093000", "X-WR-CALNAME:Home",
      "RRULE:FREQ=YEARLY", "X-OTHER:kept",
    ] {
      #expect(out.text.contains("\r\n\(line)\r\n"), "\(line)")
    }
    // NDJSON transfers everything, including stored calendar properties.
    let whole = try client.get("/v1/export").text
    #expect(
      whole.contains(
        #""calendar":"X-MARTLET-LINES:2\nDUE;TZID=Europe/Vienna:20270115T093000\nRRULE:FREQ=YEARLY\nX-OTHER:kept""#
      ))
    #expect(try client.post("/v1/import", whole).status == 200)
    // The definition of the zone has rules as well.
    let rules = try client.get("/v1/export?format=ics").text.ranges(of: "\r\nRRULE:FREQ=YEARLY\r\n")
    #expect(rules.count == 2)
    // The stored properties are deleted with their reminder.
    #expect(try client.request("DELETE", "/v1/lists/2").status == 204)
    let left = try MartletProcess.sqlite3(
      server.database, "SELECT count(*) FROM calendarObjects", in: folder)
    #expect(left == "1\n")
  }

  @Test("Over HTTP: format, size limits and errors")
  func http() throws {
    let server = try MartletProcess(["--max-import", "4KiB", "--max-body", "1KiB"])
    let client = try RawClient(port: server.port)
    for (accept, type) in [
      ("text/csv", "text/csv; charset=utf-8"), ("text/calendar", "text/calendar; charset=utf-8"),
      ("*/*", "application/x-ndjson"),
      ("text/*;q=0.5, text/calendar", "text/calendar; charset=utf-8"),
    ] {
      #expect(try client.get("/v1/export", [("Accept", accept)])["Content-Type"] == type)
      #expect(
        try client.get("/v1/export?format=csv", [("Accept", accept)])["Content-Type"]
          == "text/csv; charset=utf-8")
    }
    for accept in ["application/json", "text/event-stream"] {
      let answer = try client.get("/v1/export", [("Accept", accept)])
      #expect(answer.status == 406 && answer.text.contains("text/csv"))
    }
    let answer = try client.get("/v1/export", [("Accept-Encoding", "gzip")])
    #expect(answer["Content-Type"] == "application/x-ndjson")
    #expect(answer["Content-Disposition"] == "attachment; filename=\"martlet.ndjson\"")
    #expect(answer["Cache-Control"] == "no-store")
    let line = #"{"type":"tag","title":"tag"}"# + "\n"
    let file = String(repeating: line, count: 100)
    #expect(try client.post("/v1/import", file).json["tags"] as? Int == 100)
    let fault = try client.post("/v1/import", line + line + "{\"type\":\"tag\",\"title\":\"\"}")
    #expect(fault.status == 422 && fault.problem == "invalid-body")
    #expect((fault.json["detail"] as? String)?.hasPrefix("Line 3: ") == true)
    let large = try client.post("/v1/import", String(repeating: line, count: 200))
    #expect(large.status == 413)
    // The media type decides the format, or else the first bytes.
    let table = "list,title\nA,a\n"
    let calendar = "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nSUMMARY:b\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"
    for (body, type) in [
      (table, "text/csv"), (table, "Text/CSV; charset=utf-8"),
      (table, "application/x-www-form-urlencoded"),
      (calendar, "text/calendar"), (calendar, "application/octet-stream"),
    ] {
      let other = try MartletProcess()
      let answer = try RawClient(port: other.port).request(
        "POST", "/v1/import", [("Content-Type", type)], body: body)
      #expect(
        answer.status == 200 && answer.json["reminders"] as? Int == 1, "\(type) \(answer.text)")
      _ = try other.stop()
    }
    // A file of very short rows has too many records for one upload.
    let rows = "title\n" + String(repeating: "a\n", count: 1_100)
    let other = try RawClient(port: server.port)
    let many = try other.post("/v1/import?format=csv", rows)
    #expect(many.status == 422 && many.problem == "invalid-body")
    #expect((many.json["detail"] as? String)?.hasPrefix("Line 1025: The file has more") == true)
    #expect(try other.get("/v1/stats").json["all"] as? Int == 0)
  }

  @Test("A stalled pipe does not block other writers", .timeLimit(.minutes(10)))
  func pipe() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("m.db")
    #expect(try MartletProcess.run(["migrate", "--database", path]).code == 0)
    try #require(mkfifo(folder.file("pipe"), 0o600) == 0)
    let process = try ChildProcess(
      MartletProcess.executable, ["import", folder.file("pipe"), "--database", path], folder: folder
    )
    // Opened for reading, too, so that writing raises no SIGPIPE if the import has ended.
    let pipe = open(folder.file("pipe"), O_RDWR | O_CLOEXEC)
    try #require(pipe >= 0)
    // More than the pipe can hold, so the import must have started reading.
    let lines = (0..<10_000).map { #"{"type":"tag","title":"\#($0)"}"# + "\n" }.joined()
    let bytes = Array(lines.utf8)
    #expect(bytes.withUnsafeBytes { write(pipe, $0.baseAddress, $0.count) } == bytes.count)
    _ = try MartletProcess.sqlite3(path, "INSERT INTO tags VALUES ('meanwhile')", in: folder)
    close(pipe)
    let result = try process.wait()
    #expect(result.code == 0 && result.output.contains("10000 tags"), "\(result.errors)")
    #expect(try export(path).contains("meanwhile"))
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(!left.contains { $0.contains("import") }, "\(left)")
  }

  @Test("An invalid file creates no database")
  func noDatabase() throws {
    let folder = try TemporaryFolder()
    try "title\n\"".write(toFile: folder.file("bad"), atomically: true, encoding: .utf8)
    let result = try MartletProcess.run(
      ["import", folder.file("bad"), "--format", "csv", "--database", folder.file("new.db")])
    #expect(result.code == 1 && result.errors.contains("Line 2: "), "\(result.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.file("new.db")))
  }
}
