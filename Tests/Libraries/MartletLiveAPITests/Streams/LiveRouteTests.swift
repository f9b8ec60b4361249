import Dispatch
import Foundation
import MartletHTTP
import MartletJSON
import MartletLiveQueries
import MartletSQLite
import Synchronization
import TestSupport
import Testing

@testable import MartletLiveAPI

@Suite("Event streams")
struct LiveRouteTests {
  private let asStream = [("Accept", "text/event-stream")]

  @Test("A client that resumes with the current state does not receive it again (item 72)")
  func resuming() throws {
    let service = try NotesService()
    let client = try service.client()
    let tag = try #require(try client.post("/notes", #"{"title":"a"}"#)["ETag"])
    for (target, fields) in [
      ("/notes/1", asStream + [("Last-Event-ID", tag)]),
      ("/notes/1?lastEventID=%22\(tag.dropFirst().dropLast())%22", asStream),
      // The field takes precedence.
      ("/notes/1?lastEventID=x", asStream + [("Last-Event-ID", "W/" + tag)]),
    ] {
      let streams = StreamClient(port: service.port)
      _ = try streams.open(target, fields)
      let first = try #require(streams.event(after: 0))
      #expect(first.event == "current" && first.data == "{}" && first.id == tag)
    }
    let streams = StreamClient(port: service.port)
    _ = try streams.open("/notes/1", asStream + [("Last-Event-ID", "\"ffffffffffffffff\"")])
    #expect(streams.event(after: 0)?.event == "result")
  }

