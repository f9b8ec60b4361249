import Glibc
import MartletTime
import Testing

@testable import MartletHTTP

@Suite("Output that waits for slow clients", .timeLimit(.minutes(10)))
struct WaitingOutputTests {
  private func harness(
    _ clock: TestClock = TestClock(), waiting: Int = 1 << 20, send: Int = 64 << 10,
    routes: (inout Router) -> Void = { _ in }
  ) throws -> Harness {
    try Harness(loops: 1, clock: clock) {
      $0.limits.waitingOutput = waiting
      $0.limits.sendBuffer = send
      $0.interests = .trouble
    } routes: {
      $0.addBasics()
      $0.on(.post, "/size/{count}") { request, _ in
        let count = Int(request.integer("count") ?? 0)
        return .respond(Response(body: .bytes([UInt8](repeating: 0x78, count: count))))
      }
      routes(&$0)
    }
  }

  @Test("A client that takes nothing is reset, and the kernel drops its data (item 90)")
  func reset() throws {
    let clock = TestClock()
    let harness = try harness(clock, waiting: 8 << 20)
    let client = try harness.client(receiveBuffer: 4096)
    client.send("GET /size/4000000 HTTP/1.1\r\nHost: a\r\n\r\n")
    while harness.server.waitingOutput == 0 { harness.settle() }
    while harness.server.connections > 0 {
      clock.advance(milliseconds: 10_000)
      harness.settle()
    }
    #expect(harness.server.waitingOutput == 0)
    #expect(client.isReset())
  }

  @Test("A closed connection counts until its client has read the kernel's buffer (item 90)")
  func departing() throws {
    let clock = TestClock()
    let harness = try harness(clock, send: 512 << 10)
    let request = "GET /size/150000 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    let reader = try harness.client(receiveBuffer: 4096)
    let sleeper = try harness.client(receiveBuffer: 4096)
    var leaver: RawClient? = try harness.client(receiveBuffer: 4096)
    leaver?.send(request)
    #expect(leaver?.read(through: "\r\n\r\n").contains("200") == true)
    reader.send(request)
    sleeper.send(request)
    // All requests were read, answered, and closed as far as possible.
    #expect(reader.read(through: "\r\n\r\n").contains("200"))
    #expect(sleeper.read(through: "\r\n\r\n").contains("200"))
    clock.advance(milliseconds: 20_000)
    harness.settle()
    #expect(harness.server.connections == 3)
    #expect(reader.readToEnd().utf8.count == 150_000)
    #expect(reader.endsCleanly)
    while harness.server.connections > 2 {
      clock.advance(milliseconds: 100)
      harness.settle()
    }
    // The next check detects a client that disconnects without reading.
    leaver = nil
    while harness.server.connections > 1 {
      clock.advance(milliseconds: 100)
      harness.settle()
    }
    while harness.server.connections > 0 {
      clock.advance(milliseconds: 5_000)
      harness.settle()
    }
    #expect(sleeper.isReset())
  }

