import Foundation
import MartletSQLite
import TestSupport
import Testing

/// Clients subscribe to random queries while random requests change the data.
///
/// After each step every client has the result of `GET`. No client ever sees a state that the
/// database was not in, or an older state than before.
@Suite("Event streams have the results of GET")
struct LiveOracleTests {
  private static let rounds = Effort.rounds(30)

  @Test(
    "Streams of one and of several queries, as results and as deltas",
    arguments: (0..<3).map { _ in UInt64.random(in: 0 ... .max) })
  func random(_ seed: UInt64) throws {
    let service = try RemindersService()
    var http = try service.client()
    var plain = try service.plainClient()
    var traffic = RandomTraffic(random: SeededRandom(seed: seed))
    for _ in 0..<30 { try send(traffic.change(), http) }
    let streams = StreamClient(port: service.port)
    let other = try Connection(location: .file(service.path))
    other.setBusyTimeout(.seconds(2))
    var clients: [FollowedStream] = []
    for round in 0..<Self.rounds {
      // The number of requests per connection is limited.
      http = try service.client()
      plain = try service.plainClient()
      while clients.count < 12 { clients.append(try FollowedStream(&traffic, streams)) }
      var story: [String] = []
      var results = try FollowedStream.results(clients) { try plain.get($0) }.map { [$0] }
      for _ in 0..<Int.random(in: 1...3, using: &traffic.random) {
        if traffic.random.once(in: 12) {
          let change = traffic.foreignChange()
          story.append(change)
          try other.execute("PRAGMA foreign_keys = ON; \(change)")
        } else {
          let change = traffic.change()
          story.append("\(change.method) \(change.target) \(change.body ?? "")")
          try send(change, http)
        }
        for (index, now) in try FollowedStream.results(clients, get: { try plain.get($0) })
          .enumerated()
        { results[index].append(now) }
      }
      for index in clients.indices {
        do {
          try clients[index].follow(results[index])
        } catch {
          Issue.record("seed \(seed), round \(round): \(story): \(error)")
          return
        }
      }
      // Sometimes a client disconnects. A new one may subscribe to the same query.
      let leaving =
        traffic.random.once(in: 3) ? Int.random(in: clients.indices, using: &traffic.random) : nil
      for index in clients.indices.reversed() where clients[index].isGone || index == leaving {
        clients.remove(at: index).close()
      }
    }
  }

  private func send(
    _ change: (method: String, target: String, body: String?), _ http: RawClient
  ) throws {
    let response = try http.request(change.method, change.target, body: change.body)
    #expect(response.status < 500, "\(change): \(response.text)")
  }
}
