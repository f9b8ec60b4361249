import MartletTime
import TestSupport
import Testing

@testable import MartletHTTP

@Suite("The rate limit (item 86)")
struct RateLimitTests {
  private let one = Peer(high: 0, low: 0xFFFF_C000_0201, port: 1)
  private let other = Peer(high: 0, low: 0xFFFF_C000_0202, port: 1)

  @Test("A burst is allowed at once, then one request per new token")
  func burst() throws {
    let limiter = try #require(RateLimiter<Peer>(perMinute: 60, burst: 3))
    #expect((0..<4).map { _ in limiter.take(one, at: 0).isAllowed } == [true, true, true, false])
    let refused = limiter.take(one, at: 0)
    #expect(refused.retryAfter == 1 && refused.remaining == 0 && refused.fullIn == 3)
    #expect(!limiter.take(one, at: 999).isAllowed)
    #expect(limiter.take(one, at: 1_000).isAllowed)
    #expect(!limiter.take(one, at: 1_001).isAllowed)
    // Full again, and not more than full.
    #expect(limiter.take(one, at: 60_000).remaining == 2)
  }

  @Test("Each client has its own limit, over all ports of an address and over an IPv6 /64 network")
  func clients() throws {
    let limiter = try #require(RateLimiter<Peer>(perMinute: 60, burst: 1))
    #expect(limiter.take(one.client, at: 0).isAllowed)
    #expect(limiter.take(other, at: 0).isAllowed)
    #expect(!limiter.take(Peer(high: one.high, low: one.low, port: 2).client, at: 0).isAllowed)
    #expect(limiter.take(Peer(high: 0x2001_0DB8 << 32, low: 1, port: 1).client, at: 0).isAllowed)
    #expect(!limiter.take(Peer(high: 0x2001_0DB8 << 32, low: 2, port: 1).client, at: 0).isAllowed)
  }

  @Test("Over a long time the limiter allows the rate plus one burst, whatever the pattern")
  func rate() throws {
    var random = SeededRandom(seed: 7)
    let limiter = try #require(RateLimiter<Peer>(perMinute: 600, burst: 20))
    var now: Int64 = 0
    var allowed = 0
    for _ in 0..<20_000 {
      now += Int64.random(in: 0...40, using: &random)
      if limiter.take(one, at: now).isAllowed { allowed += 1 }
    }
    let most = Int(now / 100) + 20
    #expect(allowed <= most && allowed >= most - 21)
  }

  @Test("A returned token can be taken again")
  func giveBack() throws {
    let limiter = try #require(RateLimiter<Int>(perMinute: 60, burst: 1))
    #expect(limiter.take(7, at: 0).isAllowed && !limiter.take(7, at: 0).isAllowed)
    limiter.giveBack(7)
    #expect(limiter.take(7, at: 0).isAllowed && !limiter.take(7, at: 0).isAllowed)
    // Returning a token to a full bucket adds nothing.
    limiter.giveBack(8)
    #expect(limiter.take(8, at: 0).isAllowed && !limiter.take(8, at: 0).isAllowed)
  }

  @Test("Full buckets are removed")
  func memory() throws {
    let limiter = try #require(RateLimiter<Peer>(perMinute: 6_000, burst: 10))
    for client in 0..<200_000 {
      _ = limiter.take(
        Peer(high: 0, low: 0xFFFF_0000_0000 | UInt64(client), port: 1), at: Int64(client / 100))
    }
    #expect(limiter.count < 4_096)
  }

  @Test("A request over the limit gets 429 with Retry-After; the connection stays open (item 49)")
  func answers() throws {
    let clock = TestClock()
    let harness = try Harness(clock: clock) {
      $0.limits.requestsPerMinute = 60
      $0.limits.requestBurst = 2
      $0.isCounted = { _ in true }
      $0.interests = .trouble
    } routes: {
      $0.addBasics()
    }
    let client = try harness.client()
    let first = client.get("/")
    #expect(first.field("RateLimit-Policy") == #""address";q=2;w=2"#)
    #expect(first.field("RateLimit") == #""address";r=1;t=1"#)
    #expect(client.get("/").status == 200)
    let refused = client.get("/")
    #expect(refused.status == 429)
    #expect(refused.field("Retry-After") == "1")
    #expect(refused.field("Content-Type") == "application/problem+json")
    #expect(refused.text.contains("/problems/rate-limited"))
    // An unread body ends the connection.
    client.send("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\nhi")
    let unread = client.answer()
    #expect(unread.status == 429 && unread.field("Connection") == "close")
    #expect(harness.events.list.count == 2)
  }

  @Test("Loopback has no rate limit")
  func loopback() throws {
    let harness = try Harness {
      $0.limits.requestBurst = 1
    } routes: {
      $0.addBasics()
    }
    let client = try harness.client()
    for _ in 0..<5 {
      let answer = client.get("/")
      #expect(answer.status == 200 && answer.field("RateLimit") == nil)
    }
  }
}

@Suite("Addresses of peers")
struct PeerTests {
  @Test(
    "Addresses are formatted as usual and grouped by client",
    arguments: [
      (0, 0xFFFF_7F00_0001, "127.0.0.1:80", true), (0, 0xFFFF_C000_0207, "192.0.2.7:80", false),
      (0, 1, "[::1]:80", true), (0x2001_0DB8_0000_0001, 7, "[2001:db8:0:1::7]:80", false),
    ] as [(UInt64, UInt64, String, Bool)])
  func text(_ high: UInt64, _ low: UInt64, _ text: String, _ isLoopback: Bool) {
    let peer = Peer(high: high, low: low, port: 80)
    #expect(peer.description == text)
    #expect(peer.isLoopback == isLoopback)
    let neighbour = Peer(high: high, low: low + 1, port: 81)
    #expect((peer.client == neighbour.client) == !peer.isIPv4)
  }
}
