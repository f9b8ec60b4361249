import Foundation
import MartletReminders
import MartletTime
import TestSupport
import Testing

@Suite("Smart lists over HTTP") struct SmartListRoutesTests {
  private let service: RemindersService
  private let client: RawClient

  init() throws {
    service = try RemindersService()
    client = try service.client()
    let reminders = [
      #"{"title":"today","dueDate":"2026-11-20"}"#,
      #"{"title":"tomorrow","dueDate":"2026-11-21","isFlagged":true}"#,
      #"{"title":"car","tags":["car","red"],"priority":"high"}"#,
      #"{"title":"done","status":"completed","tags":["car"]}"#,
    ]
    for body in reminders {
      #expect(try client.post("/v1/lists/1/reminders", body).status == 201)
    }
  }

  private func create(_ filter: String, _ more: String = "") throws -> Int {
    let answer = try client.post(
      "/v1/smart-lists", #"{"title":"s","filter":\#(filter)\#(more)}"#)
    #expect(answer.status == 201, "\(answer.text)")
    return answer.id ?? 0
  }

  @Test("A smart list is stored as it was sent, with its count")
  func create() throws {
    let answer = try client.post(
      "/v1/smart-lists",
      ##"{"title":"Today","icon":"⭐️","color":"#ff0000","filter":{"due":"today"},"sort":"-title","uid":"u"}"##
    )
    #expect(answer.status == 201 && answer["Location"] == "/v1/smart-lists/1")
    #expect(answer["ETag"] == (try client.get("/v1/smart-lists/1"))["ETag"])
    var json = answer.json
    for name in ["createdAt", "updatedAt"] { #expect(json.removeValue(forKey: name) is String) }
    #expect(
      json as NSDictionary == [
        "id": 1, "uid": "u", "title": "Today", "color": "#ff0000", "icon": "⭐️",
        "filter": ["due": "today"], "sort": "-title", "position": 0, "count": 1, "isMore": false,
      ])
    #expect(try client.titles("/v1/smart-lists") == ["Today"])
    #expect(
      try client.post("/v1/smart-lists", #"{"title":"x","filter":{},"uid":"u"}"#).problem
        == "uid-exists")
  }

  @Test(
    "The reminders and the count are those of the filter",
    arguments: [
      (#"{}"#, ["today", "tomorrow", "car", "done"], 3),
      (#"{"due":"today"}"#, ["today"], 1), (#"{"flagged":true}"#, ["tomorrow"], 1),
      (#"{"tag":"car"}"#, ["car", "done"], 1), (#"{"tag":["car","red"]}"#, ["car"], 1),
      (#"{"tag":"car","completed":true}"#, ["done"], 1),
      (#"{"status":"completed"}"#, ["done"], 1),
      (#"{"listID":[1,7]}"#, ["today", "tomorrow", "car", "done"], 3), (#"{"listID":7}"#, [], 0),
      (#"{"priority":["high","low"]}"#, ["car"], 1),
      (#"{"parentID":"none","q":"tom*"}"#, ["tomorrow"], 1),
      (#"{"parentID":1}"#, [], 0), (#"{"dueWithin":"P1D"}"#, ["today", "tomorrow"], 2),
      (#"{"dueBefore":"2026-11-21"}"#, ["today"], 1), (#"{"recurring":true}"#, [], 0),
      (#"{"due":"today","timeZone":"Pacific/Kiritimati"}"#, ["tomorrow"], 1),
    ])
  func matches(_ filter: String, _ titles: [String], _ count: Int) throws {
    let id = try create(filter)
    #expect(try client.titles("/v1/smart-lists/\(id)/reminders") == titles)
    #expect(try client.get("/v1/smart-lists/\(id)").json["count"] as? Int == count)
    #expect(try client.get("/v1/smart-lists").items[0]["count"] as? Int == count)
    let total = try client.get("/v1/smart-lists/\(id)/reminders?total=true").json["total"] as? Int
    #expect(total == titles.count)
  }

  @Test(
    "A fault of the filter is at its place",
    arguments: [
      (#"{"due":"soon"}"#, "/filter/due"), (#"{"flagged":"true"}"#, "/filter/flagged"),
      (#"{"listID":"1"}"#, "/filter/listID"), (#"{"listID":[]}"#, "/filter/listID"),
      (#"{"listID":[0]}"#, "/filter/listID"), (#"{"tag":[["a"]]}"#, "/filter/tag"),
      (#"{"tag":""}"#, "/filter/tag"), (#"{"priority":["urgent"]}"#, "/filter/priority"),
      (#"{"flag":true}"#, "/filter/flag"), (#"{"limit":5}"#, "/filter/limit"),
      (#"{"sort":"title"}"#, "/filter/sort"), (#"{"timeZone":"Mars"}"#, "/filter/timeZone"),
      (#"{"due":null}"#, "/filter/due"), (#"[]"#, "/filter"), (#"{"a/b":1}"#, "/filter/a~1b"),
      (#"{"due":"today","due":"overdue"}"#, "/filter/due"),
      (#"{"dueWithin":"P400D"}"#, "/filter/dueWithin"),
    ])
  func faults(_ filter: String, _ pointer: String) throws {
    let answer = try client.post("/v1/smart-lists", #"{"title":"s","filter":\#(filter)}"#)
    #expect(answer.status == 422 && answer.problem == "invalid-body", "\(answer.text)")
    #expect(answer.text.contains("\"pointer\":\"\(pointer)\""), "\(answer.text)")
    let id = try create("{}")
    guard !filter.contains("null") else { return }
    let patch = try client.patch("/v1/smart-lists/\(id)", #"{"filter":\#(filter)}"#)
    #expect(patch.status == 422, "\(patch.text)")
  }

  @Test("Other members are checked too")
  func members() throws {
    for (body, pointer) in [
      (#"{"filter":{}}"#, "/title"), (#"{"title":"x"}"#, "/filter"),
      (#"{"title":"x","filter":{},"icon":"123456789"}"#, "/icon"),
      (#"{"title":"x","filter":{},"sort":"size"}"#, "/sort"),
      (#"{"title":"x","filter":{},"color":"red"}"#, "/color"),
    ] {
      let answer = try client.post("/v1/smart-lists", body)
      #expect(answer.status == 422 && answer.text.contains("\"\(pointer)\""), "\(answer.text)")
    }
  }

  @Test("A patch merges the filter, and null removes a member")
  func patch() throws {
    let id = try create(#"{"due":"today","flagged":true}"#)
    let target = "/v1/smart-lists/\(id)"
    let patched = try client.patch(target, #"{"filter":{"due":null,"tag":"car"},"sort":"title"}"#)
    #expect(patched.status == 200)
    #expect(patched.json["filter"] as? NSDictionary == ["flagged": true, "tag": "car"])
    #expect(patched.json["sort"] as? String == "title")
    #expect(try client.patch(target, #"{"sort":null}"#).json["sort"] is NSNull)
    #expect(try client.patch(target, patched.text).status == 422, "updatedAt has changed")
    let stored = try client.get(target).text
    #expect(try client.patch(target, stored).text == stored, "what GET returns can be sent back")
    #expect(try client.patch(target, #"{"count":9}"#).text == stored, "it changes by itself")
    #expect(try client.patch(target, #"{"filter":{"flaged":null}}"#).status == 422)
    #expect(try client.delete(target).status == 204)
    #expect(try client.get(target).status == 404 && client.delete(target).status == 404)
    #expect(try client.titles("/v1/reminders").count == 4)
  }

  @Test("The zone of the request defines today, unless the filter has one")
  func zone() throws {
    let id = try create(#"{"due":"today"}"#)
    let target = "/v1/smart-lists/\(id)/reminders?timeZone="
    #expect(try client.titles(target + "Pacific/Kiritimati") == ["tomorrow"])
    #expect(try client.titles(target + "Europe/Vienna") == ["today"])
    #expect(try client.get("/v1/smart-lists?timeZone=Mars").status == 400)
  }

  @Test("completed chooses open or completed reminders, unless the filter says which")
  func completed() throws {
    let id = try create(#"{"tag":"car"}"#)
    #expect(try client.titles("/v1/smart-lists/\(id)/reminders?completed=false") == ["car"])
    #expect(try client.titles("/v1/smart-lists/\(id)/reminders?completed=true") == ["done"])
    let fixed = try create(#"{"completed":true}"#)
    #expect(try client.titles("/v1/smart-lists/\(fixed)/reminders?completed=false") == ["done"])
  }

  @Test("Pages follow the sort of the smart list")
  func pages() throws {
    let id = try create(#"{"completed":false}"#, #","sort":"-title""#)
    var titles: [String] = []
    var cursor = ""
    repeat {
      let page = try client.get("/v1/smart-lists/\(id)/reminders?limit=1\(cursor)")
      titles += page.items.compactMap { $0["title"] as? String }
      cursor = (page.json["nextCursor"] as? String).map { "&cursor=\($0)" } ?? ""
    } while !cursor.isEmpty
    #expect(titles == ["tomorrow", "today", "car"])
  }

  @Test("Counting stops at 1,000")
  func most() throws {
    let id = try create(#"{"q":"many"}"#)
    try service.database.write { db in
      try db.execute(
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
        INSERT INTO reminders (remindersListID, title) SELECT 1, 'many' FROM n
        """)
    }
    let exact = try client.get("/v1/smart-lists/\(id)").json
    #expect(exact["count"] as? Int == 1_000 && exact["isMore"] as? Bool == false)
    #expect(try client.post("/v1/lists/1/reminders", #"{"title":"many"}"#).status == 201)
    let more = try client.get("/v1/smart-lists/\(id)").json
    #expect(more["count"] as? Int == 1_000 && more["isMore"] as? Bool == true)
  }

  @Test("At most 100 smart lists are possible")
  func limit() throws {
    for _ in 0..<100 { _ = try create("{}") }
    let answer = try client.post("/v1/smart-lists", #"{"title":"x","filter":{}}"#)
    #expect(answer.status == 409 && answer.problem == "too-many-smart-lists")
    #expect(try client.delete("/v1/smart-lists/7").status == 204)
    #expect(try create("{}") == 101)
  }

  @Test("They have an order of their own")
  func order() throws {
    for _ in 0..<3 { _ = try create("{}") }
    #expect(try client.put("/v1/smart-lists/3/position", #"{"after":null}"#).status == 200)
    func ids() throws -> [Int] {
      try client.get("/v1/smart-lists").items.compactMap { $0["id"] as? Int }
    }
    #expect(try ids() == [3, 1, 2])
    let tag = try client.get("/v1/smart-lists")["ETag"] ?? ""
    let body = #"{"ids":[2,3,1]}"#
    #expect(
      try client.request("PUT", "/v1/smart-lists/order", [("If-Match", "\"x\"")], body: body).status
        == 412)
    #expect(
      try client.request("PUT", "/v1/smart-lists/order", [("If-Match", tag)], body: body).status
        == 204)
    #expect(try ids() == [2, 3, 1])
    #expect(try client.put("/v1/smart-lists/order", #"{"ids":[2,3]}"#).status == 422)
  }

  @Test("A filter that another program has broken matches nothing")
  func broken() throws {
    try service.database.write { db in
      try db.execute(#"INSERT INTO smartLists (title, filter) VALUES ('x', '{"due":"never"}')"#)
    }
    #expect(try client.get("/v1/smart-lists/1").json["count"] as? Int == 0)
    #expect(try client.titles("/v1/smart-lists/1/reminders").isEmpty)
    let more = try client.patch("/v1/smart-lists/1", #"{"filter":{"flagged":true}}"#)
    #expect(more.status == 422 && more.text.contains("/filter"), "it stays broken")
    #expect(try client.patch("/v1/smart-lists/1", #"{"title":"y"}"#).status == 200)
    #expect(try client.patch("/v1/smart-lists/1", #"{"filter":{"due":"today"}}"#).status == 200)
    #expect(try client.titles("/v1/smart-lists/1/reminders") == ["today"])
  }

  @Test("A filter with very many members is refused, and costs little")
  func manyMembers() throws {
    let members = (0..<20_000).map { "\"k\($0)\":1" }.joined(separator: ",")
    for body in [#"{"title":"s","filter":{\#(members)}}"#, #"{"filter":{\#(members)}}"#] {
      let answer =
        try body.contains("title")
        ? client.post("/v1/smart-lists", body) : client.patch("/v1/smart-lists/1", body)
      #expect(answer.status == 422 && answer.text.contains("at most 50 members"))
    }
  }

  @Test("A tag that is renamed or merged keeps its smart lists")
  func tags() throws {
    let one = try create(#"{"tag":"CAR"}"#)
    let several = try create(#"{"tag":["car","red"]}"#)
    #expect(try client.patch("/v1/tags/car", #"{"title":"van"}"#).status == 200)
    let filters = try client.get("/v1/smart-lists").items.map { $0["filter"] as? NSDictionary }
    #expect(filters == [["tag": "van"], ["tag": ["van", "red"]]])
    #expect(try client.patch("/v1/tags/van?merge=true", #"{"title":"red"}"#).status == 200)
    #expect(try client.titles("/v1/smart-lists/\(one)/reminders") == ["car", "done"])
    #expect(try client.get("/v1/smart-lists/\(several)").json["count"] as? Int == 1)
  }

  @Test("Counts are live: by commits and by the clock")
  func live() throws {
    let id = try create(#"{"due":"today"}"#)
    let streams = StreamClient(port: service.port)
    try streams.open("/v1/smart-lists/\(id)")
    try streams.open("/v1/smart-lists/\(id)/reminders")
    #expect(streams.wait { $0.allSatisfy { $0.events.count == 1 } })
    #expect(
      try client.post("/v1/lists/1/reminders", #"{"title":"n","dueDate":"2026-11-20"}"#).status
        == 201)
    #expect(streams.wait { $0[0].events.last?.data.contains("\"count\":2") == true })
    #expect(streams.wait { $0[1].events.last?.data.contains("\"n\"") == true })
    // Midnight: only what was due tomorrow is due today.
    service.time?.advance(milliseconds: 13 * 3_600_000)
    #expect(streams.wait { $0[0].events.last?.data.contains("\"count\":1") == true })
    #expect(streams.wait { $0[1].events.last?.data.contains("tomorrow") == true })
  }

  @Test("The feed has smart lists without their counts")
  func feed() throws {
    let since = try client.get("/v1/changes").json["next"] as? String ?? ""
    let id = try create(#"{"due":"today"}"#)
    var page = try client.get("/v1/changes?since=\(since)").items
    #expect(page.count == 1 && page[0]["kind"] as? String == "smart-list")
    let item = page[0]["item"] as? [String: Any] ?? [:]
    #expect(item["filter"] as? NSDictionary == ["due": "today"] && item["count"] == nil)
    #expect(try client.delete("/v1/smart-lists/\(id)").status == 204)
    page = try client.get("/v1/changes?since=\(since)").items
    #expect(page.count == 1 && page[0]["deleted"] as? Bool == true)
    _ = try create("{}")
    let all = try client.get("/v1/changes?kind=smart-list").items
    #expect(all.count == 1)
  }
}
