import MartletLiveAPI
import MartletReminders
import MartletSQLite
import TestSupport
import Testing

@Suite("Subtasks over HTTP") struct SubtaskRoutesTests {
  let service: RemindersService
  let client: RawClient

  init() throws {
    service = try RemindersService()
    client = try service.client()
    _ = try client.post("/v1/lists", #"{"title":"two"}"#)
    for (list, members) in [
      (1, #""title":"move house""#), (1, #""title":"boxes","parentID":1"#),
      (1, #""title":"tape","parentID":2"#), (2, #""title":"other""#),
    ] {
      let made = try client.post("/v1/lists/\(list)/reminders", "{\(members)}")
      try #require(made.status == 201, "\(made.text)")
    }
  }

  private func counts(_ id: Int) throws -> String {
    let item = try client.get("/v1/reminders/\(id)").json
    return "\(item["parentID"] ?? "") \(item["subtasks"] ?? "")"
  }

  @Test("A subtask is made, counted, found and moved")
  func places() throws {
    #expect(try client.get("/v1/reminders/1").text.contains(#""subtasks":{"open":1,"all":1}"#))
    #expect(try client.titles("/v1/reminders?parentID=1") == ["boxes"])
    #expect(try client.titles("/v1/reminders?parentID=none") == ["move house", "other"])
    #expect(try client.get("/v1/reminders?parentID=x").status == 400)
    // Without a list, it is in that of its parent.
    let made = try client.post("/v1/reminders", #"{"title":"pens","parentID":4}"#)
    #expect(made.json["listID"] as? Int == 2, "\(made.text)")
    let wrong = try client.post("/v1/reminders", #"{"listID":1,"title":"pens","parentID":4}"#)
    #expect(wrong.status == 422 && wrong.text.contains("/parentID"), "\(wrong.text)")
    #expect(try client.post("/v1/reminders", #"{"title":"pens"}"#).status == 422)
    let moved = try client.patch("/v1/reminders/2", #"{"parentID":4}"#)
    #expect(moved.json["listID"] as? Int == 2, "\(moved.text)")
    #expect(try client.get("/v1/reminders/3").json["listID"] as? Int == 2)
    let alone = try client.patch("/v1/reminders/3", #"{"listID":1}"#)
    #expect(alone.text.contains(#""parentID":null"#), "\(alone.text)")
    // A whole item can be sent back.
    let whole = try client.get("/v1/reminders/2")
    let same = try client.patch("/v1/reminders/2", whole.text)
    #expect(same["ETag"] == whole["ETag"], "\(same.text)")
    let root = try client.patch("/v1/reminders/2", #"{"parentID":null}"#)
    #expect(root.text.contains(#""parentID":null"#) && root.json["listID"] as? Int == 2)
  }

  @Test("A place that cannot be is a problem of its own")
  func problems() throws {
    for (id, body, status, problem) in [
      (1, #"{"parentID":99}"#, 422, "unknown-parent"),
      (1, #"{"parentID":3}"#, 409, "cyclic-parent"),
      (1, #"{"parentID":1}"#, 409, "cyclic-parent"), (1, #"{"parentID":0}"#, 422, "invalid-body"),
    ] {
      let refused = try client.patch("/v1/reminders/\(id)", body)
      #expect(refused.status == status && refused.problem == problem, "\(refused.text)")
    }
    for parent in [3, 5] {
      _ = try client.post("/v1/reminders", #"{"title":"below","parentID":\#(parent)}"#)
    }
    let deep = try client.post("/v1/reminders", #"{"title":"below","parentID":6}"#)
    #expect(deep.status == 409 && deep.problem == "too-deep", "\(deep.text)")
  }

  @Test(
    "A parent is completed, reopened, deleted and restored with its subtasks, in one event each")
  func whole() throws {
    let stream = StreamClient(port: service.port)
    try stream.open("/v1/reminders?listID=1&completed=false")
    _ = stream.event(after: 0)
    _ = try client.patch("/v1/reminders/1", #"{"status":"completed"}"#)
    #expect(stream.event(after: 1)?.data == #"{"items":[],"nextCursor":null}"#)
    #expect(try client.post("/v1/reminders/1/reopen", "").status == 200)
    #expect(try client.titles("/v1/reminders?completed=true").isEmpty)
    #expect(try client.delete("/v1/reminders/1").status == 204)
    #expect(try client.titles("/v1/reminders") == ["other"])
    let entry = try #require(try client.get("/v1/trash").items.first)
    #expect(entry["contains"] as? Int == 2)
    #expect(try client.post("/v1/trash/\(entry["id"] ?? "")/restore", "").status == 201)
    #expect(try client.titles("/v1/reminders") == ["move house", "boxes", "tape", "other"])
    #expect(try counts(2).hasPrefix("1 "))
    #expect(try client.delete("/v1/reminders/1?permanently=true").status == 204)
    #expect(try client.get("/v1/trash").items.isEmpty)
  }

  @Test("The feed tells each subtask and the new counts of its parent")
  func feed() throws {
    var token = try #require(try client.get("/v1/changes").json["next"] as? String)
    func news() throws -> [String] {
      let page = try client.get("/v1/changes?since=\(token)")
      token = page.json["next"] as? String ?? ""
      return page.items.map { "\($0["id"] ?? "")\($0["deleted"] == nil ? "" : " deleted")" }
        .sorted()
    }
    _ = try client.patch("/v1/reminders/3", #"{"status":"completed"}"#)
    #expect(try news() == ["2", "3"])
    _ = try client.delete("/v1/reminders/2")
    #expect(try news() == ["1", "2 deleted", "3 deleted"])
  }

  @Test("An export and an import keep the tree, also from a parent behind its subtask")
  func transfer() throws {
    _ = try client.put("/v1/lists/1/reminders/order", #"{"ids":[3,2,1]}"#)
    for format in ["ndjson", "ics"] {
      let file = try client.get("/v1/export?format=\(format)")
      let other = try RemindersService()
      let copy = try other.client()
      let done = try copy.post("/v1/import?format=\(format)", file.text)
      #expect(done.status == 200, "\(done.text)")
      let items = try copy.get("/v1/reminders?sort=title").items
      let ids = Dictionary(
        uniqueKeysWithValues: items.map { ($0["title"] as? String ?? "", $0["id"] as? Int ?? 0) })
      let parents = items.map { $0["parentID"] as? Int }
      #expect(parents == [ids["move house"], nil, nil, ids["boxes"]], "\(format): \(items)")
    }
    let lines =
      #"{"type":"list","id":1,"title":"a"}"# + "\n"
      + #"{"type":"reminder","id":1,"listID":1,"title":"a","parentID":7}"#
    let refused = try client.post("/v1/import", lines)
    #expect(refused.status == 422 && refused.text.contains("parentID"), "\(refused.text)")
  }
}
