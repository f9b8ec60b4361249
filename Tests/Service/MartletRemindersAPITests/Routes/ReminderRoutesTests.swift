import MartletTime
import TestSupport
import Testing

@Suite("Reminders over HTTP")
struct ReminderRoutesTests {
  @Test(
    "A merge patch sets present members, clears null ones, and keeps the others (RFC 7396) (item 68)"
  )
  func mergePatch() throws {
    let service = try RemindersService()
    let client = try service.client()
    let created = try client.post(
      "/v1/reminders",
      #"{"listID":1,"title":"a","notes":"n","dueDate":"2026-12-01","priority":"high","tags":["x","y"]}"#
    )
    #expect(created.status == 201 && created["Location"] == "/v1/reminders/1")
    let patched = try client.patch(
      "/v1/reminders/1", #"{"title":"b","dueDate":null,"priority":null,"tags":["y","z"]}"#)
    #expect(patched.status == 200)
    #expect(patched.json["title"] as? String == "b")
    #expect(patched.json["notes"] as? String == "n")
    #expect(patched.text.contains(#""dueDate":null"#))
    #expect(patched.text.contains(#""priority":null"#))
    #expect(patched.json["tags"] as? [String] == ["y", "z"])
    // The whole body of a GET can be sent back.
    let whole = try client.get("/v1/reminders/1").text
    #expect(try client.patch("/v1/reminders/1", whole).text == whole)
    let moved = try client.patch("/v1/reminders/1", #"{"position":7,"createdAt":"x"}"#)
    #expect(moved.status == 422)
    #expect(moved.text.contains(#""pointer":"/position""#))
    #expect(moved.text.contains(#""pointer":"/createdAt""#))
  }

  @Test("A read-only member may be sent as another form of the same value")
  func readOnlyForms() throws {
    let service = try RemindersService()
    let client = try service.client()
    let row = try client.post("/v1/reminders", #"{"listID":1,"title":"a"}"#)
    let made = try #require(row.json["createdAt"] as? String)
    let position = try #require(row.json["position"] as? Int)
    let hour = RFC3339.string(try RFC3339.parse(made).adding(seconds: 3600))
    for instant in [
      made.replacing("Z", with: "+00:00"), made.replacing("Z", with: "000Z"),
      hour.replacing("Z", with: "+01:00"),
    ] {
      let sent = #"{"createdAt":"\#(instant)","id":1.0,"position":\#(position)e0}"#
      #expect(try client.patch("/v1/reminders/1", sent).status == 200, "\(instant)")
    }
    for other in [hour, made.replacing("Z", with: "+01:00")] {
      let sent = #"{"createdAt":"\#(other)"}"#
      #expect(try client.patch("/v1/reminders/1", sent).status == 422, "\(other)")
    }
    #expect(try client.patch("/v1/reminders/1", #"{"id":1.5}"#).status == 422)
  }

  @Test("If-Match of an order covers the whole collection, whatever the limit of the page")
  func guardedOrder() throws {
    let service = try RemindersService()
    let client = try service.client()
    func fill(_ count: Int) throws {
      let rows = (0..<count).map { _ in
        #"{"method":"POST","path":"/v1/reminders","body":{"listID":1,"title":"a"}}"#
      }
      let batch = try client.post(
        "/v1/batch", "{\"operations\":[\(rows.joined(separator: ","))]}")
      #expect(batch.status == 200)
    }
    let path = "/v1/lists/1/reminders"
    func order(_ ids: [Int], _ tag: String?) throws -> RawResponse {
      try client.request(
        "PUT", path + "/order", tag.map { [("If-Match", $0)] } ?? [], body: "{\"ids\":\(ids)}")
    }
    try fill(60)
    let short = try client.get(path)["ETag"]
    let long = try client.get(path + "?limit=500")["ETag"]
    var others = Array(1...60)
    others.swapAt(58, 59)
    #expect(try order(others, nil).status == 204)
    // Neither the ETag of the unchanged first page nor the old one of the whole collection.
    #expect(try client.get(path)["ETag"] == short)
    #expect(try order(Array(1...60), short).status == 412)
    #expect(try order(Array(1...60), long).status == 412)
    for limit in [100, 500] {
      let tag = try client.get(path + "?limit=\(limit)")["ETag"]
      #expect(try order(others, tag).status == 204, "\(limit)")
    }
    try fill(441)
    let tag = try client.get(path + "?limit=500")["ETag"]
    let refused = try order(Array(1...501), tag)
    #expect(refused.status == 412 && refused.text.contains("leave If-Match out"))
    #expect(try order(Array(1...501), nil).status == 204)
  }

  @Test("A 404 names the missing resource, with any method and on streams")
  func missing() throws {
    let service = try RemindersService()
    let client = try service.client()
    #expect(try client.post("/v1/reminders", #"{"listID":1,"title":"a"}"#).status == 201)
    let asked = [
      ("GET", "/v1/lists/7", "list 7"), ("PATCH", "/v1/lists/7", "list 7"),
      ("DELETE", "/v1/lists/7", "list 7"), ("GET", "/v1/lists/7/reminders", "list 7"),
      ("POST", "/v1/lists/7/reminders", "list 7"), ("PUT", "/v1/lists/7/reminders/order", "list 7"),
      ("GET", "/v1/reminders/12", "reminder 12"), ("PATCH", "/v1/reminders/12", "reminder 12"),
      ("DELETE", "/v1/reminders/12", "reminder 12"),
      ("PUT", "/v1/reminders/12/tags/car", "reminder 12"),
      ("DELETE", "/v1/reminders/12/tags/car", "reminder 12"),
      ("GET", "/v1/tags/no%20car", #"tag "no car""#), ("PATCH", "/v1/tags/car", #"tag "car""#),
      ("DELETE", "/v1/tags/7", "tag 7"),
    ]
    for (method, path, what) in asked {
      let body =
        path.hasSuffix("order")
        ? #"{"ids":[]}"# : path.contains("/tags/") ? "{}" : #"{"title":"x"}"#
      let answer = try client.request(
        method, path, body: ["GET", "DELETE"].contains(method) ? nil : body)
      #expect(answer.status == 404, "\(method) \(path)")
      #expect(answer.json["detail"] as? String == "There is no \(what).", "\(method) \(path)")
    }
    let stream = try client.get("/v1/lists/7", [("Accept", "text/event-stream")])
    #expect(stream.json["detail"] as? String == "There is no list 7.")
    let untagged = try client.request("DELETE", "/v1/reminders/1/tags/car")
    #expect(
      untagged.json["detail"] as? String == #"Reminder 1 does not have the tag "car"."#)
    let long = String(repeating: "a", count: 90)
    #expect(
      try client.get("/v1/tags/\(long)").json["detail"] as? String
        == "There is no tag \"\(long.prefix(57))…\".")
  }

  @Test("Each faulty parameter or member is reported once")
  func toldOnce() throws {
    let service = try RemindersService()
    let client = try service.client()
    let long = String(repeating: "a", count: 1001)
    for (target, name) in [
      ("/v1/search?q=\(long)", "q"), ("/v1/search?q=a&q=b", "q"), ("/v1/search", "q"),
      ("/v1/search?q=a&cursor=x", "cursor"), ("/v1/search?q=a&before=x&before=%01", "before"),
      ("/v1/reminders?limit=x&limit=y", "limit"), ("/v1/reminders?due=x&due=y", "due"),
      ("/v1/reminders?timeZone=x&timeZone=y", "timeZone"), ("/v1/lists?foo=1&foo=2", "foo"),
      ("/v1/reminders?cursor=x&cursor=y", "cursor"),
    ] {
      let answer = try client.get(target)
      let errors = try #require(answer.json["errors"] as? [[String: Any]], "\(target)")
      #expect(answer.status == 400)
      #expect(errors.map { $0["parameter"] as? String } == [name], "\(target.prefix(60))")
    }
    let pages = try client.get("/v1/search?q=a&cursor=x").text
    #expect(pages.contains("a search has one page"))
    for body in [
      #"{"listID":1,"title":1,"title":2}"#, #"{"listID":1,"title":"a","x":1,"x":2}"#,
      #"{"listID":1,"title":"a","tags":1,"tags":[2]}"#, #"{"listID":"1","listID":"2","title":"a"}"#,
    ] {
      let answer = try client.post("/v1/reminders", body)
      #expect(answer.status == 422)
      #expect((answer.json["errors"] as? [Any])?.count == 1, "\(body): \(answer.text)")
    }
  }

  @Test("A due date is a date or an instant with any offset, and is returned in UTC")
  func dueDates() throws {
    let service = try RemindersService()
    let client = try service.client()
    for (sent, stored) in [
      ("2026-12-01", "2026-12-01"), ("2026-12-01T10:00:00+02:00", "2026-12-01T08:00:00.000Z"),
      ("2026-12-01T10:00:00.1234Z", "2026-12-01T10:00:00.123Z"),
    ] {
      let response = try client.post(
        "/v1/reminders", #"{"listID":1,"title":"t","dueDate":"\#(sent)"}"#)
      #expect(response.json["dueDate"] as? String == stored)
    }
    for wrong in ["2026-02-30", "tomorrow", "2026-12-01 10:00:00Z", ""] {
      let response = try client.post(
        "/v1/reminders", #"{"listID":1,"title":"t","dueDate":"\#(wrong)"}"#)
      #expect(response.status == 422 && response.text.contains("/dueDate"))
    }
  }

  @Test("A moved reminder goes to the end of its new list; an unknown list is a 422")
  func lists() throws {
    let service = try RemindersService()
    let client = try service.client()
    #expect(try client.post("/v1/lists", ##"{"title":"B","color":"#FF0000"}"##).id == 2)
    _ = try client.post("/v1/lists/2/reminders", #"{"title":"there"}"#)
    _ = try client.post("/v1/lists/1/reminders", #"{"title":"here"}"#)
    let moved = try client.patch("/v1/reminders/2", #"{"listID":2}"#)
    #expect(moved.json["position"] as? Int == 65_536)
    #expect(try client.titles("/v1/lists/2/reminders") == ["there", "here"])
    #expect(try client.patch("/v1/reminders/2", #"{"listID":9}"#).problem == "unknown-list")
    #expect(
      try client.post("/v1/reminders", #"{"listID":9,"title":"x"}"#).problem == "unknown-list")
    #expect(try client.post("/v1/lists/9/reminders", #"{"title":"x"}"#).problem == "not-found")
    #expect(
      try client.post("/v1/lists/2/reminders", #"{"title":"x","listID":1}"#).status == 422)
    // Deleting the last list creates a new one with an unused ID.
    #expect(try client.delete("/v1/lists/1").status == 204)
    #expect(try client.delete("/v1/lists/2").status == 204)
    let lists = try client.get("/v1/lists").items
    #expect(lists.count == 1 && lists[0]["id"] as? Int == 3)
    #expect(try client.titles("/v1/reminders").isEmpty)
  }

  @Test("At most five tags; tags ignore case and keep their first spelling")
  func tags() throws {
    let service = try RemindersService()
    let client = try service.client()
    let six = #"{"listID":1,"title":"t","tags":["1","2","3","4","5","6"]}"#
    #expect(try client.post("/v1/reminders", six).problem == "too-many-tags")
    #expect(try client.titles("/v1/reminders").isEmpty)
    _ = try client.post("/v1/reminders", #"{"listID":1,"title":"t","tags":["Car"]}"#)
    let tagged = try client.put("/v1/reminders/1/tags/CAR")
    #expect(tagged.status == 200 && tagged.json["tags"] as? [String] == ["Car"])
    #expect(try client.titles("/v1/reminders?tag=cAr") == ["t"])
    #expect(try client.get("/v1/tags/car").json["title"] as? String == "Car")
    #expect(try client.post("/v1/tags", #"{"title":"CAR"}"#).problem == "tag-exists")
    // A rename applies everywhere, including search.
    #expect(try client.patch("/v1/tags/car", #"{"title":"Vehicle"}"#).status == 200)
    #expect(try client.titles("/v1/search?q=vehicle") == ["t"])
    #expect(try client.titles("/v1/search?q=car").isEmpty)
    _ = try client.post("/v1/tags", #"{"title":"other/one"}"#)
    #expect(
      try client.patch("/v1/tags/vehicle", #"{"title":"Other/One"}"#).problem == "tag-exists")
    let merged = try client.patch("/v1/tags/vehicle?merge=true", #"{"title":"Other/One"}"#)
    #expect(merged.json["title"] as? String == "other/one")
    #expect(merged.json["reminders"] as? Int == 1)
    #expect(try client.delete("/v1/reminders/1/tags/other%2Fone").status == 204)
    #expect(try client.delete("/v1/reminders/1/tags/other%2Fone").status == 404)
    // Clients remove the segment `..` from a path, so such a tag could not be requested.
    #expect(try client.put("/v1/reminders/1/tags/%2e%2e").status == 400)
  }

  @Test("timeZone defines today")
  func timeZones() throws {
    // At noon in UTC it is already the 21st in Kiritimati.
    let service = try RemindersService(now: "2026-11-20T12:00:00Z")
    let client = try service.client()
    for (title, due) in [
      ("20th", "2026-11-20"), ("21st", "2026-11-21"), ("late", "2026-11-20T23:30:00Z"),
    ] {
      _ = try client.post(
        "/v1/reminders", #"{"listID":1,"title":"\#(title)","dueDate":"\#(due)"}"#)
    }
    func today(_ zone: String) throws -> [String] {
      try client.titles("/v1/reminders?due=today&timeZone=\(zone)&sort=title")
    }
    #expect(try today("UTC") == ["20th", "late"])
    #expect(try today("Pacific/Kiritimati") == ["21st", "late"])
    #expect(try today("Europe/Vienna") == ["20th"])
    #expect(try client.get("/v1/stats?timeZone=Pacific/Kiritimati").json["overdue"] as? Int == 1)
    #expect(try client.get("/v1/stats?timeZone=Mars/Olympus").problem == "invalid-parameter")
    #expect(try client.get("/v1/reminders?timeZone=../../etc/passwd").status == 400)
  }

  @Test("A reminder becomes overdue on a stream at its due time, without a commit")
  func overdueByTheClock() throws {
    let service = try RemindersService(now: "2026-03-01T12:00:00Z")
    let time = try #require(service.time)
    let client = try service.client()
    let soon = RFC3339.string(time.now.adding(milliseconds: 700))
    _ = try client.post("/v1/reminders", #"{"listID":1,"title":"t","dueDate":"\#(soon)"}"#)
    let streams = StreamClient(port: service.port)
    _ = try streams.open("/v1/stats", [("Accept", "text/event-stream")])
    #expect(streams.event(after: 0)?.json["overdue"] as? Int == 0)
    // A reminder is overdue if it was due before now.
    time.advance(milliseconds: 701)
    #expect(streams.event(after: 1)?.json["overdue"] as? Int == 1)
    // The clock is set back.
    time.now = time.now.adding(milliseconds: -1)
    #expect(streams.event(after: 2)?.json["overdue"] as? Int == 0)
    time.advance(milliseconds: 1)
    #expect(streams.event(after: 3)?.json["overdue"] as? Int == 1)
  }

  @Test("A cursor continues after its page, and only with the same filters and sort order")
  func cursors() throws {
    let service = try RemindersService()
    let client = try service.client()
    for number in 1...5 {
      _ = try client.post("/v1/reminders", #"{"listID":1,"title":"\#(number)"}"#)
    }
    var seen: [String] = []
    var target = "/v1/reminders?limit=2&total=true&sort=-title"
    while true {
      let page = try client.get(target)
      #expect(page.json["total"] as? Int == 5)
      seen += page.items.compactMap { $0["title"] as? String }
      guard let cursor = page.json["nextCursor"] as? String else { break }
      target = "/v1/reminders?limit=2&total=true&sort=-title&cursor=\(cursor)"
    }
    #expect(seen == ["5", "4", "3", "2", "1"])
    let cursor = try #require(
      try client.get("/v1/reminders?limit=2").json["nextCursor"] as? String)
    for other in ["sort=title", "flagged=true", "due=today"] {
      #expect(
        try client.get("/v1/reminders?\(other)&cursor=\(cursor)").problem == "invalid-cursor")
    }
    #expect(try client.get("/v1/reminders?cursor=xyz").problem == "invalid-cursor")
    #expect(try client.get("/v1/lists?cursor=\(cursor)").problem == "invalid-cursor")
  }

  @Test("The longest titles can be used as a sort key of pages")
  func longTitles() throws {
    let service = try RemindersService()
    let client = try service.client()
    let long = String(repeating: "🐦", count: 1_000)
    for _ in 0..<2 {
      #expect(try client.post("/v1/lists/1/reminders", #"{"title":"\#(long)"}"#).status == 201)
    }
    let cursor = try #require(
      try client.get("/v1/reminders?sort=title&limit=1").json["nextCursor"] as? String)
    #expect(try client.titles("/v1/reminders?sort=title&limit=1&cursor=\(cursor)") == [long])
    #expect(try client.post("/v1/lists/1/reminders", #"{"title":"\#(long)x"}"#).status == 422)
  }

  @Test("An order must contain every ID once, and does not change updatedAt")
  func order() throws {
    let service = try RemindersService()
    let client = try service.client()
    for title in ["a", "b", "c"] {
      _ = try client.post("/v1/lists/1/reminders", #"{"title":"\#(title)"}"#)
    }
    let before = try client.get("/v1/reminders/1").json["updatedAt"] as? String
    let tag = try #require(try client.get("/v1/lists/1/reminders")["ETag"])
    #expect(
      try client.request(
        "PUT", "/v1/lists/1/reminders/order", [("If-Match", tag)], body: #"{"ids":[3,1,2]}"#
      ).status == 204)
    #expect(try client.titles("/v1/lists/1/reminders") == ["c", "a", "b"])
    #expect(try client.get("/v1/reminders/1").json["updatedAt"] as? String == before)
    #expect(
      try client.request(
        "PUT", "/v1/lists/1/reminders/order", [("If-Match", tag)], body: #"{"ids":[1,2,3]}"#
      ).problem == "precondition-failed")
    let wrong = try client.put("/v1/lists/1/reminders/order", #"{"ids":[1,1,9]}"#)
    #expect(wrong.status == 422)
    for word in ["missing: 2, 3", "unknown: 9", "more than once: 1"] {
      #expect(wrong.text.contains(word))
    }
    #expect(try client.put("/v1/lists/order", #"{"ids":[1]}"#).status == 204)
    #expect(try client.put("/v1/lists/7/reminders/order", #"{"ids":[]}"#).status == 404)
  }

  @Test("Search accepts any text, and marks matches")
  func search() throws {
    let service = try RemindersService()
    let client = try service.client()
    _ = try client.post(
      "/v1/reminders", #"{"listID":1,"title":"Milk & <honey>","notes":"from the market"}"#)
    let found = try client.get("/v1/search?q=hon")
    #expect(found.text.contains(#""title":"Milk &amp; &lt;<mark>honey</mark>&gt;""#))
    let marked = try client.get("/v1/search?q=%22the+market%22&before=%5B&after=%5D")
    #expect(marked.text.contains(#""notes":"from [the market]""#))
    for text in [
      "%22", "AND", "NOT", "(", "*", "tag:", "near:x", "a%22b", "-", "^", "%F0%9F%90%A6",
    ] {
      #expect(try client.get("/v1/search?q=\(text)").status == 200)
      #expect(try client.get("/v1/reminders?q=\(text)").status == 200)
    }
    #expect(try client.get("/v1/search").problem == "invalid-parameter")
  }

  @Test("Several queries on one stream change in one event, with a common time zone")
  func live() throws {
    let service = try RemindersService(now: "2026-11-20T12:00:00Z")
    let client = try service.client()
    let streams = StreamClient(port: service.port)
    _ = try streams.open(
      "/v1/live?today=/v1/reminders%3Fdue=today&stats=/v1/stats&lists=/v1/lists"
        + "&timeZone=Pacific/Kiritimati")
    #expect(streams.event(after: 0)?.json.keys.sorted() == ["lists", "stats", "today"])
    // At noon in UTC it is the 21st there.
    _ = try client.post("/v1/reminders", #"{"listID":1,"title":"t","dueDate":"2026-11-21"}"#)
    let event = try #require(streams.event(after: 1))
    #expect(event.json.keys.sorted() == ["lists", "stats", "today"])
    #expect((event.json["stats"] as? [String: Any])?["today"] as? Int == 1)
    #expect(((event.json["today"] as? [String: Any])?["items"] as? [Any])?.count == 1)
  }

  @Test("A time zone with a plus sign works for several queries; an injected parameter does not")
  func zonesOfBundles() throws {
    let service = try RemindersService()
    let client = try service.client()
    let streams = StreamClient(port: service.port)
    _ = try streams.open("/v1/live?stats=/v1/stats&timeZone=Etc/GMT%2B1")
    #expect(streams.event(after: 0)?.json.keys.sorted() == ["stats"])
    let refused = try client.request(
      "GET", "/v1/live?all=/v1/reminders&timeZone=UTC%26due=overdue",
      [("Accept", "text/event-stream")])
    #expect(refused.status == 400 && refused.text.contains("time zone"), "\(refused.text)")
  }
}
