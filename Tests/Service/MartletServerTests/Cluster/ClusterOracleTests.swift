import Foundation
import Glibc
import TestSupport
import Testing

/// What holds for streams and copies of one server holds for three nodes, while nodes are killed.
@Suite(
  "Streams and copies of three nodes", .serialized, .timeLimit(.minutes(10)),
  .enabled(if: hasLibrary, "libdqlite0 is not installed"))
struct ClusterOracleTests {
  private static let rounds = Effort.rounds(15)
  private static let seed =
    ProcessInfo.processInfo.environment["MARTLET_SEED"].flatMap { UInt64($0) }
    ?? .random(in: 0 ... .max)

  /// Clients subscribe to random queries on all nodes, and requests to all nodes change the data.
  /// In every third round a node is killed meanwhile, and its streams are resumed on other nodes.
  @Test("Event streams have the results of GET")
  func streams() throws {
    let cluster = try Self.cluster()
    defer { cluster.stop() }
    // No date passes meanwhile.
    var traffic = RandomTraffic(random: SeededRandom(seed: Self.seed), month: "2099-11")
    for _ in 0..<30 { _ = try send(traffic.change(), cluster, [0, 1, 2], &traffic.random) }
    var followed: [FollowedStream] = []
    var random = SeededRandom(seed: Self.seed &+ 1)
    for round in 0..<Self.rounds {
      while followed.count < 12 {
        followed.append(try FollowedStream(&traffic, connected(cluster, &random)))
      }
      var living = [0, 1, 2]
      var results = try self.results(followed, cluster, living, &random).map { [$0] }
      let victim = round % 3 == 2 ? Int.random(in: 0..<3, using: &random) : nil
      if let victim {
        living.remove(at: victim)
        cluster.killSoon(victim, milliseconds: .random(in: 0...40, using: &random))
      }
      var story = ["kills \(victim.map(String.init) ?? "nothing")"]
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let change = traffic.change()
        let status = try send(change, cluster, living, &random)
        story.append("\(change.method) \(change.target) \(change.body ?? ""): \(status)")
        for (index, now) in try self.results(followed, cluster, living, &random).enumerated() {
          results[index].append(now)
        }
      }
      if let victim {
        try cluster.kill(victim)
        try cluster.start(victim)
      }
      for index in followed.indices {
        do {
          try followed[index].follow(results[index]) { connected(cluster, &random) }
        } catch {
          Issue.record("seed \(Self.seed), round \(round): \(story): \(error)")
          return
        }
      }
      for index in followed.indices.reversed()
      where followed[index].isGone || random.once(in: 20) {
        followed.remove(at: index).close()
      }
    }
  }

  /// Copies of everything, of two lists and of open reminders, each read from any node.
  @Test("Copies that follow the change feed equal what GET gives")
  func copies() throws {
    let cluster = try Self.cluster()
    defer { cluster.stop() }
    for title in ["two", "three"] {
      _ = try cluster.client(0).post("/v1/lists", #"{"title":"\#(title)"}"#)
    }
    func key(_ arguments: [String]) throws -> [(String, String)] {
      let made = try MartletProcess.run(
        ["key", "create", "--name", "k"] + arguments + ["--database", cluster.database(0)]
          + cluster.control)
      try #require(made.code == 0, "\(made.errors)")
      return [("Authorization", "Bearer \(made.output.trimmingCharacters(in: .newlines))")]
    }
    let admin = try key(["--scope", "admin"])
    let own = try key(["--scope", "read", "--list", "2", "--list", "3"])
    var copies = FeedCopy.all(admin: admin, own: own)
    var random = SeededRandom(seed: Self.seed)
    for round in 0..<Self.rounds {
      var living = [0, 1, 2]
      let victim = round % 3 == 2 ? Int.random(in: 0..<3, using: &random) : nil
      if let victim {
        living.remove(at: victim)
        cluster.killSoon(victim, milliseconds: .random(in: 0...40, using: &random))
      }
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let client = try cluster.client(random.pick(living))
        let answer =
          random.once(in: 12)
          ? try FeedTraffic.importFile(client, admin)
          : try FeedTraffic.write(client, admin, &random)
        #expect(answer.status < 500 || [503, 504].contains(answer.status), "\(answer.text)")
      }
      if let victim {
        try cluster.kill(victim)
        try cluster.start(victim)
      }
      for index in copies.indices where random.once(in: 2) {
        try copies[index].follow(
          cluster.client(random.pick([0, 1, 2])), limit: random.pick([1, 3, 500]))
      }
      guard round % 8 == 7 else { continue }
      for index in copies.indices {
        try copies[index].follow(cluster.client(random.pick([0, 1, 2])), limit: 100)
        let expected = try copies[index].expected(cluster.client(random.pick([0, 1, 2])))
        #expect(
          copies[index].items == expected,
          "\(copies[index].name), seed \(Self.seed), round \(round)")
      }
    }
  }

  /// Three servers on which nothing is completed by itself during a test.
  private static func cluster() throws -> ThreeServers {
    try ThreeServers(shared: ["--grace-period", "1h"])
  }

  private func connected(
    _ cluster: ThreeServers, _ random: inout SeededRandom
  ) -> StreamClient {
    StreamClient(port: cluster[Int.random(in: 0..<3, using: &random)].port)
  }

  private func results(
    _ followed: [FollowedStream], _ cluster: ThreeServers, _ nodes: [Int],
    _ random: inout SeededRandom
  ) throws -> [[FollowedStream.Result]] {
    let clients = try nodes.map { try cluster.client($0) }
    return try FollowedStream.results(followed) { target in
      try answered(clients, &random) { try $0.get(target) }
    }
  }

  private func send(
    _ change: (method: String, target: String, body: String?), _ cluster: ThreeServers,
    _ nodes: [Int], _ random: inout SeededRandom
  ) throws -> Int {
    let answer = try cluster.client(random.pick(nodes)).request(
      change.method, change.target, body: change.body)
    // What is not decided may be done or not. The results of GET after it say which.
    #expect(answer.status < 500 || [503, 504].contains(answer.status), "\(answer.text)")
    return answer.status
  }

  /// An answer, also after nodes were without a primary for a while.
  private func answered(
    _ clients: [RawClient], _ random: inout SeededRandom,
    _ request: (RawClient) throws -> RawResponse
  ) throws -> RawResponse {
    var answer: RawResponse
    var attempts = 0
    repeat {
      answer = try request(random.pick(clients))
      attempts += 1
    } while [503, 504].contains(answer.status) && attempts < 20
    return answer
  }
}

extension ThreeServers {
  /// Sends SIGKILL to a node, while the caller goes on. ``kill(_:)`` waits for its end.
  func killSoon(_ node: Int, milliseconds: Int) {
    let pid = self[node].pid
    Thread.detachNewThread {
      usleep(UInt32(milliseconds) * 1000)
      Glibc.kill(pid, SIGKILL)
    }
  }
}
