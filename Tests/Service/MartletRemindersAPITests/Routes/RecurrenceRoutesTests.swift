import MartletLiveAPI
import MartletReminders
import MartletSQLite
import TestSupport
import Testing

/// The clock stands at Friday, 2026-11-20, 12:00 UTC.
@Suite("Recurring reminders over HTTP") struct RecurrenceRoutesTests {
  let service: RemindersService
  let client: RawClient

  init() throws {
    service = try RemindersService()
    client = try service.client()
  }

  private func create(_ members: String) throws -> RawResponse {
    try client.post("/v1/lists/1/reminders", #"{"title":"Water the plants",\#(members)}"#)
  }

  private func due() throws -> String {
    try client.get("/v1/reminders/1").json["dueDate"] as? String ?? "none"
  }

  private func completions() throws -> [String] {
    try client.get("/v1/completions").items.map { item in
      "\(item["kind"] ?? "") \(item["dueDate"] ?? "")"
    }
  }

  private static let weekly = #""dueDate":"2026-11-23","recurrence":{"rule":"freq=weekly"}"#

  @Test("A completed occurrence moves the reminder on, and can be undone")
  func completing() throws {
    let created = try create(RecurrenceRoutesTests.weekly)
    #expect(
      created.text.contains(
        #""recurrence":{"rule":"FREQ=WEEKLY;BYDAY=MO","basis":"due","start":"2026-11-23","excluded":[]}"#
      ),
      "\(created.text)")
    let moved = try client.patch("/v1/reminders/1", #"{"status":"completed"}"#)
    #expect(moved.json["status"] as? String == "incomplete")
    #expect(moved.json["dueDate"] as? String == "2026-11-30")
    #expect(try client.post("/v1/reminders/1/skip", "").json["dueDate"] as? String == "2026-12-07")
    #expect(try completions() == ["skipped 2026-11-30", "completed 2026-11-23"])
    #expect(try client.delete("/v1/completions/1").status == 409)
    #expect(try client.delete("/v1/completions/2").status == 204)
    #expect(try due() == "2026-11-30")
    #expect(
      try client.post("/v1/reminders/1/reopen", "").json["dueDate"] as? String == "2026-11-23")
    let nothing = try client.post("/v1/reminders/1/reopen", "")
    #expect(nothing.status == 409 && nothing.text.contains("nothing-to-undo"), "\(nothing.text)")
    #expect(try completions().isEmpty)
    #expect(try client.delete("/v1/completions/1").status == 404)
  }

