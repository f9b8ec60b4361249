import Foundation
import Synchronization
import TestSupport
import Testing

extension ProcessTests {
  @Suite struct ManyStreamsTests {
    private static let readers = 200
    private static let writes = 200

    @Test(
      "200 streams of one query: one refresh per commit, and all reach the last state (item 75, item 77)"
    )
    func manyStreams() throws {
      let server = try MartletProcess()
      let streams = StreamClient(port: server.port)
      // The write of the scheduler of alarms at the first start is before this one.
      _ = try RawClient(port: server.port).post("/v1/tags", #"{"title":"first"}"#)
      let runsBefore = try server.metric("martlet_live_query_runs_total")
      let commitsBefore = try server.metric("martlet_commits_total")
      for _ in 0..<Self.readers { try streams.open("/v1/lists/1") }
      #expect(streams.wait(within: Deadline.hang) { $0.allSatisfy { $0.events.count == 1 } })
      #expect(try server.metric("martlet_streams") == Self.readers)
      #expect(try server.metric("martlet_live_queries") == 1)
      let memoryBefore = try server.memory

      let ended = DispatchSemaphore(value: 0)
      let answers = Mutex<[Int]>([])
      Thread { [port = server.port] in
        answers.withLock { $0 = Self.write(port) }
        ended.signal()
      }.start()
      #expect(
        streams.wait(within: Deadline.hang) { streams in
          streams.allSatisfy { $0.last?.json["title"] as? String == "\(Self.writes)" }
        }, "not every stream got the last state")
      #expect(ended.wait(timeout: .now() + Deadline.hang) == .success)
      #expect(answers.withLock { $0 } == Array(repeating: 200, count: Self.writes))

      for stream in streams.streams {
        let titles = stream.events.compactMap { Int($0.json["title"] as? String ?? "") }
        #expect(titles.count == stream.events.count - 1)
        #expect(zip(titles, titles.dropFirst()).allSatisfy { $0 < $1 }, "a stream went back")
      }
      let commits = try server.metric("martlet_commits_total") - commitsBefore
      let runs = try server.metric("martlet_live_query_runs_total") - runsBefore
      #expect(commits == Self.writes)
      #expect(runs <= commits + 2, "the query ran for each subscriber, not once")
      #expect(try server.memory - memoryBefore < 24 << 20, "memory grows with the events")
      try server.stop()
    }

    /// Increments the title of the list and returns the statuses; fewer if the server stops
    /// responding.
    private static func write(_ port: UInt16) -> [Int] {
      var statuses: [Int] = []
      do {
        let client = try RawClient(port: port)
        for number in 1...writes {
          let body = #"{"title":"\#(number)"}"#
          statuses.append(try client.request("PATCH", "/v1/lists/1", body: body).status)
        }
      } catch {
        Issue.record(error)
      }
      return statuses
    }
  }
}
