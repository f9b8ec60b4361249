import Glibc
import MartletHTTP
import MartletLiveAPI
import TestSupport
import Testing

@Suite("Many followers of a feed") struct FeedFollowersTests {
  @Test("Followers at the end of the feed share one read for each commit")
  func shared() throws {
    var limits = Limits()
    limits.streamsPerAddress = 1000
    let feed = NoteFeed(limit: 100)
    let service = try NotesService(limits: limits, routes: [feed.route])
    try service.add(2)
    let streams = StreamClient(port: service.port)
    for _ in 0..<200 { try streams.open("/changes?since=1") }
    #expect(streams.wait { $0.allSatisfy { $0.events.count == 1 } })
    // Streams that came during the first read joined it, and later ones got its page.
    #expect(feed.tokens == ["1"])
    for id in 3...12 {
      try service.add()
      #expect(streams.wait { $0.allSatisfy { $0.last?.entries == [id] } })
    }
    #expect(feed.tokens.count <= 13, "\(feed.tokens)")
    #expect(service.live.count == 1)
  }

  @Test("Requests that differ only in since share the head, and no others")
  func heads() throws {
    let reads = NotesService.Counter()
    let limited = Route.feed("/limited", audience: .everyone) { request, _ in
      var parameters = QueryParameters.ofLog(request)
      let limit = parameters.integer("limit", in: 1...9) ?? 9
      try parameters.finish()
      return FeedSource(request) { _, body in
        body.append("0")
      } page: { token, _, body in
        reads.add()
        body.append(decimal: limit)
        return FeedPage(next: token ?? "0", isEmpty: true, hasMore: true)
      }
    }
    let service = try NotesService(routes: [limited])
    let streams = StreamClient(port: service.port)
    for (query, limit) in [
      ("limit=2&since=1", "2"), ("since=5&limit=2", "2"), ("limit=2", "2"), ("limit=3", "3"),
    ] {
      let index = try streams.open("/limited?\(query)")
      #expect(streams.event(index, after: 0)?.data == limit)
    }
    #expect(service.live.count == 2)
    // A page that does not move has no more, whatever it says. Two began before the first token.
    #expect(reads.count <= 6)
  }

  @Test("Each follower gets every entry once and in order, whatever is disconnected and committed")
  func everyEntryOnce() throws {
    var random = SeededRandom()
    let seed = random.seed
    var limits = Limits()
    limits.streamsPerAddress = 1000
    let feed = NoteFeed(limit: 4)
    let service = try NotesService(limits: limits, routes: [feed.route])
    // Slow reads, so that commits and disconnections come while they are in flight.
    feed.onRead { _ in usleep(.random(in: 0...2000)) }
    let count = 300
    var added = 0
    struct Follower {
      var stream: Int?
      var token: String?
      var entries: [Int] = []
      var taken = 0
    }
    var followers = Array(repeating: Follower(), count: 6)
    let streams = StreamClient(port: service.port)
    let deadline = Deadline(60)
    while followers.contains(where: { $0.entries.count < count }), !deadline.isOver {
      if added < count, random.once(in: 2) {
        let some = min(count - added, Int.random(in: 1...9, using: &random))
        try service.add(some)
        added += some
      }
      for index in followers.indices {
        var follower = followers[index]
        defer { followers[index] = follower }
        guard let stream = follower.stream else {
          guard follower.entries.count < count else { continue }
          let byField = random.once(in: 2)
          let token = follower.token
          follower.stream = try streams.open(
            byField || token == nil ? "/changes" : "/changes?since=0&lastEventID=\(token ?? "")",
            byField ? token.map { [("Last-Event-ID", $0)] } ?? [] : [])
          follower.taken = 0
          continue
        }
        let events = streams.streams[stream].events
        for event in events[follower.taken...] {
          follower.entries += event.entries
          follower.token = event.id
        }
        follower.taken = events.count
        if random.once(in: 3) || streams.streams[stream].hasEnded {
          streams.close(stream)
          follower.stream = nil
        }
      }
      let read = streams.streams.reduce(0) { $0 + $1.events.count }
      _ = streams.wait(within: 0.002) { $0.reduce(0) { $0 + $1.events.count } > read }
    }
    for follower in followers {
      #expect(follower.entries == Array(1...count), "seed \(seed)")
    }
  }

  @Test("A client that does not read causes no reads, and gets everything when it does")
  func slow() throws {
    // More than the buffers of both sockets hold.
    let count = 60
    let feed = NoteFeed(limit: 1, padding: 1 << 20)
    let service = try NotesService(routes: [feed.route])
    try service.add(count)
    let streams = StreamClient(port: service.port)
    try streams.open("/changes")
    let client = try service.client()
    // Until nothing more is read while the server answers other requests.
    var last = -1
    while feed.tokens.count != last {
      last = feed.tokens.count
      for _ in 0..<500 { _ = try client.get("/notes/1") }
    }
    #expect((1..<count / 2).contains(last))
    #expect(service.waitingOutput <= 2 << 20)
    #expect(streams.wait(within: Deadline.hang) { $0[0].last?.id == "\(count)" })
    #expect(streams.streams[0].events.flatMap(\.entries) == Array(1...count))
  }
}