  @Test("A client that takes a byte now and then gets a time limit for all queued bytes (item 90)")
  func trickle() {
    var machine = Machine()
    machine.answer = { _ in nil }
    machine.receive("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    machine.http.send(Response(body: .bytes([1])))
    _ = machine.http.next()
    machine.http.wrote(queued: 3 << 20, didMove: false)
    // Four minutes for three MiB.
    for second in 1...239 {
      machine.pass(milliseconds: 1_000)
      machine.http.wrote(queued: 3 << 20 - second, didMove: true)
    }
    #expect(!machine.isClosed)
    // The next response has its own minute.
    machine.http.wrote(queued: 4 << 20, didMove: true)
    machine.pass(milliseconds: 1_000)
    #expect(!machine.isClosed)
    machine.pass(milliseconds: 28_000)
    machine.http.wrote(queued: 4 << 20 - 1, didMove: true)
    machine.pass(milliseconds: 28_000)
    machine.http.wrote(queued: 4 << 20 - 2, didMove: true)
    #expect(!machine.isClosed)
    machine.pass(milliseconds: 4_000)
    #expect(machine.isClosed)
  }

  @Test("One client can hold at most a quarter of the waiting output (item 91)")
  func share() throws {
    let harness = try Harness(loops: 1) {
      $0.limits.waitingOutput = 4 << 20
      $0.limits.sendBuffer = 64 << 10
      $0.isCounted = { _ in true }
    } routes: {
      $0.addBasics()
    }
    let slow = try harness.client(receiveBuffer: 4096)
    slow.send("GET /size/900000 HTTP/1.1\r\nHost: a\r\n\r\n")
    while harness.server.waitingOutput == 0 { harness.settle() }
    let other = try harness.client()
    #expect(other.get("/size/600000").status == 503)
    #expect(other.get("/size/60000").body.count == 60_000)
    #expect(slow.answer().body.count == 900_000)
    #expect(other.get("/size/600000").body.count == 600_000)
  }

  @Test("While there is no room, large responses get 503 and small ones are sent (item 91)")
  func full() throws {
    let harness = try harness()
    let slow = try harness.client(receiveBuffer: 4096)
    slow.send("GET /size/1000000 HTTP/1.1\r\nHost: a\r\n\r\n")
    while harness.server.waitingOutput == 0 { harness.settle() }
    #expect(harness.server.waitingOutput > 700_000)
    let other = try harness.client()
    let refused = other.get("/size/800000")
    #expect(refused.status == 503 && refused.field("Retry-After") == "5")
    #expect(refused.text.contains("/problems/overloaded"))
    #expect(other.get("/size/60000").body.count == 60_000)
    other.send("HEAD /size/800000 HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(other.answer(toHead: true).field("Content-Length") == "800000")
    // A write is not replaced by 503, because it has taken effect. The part that fits is sent.
    let written = try harness.client()
    written.send("POST /size/800000 HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")
    #expect(written.answer().status == 200)
    // The accepted response arrives and makes room.
    #expect(slow.answer().body.count == 1_000_000)
    #expect(other.get("/size/800000").body.count == 800_000)
    while harness.server.waitingOutput > 0 { harness.settle() }
  }

  @Test("A connection that exceeds the limit is reset (item 91)")
  func overflow() throws {
    let harness = try harness(waiting: 200_000)
    let request = String(repeating: "GET /size/60000 HTTP/1.1\r\nHost: a\r\n\r\n", count: 4)
    let clients = try (0..<20).map { _ in try harness.client(receiveBuffer: 4096) }
    for client in clients { client.send(request) }
    let normal = try harness.client()
    while harness.server.connections == 21 { #expect(normal.get("/").status == 200) }
    #expect(harness.server.waitingOutput <= 200_000)
    #expect(normal.get("/size/60000").body.count == 60_000)
    #expect(harness.tellsOverload)
  }

  @Test("Frames that wait for one client's streams count once each in the client's share (item 91)")
  func shareOfFrames() throws {
    let frames = ["a", "b"].map {
      Event.frame(data: String(repeating: $0, count: 300_000)).forMany
    }
    let harness = try Harness(loops: 1) {
      $0.limits.waitingOutput = 2 << 20
      $0.limits.sendBuffer = 64 << 10
      $0.isCounted = { _ in true }
      $0.interests = .trouble
    } routes: {
      $0.addBasics()
      $0.on(.get, "/frames/{number}") { request, _ in
        let frame = frames[Int(request.integer("number") ?? 0)]
        return .stream(
          StreamResponse { _ in
            nonisolated(unsafe) var isSent = false
            return Steps {
              defer { isSent = true }
              return isSent ? .wait : .sendAndWait(frame)
            }
          })
      }
    }
    func open(_ number: Int) throws -> RawClient {
      let client = try harness.client(receiveBuffer: 4096)
      client.send("GET /frames/\(number) HTTP/1.1\r\nHost: a\r\n\r\n")
      return client
    }
    // All streams wait for the same frame.
    var clients = try (0..<4).map { _ in try open(0) }
    for _ in 0..<10_000
    where harness.server.streams < 4 || harness.server.waitingOutput < frames[0].bytes.count {
      harness.settle()
    }
    // Further streams do not add to it.
    harness.settle()
    #expect(harness.server.streams == 4 && harness.server.waitingOutput == frames[0].bytes.count)
    // Two frames exceed a quarter.
    let other = try open(1)
    // A client that already reads could take the frame while the server writes it.
    while !harness.tellsOverload { harness.settle() }
    #expect(other.isReset())
    #expect(harness.server.waitingOutput == frames[0].bytes.count)
    clients = []
    while harness.server.connections > 0 { harness.settle() }
    #expect(harness.server.waitingOutput == 0)
    clients = [try open(1)]
    _ = clients[0].read(through: "\r\n\r\n")
    harness.settle()
    #expect(harness.server.streams == 1)
  }

  @Test(
    "A shared event counts once while any stream waits, other events count per stream (item 91)"
  )
  func frames() throws {
    let large = Event.frame(data: String(repeating: "x", count: 300_000))
    let shared = large.forMany
    @Sendable func stream(_ frame: EventFrame) -> Outcome {
      .stream(
        StreamResponse { _ in
          nonisolated(unsafe) var isSent = false
          return Steps {
            defer { isSent = true }
            return isSent ? .wait : .sendAndWait(frame)
          }
        })
    }
    let harness = try harness(waiting: 1 << 20) { router in
      router.on(.get, "/shared") { _, _ in stream(shared) }
      router.on(.get, "/own") { _, _ in stream(large) }
    }
    var many = try (0..<10).map { _ in try harness.client(receiveBuffer: 4096) }
    for client in many { client.send("GET /shared HTTP/1.1\r\nHost: a\r\n\r\n") }
    for client in many { _ = client.read(through: "\r\n\r\n") }
    while harness.server.waitingOutput == 0 { harness.settle() }
    #expect(harness.server.streams == 10)
    #expect(harness.server.waitingOutput == shared.bytes.count)
    var own: RawClient? = try harness.client(receiveBuffer: 4096)
    own?.send("GET /own HTTP/1.1\r\nHost: a\r\n\r\n")
    while harness.server.waitingOutput == shared.bytes.count { harness.settle() }
    own = nil
    many.removeLast(9)
    while harness.server.connections > 1 { harness.settle() }
    #expect(harness.server.waitingOutput == shared.bytes.count)
    many = []
    while harness.server.waitingOutput > 0 { harness.settle() }
  }
}

extension Harness {
  /// Whether a connection was reset because too much output waits for slow clients.
  fileprivate var tellsOverload: Bool {
    events.list.contains { if case .connectionExpired(_, .overload) = $0 { true } else { false } }
  }
}

extension RawClient {
  /// Whether the connection ends with a reset after the received bytes.
  fileprivate func isReset() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = recv(descriptor, &bytes, bytes.count, 0)
      if count <= 0 { return count < 0 && errno == ECONNRESET }
    }
  }
}
