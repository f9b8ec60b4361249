import Testing

@testable import MartletHTTP

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
