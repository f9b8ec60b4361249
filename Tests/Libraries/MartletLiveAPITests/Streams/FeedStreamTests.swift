import Dispatch
import Foundation
import MartletHTTP
import MartletLiveAPI
import MartletStore
import MartletTime
import Synchronization
import TestSupport
import Testing

@Suite("Event streams of feeds") struct FeedStreamTests {
  @Test("The first event has the token, even of an empty feed")
  func first() throws {
    let service = try NotesService(routes: [NoteFeed().route])
    let streams = StreamClient(port: service.port)
    try streams.open("/changes")
    let event = try #require(streams.event(after: 0))
    #expect(event.event == "changes" && event.id == "0")
    #expect(event.data == #"{"entries":[],"next":"0"}"#)
    try streams.open("/changes?since=7")
    #expect(streams.event(1, after: 0)?.id == "7")
  }

  @Test("Pages follow at once while there are more, and then each commit's entries")
  func pages() throws {
    let service = try NotesService(routes: [NoteFeed().route])
    try service.add(7)
    let streams = StreamClient(port: service.port)
    try streams.open("/changes?since=1")
    #expect(streams.wait { $0[0].events.count == 2 })
    for id in 8...10 {
      try service.add()
      #expect(streams.event(after: id - 6)?.entries == [id])
    }
    let events = streams.streams[0].events
    #expect(events.map(\.entries) == [[2, 3, 4], [5, 6, 7], [8], [9], [10]])
    #expect(events.map(\.id) == ["4", "7", "8", "9", "10"])
    #expect(events.allSatisfy { $0.event == "changes" })
  }

  @Test("A client that resumes gets exactly the rest")
  func resuming() throws {
    let service = try NotesService(routes: [NoteFeed(limit: 100).route])
    try service.add(5)
    let streams = StreamClient(port: service.port)
    for (target, fields, rest) in [
      ("/changes", [("Last-Event-ID", "3")], [4, 5]),
      ("/changes?since=1", [("Last-Event-ID", "3")], [4, 5]),
      ("/changes?since=1&lastEventID=2", [("Last-Event-ID", "3")], [4, 5]),
      ("/changes?since=1&lastEventID=2", [], [3, 4, 5]),
      ("/changes?since=1&lastEventID=", [], [2, 3, 4, 5]),
      ("/changes?since=5", [], []),
    ] {
      let index = try streams.open(target, fields)
      #expect(streams.event(index, after: 0)?.entries == rest, "\(target) \(fields)")
    }
    try service.add()
    #expect(streams.wait { $0.allSatisfy { $0.last?.id == "6" } })
    #expect(streams.streams.allSatisfy { $0.last?.entries.last == 6 && $0.events.count == 2 })
  }

  @Test("An empty page sends nothing")
  func emptyPages() throws {
    let feed = NoteFeed(showsOnlyEven: true)
    let service = try NotesService(routes: [feed.route])
    let streams = StreamClient(port: service.port)
    try streams.open("/changes")
    #expect(streams.event(after: 0)?.id == "0")
    let read = DispatchSemaphore(value: 0)
    feed.onRead { _ in read.signal() }
    for count in 1...2 {
      try service.add()
      #expect(read.wait(timeout: .now() + Deadline.hang) == .success)
      try service.add()
      let event = try #require(streams.event(after: count))
      #expect(event.entries == [2 * count] && event.id == "\(2 * count)")
      while read.wait(timeout: .now()) == .success {}
    }
    #expect(streams.streams[0].events.count == 3)
  }

  @Test("Empty pages in the middle of the feed are skipped")
  func emptyPagesInTheMiddle() throws {
    let feed = NoteFeed(limit: 1, showsOnlyEven: true)
    let service = try NotesService(routes: [feed.route])
    try service.add(6)
    let streams = StreamClient(port: service.port)
    try streams.open("/changes?since=2")
    #expect(streams.wait { $0[0].last?.id == "6" })
    #expect(streams.streams[0].events.map(\.entries) == [[], [4], [6]])
    #expect(feed.tokens.prefix(4) == ["2", "3", "4", "5"])
  }

  @Test("A commit during a read is neither lost nor sent twice")
  func commitDuringRead() throws {
    let feed = NoteFeed(limit: 100)
    let service = try NotesService(routes: [feed.route])
    try service.add()
    let (arrived, go) = feed.holdReads()
    /// Adds a note and lets the streams notice it.
    let client = try service.client()
    func commit() throws {
      let head = feed.heads.load(ordering: .sequentiallyConsistent)
      try service.add()
      let deadline = Deadline(10)
      while feed.heads.load(ordering: .sequentiallyConsistent) == head, !deadline.isOver {
        _ = try client.get("/notes/1")
      }
      for _ in 0..<50 { _ = try client.get("/notes/1") }
    }
    let streams = StreamClient(port: service.port)
    try streams.open("/changes")
    // The snapshots of the first and the second page are older than the commits that follow.
    for id in 1...2 {
      arrived.wait()
      try commit()
      go.signal()
      #expect(streams.event(after: id - 1)?.entries == [id])
    }
    arrived.wait()
    feed.onRead(nil)
    go.signal()
    #expect(streams.event(after: 2)?.entries == [3])
  }

