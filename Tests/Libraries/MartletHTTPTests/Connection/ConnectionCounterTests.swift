import Testing

@testable import MartletHTTP

@Suite("Limits on connections and streams (item 38)")
struct ConnectionCounterTests {
  private func peer(_ last: UInt64) -> Peer {
    Peer(high: 0, low: 0xFFFF_C000_0200 | last, port: UInt16(last))
  }

  @Test("Limits apply in total and per address; loopback has no limit per address")
  func counts() {
    var limits = Limits()
    limits.connections = 6
    limits.connectionsPerAddress = 2
    limits.streamsPerAddress = 1
    limits.streams = 2
    let connectionCounter = ConnectionCounter(limits: limits)
    #expect(connectionCounter.enter(peer(1)) && connectionCounter.enter(peer(1)))
    #expect(!connectionCounter.enter(peer(1)))
    #expect(connectionCounter.enter(peer(2)))
    #expect(connectionCounter.enterStream(peer(1)))
    #expect(!connectionCounter.enterStream(peer(1)))
    #expect(connectionCounter.enterStream(peer(2)))
    #expect(!connectionCounter.enterStream(peer(3)), "two in total")
    connectionCounter.leaveStream(peer(1))
    connectionCounter.leave(peer(1))
    #expect(connectionCounter.enter(peer(1)))
    let loopback = Peer(high: 0, low: 1, port: 9)
    for _ in 0..<3 { #expect(connectionCounter.enter(loopback)) }
    #expect(!connectionCounter.enter(loopback), "six in total")
    #expect(connectionCounter.connections == 6)
    #expect(connectionCounter.streams == 1)
  }
}
