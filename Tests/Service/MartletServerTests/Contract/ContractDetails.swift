import Foundation
import TestSupport
import Testing

/// Requests that only concern some of the operations.
extension ContractWalk {
  func filters() throws {
    let good = [
      "listID=2", "status=incomplete", "completed=true", "flagged=true", "priority=high",
      "tag=car&tag=errand", "due=today", "due=overdue", "due=scheduled", "due=none",
      "dueBefore=2026-12-24", "dueAfter=2026-01-01T00:00:00%2B01:00", "q=tyres",
      "timeZone=Europe/Vienna", "limit=1&total=true", "lastEventID=x", "deltas=true",
      "priority=high&priority=low", "recurring=true", "available=false", "dueWithin=P7D",
      "parentID=1", "parentID=none",
    ]
    for query in good {
      try walk.call(200, "GET", "/v1/reminders?\(query)")
      if !query.hasPrefix("listID") {
        try walk.call(200, "GET", "/v1/lists/2/reminders?\(query)", of: Operation.ofList)
      }
    }
    try walk.call(200, "GET", "/v1/reminders?listID=1&listID=2")
    for query in [
      "state=passed", "reminderID=3", "listID=1&state=armed", "limit=1&total=true",
      "before=2026-11-21&timeZone=Europe/Vienna", "after=2026-01-01T00:00:00Z",
    ] {
      try walk.call(200, "GET", "/v1/alarms?\(query)")
    }
    for query in ["state=loud", "reminderID=x", "listID=0", "limit=501", "after=x"] {
      try walk.call(400, "GET", "/v1/alarms?\(query)", problem: "invalid-parameter")
    }
    for query in ["reminderID=3", "listID=1", "after=2026-01-01", "before=2026-01-01T00:00:00Z"] {
      try walk.call(200, "GET", "/v1/completions?\(query)")
    }
    for query in ["reminderID=x", "listID=0", "after=x", "before=2026-02-30"] {
      try walk.call(400, "GET", "/v1/completions?\(query)", problem: "invalid-parameter")
    }
    for key in [
      "position", "dueDate", "startDate", "title", "priority", "createdAt", "updatedAt",
      "completedAt",
    ] {
      try pages("/v1/reminders?sort=\(key)&limit=1")
      try pages("/v1/reminders?sort=-\(key)&limit=1")
    }
    for path in ["/v1/lists?limit=1", "/v1/tags?limit=1&total=true"] { try pages(path) }
    let bad = [
      "listID=0", "listID=x", "status=done", "completed=1", "flagged=yes", "priority=urgent",
      "tag=", "due=soon", "dueBefore=tomorrow", "dueAfter=2026-02-30", "timeZone=Mars/Olympus",
      "parentID=0", "parentID=all", "recurring=1", "available=x", "dueWithin=7", "dueWithin=P400D",
      "sort=size", "sort=--title",
      "limit=0", "limit=501", "limit=%2B5", "total=yes",
      "limit=1&limit=2", "q=\(String(repeating: "a", count: 1001))",
    ]
    for query in bad {
      try walk.call(400, "GET", "/v1/reminders?\(query)", problem: "invalid-parameter")
    }
    try walk.call(400, "GET", "/v1/reminders?cursor=x", problem: "invalid-cursor")
    for query in ["tyres", "%22the+car%22", "tag:car", "near:3+car+due", "%22", "*", "AND", ""] {
      try walk.call(200, "GET", "/v1/search?q=\(query)&before=%5B&after=%5D&total=true")
    }
    try walk.call(400, "GET", "/v1/search", problem: "invalid-parameter")
    try walk.call(200, "GET", "/v1/stats?timeZone=America/New_York")
  }

