import Dispatch
import Foundation
import MartletSQLite
import Synchronization
import TestSupport
import Testing

@Suite("The response cache has the results of reads")
struct ResponseCacheTests {
  private static let rounds = Effort.rounds(15)

  /// Counts the notifications about commits by other programs.
  private final class Foreign: Sendable {
    private let commits = Atomic(0)
    var told: Int { commits.load(ordering: .sequentiallyConsistent) }
    func count() { commits.add(1, ordering: .sequentiallyConsistent) }
  }

  /// The parts of a response that two servers must agree on.
  private struct Seen: Equatable, CustomStringConvertible {
    let status: Int
    let tag: String?
    let type: String?
    let body: String

    init(_ response: RawResponse) {
      status = response.status
      tag = response["ETag"]
      type = response["Content-Type"]
      // The body of a problem contains the ID of its request.
      body = response.status == 200 ? response.text : ""
    }

    var description: String { "\(status) \(tag ?? "") \(body)" }
  }

  @Test(
    "Changes by requests, by other programs and by the clock invalidate entries",
    arguments: (0..<3).map { _ in UInt64.random(in: 0 ... .max) })
  func random(_ seed: UInt64) throws {
    let service = try RemindersService()
    let time = try #require(service.time)
    var traffic = RandomTraffic(random: SeededRandom(seed: seed))
    let other = try Connection(location: .file(service.path))
    other.setBusyTimeout(.seconds(2))
    let foreign = Foreign()
    service.database.onCommit { if $0.isForeign { foreign.count() } }
    var story: [String] = []
    // Few targets, so that each is requested repeatedly.
    let targets = (0..<40).map { _ in traffic.query() }
    for round in 0..<Self.rounds {
      let writer = try service.client()
      for _ in 0..<Int.random(in: 0...2, using: &traffic.random) {
        let change = traffic.change()
        story.append("\(change.method) \(change.target) \(change.body ?? "")")
        _ = try writer.request(change.method, change.target, body: change.body)
      }
      if traffic.random.once(in: 6) {
        let hours = traffic.random.pick([1, 5, 24] as [Int64])
        story.append("\(hours) h later")
        time.advance(milliseconds: hours * 3_600_000)
      }
      if traffic.random.once(in: 10) {
        let change = traffic.foreignChange()
        story.append(change)
        let told = foreign.told
        // The inserted tag makes sure that the commit changes something.
        try other.execute(
          "PRAGMA foreign_keys = ON; BEGIN; \(change); "
            + "INSERT INTO tags (title) VALUES ('round \(round)'); COMMIT")
        // The server checks for such commits ten times a second.
        let timeout = Deadline(10)
        while foreign.told == told, timeout.milliseconds > 0 {}
      }
      let client = try service.client()
      let plain = try service.plainClient()
      for _ in 0..<12 {
        let target = traffic.random.pick(targets)
        let wanted = Seen(try plain.get(target))
        let seen = Seen(try client.get(target))
        #expect(seen == wanted, "seed \(seed), round \(round), \(target) after \(story.suffix(4))")
      }
    }
  }

  @Test(
    "A client reads its own acknowledged write, despite concurrent reads and writes")
  func concurrent() throws {
    let service = try RemindersService()
    let port = service.port
    let targets = ["/v1/reminders?limit=200&sort=-createdAt", "/v1/lists", "/v1/stats"]
    let isOver = Atomic(false)
    let group = DispatchGroup()
    for target in targets {
      DispatchQueue.global().async(group: group) {
        while !isOver.load(ordering: .relaxed), let client = try? RawClient(port: port) {
          for _ in 0..<1_000 where !isOver.load(ordering: .relaxed) { _ = try? client.get(target) }
        }
      }
    }
    let done = DispatchGroup()
    for writer in 0..<3 {
      DispatchQueue.global().async(group: done) {
        guard let client = try? RawClient(port: port) else { return }
        for number in 0..<Effort.rounds(12) {
          let title = "\(writer)-\(number)"
          do {
            let made = try client.post("/v1/reminders", #"{"listID":1,"title":"\#(title)"}"#)
            #expect(made.status == 201)
            let all = try client.get(targets[0]).text
            #expect(all.contains("\"title\":\"\(title)\""), "\(title) is not there")
            let location = try #require(made["Location"])
            for _ in 0..<3 { #expect(try client.get(location).status == 200) }
            #expect(try client.request("DELETE", location).status == 204)
            #expect(try client.get(location).status == 404)
          } catch {
            Issue.record(error)
          }
        }
      }
    }
    done.wait()
    isOver.store(true, ordering: .relaxed)
    group.wait()
  }
}
