import Testing

@testable import MartletHTTP

@Suite("how many connections and streams a client may have (item 38)")
struct CensusTests {
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
    let census = Census(limits: limits)
    #expect(census.enter(peer(1)) && census.enter(peer(1)))
    #expect(!census.enter(peer(1)))
    #expect(census.enter(peer(2)))
    #expect(census.enterStream(peer(1)))
    #expect(!census.enterStream(peer(1)))
    #expect(census.enterStream(peer(2)))
    #expect(!census.enterStream(peer(3)), "two in all")
    census.leaveStream(peer(1))
    census.leave(peer(1))
    #expect(census.enter(peer(1)))
    let loopback = Peer(high: 0, low: 1, port: 9)
    for _ in 0..<3 { #expect(census.enter(loopback)) }
    #expect(!census.enter(loopback), "six in all")
    #expect(census.connections == 6)
    #expect(census.streams == 1)
  }
}
