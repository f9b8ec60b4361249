import Foundation
import MartletLiveAPI
import MartletLiveQueries
import MartletStore
import TestSupport
import Testing

@Suite("Large results") struct LargeResultsTests {
  @Test("A result that is too large is refused as a response, on a stream and in a batch")
  func refused() throws {
    let routes: [Route] = [
      .read("/large", on: .worker) { request, _ in
        LiveSource(request) { _, body in
          body.append(utf8: "\"" + String(repeating: "x", count: 3_000) + "\"")
          return true
        }
      },
      .batch("/batch"),
    ]
    var store = Configuration()
    store.resultBytes = 2_000
    let service = try NotesService(store: store, routes: routes)
    let client = try service.client()
    let answer = try client.get("/large")
    #expect(answer.status == 422 && answer.problem == "result-too-large")
    let streams = StreamClient(port: service.port)
    try streams.open("/large")
    try streams.open("/notes")
    #expect(streams.wait { $0.allSatisfy { $0.events.count == 1 } })
    #expect(streams.streams[0].last?.event == "problem")
    #expect(streams.streams[0].last?.data.contains("result-too-large") == true)
    #expect(streams.streams[1].last?.event == "result")
    let one =
      #"{"method":"POST","path":"/notes","body":{"title":"\#(String(repeating: "y", count: 90))"}}"#
    func batch(_ count: Int) throws -> RawResponse {
      let list = [String](repeating: one, count: count).joined(separator: ",")
      return try client.post("/batch", "{\"operations\":[\(list)]}")
    }
    #expect(try batch(10).status == 200)
    let refused = try batch(30)
    #expect(
      refused.status == 422 && refused.json["cause"] as? String == "/problems/result-too-large")
    #expect(try client.get("/notes?limit=11").items.count == 10)
  }

  @Test("The problem of a shared query does not have the request ID of a subscriber")
  func sharedProblem() throws {
    let large = Route.read("/large", on: .worker, audience: .everyone) { request, _ in
      LiveSource(request) { _, body in
        body.append(utf8: "\"" + String(repeating: "x", count: 3_000) + "\"")
        return true
      }
    }
    var store = Configuration()
    store.resultBytes = 2_000
    let service = try NotesService(store: store, routes: [large])
    let streams = StreamClient(port: service.port)
    for (target, id) in [
      ("/large", "of-a"), ("/large", "of-b"), ("/live?x=%2Flarge", "of-c"), ("/large", "of-d"),
    ] {
      try streams.open(target, [("Accept", "text/event-stream"), ("X-Request-ID", id)])
    }
    #expect(streams.wait { $0.allSatisfy { $0.events.count == 1 } })
    for stream in streams.streams {
      #expect(stream.last?.event == "problem")
      #expect(stream.last?.data.contains("of-") == false, "\(stream.last?.data ?? "")")
    }
  }

  @Test("A large page is compressed off the event loop, with the same content")
  func compressed() throws {
    let large = Route.read("/page") { request, _ in
      LiveSource(request) { _, body in
        body.append(utf8: "\"" + String(repeating: "martlet ", count: 40_000) + "\"")
        return true
      }
    }
    let service = try NotesService(routes: [large])
    let client = try service.client()
    let gzip = [("Accept-Encoding", "gzip")]
    for _ in 0..<4 {
      let plain = try client.get("/page")
      let small = try client.get("/page", gzip)
      #expect(plain.body.count == 320_002 && plain["Content-Encoding"] == nil)
      #expect(small["Content-Encoding"] == "gzip" && small.body.count < 10_000)
      #expect(small.body.starts(with: [0x1F, 0x8B]))
      let tag = try #require(small["ETag"])
      #expect(tag.hasSuffix("-gzip\""))
      #expect(try client.get("/page", gzip + [("If-None-Match", tag)]).status == 304)
      #expect(try client.request("HEAD", "/page", gzip)["Content-Encoding"] == "gzip")
    }
  }
}
