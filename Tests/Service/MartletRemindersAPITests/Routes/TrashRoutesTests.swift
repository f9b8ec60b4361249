import MartletLiveAPI
import MartletReminders
import MartletSQLite
import TestSupport
import Testing

@Suite("The trash over HTTP") struct TrashRoutesTests {
  @Test("What was deleted is listed, restored under its ID, and erased")
  func trash() throws {
    let service = try RemindersService()
    let client = try service.client()
    _ = try client.post("/v1/lists", #"{"title":"Home"}"#)
    let created = try client.post(
      "/v1/lists/2/reminders", #"{"title":"a","tags":["car"],"dueDate":"2026-12-01"}"#)
    _ = try client.post("/v1/reminders", #"{"listID":1,"title":"b"}"#)
    let stream = StreamClient(port: service.port)
    try stream.open("/v1/trash")
    #expect(stream.event(after: 0)?.data.hasPrefix(#"{"items":[],"#) == true)
    #expect(try client.request("DELETE", "/v1/reminders/1").status == 204)
    #expect(stream.event(after: 1)?.data.contains(#""kind":"reminder","itemID":1"#) == true)
    let entry = try #require(try client.get("/v1/trash").items.first)
    #expect(entry["title"] as? String == "a" && entry["listID"] as? Int == 2)
    let restored = try client.post("/v1/trash/1/restore", "")
    #expect(restored.status == 201 && restored["Location"] == "/v1/reminders/1")
    for name in ["id", "uid", "createdAt", "dueDate", "position"] {
      #expect("\(restored.json[name] ?? "")" == "\(created.json[name] ?? "")", "\(name)")
    }
    #expect(restored.json["tags"] as? [String] == ["car"])
    #expect(try client.post("/v1/trash/1/restore", "").status == 404)

    #expect(try client.request("DELETE", "/v1/lists/2").status == 204)
    let list = try #require(try client.get("/v1/trash?total=true").items.first)
    #expect(list["kind"] as? String == "list" && list["contains"] as? Int == 1)
    let back = try client.post("/v1/trash/\(list["id"] ?? "")/restore", "")
    #expect(back.status == 201 && back["Location"] == "/v1/lists/2")
    #expect(try client.get("/v1/reminders/1").status == 200)
    #expect(try client.request("DELETE", "/v1/reminders/1?permanently=true").status == 204)
    #expect(try client.get("/v1/trash").items.isEmpty)
    #expect(try client.request("DELETE", "/v1/reminders/2?permanently=yes").status == 400)
    _ = try client.request("DELETE", "/v1/reminders/2")
    #expect(try client.request("DELETE", "/v1/trash/99").status == 404)
    #expect(try client.request("DELETE", "/v1/trash").status == 204)
    #expect(try client.get("/v1/trash").items.isEmpty)
  }

  @Test("Several deletions are undone in one batch, and a list that is gone is a conflict")
  func batch() throws {
    let service = try RemindersService()
    let client = try service.client()
    _ = try client.post("/v1/lists", #"{"title":"Home"}"#)
    for list in [1, 2] {
      _ = try client.post("/v1/reminders", #"{"listID":\#(list),"title":"a"}"#)
    }
    for id in [1, 2] { _ = try client.request("DELETE", "/v1/reminders/\(id)") }
    _ = try client.request("DELETE", "/v1/lists/2")
    let operations = #"{"operations":[{"method":"POST","path":"/v1/trash/1/restore"},"#
    let refused = try client.post(
      "/v1/batch", operations + #"{"method":"POST","path":"/v1/trash/2/restore"}]}"#)
    #expect(refused.status == 422 && refused.text.contains("list-is-gone"), "\(refused.text)")
    #expect(try client.get("/v1/reminders/1").status == 404)
    let alone = try client.post("/v1/trash/2/restore", "")
    #expect(alone.status == 409 && alone.problem == "list-is-gone")
    #expect(try client.post("/v1/trash/2/restore?listID=7", "").status == 422)
    let done = try client.post(
      "/v1/batch", operations + #"{"method":"POST","path":"/v1/trash/2/restore?listID=1"}]}"#)
    #expect(done.status == 200, "\(done.text)")
    #expect(try client.get("/v1/lists/1/reminders").items.count == 2)
  }
}