  @Test(
    "What comes next depends on the basis",
    arguments: [
      // Overdue since a month: what was missed is skipped, or not.
      ("due", "2026-10-19", "2026-11-23"), ("each", "2026-10-19", "2026-10-26"),
      ("completion", "2026-10-19", "2026-11-27"),
      // Not due yet.
      ("due", "2026-12-07", "2026-12-14"), ("completion", "2026-12-07", "2026-11-27"),
    ])
  func basis(_ basis: String, _ first: String, _ next: String) throws {
    _ = try create(
      #""dueDate":"\#(first)","recurrence":{"rule":"FREQ=WEEKLY","basis":"\#(basis)"}"#)
    let moved = try client.patch("/v1/reminders/1", #"{"status":"completed"}"#)
    #expect(moved.json["dueDate"] as? String == next)
    #expect(try client.post("/v1/reminders/1/reopen", "").json["dueDate"] as? String == first)
  }

  @Test("A series of two ends with the second, which stays completed")
  func count() throws {
    _ = try create(#""dueDate":"2026-11-23","recurrence":{"rule":"FREQ=DAILY;COUNT=2"}"#)
    _ = try client.patch("/v1/reminders/1", #"{"status":"completed"}"#)
    let last = try client.patch("/v1/reminders/1", #"{"status":"completed"}"#)
    #expect(last.json["status"] as? String == "completed")
    #expect(last.json["completedAt"] as? String == "2026-11-20T12:00:00.000Z", "\(last.text)")
    #expect(last.text.contains(#""recurrence":{"rule":"FREQ=DAILY;COUNT=2""#))
    let skipped = try client.post("/v1/reminders/1/skip", "")
    #expect(skipped.status == 409 && skipped.text.contains("not-recurring"))
    #expect(try completions() == ["completed 2026-11-24", "completed 2026-11-23"])
    let opened = try client.patch("/v1/reminders/1", #"{"status":"incomplete"}"#)
    #expect(opened.text.contains(#""completedAt":null"#))
    #expect(try completions() == ["completed 2026-11-23"])
  }

  @Test("COUNT of a reminder that is counted from its completions goes down, and up again")
  func countFromCompletions() throws {
    _ = try create(
      #""dueDate":"2026-11-20","recurrence":{"rule":"FREQ=DAILY;COUNT=3","basis":"completion"}"#)
    let once = try client.patch("/v1/reminders/1", #"{"status":"completed"}"#)
    #expect(
      once.text.contains(#"{"rule":"FREQ=DAILY;COUNT=2","basis":"completion","start":"2026-11-21""#)
    )
    let back = try client.post("/v1/reminders/1/reopen", "")
    #expect(
      back.text.contains(#"{"rule":"FREQ=DAILY;COUNT=3","basis":"completion","start":"2026-11-20""#)
    )
  }

  @Test("Times of day stay across a clock change, and the start keeps its distance")
  func zone() throws {
    _ = try create(
      #""startDate":"2027-03-20T05:30:00Z","dueDate":"2027-03-21T08:00:00Z","timeZone":"Europe/Vienna","#
        + #""recurrence":{"rule":"FREQ=WEEKLY"}"#)
    let moved = try client.patch("/v1/reminders/1", #"{"status":"completed"}"#)
    #expect(moved.json["dueDate"] as? String == "2027-03-28T07:00:00.000Z")
    #expect(moved.json["startDate"] as? String == "2027-03-27T05:30:00.000Z")
    let zoneless = try create(
      #""dueDate":"2027-03-21T08:00:00Z","recurrence":{"rule":"FREQ=WEEKLY"}"#)
    #expect(zoneless.json["timeZone"] as? String == "UTC")
  }

  @Test("The occurrences to come are pages, and live")
  func occurrences() throws {
    _ = try create(
      #""dueDate":"2026-11-23","recurrence":{"rule":"FREQ=WEEKLY;COUNT=6","excluded":["2026-12-07"]}"#
    )
    let stream = StreamClient(port: service.port)
    try stream.open("/v1/reminders/1/occurrences?limit=2")
    _ = stream.event(after: 0)
    let first = try client.get("/v1/reminders/1/occurrences?limit=2")
    #expect(first.items.map { $0["dueDate"] as? String } == ["2026-11-30", "2026-12-14"])
    let cursor = try #require(first.json["nextCursor"] as? String)
    let rest = try client.get("/v1/reminders/1/occurrences?limit=2&cursor=\(cursor)")
    #expect(rest.items.map { $0["dueDate"] as? String } == ["2026-12-21", "2026-12-28"])
    #expect(rest.text.hasSuffix(#""nextCursor":null}"#))
    _ = try client.post("/v1/reminders/1/skip", "")
    #expect(stream.event(after: 1)?.data.contains("2026-12-14") == true)
    _ = try client.post("/v1/reminders", #"{"listID":1,"title":"once"}"#)
    #expect(
      try client.get("/v1/reminders/2/occurrences").text == #"{"items":[],"nextCursor":null}"#)
    #expect(try client.get("/v1/reminders/2/occurrences?cursor=\(cursor)").status == 400)
    #expect(try client.get("/v1/reminders/99/occurrences").status == 404)
  }

  @Test("A change of the recurrence merges, and its end clears it")
  func patching() throws {
    _ = try create(RecurrenceRoutesTests.weekly)
    let whole = try client.get("/v1/reminders/1")
    let same = try client.patch("/v1/reminders/1", whole.text)
    #expect(same.status == 200 && same["ETag"] == whole["ETag"], "\(same.text)")
    // Moving one occurrence leaves the series.
    _ = try client.patch("/v1/reminders/1", #"{"dueDate":"2026-11-25"}"#)
    let next = try client.patch("/v1/reminders/1", #"{"status":"completed"}"#)
    #expect(next.json["dueDate"] as? String == "2026-11-30")
    let each = try client.patch("/v1/reminders/1", #"{"recurrence":{"basis":"each"}}"#)
    #expect(each.text.contains(#"BYDAY=MO","basis":"each","start":"2026-11-23""#), "\(each.text)")
    let other = try client.patch("/v1/reminders/1", #"{"recurrence":{"rule":"FREQ=DAILY"}}"#)
    #expect(other.text.contains(#""rule":"FREQ=DAILY","basis":"each","start":"2026-11-30""#))
    let timed = try client.patch("/v1/reminders/1", #"{"dueDate":"2026-11-30T09:00:00Z"}"#)
    #expect(timed.text.contains(#""start":"2026-11-30T09:00:00.000Z""#), "\(timed.text)")
    let refused = try client.patch("/v1/reminders/1", #"{"dueDate":null}"#)
    #expect(refused.status == 422 && refused.text.contains("recurrence-without-due"))
    let ended = try client.patch("/v1/reminders/1", #"{"recurrence":null,"dueDate":null}"#)
    #expect(ended.status == 200 && ended.text.contains(#""recurrence":null"#), "\(ended.text)")
  }

  @Test(
    "Invalid dates and recurrences are refused with their place",
    arguments: [
      (#""recurrence":{"rule":"FREQ=DAILY"}"#, "/dueDate"),
      (#""dueDate":"2026-11-20","recurrence":{}"#, "/recurrence/rule"),
      (#""dueDate":"2026-11-20","recurrence":7"#, "/recurrence"),
      (#""dueDate":"2026-11-20","recurrence":{"rule":"FREQ=HOURLY"}"#, "/recurrence/rule"),
      (
        #""dueDate":"2026-11-20","recurrence":{"rule":"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"}"#,
        "/recurrence/rule"
      ),
      (
        #""dueDate":"2026-01-30","recurrence":{"rule":"FREQ=YEARLY;BYMONTH=2"}"#, "/recurrence/rule"
      ),
      (
        #""dueDate":"2026-11-20","recurrence":{"rule":"FREQ=DAILY","basis":"x"}"#,
        "/recurrence/basis"
      ),
      (
        #""dueDate":"2026-11-20","recurrence":{"rule":"FREQ=DAILY","start":"2026-11-20T09:00:00Z"}"#,
        "/recurrence/start"
      ),
      (
        #""dueDate":"2026-11-20","recurrence":{"rule":"FREQ=DAILY","excluded":["x"]}"#,
        "/recurrence/excluded/0"
      ),
      (#""dueDate":"2026-11-20","recurrence":{"rule":"FREQ=DAILY","rul":1}"#, "/recurrence/rul"),
      (#""dueDate":"2026-11-20","startDate":"2026-11-21""#, "/startDate"),
      (#""dueDate":"2026-11-20","startDate":"2026-11-19T10:00:00Z""#, "/startDate"),
      (#""timeZone":"Mars/Olympus""#, "/timeZone"),
      (#""timeZone":"localtime""#, "/timeZone"), (#""timeZone":"posixrules""#, "/timeZone"),
    ])
  func invalid(_ members: String, _ place: String) throws {
    let refused = try create(members)
    #expect(refused.status == 422, "\(refused.text)")
    #expect(refused.text.contains("\"pointer\":\"\(place)\""), "\(refused.text)")
    #expect(try client.get("/v1/reminders").items.isEmpty)
  }

  @Test("Filters and orders by start, recurrence, and several lists and priorities")
  func filters() throws {
    _ = try client.post("/v1/lists", #"{"title":"two"}"#)
    for (list, members) in [
      (1, #""title":"a","startDate":"2026-11-21","priority":"high""#),
      (1, #""title":"b","startDate":"2026-11-20","dueDate":"2026-11-22""#),
      (
        2,
        #""title":"c","dueDate":"2026-11-27","priority":"low","recurrence":{"rule":"FREQ=DAILY"}"#
      ),
      (2, #""title":"d","dueDate":"2026-11-28","status":"completed""#),
    ] { _ = try client.post("/v1/lists/\(list)/reminders", "{\(members)}") }
    #expect(try client.titles("/v1/reminders?recurring=true") == ["c"])
    #expect(try client.titles("/v1/reminders?available=true") == ["b", "c", "d"])
    #expect(try client.titles("/v1/reminders?dueWithin=P1W") == ["b", "c"])
    #expect(try client.titles("/v1/reminders?dueWithin=P2D") == ["b"])
    #expect(
      try client.titles("/v1/reminders?listID=1&listID=2&priority=high&priority=low") == ["a", "c"])
    #expect(try client.titles("/v1/reminders?sort=startDate") == ["b", "a", "c", "d"])
    #expect(try client.titles("/v1/reminders?sort=-completedAt&limit=1") == ["d"])
    for wrong in ["P1Y", "P-1D", "P367D", "P99999999999999999999D", "7", "PD"] {
      #expect(try client.get("/v1/reminders?dueWithin=\(wrong)").status == 400)
    }
    // A stream of what is available changes when a start comes, without a commit.
    let stream = StreamClient(port: service.port)
    try stream.open("/v1/reminders?available=true")
    _ = stream.event(after: 0)
    service.time?.advance(milliseconds: 12 * 3_600_000)
    #expect(stream.event(after: 1)?.data.contains(#""title":"a""#) == true)
  }

  @Test("Completing and skipping work in a batch, all or nothing")
  func batch() throws {
    _ = try create(RecurrenceRoutesTests.weekly)
    _ = try client.post("/v1/reminders", #"{"listID":1,"title":"once"}"#)
    let skip = #"{"method":"POST","path":"/v1/reminders/1/skip"}"#
    let refused = try client.post(
      "/v1/batch", #"{"operations":[\#(skip),{"method":"POST","path":"/v1/reminders/2/skip"}]}"#)
    #expect(refused.status == 422 && refused.text.contains("not-recurring"), "\(refused.text)")
    #expect(try due() == "2026-11-23")
    #expect(try client.post("/v1/batch", #"{"operations":[\#(skip),\#(skip)]}"#).status == 200)
    #expect(try due() == "2026-12-07")
  }
}
