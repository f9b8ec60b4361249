import Dispatch
import Glibc
import MartletJSON
import MartletTesting
import MartletTime
import Synchronization
import Testing

@testable import MartletHTTP

/// Content that a test provides piece by piece, from its own thread.
private final class Tap: BodySource {
  private struct State {
    var given: [UInt8] = []
    var read = 0
    var end: BodyProgress?
    var wake: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())
  let stopped = DispatchSemaphore(value: 0)

  func start(_ wake: @escaping @Sendable () -> Void) { state.withLock { $0.wake = wake } }

  func read(upTo most: Int, into buffer: ByteBuffer) -> BodyProgress {
    state.withLock { state in
      let count = min(most, state.given.count - state.read)
      state.given.withUnsafeBufferPointer {
        buffer.append(UnsafeBufferPointer(rebasing: $0[state.read..<state.read + count]))
      }
      state.read += count
      guard state.read == state.given.count else { return .more }
      return state.end ?? .wait
    }
  }

  func stop() { stopped.signal() }

  func give(_ bytes: [UInt8], _ end: BodyProgress? = nil) {
    let wake = state.withLock { state in
      state.given += bytes
      state.end = end
      return state.wake
    }
    wake?()
  }

  func give(_ text: String, _ end: BodyProgress? = nil) { give(Array(text.utf8), end) }

  var isLetGo: Bool { stopped.wait(timeout: .now() + Deadline.hang) == .success }
  var rest: Int { state.withLock { $0.given.count - $0.read } }
}

@Suite("Content that is produced while it is sent")
struct ContentTests {
  private let tap = Tap()

  private func harness(clock: TestClock? = nil) throws -> Harness {
    try Harness(
      loops: 1, clock: clock,
      configure: { $0.interests = .all }
    ) { [tap] router in
      router.addBasics()
      router.on(.get, "/made") { _, _ in .respond(Response(body: .source(tap))) }
    }
  }

  @Test("Content is sent in chunks as it is produced, and the connection stays open (item 47)")
  func chunks() throws {
    let harness = try harness()
    let client = try harness.client()
    client.send("GET /made HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n")
    let head = client.read(through: "\r\n\r\n")
    #expect(head.contains("Transfer-Encoding: chunked\r\n") && !head.contains("Content-Length"))
    tap.give("one")
    #expect(client.read(through: "one\r\n") == "3\r\none\r\n")
    tap.give("second")
    #expect(client.read(through: "second\r\n") == "6\r\nsecond\r\n")
    tap.give("", .end)
    #expect(client.read(through: "\r\n\r\n") == "0\r\n\r\n")
    #expect(tap.isLetGo)
    // The request that was sent behind it.
    #expect(client.answer().text == "OK")
    #expect(client.get("/").text == "OK")
    harness.settle()
    let finished = harness.events.list.compactMap { event -> Int? in
      if case .requestFinished(let request) = event { request.bytes } else { nil }
    }
    #expect(finished == [9, 2, 2])
  }

  @Test("Content that is available at once is sent with its end")
  func atOnce() throws {
    let harness = try harness()
    tap.give("all", .end)
    let answer = try harness.client().get("/made")
    #expect(answer.text == "all")
    #expect(tap.isLetGo)
  }

  @Test("A source without content gives an empty response")
  func empty() throws {
    let harness = try harness()
    tap.give("", .end)
    let client = try harness.client()
    #expect(client.get("/made").text == "")
    #expect(client.get("/").text == "OK")
  }

