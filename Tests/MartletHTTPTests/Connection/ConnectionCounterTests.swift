import Testing

@testable import MartletHTTP

@Suite("how many connections and streams a client may have (item 38)")
struct ConnectionCounterTests {
  private func peer(_ last: UInt64) -> Peer {
    Peer(high: 0, low: 0xFFFF_C000_0200 | last, port: UInt16(last))
  }

  @Test("in all, and for each address; loopback is not counted for itself")
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
    #expect(!connectionCounter.enterStream(peer(3)), "two in all")
    connectionCounter.leaveStream(peer(1))
    connectionCounter.leave(peer(1))
    #expect(connectionCounter.enter(peer(1)))
    let loopback = Peer(high: 0, low: 1, port: 9)
    for _ in 0..<3 { #expect(connectionCounter.enter(loopback)) }
    #expect(!connectionCounter.enter(loopback), "six in all")
    #expect(connectionCounter.connections == 6)
    #expect(connectionCounter.streams == 1)
  }
}
