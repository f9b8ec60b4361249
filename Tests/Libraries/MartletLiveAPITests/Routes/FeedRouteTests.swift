import MartletHTTP
import MartletLiveAPI
import MartletStore
import TestSupport
import Testing

@Suite("Feeds as JSON") struct FeedRouteTests {
  @Test("A page begins after since, and its next continues it")
  func pages() throws {
    let service = try NotesService(routes: [NoteFeed().route])
    try service.add(7)
    let client = try service.client()
    var found: [[Int]] = []
    var next = ""
    repeat {
      let page = try client.get("/changes" + (next.isEmpty ? "" : "?since=\(next)"))
      #expect(page.status == 200)
      found.append(
        (page.json["entries"] as? [[String: Any]])?.compactMap { $0["id"] as? Int } ?? [])
      next = page.json["next"] as? String ?? ""
    } while found.last?.isEmpty == false
    #expect(found == [[1, 2, 3], [4, 5, 6], [7], []])
  }

  @Test("A page has an ETag, is cached until entries follow, and is compressed")
  func representation() throws {
    var settings = API.Settings()
    settings.gzipFrom = 1
    let service = try NotesService(settings: settings, routes: [NoteFeed().route])
    try service.add()
    let client = try service.client()
    let page = try client.get("/changes?since=0")
    let tag = try #require(page["ETag"])
    #expect(try client.get("/changes?since=0", [("If-None-Match", tag)]).status == 304)
    #expect(try client.get("/changes?since=0").text == page.text)
    #expect(service.kept.count == 1)
    let zipped = try client.get("/changes?since=0", [("Accept-Encoding", "gzip")])
    #expect(zipped["Content-Encoding"] == "gzip")
    try service.add()
    let longer = try client.get("/changes?since=0", [("If-None-Match", tag)])
    #expect(longer.status == 200 && longer.text.contains(#""id":2"#))
  }

  @Test("Parameters other than since are refused, and so is deltas")
  func parameters() throws {
    let service = try NotesService(routes: [NoteFeed().route])
    let client = try service.client()
    #expect(try client.get("/changes?sinse=1").problem == "unknown-parameter")
    #expect(try client.get("/changes?since=1&since=2").problem == "invalid-parameter")
    for accept in ["application/json", "text/event-stream"] {
      let answer = try client.get("/changes?deltas=true", [("Accept", accept)])
      #expect(answer.status == 400 && answer.problem == "invalid-parameter")
      #expect(answer.text.contains("a feed is streamed as pages, it has no deltas"))
    }
  }

  @Test("An error of the page is the response, as JSON and before the head of a stream")
  func errors() throws {
    let feed = NoteFeed()
    feed.horizon.store(5, ordering: .sequentiallyConsistent)
    let service = try NotesService(routes: [feed.route])
    try service.add(5)
    let client = try service.client()
    for accept in ["application/json", "text/event-stream"] {
      let gone = try client.get("/changes?since=4", [("Accept", accept)])
      #expect(gone.status == 410 && gone.problem == "feed-expired")
      #expect(try client.get("/changes?since=x", [("Accept", accept)]).status == 400)
      #expect(try client.get("/changes?since=5&lastEventID=4").status == 200)
    }
    let resumed = [("Accept", "text/event-stream"), ("Last-Event-ID", "4")]
    #expect(try client.get("/changes?since=5", resumed).status == 410)
  }

  @Test("A page that is larger than results may be is refused")
  func tooLarge() throws {
    var store = Configuration()
    store.resultBytes = 1000
    let service = try NotesService(store: store, routes: [NoteFeed(padding: 1000).route])
    let client = try service.client()
    for accept in ["application/json", "text/event-stream"] {
      #expect(try client.get("/changes", [("Accept", accept)]).problem == "result-too-large")
    }
  }

  @Test("A feed cannot be part of a bundle")
  func bundle() throws {
    let service = try NotesService(routes: [NoteFeed().route])
    let client = try service.client()
    let answer = try client.get(
      "/live?changes=/changes%3Fsince=1&notes=/notes", [("Accept", "text/event-stream")])
    #expect(answer.status == 400 && answer.problem == "invalid-parameter")
    #expect(
      answer.text.contains("this is a feed, whose event stream cannot be part of another one"))
  }
}