  /// Reads all pages. A cursor of another collection is refused.
  private func pages(_ path: String) throws {
    var ids: [String] = []
    var cursor: String?
    repeat {
      let answer = try walk.call(200, "GET", path + (cursor.map { "&cursor=\($0)" } ?? ""))
      ids += answer.items.map { "\($0["id"] ?? $0["title"] ?? "")" }
      cursor = answer.json["nextCursor"] as? String
      if let cursor {
        let other = path.hasPrefix("/v1/tags") ? "/v1/lists" : "/v1/tags"
        try walk.call(400, "GET", "\(other)?cursor=\(cursor)", problem: "invalid-cursor")
      }
    } while cursor != nil
    #expect(Set(ids).count == ids.count)
    #expect(ids.count >= 2, "\(path) has too few for pages")
  }

  func bodies() throws {
    let reminder = "/v1/reminders/2"
    for (name, value) in [
      ("title", "\"\(String(repeating: "t", count: 1_000))\""),
      ("notes", "\"\(String(repeating: "n", count: 100_000))\""), ("title", #""""#),
      ("dueDate", #""2026-11-20t15:36:00z""#), ("dueDate", #""2026-11-20T15:36:00.123456789Z""#),
      ("dueDate", #""2026-11-20""#), ("priority", "null"), ("status", #""incomplete""#),
      ("isFlagged", "true"), ("tags", "[]"), ("tags", #"["a","b","c","d","e"]"#), ("listID", "1"),
      ("listID", "2"), ("id", "2"), ("timeZone", #""Europe/Vienna""#), ("timeZone", "null"),
      ("startDate", #""2026-11-19""#), ("recurrence", #"{"rule":"FREQ=MONTHLY;BYMONTHDAY=-1"}"#),
      ("recurrence", #"{"basis":"completion"}"#), ("recurrence", "null"),
      ("alarms", #"[{"offset":"-P1DT2H30M","from":"start"},{"offset":"PT0.5S","from":null}]"#),
      ("alarms", #"[{"at":"2026-11-20T16:36:00+01:00","repeat":{"every":"P1D","times":100}}]"#),
      ("alarms", "[]"), ("startDate", "null"),
    ] {
      try walk.call(200, "PATCH", reminder, of: Operation.reminder, body: "{\"\(name)\":\(value)}")
    }
    for (name, value) in [
      ("title", "\"\(String(repeating: "t", count: 1_001))\""),
      ("notes", "\"\(String(repeating: "n", count: 100_001))\""), ("title", "null"),
      ("title", #""\u0000""#), ("dueDate", #""2026-11-20 15:36:00Z""#),
      ("dueDate", #""2026-02-29""#), ("dueDate", #""2026-11-20T15:36:00""#), ("dueDate", "1"),
      ("priority", "2"), ("priority", #""urgent""#), ("status", "null"), ("isFlagged", "1"),
      ("tags", #""car""#), ("tags", "[1]"), ("tags", #"[""]"#), ("tags", #"["."]"#),
      ("tags", #"["\u0007"]"#), ("tags", "[\"\(String(repeating: "t", count: 101))\"]"),
      ("startDate", #""2027-11-19""#), ("startDate", "7"), ("timeZone", #""Mars""#),
      ("recurrence", "{}"), ("recurrence", "7"), ("recurrence", #"{"rule":"FREQ=HOURLY"}"#),
      ("recurrence", #"{"rule":"FREQ=DAILY","basis":"never"}"#), ("completedAt", "7"),
      ("recurrence", #"{"rule":"FREQ=DAILY","excluded":[1]}"#),
      ("alarms", "null"), ("alarms", "[1]"), ("alarms", "[{}]"), ("alarms", #"[{"offset":"P"}]"#),
      ("alarms", #"[{"offset":"PT0S","at":"2026-11-20T15:36:00Z"}]"#),
      ("alarms", #"[{"offset":"PT0S","repeat":{"every":"PT1S","times":1}}]"#),
      ("listID", #""1""#), ("listID", "1.5"), ("id", "3"), ("position", "77"),
      ("createdAt", #""2001-01-01T00:00:00.000Z""#), ("updatedAt", "null"), ("a/b~c", "1"),
    ] {
      try walk.call(
        422, "PATCH", reminder, of: Operation.reminder, body: "{\"\(name)\":\(value)}",
        problem: "invalid-body")
    }
    // Sends the whole body of a GET back with PATCH.
    for (path, template) in [(reminder, Operation.reminder), ("/v1/lists/2", Operation.list)] {
      let stored = try walk.call(200, "GET", path, of: template)
      let tag = stored["ETag"] ?? ""
      let same = try walk.call(
        200, "PATCH", path, of: template, [("If-Match", tag)], body: stored.text)
      #expect(same["ETag"] == tag)
    }
    try walk.call(
      422, "POST", "/v1/reminders", body: #"{"title":"R","title":"S","listID":1}"#,
      problem: "invalid-body")
    try walk.call(
      422, "POST", "/v1/lists/2/reminders", of: Operation.ofList,
      body: #"{"title":"R","listID":1}"#, problem: "invalid-body")
    for color in ["red", "#12345", "#1234567", "#12345g"] {
      try walk.call(
        422, "POST", "/v1/lists", body: "{\"title\":\"L\",\"color\":\"\(color)\"}",
        problem: "invalid-body")
    }
    for ids in ["[1]", "[1,2,3]", "[1,1,2]", "[\"1\"]", "1"] {
      try walk.call(
        422, "PUT", "/v1/lists/order", body: "{\"ids\":\(ids)}", problem: "invalid-body")
    }
  }

  /// A calendar program has written a rule that is not understood.
  func unreadRule() throws {
    let lines = [
      "BEGIN:VCALENDAR", "BEGIN:VTODO", "UID:moon", "SUMMARY:Moonlight", "DUE:20261124T080000Z",
      "RRULE:FREQ=MOONLY", "END:VTODO", "END:VCALENDAR", "",
    ]
    try walk.call(
      200, "POST", "/v1/import", [("Content-Type", "text/calendar")],
      body: lines.joined(separator: "\n"))
    let found = try walk.call(200, "GET", "/v1/search?q=Moonlight").items.first?["id"] as? Int
    try walk.call(
      409, "PATCH", "/v1/reminders/\(found ?? 0)", of: Operation.reminder,
      body: #"{"status":"completed"}"#, problem: "rule-not-read")
  }

  func conflicts() throws {
    try walk.call(
      422, "POST", "/v1/reminders", body: #"{"listID":99,"title":"R"}"#, problem: "unknown-list")
    try walk.call(
      422, "PATCH", "/v1/reminders/1", of: Operation.reminder, body: #"{"listID":99}"#,
      problem: "unknown-list")
    let six = #""tags":["a","b","c","d","e","f"]"#
    try walk.call(
      409, "POST", "/v1/reminders", body: "{\"listID\":1,\"title\":\"R\",\(six)}",
      problem: "too-many-tags")
    try walk.call(
      409, "POST", "/v1/lists/2/reminders", of: Operation.ofList, body: "{\"title\":\"R\",\(six)}",
      problem: "too-many-tags")
    try walk.call(
      409, "PATCH", "/v1/reminders/1", of: Operation.reminder, body: "{\(six)}",
      problem: "too-many-tags")
    try walk.call(
      200, "PATCH", "/v1/reminders/1", of: Operation.reminder,
      body: #"{"tags":["car","errand","x","y","z"]}"#)
    try walk.call(
      409, "PUT", "/v1/reminders/1/tags/sixth", of: Operation.tagging, problem: "too-many-tags")
    try walk.call(409, "POST", "/v1/tags", body: #"{"title":"CAR"}"#, problem: "tag-exists")
    let uid = #"{"title":"U","uid":"u-1"}"#
    try walk.call(201, "POST", "/v1/lists/2/reminders", of: Operation.ofList, body: uid)
    try walk.call(
      409, "POST", "/v1/lists/2/reminders", of: Operation.ofList, body: uid, problem: "uid-exists")
    try walk.call(201, "POST", "/v1/lists", body: uid)
    try walk.call(409, "POST", "/v1/lists", body: uid, problem: "uid-exists")
    try trash()
    try recurrence()
    try alarms()
    try subtasks()
    try walk.call(410, "GET", "/v1/changes?since=k-s-1", problem: "feed-expired")
    try walk.call(400, "GET", "/v1/changes?since=k", problem: "invalid-parameter")
    try walk.call(
      409, "PATCH", "/v1/tags/x", of: Operation.tag, body: #"{"title":"Car"}"#,
      problem: "tag-exists")
    try walk.call(
      200, "PATCH", "/v1/tags/x?merge=true", of: Operation.tag, body: #"{"title":"car"}"#)
    try walk.call(200, "PATCH", "/v1/tags/y", of: Operation.tag, body: "{}")
    try walk.call(200, "PATCH", "/v1/tags/y", of: Operation.tag, body: #"{"title":"two words"}"#)
    try walk.call(200, "GET", "/v1/tags/two%20words", of: Operation.tag)
    try walk.call(
      400, "PATCH", "/v1/tags/z?merge=yes", of: Operation.tag, body: #"{"title":"car"}"#,
      problem: "invalid-parameter")
  }

  /// A list with a reminder is deleted, and restored in two ways.
  private func trash() throws {
    func made(_ path: String, of template: String, _ body: String) throws -> String {
      try #require(try walk.call(201, "POST", path, of: template, body: body)["Location"])
    }
    func entry() throws -> Int {
      let page = try walk.call(200, "GET", "/v1/trash?limit=1")
      return try #require(page.items.first?["id"] as? Int)
    }
    let list = try made("/v1/lists", of: "/v1/lists", #"{"title":"Waste"}"#)
    let reminder = try made("\(list)/reminders", of: Operation.ofList, #"{"title":"Paper"}"#)
    try walk.call(
      400, "DELETE", reminder + "?permanently=maybe", of: Operation.reminder,
      problem: "invalid-parameter")
    try walk.call(204, "DELETE", reminder, of: Operation.reminder)
    let template = "/v1/trash/{id}/restore"
    let restore = "/v1/trash/\(try entry())/restore"
    try walk.call(204, "DELETE", list, of: Operation.list)
    try walk.call(409, "POST", restore, of: template, problem: "list-is-gone")
    try walk.call(422, "POST", restore + "?listID=99", of: template, problem: "unknown-list")
    try walk.call(201, "POST", restore + "?listID=1", of: template)
    try walk.call(201, "POST", "/v1/trash/\(try entry())/restore", of: template)
    try walk.call(204, "DELETE", reminder, of: Operation.reminder)
    try walk.call(204, "DELETE", "/v1/trash/\(try entry())", of: "/v1/trash/{id}")
    try walk.call(204, "DELETE", list + "?permanently=true", of: Operation.list)
    try walk.call(204, "DELETE", "/v1/trash")
  }

  /// A recurring reminder is completed, skipped and reopened.
  private func recurrence() throws {
    func action(_ name: String, _ status: Int, of id: Int = 3, problem: String? = nil) throws {
      try walk.call(
        status, "POST", "/v1/reminders/\(id)/\(name)", of: "/v1/reminders/{id}/\(name)",
        problem: problem)
    }
    try walk.call(
      200, "PATCH", "/v1/reminders/3", of: Operation.reminder, body: #"{"status":"completed"}"#)
    try action("skip", 200)
    try action("skip", 409, of: 1, problem: "not-recurring")
    for name in ["skip", "reopen"] {
      try walk.call(
        412, "POST", "/v1/reminders/3/\(name)", of: "/v1/reminders/{id}/\(name)",
        [("If-Match", "\"0\"")], problem: "precondition-failed")
    }
    let page = try walk.call(200, "GET", "/v1/completions?reminderID=3&limit=1")
    let cursor = try #require(page.json["nextCursor"] as? String)
    let rest = try walk.call(200, "GET", "/v1/completions?reminderID=3&cursor=\(cursor)")
    let first = try #require(rest.items.first?["id"] as? Int)
    let newest = try #require(page.items.first?["id"] as? Int)
    let undo = "/v1/completions/{id}"
    try walk.call(409, "DELETE", "/v1/completions/\(first)", of: undo, problem: "not-the-newest")
    try walk.call(204, "DELETE", "/v1/completions/\(newest)", of: undo)
    try action("reopen", 200)
    try action("reopen", 409, problem: "nothing-to-undo")
    let occurrences = "/v1/reminders/{id}/occurrences"
    let some = try walk.call(200, "GET", "/v1/reminders/3/occurrences?limit=2", of: occurrences)
    let next = try #require(some.json["nextCursor"] as? String)
    try walk.call(200, "GET", "/v1/reminders/3/occurrences?cursor=\(next)", of: occurrences)
    try walk.call(
      400, "GET", "/v1/reminders/1/occurrences?cursor=\(next)", of: occurrences,
      problem: "invalid-cursor")
    try walk.call(
      400, "GET", "/v1/reminders/3/occurrences?limit=101", of: occurrences,
      problem: "invalid-parameter")
    try walk.call(
      422, "PATCH", "/v1/reminders/3", of: Operation.reminder, body: #"{"dueDate":null}"#,
      problem: "recurrence-without-due")
    for path in ["/v1/reminders", "/v1/lists/1/reminders"] {
      try walk.call(
        422, "POST", path, of: path == "/v1/reminders" ? path : Operation.ofList,
        body: #"{"listID":1,"title":"R","recurrence":{"rule":"FREQ=DAILY"}}"#,
        problem: "recurrence-without-due")
    }
  }

  /// The alarms of reminder 3, which is due at a time and has the default one, and those of others
  /// that cannot be.
  private func alarms() throws {
    func made(_ body: String) throws -> String {
      let path = "/v1/reminders/3/alarms"
      return try #require(
        try walk.call(201, "POST", path, of: Operation.alarms, body: body)["Location"])
    }
    _ = try made(#"{"at":"2099-11-20T16:36:00+01:00"}"#)
    let alarm = try made(#"{"offset":"PT1H","from":"due","repeat":{"every":"PT5M","times":3}}"#)
    for body in [
      #"{"snoozedUntil":"\#(Date(timeIntervalSinceNow: 86_400).formatted(.iso8601))"}"#,
      #"{"state":"acknowledged"}"#, #"{"repeat":null}"#, #"{"offset":"-P1W","from":"start"}"#,
      #"{"at":"2099-11-20T16:36:00Z"}"#, "{}",
    ] {
      try walk.call(200, "PATCH", alarm, of: Operation.alarm, body: body)
    }
    let stored = try walk.call(200, "GET", alarm, of: Operation.alarm)
    try walk.call(
      200, "PATCH", alarm, of: Operation.alarm, [("If-Match", stored["ETag"] ?? "")],
      body: stored.text)
    for body in [
      #"{"state":"ringing"}"#, #"{"snoozedUntil":"2001-01-01T00:00:00Z"}"#, #"{"id":99}"#,
      #"{"offset":"1h"}"#, #"{"repeat":{}}"#, #"{"firedAt":"2026-11-20T15:36:00Z"}"#,
    ] {
      try walk.call(422, "PATCH", alarm, of: Operation.alarm, body: body, problem: "invalid-body")
    }
    let page = try walk.call(200, "GET", "/v1/alarms?reminderID=3&limit=1")
    let cursor = try #require(page.json["nextCursor"] as? String)
    try walk.call(200, "GET", "/v1/alarms?reminderID=3&limit=1&cursor=\(cursor)")
    try walk.call(400, "GET", "/v1/alarms?cursor=\(cursor)", problem: "invalid-cursor")
    try walk.call(204, "DELETE", alarm, of: Operation.alarm)
    while try walk.call(200, "GET", "/v1/alarms?reminderID=3&total=true").json["total"] as? Int
      != 20
    {
      _ = try made(#"{"offset":"PT0S"}"#)
    }
    let one = #"{"offset":"PT0S","from":"due"}"#
    try walk.call(
      409, "POST", "/v1/reminders/3/alarms", of: Operation.alarms, body: one,
      problem: "too-many-alarms")
    let undated = #"{"listID":1,"title":"R","alarms":[\#(one)]}"#
    for path in ["/v1/reminders", "/v1/lists/1/reminders"] {
      try walk.call(
        422, "POST", path, of: path == "/v1/reminders" ? path : Operation.ofList, body: undated,
        problem: "alarm-without-anchor")
    }
  }

  /// Reminders below reminder 3, and places where none can be.
  private func subtasks() throws {
    var parent = 3
    for _ in 0..<4 {
      let made = try walk.call(
        201, "POST", "/v1/reminders", body: #"{"title":"S","parentID":\#(parent)}"#)
      parent = try #require(made.json["id"] as? Int)
    }
    let below = #"{"title":"S","parentID":\#(parent)}"#
    try walk.call(409, "POST", "/v1/reminders", body: below, problem: "too-deep")
    try walk.call(
      409, "POST", "/v1/lists/1/reminders", of: Operation.ofList, body: below, problem: "too-deep")
    try walk.call(
      409, "PATCH", "/v1/reminders/3", of: Operation.reminder, body: #"{"parentID":\#(parent)}"#,
      problem: "cyclic-parent")
    try walk.call(
      422, "PATCH", "/v1/reminders/3", of: Operation.reminder, body: #"{"parentID":99}"#,
      problem: "unknown-parent")
    try walk.call(
      422, "POST", "/v1/lists/2/reminders", of: Operation.ofList,
      body: #"{"title":"S","parentID":3}"#, problem: "invalid-body")
    try walk.call(
      200, "PATCH", "/v1/reminders/\(parent)", of: Operation.reminder, body: #"{"parentID":null}"#)
    try walk.call(204, "DELETE", "/v1/reminders/3", of: Operation.reminder)
  }

  func protocolErrors() throws {
    let long = String(repeating: "a", count: 9000)
    func get(_ path: String, _ fields: String = "") -> String {
      "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n"
    }
    try walk.raw(400, "GET /v1/lists HTTP/1.1\r\n\r\n", problem: "bad-request")
    try walk.raw(400, get("/v1/lists", "Content-Length: x\r\n"), problem: "bad-request")
    try walk.raw(414, get("/v1/lists?q=\(long)"), problem: "uri-too-long")
    let fields = (0..<10).map { "X-\($0): \(String(long.prefix(4000)))\r\n" }.joined()
    try walk.raw(431, get("/v1/lists", fields), problem: "headers-too-large")
    let many = (0..<101).map { "X-\($0): 1\r\n" }.joined()
    try walk.raw(431, get("/v1/lists", many), problem: "headers-too-large")
    try walk.raw(
      421, "GET /v1/lists HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n",
      problem: "misdirected-request")
    try walk.raw(
      417, get("/v1/lists", "Expect: miracles\r\n"), problem: "expectation-failed")
    try walk.raw(
      501, "BREW /v1/lists HTTP/1.1\r\nHost: localhost\r\n\r\n", problem: "not-implemented")
    try walk.raw(
      501, get("/v1/lists", "Transfer-Encoding: gzip, chunked\r\n"), problem: "not-implemented")
    try walk.raw(
      505, "GET /v1/lists HTTP/2.0\r\nHost: localhost\r\n\r\n", problem: "http-version")
    try walk.call(404, "GET", "/v1/nowhere", problem: "not-found")
    try walk.call(404, "POST", "/v2/lists", body: "{}", problem: "not-found")
    let refused = try walk.call(405, "DELETE", "/v1/lists", problem: "method-not-allowed")
    #expect(refused["Allow"]?.contains("GET") == true)
    #expect(refused["Allow"]?.contains("POST") == true)
  }

  func deletions() throws {
    try walk.call(
      204, "DELETE", "/v1/reminders/1/tags/car", of: Operation.tagging, [("If-Match", "*")])
    try walk.call(204, "DELETE", "/v1/tags/car", of: Operation.tag)
    try walk.call(204, "DELETE", "/v1/reminders/1", of: Operation.reminder)
    try walk.call(
      204, "DELETE", "/v1/lists/1", of: Operation.list, [("Origin", "http://localhost")])
    try walk.call(204, "DELETE", "/v1/lists/2", of: Operation.list)
    // Deleting the last list creates a new one.
    #expect(try walk.call(200, "GET", "/v1/lists").items.count == 1)
  }
}
