import Foundation
import TestSupport
import Testing

extension ProcessTests {
  @Suite struct ResumeTests {
    private static let targets = [
      "/v1/reminders?sort=-updatedAt", "/v1/lists/1/reminders", "/v1/stats", "/v1/search?q=write",
      "/v1/live?all=/v1/reminders&stats=/v1/stats",
    ]

    @Test(
      "After kill -9 and a restart, streams resume without repeated or missed states (item 72, item 78)"
    )
    func killAndResume() throws {
      let folder = try TemporaryFolder()
      var held: [StreamEvent?] = Self.targets.map { _ in nil }
      for round in 0..<4 {
        let server = try MartletProcess(in: folder)
        let streams = StreamClient(port: server.port)
        for (target, event) in zip(Self.targets, held) {
          try streams.open(target, event.map { [("Last-Event-ID", $0.id ?? "")] } ?? [])
        }
        #expect(streams.wait { $0.allSatisfy { !$0.events.isEmpty } })
        let client = try RawClient(port: server.port)
        for (index, target) in Self.targets.enumerated() {
          try check(streams.streams[index].events[0], held[index], target, client, "round \(round)")
        }
        // In odd rounds nothing is written, so all streams are current in the next round.
        if round.isMultiple(of: 2) {
          for number in 0..<30 {
            _ = try client.post(
              "/v1/reminders", #"{"listID":1,"title":"write \#(round) \#(number)"}"#)
          }
        }
        // The streams resume from the last event before the server was killed.
        try server.kill9()
        #expect(streams.wait { $0.allSatisfy(\.hasEnded) })
        for index in held.indices {
          let told = streams.streams[index].events.last { $0.event == "result" }
          // An event has only the changed queries, but its ID covers all of them.
          if let told { held[index] = told }
        }
      }
    }

    /// Checks the first event of a stream that was resumed after `held`.
    private func check(
      _ event: StreamEvent, _ held: StreamEvent?, _ target: String, _ client: RawClient,
      _ label: String
    ) throws {
      let label = Comment(rawValue: "\(label), \(target): \(event)")
      switch event.event {
      case "current":
        // The held state is current: GET has the same ETag.
        let id = try #require(held?.id)
        #expect(event.id == id, label)
        if !target.hasPrefix("/v1/live") {
          #expect(try client.get(target)["ETag"] == id, label)
        }
      case "result":
        #expect(event.id != held?.id, label)
        if target.hasPrefix("/v1/live") {
          let tags = try ["/v1/reminders", "/v1/stats"].map { target in
            String(try #require(try client.get(target)["ETag"]).dropFirst().dropLast())
          }
          #expect(event.id == tags.joined(separator: "."), label)
        } else {
          #expect(try client.get(target).text == event.data, label)
        }
      default: Issue.record(label)
      }
    }
  }
}
