import MartletLiveAPI
import MartletSQLite
import TestSupport
import Testing

@Suite("The change feed over HTTP") struct ChangesRouteTests {
  private func changes(_ client: RawClient, _ query: String = "") throws -> (
    items: [String], next: String, more: Bool
  ) {
    let answer = try client.get("/v1/changes\(query)")
    #expect(answer.status == 200, "\(answer.text)")
    let items = answer.items.map { item in
      "\(item["kind"] ?? "") \(item["id"] ?? "")" + (item["deleted"] == nil ? "" : " deleted")
    }
    return (
      items, try #require(answer.json["next"] as? String),
      try #require(answer.json["more"] as? Bool)
    )
  }

  @Test("Everything there is in pages, and then what has changed")
  func pages() throws {
    let service = try RemindersService()
    let client = try service.client()
    for title in ["a", "b", "c"] {
      _ = try client.post("/v1/reminders", #"{"listID":1,"title":"\#(title)"}"#)
    }
    let first = try changes(client, "?limit=2")
    #expect(first.items == ["list 1", "reminder 1"] && first.more)
    let second = try changes(client, "?limit=2&since=\(first.next)")
    #expect(second.items == ["reminder 2", "reminder 3"] && !second.more)
    _ = try client.patch("/v1/reminders/1", #"{"title":"x"}"#)
    _ = try client.patch("/v1/reminders/1", #"{"isFlagged":true}"#)
    _ = try client.request("DELETE", "/v1/reminders/2")
    _ = try client.request("PUT", "/v1/reminders/3/tags/car")
    let third = try changes(client, "?since=\(second.next)")
    #expect(third.items == ["reminder 1", "reminder 2 deleted", "reminder 3"])
    #expect(try changes(client, "?since=\(third.next)").items == [])
    let item = try client.get("/v1/changes?since=\(second.next)").items[0]["item"] as? [String: Any]
    #expect(item?["title"] as? String == "x" && item?["isFlagged"] as? Bool == true)
    #expect(try changes(client, "?kind=list").items == ["list 1"])
    let open = try changes(client, "?open=true")
    _ = try client.patch("/v1/reminders/3", #"{"status":"completed"}"#)
    #expect(
      try changes(client, "?open=true&since=\(open.next)").items == ["reminder 3 deleted"])
    #expect(try client.get("/v1/changes?open=true&since=\(third.next)").status == 410)
    #expect(try changes(client, "?open=true").items == ["list 1", "reminder 1"])
    #expect(try changes(client, "?listID=9").items == [])
  }

  @Test("A page ends when it is large, and the next one goes on")
  func large() throws {
    let service = try RemindersService()
    let client = try service.client()
    let notes = String(repeating: "x", count: 90_000)
    for _ in 0..<20 {
      _ = try client.post("/v1/reminders", #"{"listID":1,"title":"a","notes":"\#(notes)"}"#)
    }
    var page = try changes(client, "?limit=500")
    #expect(page.more && page.items.count < 15)
    var count = page.items.count
    while page.more {
      page = try changes(client, "?limit=500&since=\(page.next)")
      count += page.items.count
    }
    #expect(count == 21)
  }

  @Test(
    "What is not a token is refused",
    arguments: [("abc", 400), ("", 400), ("k-s-1-7.7", 400), ("k-s-1", 410)])
  func faults(_ token: String, _ status: Int) throws {
    let service = try RemindersService()
    let answer = try service.client().get("/v1/changes?since=\(token)")
    #expect(answer.status == status, "\(answer.text)")
    #expect(
      answer.json["type"] as? String
        == (status == 410 ? "/problems/feed-expired" : "/problems/invalid-parameter"))
  }

  @Test("The feed as a stream goes on from the last event, for every program that writes")
  func stream() throws {
    let service = try RemindersService()
    let client = try service.client()
    let first = StreamClient(port: service.port)
    try first.open("/v1/changes?kind=reminder")
    let start = try #require(first.event(after: 0))
    #expect(start.event == "changes" && start.data.hasPrefix(#"{"items":[],"#))
    _ = try client.post("/v1/reminders", #"{"listID":1,"title":"a"}"#)
    let created = try #require(first.event(after: 1))
    #expect(created.data.contains(#""kind":"reminder","id":1,"#))
    #expect(created.data.contains("\"next\":\"\(created.id ?? "")\""))
    first.close(0)
    // Nothing is sent for a list, and both commits arrive after the reconnect.
    _ = try client.patch("/v1/lists/1", #"{"title":"b"}"#)
    let shell = try Connection(location: .file(service.path))
    try shell.execute("UPDATE reminders SET title = 'shell' WHERE id = 1")
    let second = StreamClient(port: service.port)
    try second.open("/v1/changes?kind=reminder", [("Last-Event-ID", created.id ?? "")])
    let missed = try #require(second.event(after: 0))
    #expect(missed.data.contains(#""title":"shell""#) && missed.id != created.id)
    #expect(try client.get("/v1/changes?deltas=true").status == 400)
    let bundle = StreamClient(port: service.port)
    try bundle.open("/v1/live?a=/v1/changes")
    _ = bundle.wait { $0[0].response != nil }
    #expect(bundle.streams[0].response?.status == 400)
    let expired = StreamClient(port: service.port)
    try expired.open("/v1/changes?since=k-s-1")
    _ = expired.wait { $0[0].response != nil }
    #expect(expired.streams[0].response?.status == 410)
  }

  @Test("The same uid twice is a conflict that names the item")
  func uids() throws {
    let service = try RemindersService()
    let client = try service.client()
    let body = #"{"listID":1,"title":"a","uid":"u-1"}"#
    let created = try client.post("/v1/reminders", body)
    #expect(created.status == 201 && created.json["uid"] as? String == "u-1")
    let again = try client.post("/v1/lists/1/reminders", #"{"title":"a","uid":"u-1"}"#)
    #expect(again.status == 409 && again["Location"] == "/v1/reminders/1", "\(again.text)")
    #expect(again.json["type"] as? String == "/problems/uid-exists")
    let batch = try client.post(
      "/v1/batch",
      #"{"operations":[{"method":"POST","path":"/v1/reminders","body":\#(body)}]}"#)
    #expect(batch.problem == "batch-failed" && batch["Location"] == "/v1/reminders/1")
    #expect(batch.json["causeStatus"] as? Int == 409, "\(batch.text)")
    let list = try client.post("/v1/lists", #"{"title":"b","uid":"u-1"}"#)
    #expect(list.status == 201 && list.json["uid"] as? String == "u-1")
    let other = try client.post("/v1/lists", #"{"title":"b","uid":"u-1"}"#)
    #expect(other.status == 409 && other["Location"] == "/v1/lists/2", "\(other.text)")
    // In another list the same uid is allowed, but it cannot be moved to the first one.
    let copy = try client.post("/v1/reminders", #"{"listID":2,"title":"c","uid":"u-1"}"#)
    #expect(copy.status == 201)
    let moved = try client.patch("/v1/reminders/2", #"{"listID":1}"#)
    #expect(moved.status == 409 && moved["Location"] == "/v1/reminders/1", "\(moved.text)")
    #expect(moved.problem == "uid-exists" && moved.text.contains(#""pointer":"/listID""#))
    for uid in ["", "a\\u0001", String(repeating: "x", count: 256)] {
      let answer = try client.post("/v1/reminders", #"{"listID":1,"title":"a","uid":"\#(uid)"}"#)
      #expect(answer.status == 422 && answer.text.contains(#""pointer":"/uid""#))
    }
    #expect(try client.patch("/v1/reminders/1", #"{"uid":"v"}"#).status == 422)
    #expect(try client.patch("/v1/reminders/1", #"{"uid":"u-1","title":"z"}"#).status == 200)
  }
}
