import Dispatch
import Foundation
import MartletHTTP
import MartletLiveQueries
import MartletSQLite
import Synchronization
import TestSupport
import Testing

@testable import MartletLiveAPI

@Suite("Several queries on one stream")
struct LiveBundleTests {
  private let both = "/live?all=/notes%3Forder=up&one=/notes/1"

  /// A second can pass quickly on a busy machine.
  private static let patient = {
    var settings = API.Settings()
    settings.bundleTimeout = .milliseconds(60_000)
    return settings
  }()

  @Test("The changes of one commit come in one event without unchanged results")
  func oneStep() throws {
    let service = try NotesService()
    let client = try service.client()
    _ = try client.post("/notes", #"{"title":"a"}"#)
    let streams = StreamClient(port: service.port)
    _ = try streams.open(both)
    let first = try #require(streams.event(after: 0))
    #expect(
      first.data == #"{"all":{"items":[{"id":1,"title":"a"}]},"one":{"id":1,"title":"a"}}"#)
    _ = try client.request("PATCH", "/notes/1", body: #"{"title":"b"}"#)
    let second = try #require(streams.event(after: 1))
    #expect(
      second.data == #"{"all":{"items":[{"id":1,"title":"b"}]},"one":{"id":1,"title":"b"}}"#)
    _ = try client.post("/notes", #"{"title":"c"}"#)
    let third = try #require(streams.event(after: 2))
    #expect(third.data == #"{"all":{"items":[{"id":1,"title":"b"},{"id":2,"title":"c"}]}}"#)
    // The event's ID has the states of all queries, in the order of the URL.
    var tags: [String] = []
    for target in ["/notes", "/notes/1"] {
      let tag = try #require(try client.get(target)["ETag"])
      tags.append(String(tag.dropFirst().dropLast()))
    }
    #expect(third.id == tags.joined(separator: "."))
  }

  @Test("Under many commits the results in an event belong together")
  func together() throws {
    let service = try NotesService(settings: Self.patient)
    let client = try service.client()
    _ = try client.post("/notes", #"{"title":"0"}"#)
    let streams = StreamClient(port: service.port)
    _ = try streams.open(both)
    for number in 1...50 {
      _ = try client.request("PATCH", "/notes/1", body: #"{"title":"\#(number)"}"#)
    }
    #expect(streams.wait { $0[0].last?.data.contains(#""title":"50""#) == true })
    for event in streams.streams[0].events {
      let all = event.json["all"] as? [String: Any]
      let title = ((all?["items"] as? [[String: Any]])?.first?["title"]) as? String
      #expect(title == (event.json["one"] as? [String: Any])?["title"] as? String)
    }
  }

  @Test("Results belong together while many clients write")
  func togetherUnderLoad() throws {
    let service = try NotesService(settings: Self.patient)
    let client = try service.client()
    _ = try client.post("/notes", #"{"title":"0"}"#)
    let streams = StreamClient(port: service.port)
    _ = try streams.open(both)
    DispatchQueue.concurrentPerform(iterations: 4) { writer in
      guard let client = try? service.client() else { return }
      for number in 0..<100 {
        _ = try? client.request("PATCH", "/notes/1", body: #"{"title":"\#(writer) \#(number)"}"#)
      }
    }
    _ = try client.request("PATCH", "/notes/1", body: #"{"title":"last"}"#)
    #expect(streams.wait { $0[0].last?.data.contains(#""title":"last""#) == true })
    for event in streams.streams[0].events {
      let all = event.json["all"] as? [String: Any]
      let title = ((all?["items"] as? [[String: Any]])?.first?["title"]) as? String
      #expect(title != nil && title == (event.json["one"] as? [String: Any])?["title"] as? String)
    }
  }

  @Test("A state waits for a slower query that the same commit has changed")
  func slowerSibling() throws {
    let isHeld = DispatchSemaphore(value: 0)
    let mayGoOn = DispatchSemaphore(value: 0)
    let holds = Atomic(false)
    let slow = Route.read("/slow") { request, _ in
      LiveSource(request) { db, body in
        let count = try db.value("SELECT count(*) FROM notes WHERE title = 'b'")
        body.append(utf8: "\(count?.integer ?? -1)")
        if holds.load(ordering: .relaxed) {
          isHeld.signal()
          mayGoOn.wait()
        } else {
          // From then on it is refreshed separately from the fast queries.
          usleep(80_000)
        }
        return true
      }
    }
    var settings = API.Settings()
    settings.bundleTimeout = .milliseconds(600_000)
    let service = try NotesService(settings: settings, routes: [slow])
    let client = try service.client()
    _ = try client.post("/notes", #"{"title":"a"}"#)
    let streams = StreamClient(port: service.port)
    _ = try streams.open("/live?one=/notes/1&slow=/slow")
    _ = try streams.open("/notes/1")
    #expect(streams.wait { $0.allSatisfy { $0.events.count == 1 } })
    holds.store(true, ordering: .relaxed)
    _ = try client.request("PATCH", "/notes/1", body: #"{"title":"b"}"#)
    isHeld.wait()
    #expect(streams.wait { $0[1].events.count == 2 })
    // Gives the loop time to send an event on the first stream, too.
    for _ in 0..<10 { #expect(try client.get("/notes/1").status == 200) }
    holds.store(false, ordering: .relaxed)
    mayGoOn.signal()
    #expect(streams.wait { $0[0].events.count > 1 })
    #expect(streams.streams[0].events[1].json.keys.sorted() == ["one", "slow"])
  }

  @Test("A state that is published before the others waits for them")
  func toldOneByOne() throws {
    let service = try NotesService()
    let client = try service.client()
    _ = try client.post("/notes", #"{"title":"a"}"#)
    let peer = try #require(Peer(address: "192.0.2.1"))
    var request = try Request(.get, target: both, peer: peer)
    request.caller = Access.everything
    let channel = BundleChannel(
      try BundleRequest(
        request, source: { [reads = service.api.reads] in try reads.source($0, for: request) },
        near: { _ in nil }),
      service.api.streams)
    let isReady = DispatchSemaphore(value: 0)
    let waiting = channel.whenReady { _ in isReady.signal() }
    try #require(isReady.wait(timeout: .now() + Deadline.hang) == .success)
    let follower = BundleSubscriber(
      channel, channel.members.map { _ in StreamPosition(.nothing, firstRun: 0) },
      wantsDeltas: false, isResuming: false, .everything, service.api.streams)
    let probe = Probe(follower, events: 1)
    // The first states.
    probe.look()
    // Polls after each single state, like a loop that is woken in the middle of a batch.
    for member in channel.members { member.membership.channel.observe(probe) { probe.look() } }
    _ = try client.request("PATCH", "/notes/1", body: #"{"title":"b"}"#)
    try #require(probe.waitForEvent())
    // A query that turned out to be slow is published separately, after a further poll.
    let events = probe.events
    #expect(events.count >= 2 && events.dropLast().allSatisfy { $0 == nil })
    #expect(
      events.last == #"{"all":{"items":[{"id":1,"title":"b"}]},"one":{"id":1,"title":"b"}}"#)
    for place in waiting { place.cancel() }
  }

  @Test("A resumed stream sends only what differs (item 72)")
  func resuming() throws {
    let service = try NotesService()
    let client = try service.client()
    _ = try client.post("/notes", #"{"title":"a"}"#)
    let streams = StreamClient(port: service.port)
    _ = try streams.open(both)
    let first = try #require(streams.event(after: 0))
    let id = try #require(first.id)
    let again = try streams.open(both, [("Last-Event-ID", id)])
    #expect(streams.event(again, after: 0)?.event == "current")
    _ = try client.post("/notes", #"{"title":"b"}"#)
    let late = try streams.open(both + "&lastEventID=" + id)
    let event = try #require(streams.event(late, after: 0))
    #expect(event.json.keys.sorted() == ["all"])
  }

  @Test("A deleted item becomes null, and the stream goes on")
  func deleted() throws {
    let service = try NotesService()
    let client = try service.client()
    _ = try client.post("/notes", #"{"title":"a"}"#)
    let streams = StreamClient(port: service.port)
    _ = try streams.open(both)
    #expect(streams.event(after: 0) != nil)
    _ = try client.request("DELETE", "/notes/1")
    let gone = try #require(streams.event(after: 1))
    #expect(gone.data == #"{"all":{"items":[]},"one":null}"#)
    // It is sent once: a client that reconnects already has it.
    let again = try streams.open(both, [("Last-Event-ID", gone.id ?? "")])
    #expect(streams.event(again, after: 0)?.event == "current")
    _ = try client.post("/notes", #"{"title":"b"}"#)
    #expect(streams.event(after: 2)?.data == #"{"all":{"items":[{"id":2,"title":"b"}]}}"#)
  }

  @Test("With deltas=true a result is marked as a result or a difference")
  func deltas() throws {
    let service = try NotesService()
    let client = try service.client()
    for title in ["a", "b", "c"] { _ = try client.post("/notes", #"{"title":"\#(title)"}"#) }
    let streams = StreamClient(port: service.port)
    _ = try streams.open("/live?all=/notes&deltas=true")
    #expect(streams.event(after: 0)?.data.hasPrefix(#"{"all":{"result":{"items""#) == true)
    _ = try client.request("PATCH", "/notes/2", body: #"{"title":"x"}"#)
    #expect(streams.event(after: 1)?.data == #"{"all":{"ops":[["~",2,{"title":"x"}]]}}"#)
  }

  @Test("A problem names the failed query, and the others go on")
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
    _ = try streams.open("/live?bad=/fragile&all=/notes")
    #expect(streams.event(after: 0)?.data == #"{"bad":0,"all":{"items":[]}}"#)
    _ = try client.post("/notes", #"{"title":"a"}"#)
    #expect(streams.wait { $0[0].events.filter { $0.event != "message" }.count >= 3 })
    let problem = try #require(streams.streams[0].events.first { $0.event == "problem" })
    #expect(problem.json["query"] as? String == "bad")
    // It is reported once, under the ID that the client has received.
    let reported = service.failures.list.map { "urn:request:\($0.request)" }
    #expect(reported == [problem.json["instance"] as? String])
    _ = try client.post("/notes", #"{"title":"b"}"#)
    #expect(streams.wait { $0[0].last?.data.hasPrefix(#"{"bad":2"#) == true })
  }

  @Test(
    "Invalid bundles are refused",
    arguments: [
      ("/live", 400), ("/live?a=/nowhere", 400), ("/live?a=notes", 400), ("/live?a=/live", 400),
      ("/live?a%20b=/notes", 400), ("/live?a=/notes&a=/notes/1", 400),
      ("/live?a=/notes%3Flimit=0", 400), ("/live?a=/notes&deltas=1", 400),
    ])
  func mistakes(_ target: String, _ status: Int) throws {
    let service = try NotesService()
    let response = try service.client().get(target)
    #expect(response.status == status)
    #expect(response.problem == "invalid-parameter")
  }

  @Test(
    "The message says what was sent and what to send, and names nothing that the client did not",
    arguments: [
      (
        "/live?a=notes",
        #"expected a path that begins with /, got \"notes\"; write an & inside a query's path as %26"#
      ),
      (
        "/live?a=/note",
        #"expected the path of a GET that can be streamed, got \"/note\"; did you mean /notes?"#
      ),
      ("/live?a=/notes%3Flimt=1", "limt: unknown; did you mean limit?"),
      ("/live", "The stream has no queries."),
    ])
  func messages(_ target: String, _ says: String) throws {
    let service = try NotesService()
    let answer = try service.client().get(target)
    #expect(answer.status == 400 && answer.text.contains(says), "\(answer.text)")
    #expect(!answer.text.contains("items") && !answer.text.contains(#""parameter":"name""#))
  }

  @Test("A bundle has at most 32 queries and is only available as a stream (item 76, item 84)")
  func limits() throws {
    let service = try NotesService()
    let client = try service.client()
    func target(_ count: Int) -> String {
      "/live?" + (1...count).map { "q\($0)=/notes" }.joined(separator: "&")
    }
    for many in [33, 400] {
      let refused = try client.get(target(many))
      #expect(refused.status == 400 && refused.text.contains("at most 32"))
    }
    #expect(try client.request("HEAD", target(32)).status == 200)
    #expect(
      try service.client().get(target(1), [("Accept", "application/json")]).problem
        == "not-acceptable")
  }

  @Test("Closed streams leave no live queries behind")
  func ending() throws {
    let service = try NotesService()
    let client = try service.client()
    _ = try client.post("/notes", #"{"title":"a"}"#)
    do {
      let streams = StreamClient(port: service.port)
      for _ in 0..<5 { _ = try streams.open(both) }
      #expect(streams.wait { $0.allSatisfy { !$0.events.isEmpty } })
      #expect(service.live.count == 2)
    }
    let deadline = Deadline(10)
    while service.live.count > 0, !deadline.isOver { _ = try client.get("/notes/1") }
    #expect(service.live.count == 0)
  }
}

/// Polls a subscriber for its next event, one poll at a time.
///
/// `@unchecked Sendable`: the lock guards the subscriber and its events.
private final class Probe: @unchecked Sendable {
  private let lock = Mutex(())
  private let follower: BundleSubscriber
  private let looked = DispatchSemaphore(value: 0)
  private var seen: [String?] = []
  private let first: Int

  init(_ follower: BundleSubscriber, events first: Int) {
    self.follower = follower
    self.first = first
  }

  func look() {
    lock.withLock { _ in
      if case .send(let frame) = follower.next() {
        let text = String(decoding: frame.bytes.bytes[frame.payload], as: UTF8.self)
        let data = text.split(separator: "\n").first { $0.hasPrefix("data: ") }
        seen.append(data.map { String($0.dropFirst(6)) } ?? text)
      } else {
        seen.append(nil)
      }
    }
    looked.signal()
  }

  /// Whether a poll after the first ones returned an event.
  func waitForEvent() -> Bool {
    while events.allSatisfy({ $0 == nil }) {
      guard looked.wait(timeout: .now() + Deadline.hang) == .success else { return false }
    }
    return true
  }

  /// The data of each poll after the first ones; `nil` if there was no event.
  var events: [String?] { lock.withLock { _ in Array(seen.dropFirst(first)) } }
}
