import Dispatch
import MartletTime
import Synchronization
import Testing

@testable import MartletHTTP

@Suite("Time slices of connections", .timeLimit(.minutes(10)))
struct TurnTests {
  /// A server with one loop whose handlers record the served client. The loop is blocked while
  /// clients send, so that all requests are in the sockets when it continues.
  private final class Server {
    let served = Record()
    let clock = TestClock()
    var harness: Harness!
    private let held = DispatchSemaphore(value: 0)

    /// Each request for `/x/{who}` takes this many milliseconds of the clock.
    init(milliseconds: Int64 = 0) throws {
      harness = try Harness(loops: 1, clock: clock) { [served, clock] router in
        router.on(.get, "/x/{who}") { request, _ in
          clock.advance(milliseconds: milliseconds)
          let who = request.parameter("who") ?? ""
          served.add(who)
          return .respond(Response(body: .text(who)))
        }
      }
    }

    /// Blocks the loop. Returns when it is blocked.
    func hold() {
      let isHeld = DispatchSemaphore(value: 0)
      harness.server.onEachLoop { [held] _ in
        isHeld.signal()
        held.wait()
      }
      isHeld.wait()
    }
    func go() { held.signal() }
    var list: [String] { served.list }
  }

  private final class Record: Sendable {
    private let all = Mutex<[String]>([])
    func add(_ who: String) { all.withLock { $0.append(who) } }
    var list: [String] { all.withLock { $0 } }
  }

  private func requests(_ path: String, _ count: Int) -> String {
    String(repeating: "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n", count: count)
  }

  @Test("A time slice ends after 32 requests, however fast they are (item 89)")
  func requestsInTurn() throws {
    let server = try Server()
    let flood = try server.harness.client()
    let other = try server.harness.client()
    #expect(flood.get("/x/first").status == 200 && other.get("/x/first").status == 200)
    server.hold()
    flood.send(requests("/x/flood", 300))
    other.send(requests("/x/other", 1))
    server.go()
    for _ in 0..<300 { #expect(flood.answer().text == "flood") }
    #expect(other.answer().text == "other")
    let place = try #require(server.list.dropFirst(2).firstIndex(of: "other"))
    #expect(place - 2 <= 32)
  }

  @Test("A time slice ends after 2 ms, which slow requests reach sooner (item 89)")
  func timeInTurn() throws {
    let server = try Server(milliseconds: 1)
    let flood = try server.harness.client()
    let other = try server.harness.client()
    #expect(flood.get("/x/first").status == 200 && other.get("/x/first").status == 200)
    server.hold()
    flood.send(requests("/x/flood", 100))
    other.send(requests("/x/other", 1))
    server.go()
    #expect(other.answer().text == "other")
    for _ in 0..<100 { #expect(flood.answer().text == "flood") }
    let place = try #require(server.list.dropFirst(2).firstIndex(of: "other"))
    #expect(place - 2 <= 3)
  }

  @Test("Several floods share the loop evenly (item 89)")
  func floods() throws {
    let server = try Server(milliseconds: 1)
    let clients = try (0..<20).map { _ in try server.harness.client() }
    for client in clients { #expect(client.get("/x/first").status == 200) }
    server.hold()
    for (number, client) in clients.enumerated() { client.send(requests("/x/\(number)", 30)) }
    server.go()
    for client in clients { for _ in 0..<30 { #expect(client.answer().status == 200) } }
    var counts = [Int](repeating: 0, count: clients.count)
    var spread = 0
    for who in server.list.dropFirst(clients.count) {
      counts[Int(who)!] += 1
      spread = max(spread, counts.max()! - counts.min()!)
    }
    // Two time slices: one that has ended and one that is still to come.
    #expect(spread <= 8, "\(spread)")
  }

  @Test("Messages do not wait for the end of a flood (item 89)")
  func messages() throws {
    let server = try Server(milliseconds: 1)
    let flood = try server.harness.client()
    #expect(flood.get("/x/first").status == 200)
    server.hold()
    flood.send(requests("/x/flood", 200))
    server.harness.server.onEachLoop { [served = server.served] _ in
      served.add("message")
    }
    server.go()
    for _ in 0..<200 { #expect(flood.answer().text == "flood") }
    let place = try #require(server.list.firstIndex(of: "message"))
    #expect(place <= 12, "\(place)")
  }

  @Test("Thousands of messages are handled in slices with requests between them (item 89)")
  func manyMessages() throws {
    let server = try Server()
    let other = try server.harness.client()
    #expect(other.get("/x/first").status == 200)
    server.hold()
    let box = UncheckedBox(other)
    let request = requests("/x/other", 1)
    for number in 0..<1_000 {
      server.harness.server.onEachLoop { [served = server.served] _ in
        if number == 0 { box.value.send(request) }
        served.add("message")
      }
    }
    server.go()
    #expect(other.answer().text == "other")
    server.harness.settle()
    #expect(server.list.count == 1_002)
    let place = try #require(server.list.firstIndex(of: "other"))
    #expect(place <= 257, "\(place)")
  }

  @Test("The time starts at the first request; reads and pieces are counted separately")
  func turn() {
    var turn = Turn()
    let times = [500, 500 + Turn.nanoseconds - 1, 500 + Turn.nanoseconds]
    #expect(times.map { turn.isOver(at: $0) } == [false, false, true])
    var other = Turn()
    for _ in 1..<Turn.requests { other.countRequest() }
    let before = other.isOver(at: 0)
    other.countRequest()
    let behind = other.isOver(at: 0)
    #expect(!before && behind)
    var (reads, pieces) = (0, 0)
    for _ in 0..<20 {
      if other.takeRead() { reads += 1 }
      if other.takePiece() { pieces += 1 }
    }
    #expect(reads == Turn.reads && pieces == Turn.pieces)
  }
}
