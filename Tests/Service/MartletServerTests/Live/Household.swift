import MartletTime
import TestSupport
import Testing

@testable import MartletServer

/// A server, and a family that uses it as its clock moves on: they create, complete, snooze and
/// delete reminders, with about as many open ones in the evening as in the morning, while their
/// devices follow what they show.
final class Household {
  private let server: MartletInProcess
  private let time: TestClock
  private var random = SeededRandom(seed: 1)
  /// The IDs of the open reminders that were created and not completed.
  private var open: [Int] = []
  private var number = 0
  private var counts = (open: 0, completed: 0)
  /// The alarms that were seen ringing.
  private(set) var rung = 0

  /// What 20 devices show.
  private static let targets = [
    "/v1/reminders?due=today", "/v1/reminders?completed=false&limit=50", "/v1/stats", "/v1/lists",
    "/v1/tags", "/v1/alarms?state=ringing", "/v1/search?q=milk", "/v1/lists/1/reminders?limit=50",
    "/v1/reminders?flagged=true", "/v1/completions?limit=20",
  ]

  init() throws {
    // Triggers use SQLite's clock, and the time of the test must not be before it.
    time = TestClock(Clock.system.now())
    server = try MartletInProcess(clock: Self.clock(time))
    let client = try RawClient(port: server.port)
    for _ in 0..<40 { try createTimed(client) }
  }

  /// Another server of a copy of the file, which has done nothing yet.
  init(copyOf other: Household) throws {
    let folder = try TemporaryFolder()
    let copy = try MartletProcess.run(
      ["backup", folder.file("martlet.db"), "--database", other.server.database])
    guard copy.code == 0 else { throw ChildProcess.Failure(description: copy.errors) }
    time = TestClock(other.time.now)
    server = try MartletInProcess(in: folder, clock: Self.clock(time))
    (random, open, number, counts) = (other.random, other.open, other.number, other.counts)
  }

  /// Only the wall clock is the test's: with the monotonic one, connections would time out.
  private static func clock(_ time: TestClock) -> Clock {
    var clock = time.clock
    clock.monotonic = Clock.system.monotonic
    return clock
  }

  /// Lets an hour of a day with so many writes pass. In the end each device shows what `GET` says.
  func spend(hour: Int, writes: Int) throws {
    let range = hour * writes / 24..<(hour + 1) * writes / 24
    if range.isEmpty { return }
    let streams = StreamClient(port: server.port)
    for number in 0..<20 { try streams.open(Self.targets[number % Self.targets.count]) }
    #expect(streams.wait(within: Deadline.hang) { $0.allSatisfy { !$0.events.isEmpty } })
    let client = try RawClient(port: server.port, timeout: 60)
    for _ in range {
      try write(client)
      time.advance(milliseconds: 86_400_000 / Int64(writes))
    }
    // The last ones may still be on their way from `completing` to `completed`.
    let completed = counts.completed
    #expect(
      streams.wait(within: Deadline.hang) { $0[2].last?.json["completed"] as? Int == completed },
      "\(counts), and \(streams.streams[2].last?.data ?? "no statistics")")
    for (number, target) in Self.targets.enumerated() where !target.contains("alarms") {
      let state = try client.get(target).text
      let isShown = streams.wait(within: Deadline.hang) { streams in
        [number, number + 10].allSatisfy { streams[$0].last?.data == state }
      }
      #expect(isShown, "a device does not show \(target)")
    }
  }

  /// One write, and now and then what belongs to it.
  private func write(_ client: RawClient) throws {
    number += 1
    switch number % 10 {
    case 0, 1, 2:
      try createTimed(client)
    case 3:
      try create(
        client, "/v1/quick-add", #"{"text":"Water the plants \#(number) tomorrow 9am #home"}"#)
    case 4, 5, 6:
      // The last one begins to be completed, and is after the grace period.
      let status = number % 10 == 6 ? "completing" : "completed"
      guard let id = takeOne() else { return }
      try send(client, "PATCH", "/v1/reminders/\(id)", #"{"status":"\#(status)"}"#)
      counts.open -= 1
      counts.completed += 1
    case 7:
      guard let id = open.last else { return }
      try send(client, "PATCH", "/v1/reminders/\(id)", #"{"notes":"\#(number)","isFlagged":true}"#)
    case 8:
      for alarm in try client.get("/v1/alarms?state=ringing").items {
        guard let id = alarm["id"] as? Int else { continue }
        rung += 1
        let until = RFC3339.string(time.now.adding(milliseconds: 600_000))
        let body =
          random.once(in: 3) ? #"{"snoozedUntil":"\#(until)"}"# : #"{"state":"acknowledged"}"#
        try send(client, "PATCH", "/v1/alarms/\(id)", body)
      }
    default:
      guard let id = takeOne() else { return }
      try send(client, "DELETE", "/v1/reminders/\(id)", status: 204)
      counts.open -= 1
    }
  }

  private func takeOne() -> Int? {
    open.isEmpty ? nil : open.remove(at: Int.random(in: open.indices, using: &random))
  }

  /// A reminder that rings within the next hours.
  private func createTimed(_ client: RawClient) throws {
    let minutes = Int64.random(in: 10...180, using: &random)
    let due = RFC3339.string(time.now.adding(milliseconds: minutes * 60_000))
    try create(
      client, "/v1/reminders",
      #"{"listID":1,"title":"Buy milk","dueDate":"\#(due)","tags":["shop"]}"#)
  }

  private func create(_ client: RawClient, _ target: String, _ body: String) throws {
    let answer = try client.request("POST", target, body: body)
    let reminder = answer.json["reminder"] as? [String: Any] ?? answer.json
    let id = try #require(reminder["id"] as? Int, "\(answer.status) \(answer.text)")
    open.append(id)
    counts.open += 1
  }

  private func send(
    _ client: RawClient, _ method: String, _ target: String, _ body: String? = nil,
    status: Int = 200
  ) throws {
    let answer = try client.request(method, target, body: body)
    #expect(answer.status == status, "\(method) \(target): \(answer.text)")
  }

  /// Nothing is lost, and nothing waits that should have happened.
  func checkDay() throws {
    let stats = try RawClient(port: server.port).get("/v1/stats").json
    #expect(stats["open"] as? Int == counts.open)
    #expect(stats["all"] as? Int == counts.open + counts.completed)
    let late = RFC3339.string(time.now)
    let waiting = try RawClient(port: server.port)
      .get("/v1/alarms?state=armed&limit=1").items.compactMap { $0["at"] as? String }
    #expect(waiting.allSatisfy { $0 >= late }, "an alarm has not rung: \(waiting)")
  }
}