  @Test("A page that fails during a stream is a problem event and ends it")
  func problem() throws {
    let feed = NoteFeed()
    let service = try NotesService(routes: [feed.route])
    let streams = StreamClient(port: service.port)
    try streams.open("/changes")
    try streams.open("/changes")
    #expect(streams.wait { $0.allSatisfy { $0.events.count == 1 } })
    feed.horizon.store(5, ordering: .sequentiallyConsistent)
    try service.add()
    #expect(streams.wait { $0.allSatisfy(\.hasEnded) })
    for stream in streams.streams {
      let event = try #require(stream.last)
      #expect(event.event == "problem" && event.data.contains("/problems/feed-expired"))
    }
    let again = try service.client().get("/changes?since=0", [("Accept", "text/event-stream")])
    #expect(again.status == 410)
  }

  @Test("If the server has no time to read a page, the stream ends with bye and resumes later")
  func overload() throws {
    let feed = NoteFeed()
    let service = try NotesService(routes: [feed.route])
    let streams = StreamClient(port: service.port)
    try streams.open("/changes")
    #expect(streams.event(after: 0)?.id == "0")
    feed.onRead { _ in throw ReadError.overloaded(waiting: 1) }
    try service.add()
    #expect(streams.wait { $0[0].hasEnded })
    let late = try streams.open("/changes")
    for index in [0, late] {
      let bye = try #require(streams.event(index, after: index == 0 ? 1 : 0))
      #expect(bye.event == "bye" && bye.data.contains("overload") && bye.retry != nil)
      #expect(streams.streams[index].response?.status == 200)
    }
    feed.onRead(nil)
    let again = try streams.open("/changes", [("Last-Event-ID", "0")])
    #expect(streams.event(again, after: 0)?.entries == [1])
    #expect(service.refusals.list.contains { $0.type == .overloaded })
  }

  @Test("A revoked key and its live session end their streams")
  func revoked() throws {
    let service = try NotesService(keys: Gate.Settings(), routes: [NoteFeed().route])
    let key = try service.database.write {
      try APIKeys.create("key", Rights(.read), expiresAt: nil, now: Clock.system.now(), in: $0)
    }
    let fields = [("Authorization", "Bearer \(key.text)")]
    let client = try service.client()
    #expect(try client.get("/changes").status == 401)
    let session = try client.request("POST", "/sessions", fields)
    let access = try #require(session.json["access"] as? String)
    #expect(try client.get("/changes?access=\(access)").status == 403)
    let streams = StreamClient(port: service.port)
    try streams.open("/changes", fields)
    try streams.open("/changes?access=\(access)")
    #expect(streams.wait { $0.allSatisfy { $0.events.count == 1 } })
    #expect(
      try service.database.write {
        try APIKeys.revoke(key.id, now: Clock.system.now(), in: $0)
      })
    #expect(streams.wait { $0.allSatisfy(\.hasEnded) })
    for stream in streams.streams {
      #expect(stream.last?.event == "bye" && stream.last?.data.contains("access-ended") == true)
    }
  }

  @Test("A waiting read is not done when its followers have left")
  func givenUp() throws {
    let feed = NoteFeed()
    var store = Configuration()
    store.workerReaders = 1
    let service = try NotesService(store: store, routes: [feed.route])
    let (arrived, go) = feed.holdReads()
    let streams = StreamClient(port: service.port)
    try streams.open("/changes?since=1")
    arrived.wait()
    let client = try service.client()
    for _ in 0..<2 {
      let second = try streams.open("/changes?since=2")
      for _ in 0..<100 { _ = try client.get("/notes/1") }
      #expect(service.connections == 3)
      streams.close(second)
      let deadline = Deadline(10)
      while service.connections > 2, !deadline.isOver { _ = try client.get("/notes/1") }
    }
    let third = try streams.open("/changes?since=3")
    feed.onRead(nil)
    go.signal()
    #expect(streams.event(third, after: 0)?.id == "3")
    #expect(feed.tokens == ["1", "3"])
  }

  @Test("A client that disconnects before its first page leaves nothing behind")
  func goneBeforeTheFirstPage() throws {
    let feed = NoteFeed()
    let service = try NotesService(routes: [feed.route])
    let (arrived, go) = feed.holdReads()
    let client = try service.client()
    do {
      let follower = try service.client()
      try follower.send(RawClient.head("GET", "/changes", [("Accept", "text/event-stream")]))
      arrived.wait()
      #expect(service.live.count == 1)
    }
    go.signal()
    let deadline = Deadline(10)
    while service.live.count > 0, !deadline.isOver { _ = try client.get("/notes") }
    #expect(service.live.count == 0)
  }
}
