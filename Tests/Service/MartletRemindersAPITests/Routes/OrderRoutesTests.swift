import Foundation
import MartletReminders
import TestSupport
import Testing

@Suite("Order over HTTP") struct OrderRoutesTests {
  private let service: RemindersService
  private let client: RawClient

  init() throws {
    service = try RemindersService()
    client = try service.client()
    for title in ["a", "b", "c", "d"] {
      #expect(try client.post("/v1/lists/1/reminders", #"{"title":"\#(title)"}"#).status == 201)
    }
  }

  private func titles() throws -> [String] { try client.titles("/v1/lists/1/reminders") }

  @Test("A reminder moves next to another one, or to an end, and no other row changes")
  func moves() throws {
    let before = try client.get("/v1/reminders").items
    let moved = try client.put("/v1/reminders/4/position", #"{"after":1}"#)
    #expect(moved.status == 200 && moved["ETag"] != nil)
    #expect(moved.json["title"] as? String == "d")
    #expect(try titles() == ["a", "d", "b", "c"])
    #expect(try client.put("/v1/reminders/3/position", #"{"before":1}"#).status == 200)
    #expect(try titles() == ["c", "a", "d", "b"])
    #expect(try client.put("/v1/reminders/3/position", #"{"before":null}"#).status == 200)
    #expect(try client.put("/v1/reminders/2/position", #"{"after":null}"#).status == 200)
    #expect(try titles() == ["b", "a", "d", "c"])
    let after = try client.get("/v1/reminders").items
    for id in [1] {
      let rows = [before, after].map { $0.first { $0["id"] as? Int == id } as NSDictionary? }
      #expect(rows[0] == rows[1], "reminder \(id) has not changed")
    }
  }

  @Test("A move that changes nothing writes nothing")
  func inPlace() throws {
    let tag = try client.get("/v1/reminders/2")["ETag"]
    let count = try service.database.read { try $0.value("SELECT count(*) FROM changes") }
    for body in [#"{"after":1}"#, #"{"before":3}"#] {
      #expect(try client.put("/v1/reminders/2/position", body)["ETag"] == tag)
    }
    #expect(try service.database.read { try $0.value("SELECT count(*) FROM changes") } == count)
  }

  @Test("Positions without room are spread in the same commit, and the feed has each of them")
  func dense() throws {
    try service.database.write {
      try $0.execute("UPDATE reminders SET position = id")
    }
    let since = try client.get("/v1/changes").json["next"] as? String ?? ""
    #expect(try client.put("/v1/reminders/4/position", #"{"after":1}"#).status == 200)
    #expect(try titles() == ["a", "d", "b", "c"])
    let changes = try client.get("/v1/changes?since=\(since)").items
    #expect(Set(changes.compactMap { $0["id"] as? Int }) == [1, 4], "up to the nearer end")
    let copies = try changes.map { change in
      try client.get("/v1/reminders/\(change["id"] as? Int ?? 0)").json as NSDictionary
    }
    #expect(copies == changes.map { $0["item"] as? NSDictionary })
  }

  @Test(
    "What is wrong is named",
    arguments: [
      (#"{}"#, "/after"), (#"{"after":1,"before":3}"#, "/before"), (#"{"after":"1"}"#, "/after"),
      (#"{"after":99}"#, "/after"), (#"{"before":2}"#, "/before"), (#"{"before":5}"#, "/before"),
      (#"{"after":0}"#, "/after"), (#"{"after":1,"x":1}"#, "/x"),
    ])
  func faults(_ body: String, _ pointer: String) throws {
    // Reminder 5 is in another list.
    #expect(try client.post("/v1/lists", #"{"title":"B"}"#).id == 2)
    #expect(try client.post("/v1/lists/2/reminders", #"{"title":"there"}"#).id == 5)
    let answer = try client.put("/v1/reminders/2/position", body)
    #expect(answer.status == 422 && answer.problem == "invalid-body", "\(answer.text)")
    #expect(answer.text.contains("\"\(pointer)\""), "\(answer.text)")
    #expect(try titles() == ["a", "b", "c", "d"])
  }

  @Test("What does not exist is a 404, a precondition that fails a 412")
  func refusals() throws {
    #expect(try client.put("/v1/reminders/99/position", #"{"after":null}"#).status == 404)
    #expect(try client.put("/v1/lists/99/position", #"{"after":null}"#).status == 404)
    let fields = [("If-Match", "\"x\"")]
    #expect(
      try client.request("PUT", "/v1/reminders/4/position", fields, body: #"{"after":null}"#)
        .status == 412)
    #expect(try titles() == ["a", "b", "c", "d"])
  }

  @Test("Lists move among the lists; an order that is in place already writes nothing")
  func lists() throws {
    for title in ["B", "C"] {
      #expect(try client.post("/v1/lists", #"{"title":"\#(title)"}"#).status == 201)
    }
    let moved = try client.put("/v1/lists/3/position", #"{"before":2}"#)
    #expect(moved.json["title"] as? String == "C")
    #expect(try client.titles("/v1/lists") == ["Reminders", "C", "B"])
    let tag = try client.get("/v1/lists")["ETag"]
    #expect(try client.put("/v1/lists/order", #"{"ids":[1,3,2]}"#).status == 204)
    #expect(try client.get("/v1/lists")["ETag"] == tag)
    #expect(try client.put("/v1/lists/order", #"{"ids":[3,2,1]}"#).status == 204)
    #expect(try client.titles("/v1/lists") == ["C", "B", "Reminders"])
    let positions = try client.get("/v1/lists").items.compactMap { $0["position"] as? Int }
    #expect(positions == [0, 65_536, 131_072])
  }

  @Test("A move in a batch sees the moves before it")
  func batch() throws {
    let answer = try client.post(
      "/v1/batch",
      """
      {"operations":[
        {"method":"PUT","path":"/v1/reminders/1/position","body":{"before":null}},
        {"name":"e","method":"POST","path":"/v1/lists/1/reminders","body":{"title":"e"}},
        {"method":"PUT","path":"/v1/reminders/{e}/position","body":{"before":2}},
        {"method":"PUT","path":"/v1/reminders/3/position","body":{"after":{"$id":"e"}}}
      ]}
      """)
    #expect(answer.status == 200, "\(answer.text)")
    #expect(try titles() == ["e", "c", "b", "d", "a"])
  }
}
