import Dispatch
import MartletJSON
import MartletTime
import Synchronization
import Testing

@testable import MartletHTTP

@Suite("Event streams and broadcasts (WHATWG HTML 9.2, RFC 9112 7.1)")
struct EventStreamTests {
  /// Counts up. Each stream is sent every number after its position.
  private final class Counter: Sendable {
    let broadcast = Broadcast()
    let value = Mutex(0)

    func advance() {
      value.withLock { $0 += 1 }
      broadcast.wake()
    }

    var response: StreamResponse {
      StreamResponse { stream in
        self.broadcast.join(stream)
        var position = 0
        return Steps {
          let newest = self.value.withLock { $0 }
          guard position < newest else { return .wait }
          position += 1
          return .send(Event.frame(id: String(position), data: "n\(position)"))
        }
      }
    }
  }

  private func harness(
    _ counter: Counter, loops: Int = 2, clock: TestClock? = nil,
    _ configure: (inout HTTPServer.Configuration) -> Void = { _ in }
  ) throws -> Harness {
    try Harness(loops: loops, clock: clock, configure: configure) { router in
      router.on(.get, "/live") { _, _ in .stream(counter.response) }
    }
  }

  private func open(_ harness: Harness, version: String = "1.1") throws -> (RawClient, String) {
    let client = try harness.client()
    client.send("GET /live HTTP/\(version)\r\nHost: a\r\n\r\n")
    return (client, client.read(through: "\r\n\r\n"))
  }

  @Test("The head is sent at once, with the fields that browsers and proxies need (item 69)")
  func head() throws {
    let harness = try harness(Counter())
    let (_, head) = try open(harness)
    #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n"))
    for line in [
      "Content-Type: text/event-stream; charset=utf-8", "Cache-Control: no-store",
      "X-Accel-Buffering: no", "Transfer-Encoding: chunked", "Connection: close",
    ] { #expect(head.contains(line + "\r\n")) }
    #expect(!head.contains("Content-Length"))
  }

  @Test("A broadcast reaches every stream on every loop, in order (item 77)")
  func broadcast() throws {
    let counter = Counter()
    let harness = try harness(counter, loops: 3)
    let clients = try (0..<60).map { _ in try open(harness).0 }
    while counter.broadcast.count < 60 { harness.settle() }
    for _ in 0..<20 { counter.advance() }
    for client in clients {
      for number in 1...20 {
        #expect(
          client.read(through: "\n\n\r\n").hasSuffix("\r\nid: \(number)\ndata: n\(number)\n\n\r\n"))
      }
    }
  }

  @Test("HTTP/1.0 clients get the events without chunks (item 69, item 47)")
  func http10() throws {
    let counter = Counter()
    let harness = try harness(counter)
    let (client, head) = try open(harness, version: "1.0")
    #expect(!head.contains("chunked"))
    counter.advance()
    #expect(client.read(through: "\n\n") == "id: 1\ndata: n1\n\n")
  }

  @Test("The retry line is in the block of the first event, and only there (item 73)")
  func retry() throws {
    // A source that sends `frames`, and then ends.
    func stream(_ frames: [EventFrame], bye: EventFrame? = nil) throws -> String {
      let harness = try Harness { router in
        router.on(.get, "/live") { _, _ in
          .stream(
            StreamResponse(retry: .seconds(2)) { _ in
              var rest = frames[...]
              return Steps { rest.popFirst().map { .send($0) } ?? .sendAndEnd(bye) }
            })
        }
      }
      let (client, _) = try open(harness, version: "1.0")
      return client.readToEnd()
    }
    let event = Event.frame(id: "1", data: "a")
    #expect(try stream([event, event]) == "retry: 2000\nid: 1\ndata: a\n\nid: 1\ndata: a\n\n")
    #expect(try stream([.heartbeat, event]) == ":\n\nretry: 2000\nid: 1\ndata: a\n\n")
    // A last event that is the first one.
    #expect(try stream([], bye: event) == "retry: 2000\nid: 1\ndata: a\n\n")
    let bye = Event.frame(event: "bye", data: "{}", retry: .seconds(1))
    #expect(try stream([], bye: bye) == "retry: 1000\nevent: bye\ndata: {}\n\n")
    #expect(try stream([]) == "")
  }

