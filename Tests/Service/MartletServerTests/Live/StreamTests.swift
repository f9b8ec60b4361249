import Foundation
import TestSupport
import Testing

extension ProcessTests {
  @Suite struct StreamTests {
    let server: MartletProcess
    let client: RawClient
    let streams: StreamClient

    init() throws {
      server = try MartletProcess()
      client = try RawClient(port: server.port)
      streams = StreamClient(port: server.port)
    }

    @Test("A stream has the result of GET, and the new result after a commit")
    func result() throws {
      try streams.open("/v1/lists?total=true")
      let before = try client.get("/v1/lists?total=true")
      let first = try #require(streams.event(after: 0))
      #expect(first.event == "result")
      #expect(first.data == before.text)
      #expect(first.id == before["ETag"])
      let head = try #require(streams.streams[0].response)
      #expect(head.status == 200)
      #expect(head["Content-Type"]?.hasPrefix("text/event-stream") == true)
      #expect(head["Cache-Control"] == "no-store")
      #expect(head["X-Accel-Buffering"] == "no")

      #expect(try client.post("/v1/lists", #"{"title":"Second"}"#).status == 201)
      let after = try client.get("/v1/lists?total=true")
      let second = try #require(streams.event(after: 1))
      #expect(second.event == "result")
      #expect(second.data == after.text)
      #expect(second.id == after["ETag"])
      #expect(second.id != first.id)
    }

    @Test("A commit that does not change the result causes no event")
    func unchanged() throws {
      try streams.open("/v1/lists/1")
      _ = try #require(streams.event(after: 0))
      // Changes the table that the query reads, but not its result.
      #expect(try client.post("/v1/lists", #"{"title":"Another"}"#).status == 201)
      #expect(
        try client.request("PATCH", "/v1/lists/1", body: #"{"title":"Renamed"}"#).status == 200)
      let next = try #require(streams.event(after: 1))
      #expect(next.json["title"] as? String == "Renamed")
      #expect(streams.streams[0].events.count == 2)
    }

    @Test(
      "A client that names the current state gets the event current (item 72)",
      arguments: [true, false])
    func current(byField: Bool) throws {
      let tag = try #require(try client.get("/v1/lists")["ETag"])
      let escaped = tag.replacingOccurrences(of: "\"", with: "%22")
      try open(lastEventID: byField ? tag : escaped, byField: byField)
      let first = try #require(streams.event(after: 0))
      #expect(first == StreamEvent(id: tag, event: "current", data: "{}", retry: 2_000))
      #expect(try client.post("/v1/lists", #"{"title":"Later"}"#).status == 201)
      #expect(streams.event(after: 1)?.event == "result")
    }

    @Test(
      "An old or unknown ID gets the result (item 72)", arguments: [true, false])
    func outdated(byField: Bool) throws {
      try open(lastEventID: byField ? "\"0000000000000000\"" : "what-is-this", byField: byField)
      #expect(streams.event(after: 0)?.event == "result")
    }

    @Test("The header field takes precedence over the parameter")
    func both() throws {
      let tag = try #require(try client.get("/v1/lists")["ETag"])
      try streams.open("/v1/lists?lastEventID=old", [("Last-Event-ID", tag)])
      #expect(streams.event(after: 0)?.event == "current")
    }

    private func open(lastEventID id: String, byField: Bool) throws {
      if byField {
        try streams.open("/v1/lists", [("Last-Event-ID", id)])
      } else {
        try streams.open("/v1/lists?lastEventID=\(id)")
      }
    }

    @Test("An ID stays valid after a restart")
    func restart() throws {
      try streams.open("/v1/lists")
      let first = try #require(streams.event(after: 0))
      server.signal(SIGTERM)
      #expect(streams.event(after: 1)?.event == "bye")
      #expect(streams.wait { $0[0].hasEnded })
      #expect(try server.wait().code == 0)
      let next = try MartletProcess(in: server.folder)
      let again = StreamClient(port: next.port)
      try again.open("/v1/lists", [("Last-Event-ID", first.id ?? "")])
      #expect(again.event(after: 0)?.event == "current")
    }

    @Test("The stream of a deleted resource ends with gone; afterwards it is a 404")
    func gone() throws {
      let id = try #require(try client.post("/v1/reminders", #"{"listID":1,"title":"x"}"#).id)
      try streams.open("/v1/reminders/\(id)")
      _ = try #require(streams.event(after: 0))
      #expect(try client.request("DELETE", "/v1/reminders/\(id)").status == 204)
      #expect(streams.wait { $0[0].hasEnded })
      #expect(streams.streams[0].events.map(\.event) == ["result", "gone"])
      let answer = try client.get("/v1/reminders/\(id)", [("Accept", "text/event-stream")])
      #expect(answer.status == 404)
      #expect(answer.problem == "not-found")
    }

    @Test("A commit by another program reaches a stream within a second")
    func otherProgram() throws {
      try streams.open("/v1/lists/1/reminders")
      _ = try #require(streams.event(after: 0))
      _ = try MartletProcess.sqlite3(
        server.database, "INSERT INTO reminders (remindersListID, title) VALUES (1, 'by hand')",
        in: server.folder)
      let event = try #require(streams.event(after: 1, within: 1))
      let items = event.json["items"] as? [[String: Any]] ?? []
      #expect(items.map { $0["title"] as? String } == ["by hand"])
      #expect(try client.get("/v1/search?q=hand").items.count == 1)
    }

    @Test(
      "A client sees its own acknowledged write in the first event of a new stream",
      arguments: [true, false])
    func ownWrite(isFollowed: Bool) throws {
      // With another subscriber, new streams join an active live query.
      let others = StreamClient(port: server.port)
      if isFollowed {
        try others.open("/v1/lists/1")
        _ = try #require(others.event(after: 0))
      }
      for number in 1...50 {
        #expect(try client.post("/v1/reminders", #"{"listID":1,"title":"x"}"#).status == 201)
        let newcomer = StreamClient(port: server.port)
        try newcomer.open("/v1/lists/1")
        let first = try #require(newcomer.event(after: 0))
        #expect((first.json["reminders"] as? [String: Int])?["all"] == number)
      }
    }
  }
}
