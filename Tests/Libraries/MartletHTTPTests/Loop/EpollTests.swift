import Testing

@testable import MartletHTTP

@Suite struct EpollTests {
  @Test("A listener can be added again, because adding some of several may have failed")
  func listenerTwice() throws {
    let address = try #require(try SocketAddress.resolve("127.0.0.1", port: 0).first)
    let listener = try Listener(address, shared: false)
    defer { listener.close() }
    let epoll = try Epoll()
    for _ in 0..<2 {
      let isWatched = epoll.add(listener: listener.descriptor, token: 1)
      #expect(isWatched)
    }
    let isWatched = epoll.add(listener: -1, token: 2)
    #expect(!isWatched)
  }
}