  @Test("A stream that waits for its first event is sent heartbeats without a retry line (item 73)")
  func retryAfterHeartbeat() throws {
    let clock = TestClock()
    let waits = Mutex(true)
    let broadcast = Broadcast()
    let harness = try Harness(loops: 1, clock: clock) { router in
      router.on(.get, "/live") { _, _ in
        .stream(
          StreamResponse(retry: .seconds(2)) { stream in
            broadcast.join(stream)
            return Steps {
              waits.withLock { $0 } ? .wait : .sendAndEnd(Event.frame(data: "a"))
            }
          })
      }
    }
    let (client, _) = try open(harness)
    while broadcast.count < 1 { harness.settle() }
    clock.advance(milliseconds: 15_001)
    harness.settle()
    #expect(client.read(through: "\n\n\r\n") == "3\r\n:\n\n\r\n")
    waits.withLock { $0 = false }
    broadcast.wake()
    #expect(client.readToEnd().hasPrefix("c\r\nretry: 2000\n\r\n9\r\ndata: a\n\n\r\n"))
  }

  @Test("HEAD gets the head and the end of the connection (item 76)")
  func headRequest() throws {
    let counter = Counter()
    let harness = try harness(counter)
    let client = try harness.client()
    client.send("HEAD /live HTTP/1.1\r\nHost: a\r\n\r\n")
    let all = client.readToEnd()
    #expect(all.contains("text/event-stream"))
    #expect(all.hasSuffix("\r\n\r\n"))
    #expect(counter.broadcast.count == 0)
    #expect(harness.server.streams == 0)
  }

  @Test("A source that ends closes the connection")
  func end() throws {
    let harness = try Harness { router in
      router.on(.get, "/once") { _, _ in
        .stream(
          StreamResponse { _ in Steps { .sendAndEnd(Event.frame(data: "only")) } })
      }
    }
    let client = try harness.client()
    client.send("GET /once HTTP/1.1\r\nHost: a\r\n\r\n")
    _ = client.read(through: "\r\n\r\n")
    #expect(client.readToEnd() == "c\r\ndata: only\n\n\r\n0\r\n\r\n")
  }

  @Test("A client that disconnects leaves its broadcast and is no longer counted")
  func gone() throws {
    let counter = Counter()
    let harness = try harness(counter)
    do { _ = try open(harness) }
    while counter.broadcast.count > 0 || harness.server.streams > 0 { harness.settle() }
    counter.advance()
    #expect(try open(harness).1.hasPrefix("HTTP/1.1 200"))
  }

  @Test("Bytes after the request are dropped, at most 64 KiB")
  func bytesBehind() throws {
    let counter = Counter()
    let harness = try harness(counter)
    let (client, _) = try open(harness)
    client.send("GET /live HTTP/1.1\r\nHost: a\r\n\r\n")
    counter.advance()
    #expect(client.read(through: "\n\n").hasSuffix("n1\n\n"))
    client.send([UInt8](repeating: 0x78, count: 200_000))
    _ = client.readToEnd()
    while harness.server.streams > 0 { harness.settle() }
  }