  @Test("The first event of every stream has the retry line, and no later one (item 73)")
  func retry() throws {
    let service = try NotesService(routes: [NoteFeed().route])
    try service.add(1)
    let streams = StreamClient(port: service.port)
    for target in ["/notes", "/notes/1", "/live?all=/notes&one=/notes/1", "/changes"] {
      let stream = try streams.open(target)
      #expect(streams.event(stream, after: 0)?.retry == 2_000, "\(target)")
    }
    try service.add(1)
    _ = try service.client().request("PATCH", "/notes/1", body: #"{"title":"b"}"#)
    for stream in streams.streams.indices {
      let later = try #require(streams.event(stream, after: 1))
      #expect(later.retry == nil, "\(later)")
    }
  }

  @Test("A subscriber that joins after commits without changes gets the result at once")
  func joiningLate() throws {
    let service = try NotesService()
    let client = try service.client()
    for title in ["a", "b"] { _ = try client.post("/notes", #"{"title":"\#(title)"}"#) }
    let streams = StreamClient(port: service.port)
    let first = try streams.open("/notes/1", asStream)
    #expect(streams.event(first, after: 0)?.event == "result")
    // Another row of the same table: the query is refreshed, but nothing is sent.
    for _ in 0..<3 { _ = try client.request("PATCH", "/notes/2", body: #"{"title":"x"}"#) }
    let second = try streams.open("/notes/1", asStream)
    #expect(streams.event(second, after: 0)?.event == "result")
    #expect(streams.streams[first].events.count == 1)
  }

  @Test("The stream of a deleted item gets a gone event and ends")
  func gone() throws {
    let service = try NotesService()
    let client = try service.client()
    _ = try client.post("/notes", #"{"title":"a"}"#)
    let streams = StreamClient(port: service.port)
    _ = try streams.open("/notes/1", asStream)
    #expect(streams.event(after: 0)?.event == "result")
    _ = try client.request("DELETE", "/notes/1")
    #expect(streams.event(after: 1)?.event == "gone")
    #expect(streams.wait { $0[0].hasEnded })
    #expect(try client.get("/notes/1", asStream).status == 404)
  }

  @Test("No event is sent for a failed change, or before a commit (item 78)")
  func rolledBack() throws {
    let service = try NotesService(routes: [
      .write(.post, "/broken") { _, _ in
        WriteRoute.Work { db in
          try db.run("INSERT INTO notes (title) VALUES ('never')")
          throw NotesService.Boom()
        }
      }
    ])
    let client = try service.client()
    let streams = StreamClient(port: service.port)
    _ = try streams.open("/notes", asStream)
    #expect(streams.event(after: 0)?.data == #"{"items":[]}"#)
    #expect(try client.post("/broken", "").status == 500)
    #expect(try client.post("/notes", #"{"title":"a"}"#).status == 201)
    let event = try #require(streams.event(after: 1))
    #expect(event.data.contains(#""title":"a""#) && !event.data.contains("never"))
    // What the event says is stored: another connection sees it.
    let stored = try client.get("/notes")
    #expect(stored.text == event.data && stored["ETag"] == event.id)
  }

  @Test("Any text passes through a stream unchanged (item 79)")
  func corpus() throws {
    let service = try NotesService()
    let client = try service.client()
    let streams = StreamClient(port: service.port)
    _ = try streams.open("/notes?order=down&limit=1", asStream)
    #expect(streams.event(after: 0) != nil)
    let texts = [
      "a\nb", "a\r\nb\rc", "\n\n", " leading", ": colon", "data: x", "id: 1\n\nevent: y",
      "\u{2028}\u{2029}\u{85}", "👩‍🚀 é", "bom \u{FEFF}", "\"\\/\u{1}",
    ]
    for (index, text) in texts.enumerated() {
      let body = String(
        decoding: try JSONSerialization.data(withJSONObject: ["title": text]), as: UTF8.self)
      #expect(try client.post("/notes", body).status == 201)
      let event = try #require(streams.event(after: index + 1))
      let items = event.json["items"] as? [[String: Any]]
      // Compared by scalars, because equal strings may have different scalars.
      let title = items?.first?["title"] as? String
      #expect(title.map { Array($0.unicodeScalars) } == Array(text.unicodeScalars))
    }
  }

  @Test("A stream is not compressed, and each event is sent at once (item 60, item 69)")
  func notCompressed() throws {
    let service = try NotesService()
    let streams = StreamClient(port: service.port)
    _ = try streams.open("/notes", asStream + [("Accept-Encoding", "gzip")])
    #expect(streams.event(after: 0)?.data == #"{"items":[]}"#)
    #expect(streams.streams[0].response?["Content-Encoding"] == nil)
  }

  @Test("A failing query sends one problem and recovers with the next commit")
  func problem() throws {
    let fragile = Route.read("/fragile") { request, _ in
      LiveSource(request) { db, body in
        let count = try db.value("SELECT count(*) FROM notes")?.integer ?? 0
        if count == 1 { throw NotesService.Boom() }
        body.append(decimal: Int(count))
        return true
      }
    }
    let service = try NotesService(routes: [fragile])
    let client = try service.client()
    let streams = StreamClient(port: service.port)
    _ = try streams.open("/fragile", asStream)
    #expect(streams.event(after: 0)?.data == "0")
    _ = try client.post("/notes", #"{"title":"a"}"#)
    let problem = try #require(streams.event(after: 1))
    #expect(problem.event == "problem" && problem.data.contains("/problems/internal"))
    #expect(!problem.data.contains("Boom"))
    let reported = service.failures.list.map { "urn:request:\($0.request)" }
    #expect(reported == [problem.json["instance"] as? String])
    _ = try client.post("/notes", #"{"title":"b"}"#)
    #expect(streams.event(after: 2)?.data == "2")
  }

  @Test(
    "Too many streams get a stream with a bye event, because browsers reconnect after nothing else (item 74)"
  )
  func tooMany() throws {
    var limits = Limits()
    limits.streams = 1
    let service = try NotesService(limits: limits)
    let streams = StreamClient(port: service.port)
    _ = try streams.open("/notes", asStream)
    #expect(streams.event(0, after: 0)?.event == "result")
    let second = try streams.open("/notes", asStream)
    let bye = try #require(streams.event(second, after: 0))
    #expect(bye.event == "bye" && bye.data.contains("overload"))
    #expect((1_000...5_000).contains(bye.retry ?? 0))
    #expect(streams.streams[second].response?.status == 200)
  }

  @Test("A subscriber with deltas=true gets differences, and others get results")
  func deltas() throws {
    let service = try NotesService()
    let client = try service.client()
    for title in ["a", "b", "c"] { _ = try client.post("/notes", #"{"title":"\#(title)"}"#) }
    let streams = StreamClient(port: service.port)
    let whole = try streams.open("/notes", asStream)
    let delta = try streams.open("/notes?deltas=true", asStream)
    #expect(streams.event(whole, after: 0)?.event == "result")
    #expect(streams.event(delta, after: 0)?.event == "result")
    _ = try client.request("PATCH", "/notes/2", body: #"{"title":"x"}"#)
    let result = try #require(streams.event(whole, after: 1))
    let change = try #require(streams.event(delta, after: 1))
    #expect(result.event == "result")
    #expect(change.event == "delta" && change.data == #"{"ops":[["~",2,{"title":"x"}]]}"#)
    // A difference has the ID of the result that it leads to.
    #expect(change.id == result.id)
    #expect(try client.get("/notes?deltas=yes").problem == "invalid-parameter")
  }

  @Test(
    "A query whose clients disconnect before its first result is canceled",
    arguments: ["/slow", "/live?slow=/slow&notes=/notes"])
  func goneBeforeTheFirstResult(_ target: String) throws {
    let gate = DispatchGroup()
    let arrived = DispatchSemaphore(value: 0)
    let slow = Route.read("/slow") { request, _ in
      LiveSource(request) { _, body in
        arrived.signal()
        gate.wait()
        body.append("{}")
        return true
      }
    }
    let service = try NotesService(routes: [slow])
    let client = try service.client()
    gate.enter()
    defer { gate.leave() }
    do {
      let follower = try service.client()
      try follower.send(
        "GET \(target) HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n")
      arrived.wait()
      #expect(service.live.count > 0)
    }
    let deadline = Deadline(10)
    while service.live.count > 0, !deadline.isOver { _ = try client.get("/notes/1") }
    #expect(service.live.count == 0)
  }

  @Test("Streams of the same query share one live query, which ends with the last one")
  func sharing() throws {
    let service = try NotesService()
    let client = try service.client()
    do {
      let streams = StreamClient(port: service.port)
      for target in [
        "/notes?limit=5&order=up", "/notes?order=up&limit=5", "/notes?limit=5&order=up",
      ] {
        _ = try streams.open(target, asStream)
      }
      #expect(streams.wait { $0.allSatisfy { $0.events.contains { $0.event == "result" } } })
      #expect(service.live.count == 1)
      _ = try client.post("/notes", #"{"title":"a"}"#)
      #expect(streams.wait { $0.allSatisfy { $0.last?.data.contains(#""title":"a""#) == true } })
      #expect(Set(streams.streams.map { $0.last?.id }).count == 1)
    }
    // The clients have disconnected. Their query ends when the server notices it.
    let deadline = Deadline(10)
    while service.live.count > 0, !deadline.isOver { _ = try client.get("/notes/1") }
    #expect(service.live.count == 0)
  }
}