  @Test("HTTP/1.0 clients get the content without chunks, until the connection ends (item 47)")
  func http10() throws {
    let harness = try harness()
    tap.give("all of it", .end)
    let client = try harness.client()
    client.send("GET /made HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
    let all = client.readToEnd()
    #expect(all.contains("Connection: close\r\n") && !all.contains("Transfer-Encoding"))
    #expect(all.hasSuffix("\r\n\r\nall of it"))
  }

  @Test("HEAD gets only the head, and no content is produced")
  func head() throws {
    let harness = try harness()
    let client = try harness.client()
    client.send("HEAD /made HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(client.answer(toHead: true).status == 200)
    #expect(tap.isLetGo)
    #expect(client.get("/").text == "OK")
  }

  @Test(
    "If the rest cannot be produced, the client can tell that it has only a part (item 47)",
    arguments: ["1.1", "1.0"])
  func failure(_ version: String) throws {
    let harness = try harness()
    let client = try harness.client()
    client.send("GET /made HTTP/\(version)\r\nHost: a\r\n\r\n")
    _ = client.read(through: "\r\n\r\n")
    tap.give("a part")
    _ = client.read(through: "a part")
    tap.give("", .failed)
    #expect(!client.endsCleanly)
    #expect(tap.isLetGo)
  }

  @Test(
    "A slow client has at most one piece queued, and large content arrives whole"
  )
  func slowly() throws {
    let harness = try harness()
    let size = 16 << 20
    let noise = open("/dev/urandom", O_RDONLY)
    defer { close(noise) }
    let content = [UInt8](unsafeUninitializedCapacity: size) {
      $1 = read(noise, $0.baseAddress, size)
    }
    try #require(content.count == size)
    tap.give(content, .end)
    let client = try harness.client(receiveBuffer: 4096)
    client.send("GET /made HTTP/1.1\r\nHost: a\r\n\r\n")
    _ = client.read(through: "\r\n\r\n")
    // Other requests are served, and most of the content has not been read.
    #expect(try harness.client().get("/").text == "OK")
    #expect(tap.rest > size / 2)
    #expect(client.chunks().map { $0 == content } == true)
  }

  @Test("The source is stopped when the client disconnects")
  func gone() throws {
    let harness = try harness()
    var client: RawClient? = try harness.client()
    client?.send("GET /made HTTP/1.1\r\nHost: a\r\n\r\n")
    _ = client?.read(through: "\r\n\r\n")
    client?.resetsAtEnd()
    client = nil
    #expect(tap.isLetGo)
  }

  @Test(
    "A client that takes a byte now and then gets a time limit for all bytes (item 37)"
  )
  func trickle() throws {
    let clock = TestClock()
    let harness = try harness(clock: clock)
    let client = try harness.client()
    client.send("GET /made HTTP/1.1\r\nHost: a\r\n\r\n")
    _ = client.read(through: "\r\n\r\n")
    for _ in 0..<2 {
      clock.advance(milliseconds: 25_000)
      harness.settle()
      tap.give("on")
      #expect(client.read(through: "on\r\n") == "2\r\non\r\n")
    }
    clock.advance(milliseconds: 11_000)
    harness.settle()
    #expect(client.readToEnd() == "")
    #expect(tap.isLetGo)
  }

  @Test("A source that is silent for the handler timeout is stopped", arguments: ["1.1", "1.0"])
  func silence(_ version: String) throws {
    let clock = TestClock()
    let harness = try harness(clock: clock)
    let client = try harness.client()
    client.send("GET /made HTTP/\(version)\r\nHost: a\r\n\r\n")
    _ = client.read(through: "\r\n\r\n")
    clock.advance(milliseconds: 29_000)
    harness.settle()
    tap.give("on")
    _ = client.read(through: version == "1.0" ? "on" : "on\r\n")
    clock.advance(milliseconds: 29_000)
    harness.settle()
    #expect(harness.server.connections == 1)
    clock.advance(milliseconds: 2_000)
    harness.settle()
    // For HTTP/1.0 a regular end would end the content, so it is a reset.
    #expect(client.endsCleanly == (version == "1.1"))
    #expect(tap.isLetGo)
  }

  @Test("Draining the server waits for the content")
  func drain() throws {
    let harness = try harness()
    let client = try harness.client()
    client.send("GET /made HTTP/1.1\r\nHost: a\r\n\r\n")
    _ = client.read(through: "\r\n\r\n")
    let ended = DispatchSemaphore(value: 0)
    harness.server.drain { ended.signal() }
    harness.settle()
    tap.give("late", .end)
    #expect(client.readToEnd() == "4\r\nlate\r\n0\r\n\r\n")
    #expect(ended.wait(timeout: .now() + Deadline.hang) == .success)
  }
}