  @Test("A slow client costs a position, and the others get every event (item 75)")
  func slowReader() throws {
    let counter = Counter()
    let asked = Mutex(0)
    let large = Event.frame(data: String(repeating: "x", count: 1 << 20))
    let harness = try Harness { router in
      router.on(.get, "/live") { _, _ in .stream(counter.response) }
      router.on(.get, "/large") { _, _ in
        .stream(
          StreamResponse { stream in
            counter.broadcast.join(stream)
            return Steps {
              asked.withLock { $0 += 1 }
              return .send(large)
            }
          })
      }
    }
    let slow = try harness.client(receiveBuffer: 4096)
    slow.send("GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
    let (client, _) = try open(harness)
    while counter.broadcast.count < 2 { harness.settle() }
    for number in 1...200 {
      counter.advance()
      #expect(client.read(through: "\n\n").hasSuffix("data: n\(number)\n\n"))
    }
    // The kernel accepts a quarter of the first event, so the source is not asked for a second one.
    #expect(asked.withLock { $0 } == 1)
  }

  @Test("An event arrives whole, wherever chunks and segments are split (item 79, item 80)")
  func pieces() throws {
    let data = String(repeating: "Grüße 👩‍🚀\u{2028}", count: 60_000)
    let event = Event.frame(id: "1", data: data)
    let harness = try Harness { router in
      router.on(.get, "/once") { _, _ in
        .stream(StreamResponse { _ in Steps { .sendAndEnd(event) } })
      }
    }
    for version in ["1.0", "1.1"] {
      let client = try harness.client(receiveBuffer: 4096)
      client.send("GET /once HTTP/\(version)\r\nHost: a\r\n\r\n")
      _ = client.read(through: "\r\n\r\n")
      if version == "1.1" { _ = client.read(through: "\r\n") }
      let text = "id: 1\ndata: \(data)\n\n"
      #expect(client.read(text.utf8.count).elementsEqual(text.utf8))
      #expect(client.readToEnd() == (version == "1.1" ? "\r\n0\r\n\r\n" : ""))
    }
  }

  @Test("A comment is sent after 15 s of silence (item 73)")
  func heartbeat() throws {
    let clock = TestClock()
    let counter = Counter()
    let harness = try harness(counter, clock: clock)
    let (client, _) = try open(harness)
    while counter.broadcast.count < 1 { harness.settle() }
    clock.advance(milliseconds: 15_001)
    harness.settle()
    #expect(client.read(through: "\n\n") == "3\r\n:\n\n")
  }

  @Test("After about an hour streams are sent their bye event, not all at the same time")
  func rotation() throws {
    let clock = TestClock()
    let harness = try Harness(
      loops: 1, clock: clock, configure: { $0.limits.streamLifetime = .milliseconds(1_000_000) }
    ) {
      router in
      router.on(.get, "/live") { _, _ in
        .stream(StreamResponse(bye: { Event.frame(data: "\($0)") }) { _ in Steps() })
      }
    }
    let clients = try (0..<20).map { _ in
      let client = try harness.client()
      client.send("GET /live HTTP/1.1\r\nHost: a\r\n\r\n")
      _ = client.read(through: "\r\n\r\n")
      return client
    }
    while harness.server.streams < 20 { harness.settle() }
    // A tenth more or less: between 900 and 1,100 seconds.
    var left: [Int] = []
    for _ in 0..<115 {
      clock.advance(milliseconds: 10_000)
      harness.settle()
      left.append(harness.server.streams)
    }
    #expect(left[88] == 20 && left[114] == 0)
    #expect(Set(left).count > 3, "\(left)")
    for client in clients {
      #expect(client.read(through: "0\r\n\r\n").contains("data: rotation\n"))
    }
  }

  @Test(
    "A client that takes nothing for 30 s is disconnected, whatever the heartbeat (item 75)",
    arguments: [Duration.seconds(15), .seconds(3600)])
  func stalled(heartbeat: Duration) throws {
    let clock = TestClock()
    let large = Event.frame(data: String(repeating: "x", count: 8 << 20))
    let closed = Mutex(0)
    let harness = try Harness(
      loops: 1, clock: clock, configure: { $0.limits.heartbeat = heartbeat }
    ) { router in
      router.on(.get, "/large") { _, _ in
        .stream(
          StreamResponse { _ in
            Steps({ .send(large) }, onClose: { closed.withLock { $0 += 1 } })
          })
      }
    }
    let client = try harness.client(receiveBuffer: 4096)
    client.send("GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
    _ = client.read(through: "\r\n\r\n")
    while harness.server.streams < 1 { harness.settle() }
    // While the kernel's buffers fill, there is progress; then it stops.
    for _ in 0..<100 where closed.withLock({ $0 }) == 0 {
      clock.advance(milliseconds: 10_000)
      harness.settle()
    }
    #expect(closed.withLock { $0 } == 1)
    #expect(harness.server.streams == 0)
  }

  @Test("Too many streams get 503, or the route's own response")
  func tooMany() throws {
    let counter = Counter()
    let harness = try Harness(configure: { $0.limits.streams = 1 }) { router in
      router.on(.get, "/live") { _, _ in .stream(counter.response) }
      router.on(.get, "/polite") { _, _ in
        .stream(
          StreamResponse(refused: { Response(.tooManyRequests) }, opened: { _ in Steps() }))
      }
    }
    let (first, _) = try open(harness)
    let second = try harness.client()
    let answer = second.get("/live")
    #expect(answer.status == 503)
    #expect(answer.field("Retry-After") == "5")
    #expect(second.get("/polite").status == 429)
    withExtendedLifetime(first) {}
  }

  @Test("A stream can be started later by a responder")
  func later() throws {
    let counter = Counter()
    let harness = try Harness { router in
      router.on(.get, "/live") { _, _ in
        .later { responder in
          DispatchQueue.global().async { responder.stream(counter.response) }
        }
      }
    }
    let (client, _) = try open(harness)
    counter.advance()
    #expect(client.read(through: "\n\n").hasSuffix("data: n1\n\n"))
  }
}
