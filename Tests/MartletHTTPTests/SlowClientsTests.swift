import MartletJSON
import MartletTime
import Testing

@testable import MartletHTTP

/// Slow heads are in `HTTPServerTests`.
@Suite("Many slow clients") struct SlowClientsTests {
  @Test("slow bodies are 408 at their time, a normal client does not notice (item 37, item 82)")
  func bodies() throws {
    let clock = TestClock()
    let harness = try Harness(clock: clock) { $0.addBasics() }
    let slow = try (0..<200).map { _ in try harness.client() }
    for client in slow {
      // The answer to what comes first says that the head behind it has been read.
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

  @Test("clients that read nothing are cut, a normal one does not notice (item 37, item 82)")
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
    // As long as the kernel's buffers fill, there is progress; then there is none.
    while harness.server.connections > 1 {
      clock.advance(milliseconds: 10_000)
      harness.settle()
      #expect(normal.get("/").status == 200)
    }
  }
}
