import TestSupport
import Testing

@Suite("Alarms over HTTP") struct AlarmRoutesTests {
  let alarms: AlarmService
  let client: RawClient

  init() throws {
    alarms = try AlarmService()
    client = alarms.client
  }

  // MARK: Creating

  @Test("An alarm is created, read, and part of its reminder")
  func creating() throws {
    try alarms.meeting(#""alarms":[]"#)
    let made = try client.post("/v1/reminders/1/alarms", #"{"offset":"-PT10M"}"#)
    #expect(made.status == 201 && made["Location"] == "/v1/alarms/1")
    #expect(
      made.text
        == #"{"id":1,"reminderID":1,"listID":1,"title":"Meeting","dueDate":"2026-11-20T13:00:00.000Z","#
        + #""at":null,"offset":"-PT10M","from":"due","repeat":null,"state":"armed","#
        + #""fireAt":"2026-11-20T12:50:00.000Z","firedAt":null,"snoozedUntil":null,"acknowledgedAt":null}"#
    )
    let read = try client.get("/v1/alarms/1")
    #expect(read.text == made.text && read["ETag"] == made["ETag"])
    #expect(
      try client.get("/v1/reminders/1").text.contains(
        #""tags":[],"alarms":[{"id":1,"at":null,"offset":"-PT10M","from":"due","repeat":null,"#
          + #""snoozedUntil":null,"acknowledgedAt":null}],"subtasks""#))
    #expect(try client.delete("/v1/alarms/1").status == 204)
    #expect(try client.get("/v1/alarms/1").status == 404)
    #expect(try client.get("/v1/reminders/1").text.contains(#""alarms":[],"#))
  }

  @Test(
    "When an alarm rings, in any form of the body",
    arguments: [
      (#""at":"2026-11-20T14:00:00+01:00""#, "2026-11-20T13:00:00.000Z", "null"),
      (#""offset":"PT90M","from":"due""#, "2026-11-20T14:30:00.000Z", "PT1H30M"),
      (#""offset":"P1W""#, "2026-11-27T13:00:00.000Z", "P7D"),
      (#""offset":"PT1.5S""#, "2026-11-20T13:00:01.500Z", "PT1.5S"),
      (#""offset":"+P1DT1H","at":null"#, "2026-11-21T14:00:00.000Z", "P1DT1H"),
      (#""offset":"-PT0S","repeat":null"#, "2026-11-20T13:00:00.000Z", "PT0S"),
      (#""offset":"PT5M","from":"start""#, "2026-11-20T12:35:00.000Z", "PT5M"),
      (
        #""at":"2027-01-01T00:00:00Z","offset":null,"from":null"#, "2027-01-01T00:00:00.000Z",
        "null"
      ),
    ])
  func moments(_ members: String, _ fireAt: String, _ offset: String) throws {
    try alarms.meeting(#""startDate":"2026-11-20T12:30:00Z""#)
    let made = try client.post("/v1/reminders/1/alarms", "{\(members)}")
    #expect(made.json["fireAt"] as? String == fireAt, "\(made.text)")
    #expect(made.json["offset"] as? String ?? "null" == offset)
  }

  @Test("A day counts as its midnight in the zone of the reminder, and keeps the time of day")
  func days() throws {
    for (due, members, fireAt) in [
      (#""2026-11-24""#, #""offset":"PT9H""#, "2026-11-24T09:00:00.000Z"),
      (
        #""2026-11-24","timeZone":"Europe/Vienna""#, #""offset":"PT9H""#, "2026-11-24T08:00:00.000Z"
      ),
      // The clocks change on March 28, 2027.
      (
        #""2027-03-28T07:00:00Z","timeZone":"Europe/Vienna""#, #""offset":"-P1D""#,
        "2027-03-27T08:00:00.000Z"
      ),
      (
        #""2027-03-28T07:00:00Z","timeZone":"Europe/Vienna""#, #""offset":"-PT24H""#,
        "2027-03-27T07:00:00.000Z"
      ),
    ] {
      let made = try client.post(
        "/v1/reminders", #"{"listID":1,"title":"a","dueDate":\#(due),"alarms":[{\#(members)}]}"#)
      let id = try #require(made.json["id"] as? Int, "\(made.text)")
      let found = try client.get("/v1/alarms?reminderID=\(id)").items
      #expect(found.map { $0["fireAt"] as? String } == [fireAt], "\(due) \(members)")
    }
  }

  @Test(
    "Invalid alarms are refused with their place",
    arguments: [
      ("{}", "/offset"), (#"{"at":"tomorrow"}"#, "/at"), (#"{"at":7}"#, "/at"),
      (#"{"at":"2026-11-21"}"#, "/at"), (#"{"offset":"10M"}"#, "/offset"),
      (#"{"offset":"PT"}"#, "/offset"), (#"{"offset":"P1M"}"#, "/offset"),
      (#"{"offset":"P367D"}"#, "/offset"), (#"{"offset":"-PT8785H"}"#, "/offset"),
      (#"{"offset":"PT1H","at":"2026-11-21T09:00:00Z"}"#, "/offset"),
      (#"{"offset":"PT1H","from":"end"}"#, "/from"),
      (#"{"at":"2026-11-21T09:00:00Z","from":"due"}"#, "/from"),
      (#"{"offset":"PT1H","repeat":7}"#, "/repeat"),
      (#"{"offset":"PT1H","repeat":{"every":"PT5M"}}"#, "/repeat/times"),
      (#"{"offset":"PT1H","repeat":{"times":2}}"#, "/repeat/every"),
      (#"{"offset":"PT1H","repeat":{"every":"PT59S","times":2}}"#, "/repeat/every"),
      (#"{"offset":"PT1H","repeat":{"every":"P2D","times":2}}"#, "/repeat/every"),
      (#"{"offset":"PT1H","repeat":{"every":"-PT5M","times":2}}"#, "/repeat/every"),
      (#"{"offset":"PT1H","repeat":{"every":"PT5M","times":0}}"#, "/repeat/times"),
      (#"{"offset":"PT1H","repeat":{"every":"PT5M","times":101}}"#, "/repeat/times"),
      (#"{"offset":"PT1H","repeat":{"every":"PT5M","times":1,"until":1}}"#, "/repeat/until"),
      (#"{"offset":"PT1H","state":"armed"}"#, "/state"),
    ])
  func invalid(_ body: String, _ place: String) throws {
    try alarms.meeting()
    let refused = try client.post("/v1/reminders/1/alarms", body)
    #expect(refused.status == 422 && refused.problem == "invalid-body", "\(refused.text)")
    let places = (refused.json["errors"] as? [[String: Any]])?.map { $0["pointer"] as? String }
    #expect(places == [place], "\(refused.text)")
    // In a reminder, `state` is unknown as well.
    let inner = try client.patch("/v1/reminders/1", #"{"alarms":[{"offset":"PT0S"},\#(body)]}"#)
    #expect(inner.text.contains(#""pointer":"/alarms/1\#(place)""#), "\(inner.text)")
    #expect(try client.get("/v1/alarms").items.isEmpty)
  }

  @Test("A missing reminder or date, and too many alarms, are problems of their own")
  func problems() throws {
    let alarm = #"{"offset":"PT0S"}"#
    #expect(try client.post("/v1/reminders/1/alarms", alarm).status == 404)
    _ = try client.post("/v1/reminders", #"{"listID":1,"title":"a"}"#)
    for (method, path, body, place) in [
      ("POST", "/v1/reminders/1/alarms", alarm, "/offset"),
      ("POST", "/v1/reminders/1/alarms", #"{"offset":"PT0S","from":"start"}"#, "/offset"),
      ("POST", "/v1/reminders", #"{"listID":1,"title":"b","alarms":[\#(alarm)]}"#, "/alarms"),
      ("POST", "/v1/lists/1/reminders", #"{"title":"b","alarms":[\#(alarm)]}"#, "/alarms"),
      ("PATCH", "/v1/reminders/1", #"{"alarms":[\#(alarm)]}"#, "/alarms"),
    ] {
      let refused = try client.request(method, path, body: body)
      #expect(refused.status == 422 && refused.problem == "alarm-without-anchor", "\(refused.text)")
      #expect(refused.text.contains(#""pointer":"\#(place)""#), "\(refused.text)")
    }
    let dated = try client.patch(
      "/v1/reminders/1", #"{"dueDate":"2026-11-21","alarms":[\#(alarm)]}"#)
    #expect(dated.status == 200, "\(dated.text)")
    for _ in 2...20 { #expect(try client.post("/v1/reminders/1/alarms", alarm).status == 201) }
    let refused = try client.post("/v1/reminders/1/alarms", alarm)
    #expect(refused.status == 409 && refused.problem == "too-many-alarms", "\(refused.text)")
    let many = Array(repeating: alarm, count: 21).joined(separator: ",")
    let whole = try client.patch("/v1/reminders/1", #"{"alarms":[\#(many)]}"#)
    #expect(whole.status == 422 && whole.text.contains(#""pointer":"/alarms""#), "\(whole.text)")
    #expect(try client.delete("/v1/alarms/1").status == 204)
    #expect(try client.post("/v1/reminders/1/alarms", alarm).status == 201)
  }

  @Test("A moment of more than a minute ago has passed, and a completed reminder does not ring")
  func past() throws {
    try alarms.meeting()
    func state(_ body: String) throws -> String {
      try client.post("/v1/reminders/1/alarms", body).json["state"] as? String ?? ""
    }
    #expect(try state(#"{"at":"2026-11-20T11:59:00Z"}"#) == "passed")
    _ = try client.patch("/v1/reminders/1", #"{"status":"completed"}"#)
    #expect(try state(#"{"offset":"PT0S"}"#) == "acknowledged")
    let opened = try client.patch("/v1/reminders/1", #"{"status":"incomplete"}"#)
    #expect(opened.status == 200)
    #expect(try client.get("/v1/alarms/2").json["state"] as? String == "armed")
    // Without its date, an alarm waits for the next one.
    _ = try client.patch("/v1/reminders/1", #"{"dueDate":null}"#)
    let waiting = try client.get("/v1/alarms/2")
    #expect(waiting.text.contains(#""state":"armed","fireAt":null"#), "\(waiting.text)")
    let moved = try client.patch("/v1/reminders/1", #"{"dueDate":"2026-11-22T08:00:00Z"}"#)
    #expect(moved.status == 200)
    #expect(try client.get("/v1/alarms/2").json["fireAt"] as? String == "2026-11-22T08:00:00.000Z")
  }

  // MARK: Changing

  @Test("A new moment arms an alarm again, and null does not leave it without one")
  func moving() throws {
    try alarms.meeting(#""alarms":[{"offset":"-PT10M"}]"#)
    let stream = try alarms.ringing()
    alarms.pass(minutes: 55)
    _ = stream.event(after: 1)
    for (body, fireAt) in [
      (#"{"offset":"-PT2M"}"#, "2026-11-20T12:58:00.000Z"),
      (#"{"offset":"PT10M","from":"due"}"#, "2026-11-20T13:10:00.000Z"),
      (#"{"at":"2026-11-21T09:00:00Z"}"#, "2026-11-21T09:00:00.000Z"),
      (#"{"offset":null}"#, "2026-11-21T09:00:00.000Z"),
      (#"{"at":null,"offset":"PT1H"}"#, "2026-11-20T14:00:00.000Z"),
    ] {
      let moved = try client.patch("/v1/alarms/1", body)
      #expect(
        moved.text.contains(#""state":"armed","fireAt":"\#(fireAt)""#), "\(body) \(moved.text)")
    }
    for (body, place) in [
      (#"{"offset":null}"#, "/offset"), (#"{"from":"start"}"#, "/from"),
      (#"{"state":"ringing"}"#, "/state"), (#"{"state":"loud"}"#, "/state"),
      (#"{"snoozedUntil":"2026-11-20T12:00:00Z"}"#, "/snoozedUntil"),
      (#"{"snoozedUntil":"2028-11-20T12:00:00Z"}"#, "/snoozedUntil"),
      (#"{"state":"acknowledged","snoozedUntil":"2026-11-20T14:00:00Z"}"#, "/snoozedUntil"),
      (#"{"fireAt":"2026-11-20T15:00:00Z"}"#, "/fireAt"), (#"{"title":"b"}"#, "/title"),
      (#"{"reminderID":2}"#, "/reminderID"), (#"{"repeat":{"times":2}}"#, "/repeat/every"),
      (#"{"acknowledgedAt":"2026-11-20T12:00:00Z"}"#, "/acknowledgedAt"),
    ] {
      let refused = try client.patch("/v1/alarms/1", body)
      #expect(refused.status == 422 && refused.problem == "invalid-body", "\(refused.text)")
      #expect(refused.text.contains(#""pointer":"\#(place)""#), "\(refused.text)")
    }
    let start = try client.patch("/v1/alarms/1", #"{"offset":"PT1H","from":"start"}"#)
    #expect(start.status == 422 && start.problem == "alarm-without-anchor", "\(start.text)")
    #expect(try client.patch("/v1/alarms/9", "{}").status == 404)
    #expect(try client.delete("/v1/alarms/9").status == 404)
    #expect(try client.patch("/v1/alarms/x", "{}").status == 400)
  }

  @Test("If-Match protects an alarm")
  func preconditions() throws {
    let made = try alarms.meeting(#""alarms":[{"offset":"-PT10M"}]"#)
    let old = try #require(try client.get("/v1/alarms/1")["ETag"])
    _ = try client.patch("/v1/alarms/1", #"{"offset":"-PT5M"}"#)
    for method in ["PATCH", "DELETE"] {
      let refused = try client.request(
        method, "/v1/alarms/1", [("If-Match", old)], body: method == "PATCH" ? "{}" : nil)
      #expect(refused.status == 412, "\(refused.text)")
    }
    // A change of an alarm is one of its reminder.
    let reminder = try client.request(
      "PATCH", "/v1/reminders/1", [("If-Match", made["ETag"] ?? "")], body: "{}")
    #expect(reminder.status == 412)
    let new = try #require(try client.get("/v1/alarms/1")["ETag"])
    #expect(try client.request("DELETE", "/v1/alarms/1", [("If-Match", new)]).status == 204)
  }

  @Test("The alarms of a reminder are replaced; those that stay keep their ID and state")
  func replacing() throws {
    try alarms.meeting(#""alarms":[{"offset":"-PT10M"},{"at":"2026-11-21T09:00:00Z"}]"#)
    let stream = try alarms.ringing()
    alarms.pass(minutes: 50)
    _ = stream.event(after: 1)
    let whole = try client.get("/v1/reminders/1")
    let back = try client.patch("/v1/reminders/1", whole.text)
    #expect(back.status == 200 && back.text == whole.text, "\(back.text)")
    let replaced = try client.patch(
      "/v1/reminders/1",
      #"{"alarms":[{"offset":"PT0S"},{"offset":"-PT10M","from":"due","repeat":null}]}"#)
    #expect(replaced.status == 200, "\(replaced.text)")
    let found = try client.get("/v1/alarms?reminderID=1").items
    #expect(
      found.map { "\($0["id"] ?? "") \($0["state"] ?? "")" } == ["3 armed", "1 ringing"])
    _ = try client.patch("/v1/reminders/1", #"{"alarms":[]}"#)
    #expect(try client.get("/v1/alarms").items.isEmpty)
    let refused = try client.patch("/v1/reminders/1", #"{"alarms":null}"#)
    #expect(refused.status == 422 && refused.text.contains(#""pointer":"/alarms""#))
  }

  @Test("Alarms are made and changed in a batch, all or nothing")
  func batch() throws {
    let made = try client.post(
      "/v1/batch",
      """
      {"operations":[{"name":"r","method":"POST","path":"/v1/reminders",
      "body":{"listID":1,"title":"a","dueDate":"2026-11-21"}},
      {"name":"a","method":"POST","path":"/v1/reminders/{r}/alarms","body":{"offset":"PT9H"}},
      {"method":"PATCH","path":"/v1/alarms/{a}","body":{"state":"acknowledged"}}]}
      """)
    #expect(made.status == 200 && made.text.contains(#""location":"/v1/alarms/1""#), "\(made.text)")
    #expect(try client.get("/v1/alarms/1").json["state"] as? String == "acknowledged")
    let failed = try client.post(
      "/v1/batch",
      """
      {"operations":[{"method":"DELETE","path":"/v1/alarms/1"},
      {"method":"DELETE","path":"/v1/alarms/7"}]}
      """)
    #expect(failed.status == 422 && failed.text.contains("/problems/not-found"), "\(failed.text)")
    #expect(try client.get("/v1/alarms/1").status == 200)
  }

  @Test("What cannot be set of a state or a snooze is said, and what was read can be sent back")
  func states() throws {
    try alarms.meeting(#""alarms":[{"offset":"-PT10M"}]"#)
    for (body, detail) in [
      (#"{"state":"ringing"}"#, "expected acknowledged, or what the alarm is: armed"),
      (#"{"state":"snoozed"}"#, "To snooze it, send snoozedUntil"),
      (#"{"snoozedUntil":"2026-11-20T12:00:00Z"}"#, "expected an instant in the future"),
      (#"{"snoozedUntil":"2027-11-21T12:00:01Z"}"#, "at most 366 days from now"),
      (
        #"{"state":"acknowledged","snoozedUntil":"2026-11-20T13:00:00Z"}"#,
        "not possible together with acknowledged"
      ),
    ] {
      let refused = try client.patch("/v1/alarms/1", body)
      #expect(refused.status == 422 && refused.text.contains(detail), "\(refused.text)")
    }
    let snoozed = try client.patch(
      "/v1/alarms/1", #"{"state":"snoozed","snoozedUntil":"2026-11-20T13:00:00Z"}"#)
    #expect(snoozed.status == 200 && snoozed.json["state"] as? String == "snoozed")
    #expect(try client.patch("/v1/alarms/1", snoozed.text).text == snoozed.text)
    let removed = try client.patch("/v1/alarms/1", #"{"snoozedUntil":null}"#)
    #expect(removed.json["state"] as? String == "armed", "\(removed.text)")
    #expect(removed.json["fireAt"] as? String == "2026-11-20T12:50:00.000Z")
    let again = try client.patch("/v1/alarms/1", #"{"snoozedUntil":null}"#)
    #expect(again.text == removed.text)
    let done = try client.patch("/v1/alarms/1", #"{"state":"acknowledged"}"#)
    #expect(try client.patch("/v1/alarms/1", done.text).text == done.text)
  }

  // MARK: Pages

  @Test("Pages of one have every alarm once, in their order")
  func pages() throws {
    try alarms.meeting(#""alarms":[]"#)
    _ = try client.post("/v1/lists", #"{"title":"two"}"#)
    _ = try client.post(
      "/v1/lists/2/reminders", #"{"title":"b","dueDate":"2026-11-20T13:00:00Z"}"#)
    // The third rings without an end, the fifth and the sixth have passed.
    for (reminder, alarm) in [
      (1, #""offset":"PT3H""#), (2, #""offset":"PT2H""#), (1, #""at":"2026-11-20T12:01:00Z""#),
      (2, #""offset":"PT2H""#), (1, #""at":"2026-11-20T11:00:00Z""#),
      (2, #""at":"2026-11-20T11:00:00Z""#),
      (2, #""at":"2026-11-20T12:00:30Z","repeat":{"every":"PT1H","times":9}"#),
    ] { _ = try client.post("/v1/reminders/\(reminder)/alarms", "{\(alarm)}") }
    let stream = try alarms.ringing()
    alarms.pass(minutes: 1)
    #expect(stream.wait { $0[0].last?.data.components(separatedBy: #""id""#).count == 3 })
    for (query, ids) in [
      ("", [7, 2, 4, 1, 3, 5, 6]), ("state=ringing", [7, 3]), ("state=passed", [5, 6]),
      ("state=armed", [2, 4, 1]), ("listID=2", [7, 2, 4, 6]), ("reminderID=1", [1, 3, 5]),
      ("after=2026-11-20T14:00:00Z", [2, 4, 1]), ("before=2026-11-20T15:00:00Z", [7]),
      ("after=2026-11-20T12:59:59Z&before=2026-11-20T15:00:00.001Z", [7, 2, 4]),
      ("before=2026-11-20", []), ("before=2026-11-21", [7, 2, 4, 1]),
      ("after=2026-11-19", [7, 2, 4, 1]),
      ("before=2026-11-21&timeZone=Pacific/Kiritimati", []),
      ("state=ringing&before=2026-11-20T12:01:00Z", []),
      ("state=ringing&after=2026-11-20T12:00:00Z", [7, 3]), ("state=passed&before=2026-11-21", []),
      ("reminderID=1&listID=2", []), ("state=snoozed", []), ("listID=2&state=armed", [2, 4]),
    ] {
      var found: [Int] = []
      var cursor = ""
      repeat {
        let page = try client.get("/v1/alarms?limit=1&total=true&\(query)\(cursor)")
        #expect(page.json["total"] as? Int == ids.count, "\(query): \(page.text)")
        found += page.items.compactMap { $0["id"] as? Int }
        cursor = (page.json["nextCursor"] as? String).map { "&cursor=\($0)" } ?? ""
        if !cursor.isEmpty, !query.isEmpty {
          let other = try client.get("/v1/alarms?\(cursor.dropFirst())")
          #expect(other.status == 400 && other.problem == "invalid-cursor", "\(query)")
        }
      } while !cursor.isEmpty && found.count < 10
      #expect(found == ids, "\(query)")
      #expect(try client.get("/v1/alarms?\(query)").items.map { $0["id"] as? Int } == ids)
    }
    for wrong in ["state=loud", "reminderID=0", "listID=x", "limit=0", "cursor=x", "reminder=1"] {
      #expect(try client.get("/v1/alarms?\(wrong)").status == 400, "\(wrong)")
    }
  }

  @Test("A search result has the alarms of its reminder")
  func search() throws {
    try alarms.meeting(#""alarms":[{"offset":"-PT10M"}]"#)
    let found = try client.get("/v1/search?q=meeting").items
    #expect((found.first?["alarms"] as? [Any])?.count == 1)
    let alarm = try client.get("/v1/alarms?reminderID=1").items.first
    #expect(alarm?["title"] as? String == "Meeting")
  }
}
