import Glibc
import MartletTime
import Testing

@testable import MartletHTTP

/// Each test runs in a separate process, because a descriptor limit applies to the whole process.
@Suite("The limit on file descriptors (item 38)")
struct DescriptorLimitTests {
  @Test(
    "Some descriptors are reserved for files",
    arguments: [(20_000, 19_744), (1024, 768), (400, 300), (4, 3), (1, 1)])
  func margin(_ descriptors: Int, _ connections: Int) {
    #expect(DescriptorLimit.connections(of: descriptors) == connections)
  }

  @Test("start raises the soft limit to the hard one and limits connections accordingly")
  func raised() async {
    await #expect(processExitsWith: .success) {
      setDescriptors(soft: 200, hard: 400)
      let harness = try Harness { $0.addBasics() }
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      #expect(limit.rlim_cur == 400)
      #expect(harness.server.mostConnections == 300)
      let client = try harness.client()
      #expect(client.get("/").text == "OK")
    }
  }

  @Test("A lower limit on connections stays as configured")
  func fewer() async {
    await #expect(processExitsWith: .success) {
      setDescriptors(soft: 400, hard: 400)
      let harness = try Harness(configure: { $0.limits.connections = 7 }) { $0.addBasics() }
      #expect(harness.server.mostConnections == 7)
    }
  }

  @Test(
    "Without descriptors every client is served or turned away, and none hangs (item 41)"
  )
  func exhausted() async {
    await #expect(processExitsWith: .success) {
      setDescriptors(soft: 256, hard: 256)
      // The clock stands still, so each loop reports its failures once.
      let harness = try Harness(
        loops: 4, clock: TestClock(), configure: { $0.interests = .trouble }
      ) { $0.addBasics() }
      for round in 0..<20 {
        let clients = (0..<32).map { _ in RawClient() }
        var others: [Int32] = []
        while case let other = open("/dev/null", O_RDONLY), other >= 0 { others.append(other) }
        for other in others.suffix(4) { close(other) }
        for client in clients { try client.connect(harness.port) }
        for client in clients { client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n") }
        for (number, client) in clients.enumerated() {
          #expect(client.hearsSomething, "round \(round), client \(number)")
        }
        for other in others.dropLast(4) { close(other) }
      }
      harness.settle()
      let failures = harness.events.list.count {
        if case .acceptFailed = $0 { true } else { false }
      }
      #expect((1...4).contains(failures))
      // Afterwards the server works normally.
      let client = try harness.client()
      #expect(client.get("/").text == "OK")
    }
  }
}

private func setDescriptors(soft: rlim_t, hard: rlim_t) {
  var limit = rlimit(rlim_cur: soft, rlim_max: hard)
  setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
}

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
