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
      "kill -9 mid-stream, restart, resume: the state is that of GET, nothing is sent twice (item 72, item 78)"
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
        // In odd rounds nothing is written: then everybody is current in the next one.
        if round.isMultiple(of: 2) {
          for number in 0..<30 {
            _ = try client.post(
              "/v1/reminders", #"{"listID":1,"title":"write \#(round) \#(number)"}"#)
          }
        }
        // What they were told until the end comes is what they go on from.
        try server.kill9()
        #expect(streams.wait { $0.allSatisfy(\.hasEnded) })
        for index in held.indices {
          let told = streams.streams[index].events.last { $0.event == "result" }
          // Of several queries an event tells only those that changed: the id is that of all.
          if let told { held[index] = told }
        }
      }
    }

    /// The first event of a stream that was opened with what `held` tells.
    private func check(
      _ event: StreamEvent, _ held: StreamEvent?, _ target: String, _ client: RawClient,
      _ label: String
    ) throws {
      let label = Comment(rawValue: "\(label), \(target): \(event)")
      switch event.event {
      case "current":
        // Told what it has, it was told right: GET gives the same.
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
