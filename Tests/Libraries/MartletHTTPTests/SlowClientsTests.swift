import MartletJSON
import MartletTime
import Testing

@testable import MartletHTTP

/// Slow heads are tested in `HTTPServerTests`.
@Suite("Many slow clients") struct SlowClientsTests {
  @Test("Slow bodies get 408 in time, other clients are not delayed (item 37, item 82)")
  func bodies() throws {
    let clock = TestClock()
    let harness = try Harness(clock: clock) { $0.addBasics() }
    let slow = try (0..<200).map { _ in try harness.client() }
    for client in slow {
      // The response to the first request shows that the head behind it has been read.
      client.send(
        "GET / HTTP/1.1\r\nHost: a\r\n\r\nPOST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n"
      )
      #expect(client.answer().status == 200)
    }
    #expect(try harness.client().get("/").status == 200)
    clock.advance(milliseconds: 20_001)
    for client in slow {
      harness.settle()
      #expect(client.answer().status == 408)
    }
    #expect(try harness.client().get("/").status == 200)
  }

  @Test("Clients that read nothing are closed, others are not delayed (item 37, item 82)")
  func reads() throws {
    let clock = TestClock()
    let large = SharedBytes([UInt8](repeating: 0x78, count: 16 << 20))
    let harness = try Harness(clock: clock) { router in
      router.addBasics()
      router.on(.get, "/large") { _, _ in .respond(Response(body: .shared(large))) }
    }
    let slow = try (0..<20).map { _ in try harness.client(receiveBuffer: 4096) }
    for client in slow {
      client.send("GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
      _ = client.read(through: "\r\n\r\n")
    }
    let normal = try harness.client()
    #expect(normal.get("/").status == 200)
    // While the kernel's buffers fill, there is progress; then it stops.
    while harness.server.connections > 1 {
      clock.advance(milliseconds: 10_000)
      harness.settle()
      #expect(normal.get("/").status == 200)
    }
  }
}
