import Glibc
import Testing

@testable import MartletHTTP

@Suite("Closed sockets whose clients have not read everything (item 90)")
struct ClosingSocketsTests {
  private let peer = Peer(high: 0, low: 1, port: 1)

  @Test("A socket is closed when its client has read everything or has stalled")
  func pure() {
    var departures = ClosingSockets()
    var unsent: [Int32: Int] = [1: 100_000, 2: 100_000, 3: 100_000]
    for (descriptor, count) in unsent {
      departures.add(descriptor, peer, unsent: count, now: 0, end: 60_000)
    }
    #expect(departures.due == 1_000)
    var ended: [Int32: Bool] = [:]
    for now in stride(from: Int64(1_000), through: 60_000, by: 1_000) {
      // The first reads steadily, the second a little at first, the third has read everything after
      // a second.
      unsent[1] = max(100_000 - Int(now) * 2, 0)
      unsent[2] = now <= 2_000 ? 90_000 : 80_000
      unsent[3] = 0
      departures.scan(now: now, timeout: 30_000, unsent: { unsent[$0] ?? 0 }) { entry, isStalled in
        #expect(ended[entry.descriptor] == nil)
        ended[entry.descriptor] = isStalled
      }
      if now == 1_000 { #expect(ended == [3: false]) }
      if now == 32_000 { #expect(ended == [3: false]) }
      if now == 33_000 { #expect(ended == [3: false, 2: true]) }
    }
    #expect(ended == [3: false, 2: true, 1: false])
    #expect(departures.due == nil)
  }

  @Test("A client that reads a byte now and then gets a time limit for all bytes")
  func trickle() {
    var departures = ClosingSockets()
    departures.add(1, peer, unsent: 100_000, now: 0, end: 120_000)
    var ends: [Int64] = []
    for now in stride(from: Int64(1_000), through: 130_000, by: 1_000) {
      departures.scan(now: now, timeout: 30_000, unsent: { _ in 100_000 - Int(now) / 1_000 }) {
        #expect($1)
        ends.append(now)
      }
    }
    #expect(ends == [120_000])
  }

  @Test("Accepted sockets inherit the send buffer and the user timeout of the listener")
  func options() throws {
    var limits = Limits()
    limits.sendBuffer = 100 << 10
    limits.writeTimeout = .milliseconds(12_345)
    let address = try #require(try SocketAddress.resolve("127.0.0.1", port: 0).first)
    let listener = try Listener(address, shared: false, limits: limits)
    defer { listener.close() }
    let client = try RawClient(try listener.boundPort())
    var name = sockaddr_storage()
    var accepted = Epoll.accept(listener.descriptor, &name)
    while accepted < 0, errno == EAGAIN { accepted = Epoll.accept(listener.descriptor, &name) }
    try #require(accepted >= 0)
    defer { close(accepted) }
    #expect(option(accepted, SOL_SOCKET, SO_SNDBUF) == 100 << 10)
    #expect(option(accepted, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT) == 12_345)
    // The size of the send queue can be queried.
    #expect(SocketOption.unsent(accepted) == 0)
    _ = fcntl(accepted, F_SETFL, O_NONBLOCK)
    let bytes = [UInt8](repeating: 0x78, count: 1 << 20)
    while send(accepted, bytes, bytes.count, 0) > 0 {}
    #expect(SocketOption.unsent(accepted) > 0)
    withExtendedLifetime(client) {}
  }

  private func option(_ descriptor: Int32, _ level: Int32, _ name: Int32) -> Int {
    var value: Int32 = 0
    var size = socklen_t(4)
    getsockopt(descriptor, level, name, &value, &size)
    return Int(value)
  }
}
