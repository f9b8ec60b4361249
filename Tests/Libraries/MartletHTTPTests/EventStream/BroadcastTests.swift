import Synchronization
import TestSupport
import Testing

@testable import MartletHTTP

@Suite("A broadcast polls its streams in slices", .timeLimit(.minutes(10)))
struct BroadcastTests {
  /// Streams that count their polls and change the broadcast meanwhile.
  private final class Crowd: Sendable {
    struct State {
      var streams: [EventStream] = []
      var isMember: [Bool] = []
      /// The number of wakes at a stream's last poll, or when it joined.
      var latest: [Int] = []
      var wakes = 0
      var asks = 0
      var random: SeededRandom?
      /// Run by the next stream that is polled.
      var once: (@Sendable () -> Void)?

      /// Whether every member has been polled since the last wake.
      var isServed: Bool {
        streams.indices.allSatisfy { !isMember[$0] || latest[$0] == wakes }
      }
      var members: Int { isMember.count { $0 } }
    }

    let broadcast = Broadcast()
    // Used only on the loop; the lock is for the test, which reads it between two iterations.
    private let state: Mutex<Box>
    private final class Box: @unchecked Sendable { var state = State() }

    init() { state = Mutex(Box()) }

    func look<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
      state.withLock { body(&$0.state) }
    }

    var response: StreamResponse {
      StreamResponse { stream in
        self.broadcast.join(stream)
        nonisolated(unsafe) let stream = stream
        let number = self.look { state in
          state.streams.append(stream)
          state.isMember.append(true)
          state.latest.append(state.wakes)
          return state.streams.count - 1
        }
        return Steps {
          self.asked(number)
          return .wait
        }
      }
    }

    func wake() {
      look { $0.wakes += 1 }
      broadcast.wake()
    }

    private func asked(_ number: Int) {
      let wakes = look { state in
        state.asks += 1
        state.latest[number] = state.wakes
        state.once.take()?()
        guard var random = state.random else { return false }
        defer { state.random = random }
        let other = Int.random(in: 0..<state.streams.count, using: &random)
        switch Int.random(in: 0..<40, using: &random) {
        case 0..<4:
          state.isMember[other] = false
          broadcast.leave(state.streams[other])
        case 4..<8:
          if !state.isMember[other] { state.latest[other] = state.wakes }
          state.isMember[other] = true
          broadcast.join(state.streams[other])
        case 8: return state.wakes < 50
        default: break
        }
        return false
      }
      if wakes { wake() }
    }
  }

  /// Clients that disconnect when they are released.
  private final class Going: @unchecked Sendable {
    var clients: [RawClient]
    init(_ clients: [RawClient]) { self.clients = clients }
  }

  private func crowd(_ count: Int) throws -> (Crowd, Harness, [RawClient]) {
    let crowd = Crowd()
    let harness = try Harness(loops: 1) { router in
      router.on(.get, "/live") { _, _ in .stream(crowd.response) }
    }
    let clients = try (0..<count).map { _ in
      let client = try harness.client()
      client.send("GET /live HTTP/1.1\r\nHost: a\r\n\r\n")
      _ = client.read(through: "\r\n\r\n")
      return client
    }
    while crowd.look({ $0.asks }) < count { harness.settle() }
    return (crowd, harness, clients)
  }

  @Test("Each stream is polled once")
  func once() throws {
    let (crowd, harness, clients) = try crowd(150)
    crowd.look { $0.asks = 0 }
    crowd.wake()
    while !crowd.look({ $0.isServed }) { harness.settle() }
    for _ in 0..<10 { harness.settle() }
    #expect(crowd.look { $0.asks } == 150)
    withExtendedLifetime(clients) {}
  }

  @Test(
    "Every member at a wake is polled after it, whatever leaves, joins and wakes meanwhile",
    arguments: 1...3 as ClosedRange<UInt64>)
  func changes(seed: UInt64) throws {
    let (crowd, harness, clients) = try crowd(150)
    var random = SeededRandom(seed: seed)
    for _ in 0..<10 {
      let own = SeededRandom(seed: random.next())
      crowd.look { $0.random = own }
      crowd.wake()
      for _ in 0..<1000 where !crowd.look({ $0.isServed }) { harness.settle() }
      // The rest of the iteration changes nothing.
      crowd.look { $0.random = nil }
      for _ in 0..<10 { harness.settle() }
      #expect(crowd.look { $0.isServed })
      #expect(crowd.broadcast.count == crowd.look { $0.members })
    }
    // Whatever state the iteration left, from here on each stream is polled exactly once.
    crowd.look { $0.asks = 0 }
    crowd.wake()
    for _ in 0..<20 { harness.settle() }
    #expect(crowd.look { $0.asks == $0.members })
    withExtendedLifetime(clients) {}
  }

  @Test("Clients that disconnect during an iteration cause no other stream to be skipped")
  func gone() throws {
    var (crowd, harness, clients) = try crowd(150)
    for _ in 0..<4 {
      // The clients disconnect while the iteration has only begun.
      let going = Going(Array(clients.prefix(30)))
      clients.removeFirst(30)
      crowd.look { $0.once = { going.clients = [] } }
      crowd.wake()
      while harness.server.streams > clients.count { harness.settle() }
      for _ in 0..<10 { harness.settle() }
      crowd.look { $0.asks = 0 }
      crowd.wake()
      while crowd.look({ $0.asks }) < clients.count { harness.settle() }
      for _ in 0..<10 { harness.settle() }
      #expect(crowd.look { $0.asks } == clients.count)
      #expect(crowd.broadcast.count == clients.count)
    }
  }
}
