import Dispatch
import MartletTime
import Synchronization
import Testing

@testable import MartletHTTP

@Suite("A client that goes away while its answer is awaited")
struct CancellationTests {
  /// Routes that keep their responders: `/later` and `/stream` wait for an answer.
  private final class Kept: Sendable {
    let responder = Mutex<Responder?>(nil)
    let arrived = DispatchSemaphore(value: 0)
    let cancelled = DispatchSemaphore(value: 0)
    let count = Atomic(0)

    var current: Responder? { responder.withLock { $0 } }

    func add(to router: inout Router) {
      router.on(.get, "/later") { _, _ in .later { self.keep($0) } }
      router.on(.get, "/stream") { _, _ in .laterStream { self.keep($0) } }
    }

    private func keep(_ responder: Responder) {
      responder.onCancel {
        self.count.add(1, ordering: .relaxed)
        self.cancelled.signal()
      }
      self.responder.withLock { $0 = responder }
      arrived.signal()
    }
  }

  private let kept = Kept()

  private func harness(
    clock: TestClock? = nil, _ configure: (inout HTTPServer.Configuration) -> Void = { _ in }
  ) throws -> Harness {
    try Harness(loops: 1, clock: clock, configure: configure) { kept.add(to: &$0) }
  }

  private func wasCancelled() -> Bool { kept.cancelled.wait(timeout: .now() + 10) == .success }

  @Test(
    "a reset closes the connection and tells who was to answer, once (item 39)",
    arguments: ["later", "stream"])
  func reset(_ route: String) throws {
    let harness = try harness()
    do {
      let client = try harness.client()
      client.send("GET /\(route) HTTP/1.1\r\nHost: a\r\n\r\n")
      kept.arrived.wait()
      #expect(kept.current?.isCancelled == false)
      client.resetsAtEnd()
    }
    #expect(wasCancelled())
    harness.settle()
    #expect(harness.server.connections == 0)
    #expect(kept.current?.isCancelled == true)
    kept.current?.respond(Response())
    harness.settle()
    let told = kept.count.load(ordering: .relaxed)
    #expect(told == 1)
  }

  @Test("also when the reset came with the request (item 39)")
  func resetAtOnce() throws {
    let harness = try harness { $0.interests = .connections }
    let isHeld = DispatchSemaphore(value: 0)
    let mayGoOn = DispatchSemaphore(value: 0)
    harness.server.onEachLoop { _ in
      isHeld.signal()
      mayGoOn.wait()
    }
    isHeld.wait()
    do {
      let client = try harness.client()
      client.send("GET /later HTTP/1.1\r\nHost: a\r\n\r\n")
      client.resetsAtEnd()
    }
    mayGoOn.signal()
    // Accepted in one turn, read in the next at the latest.
    for _ in 0..<3 { harness.settle() }
    #expect(harness.events.list.count == 2, "accepted, closed")
    #expect(harness.server.connections == 0)
  }

  @Test("a client that has closed its side waits for an answer, and gets it (item 39)")
  func halfClosed() throws {
    let harness = try harness()
    let client = try harness.client()
    client.send("GET /later HTTP/1.1\r\nHost: a\r\n\r\n")
    kept.arrived.wait()
    client.halfClose()
    for _ in 0..<3 { harness.settle() }
    #expect(kept.current?.isCancelled == false)
    kept.current?.respond(Response(body: .text("late")))
    #expect(client.readToEnd().hasSuffix("late"))
    let told = kept.count.load(ordering: .relaxed)
    #expect(told == 0)
  }

  @Test("a client that awaits a stream is gone when it closes its side (item 39)")
  func halfClosedStream() throws {
    let harness = try harness()
    let client = try harness.client()
    client.send("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n")
    kept.arrived.wait()
    client.halfClose()
    #expect(wasCancelled())
    #expect(client.readToEnd() == "")
    harness.settle()
    #expect(harness.server.connections == 0)
  }

  @Test("also behind requests that nobody reads any more (item 39)")
  func halfClosedBehindRequests() throws {
    let harness = try harness()
    let client = try harness.client()
    client.send("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n")
    kept.arrived.wait()
    client.send(String(repeating: "GET /later HTTP/1.1\r\nHost: a\r\n\r\n", count: 100))
    client.halfClose()
    #expect(wasCancelled())
  }

  @Test("what is told of a cancellation is let go with the answer, and holds nothing alive")
  func released() throws {
    final class Witness: Sendable {
      let isGone: DispatchSemaphore
      init(_ isGone: DispatchSemaphore) { self.isGone = isGone }
      deinit { isGone.signal() }
    }
    let harness = try harness()
    let client = try harness.client()
    client.send("GET /later HTTP/1.1\r\nHost: a\r\n\r\n")
    kept.arrived.wait()
    let isGone = DispatchSemaphore(value: 0)
    if let responder = kept.current {
      let witness = Witness(isGone)
      responder.onCancel { _ = witness }
      responder.respond(Response())
    }
    #expect(client.answer().status == 200)
    #expect(isGone.wait(timeout: .now() + 10) == .success)
    #expect(kept.current?.isCancelled == false)
  }

  @Test("who asks too late is told at once")
  func tooLate() throws {
    let harness = try harness()
    let client = try harness.client()
    client.send("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n")
    kept.arrived.wait()
    client.halfClose()
    #expect(wasCancelled())
    kept.current?.onCancel { self.kept.count.add(1, ordering: .relaxed) }
    let told = kept.count.load(ordering: .relaxed)
    #expect(told == 2)
  }

  @Test("stopping the server tells those who were to answer")
  func stopped() throws {
    let harness = try harness()
    let client = try harness.client()
    client.send("GET /later HTTP/1.1\r\nHost: a\r\n\r\n")
    kept.arrived.wait()
    harness.server.stop()
    #expect(kept.current?.isCancelled == true)
  }

  @Test("an answer that does not come is 503, with when to come back (item 37)")
  func timeout() throws {
    let clock = TestClock()
    let harness = try harness(clock: clock) {
      $0.limits.handlerTimeout = .milliseconds(5_000)
      $0.interests = [.requests]
    }
    let client = try harness.client()
    client.send("GET /later HTTP/1.1\r\nHost: a\r\n\r\n")
    kept.arrived.wait()
    clock.advance(milliseconds: 5_000)
    // The loop sleeps by the real clock: a message makes it look at this one.
    harness.settle()
    let answer = client.answer()
    #expect(answer.status == 503)
    #expect(answer.field("Retry-After") == "5")
    #expect(answer.field("Connection") == "close")
    #expect(answer.text.contains("/problems/overloaded\""))
    #expect(kept.current?.isCancelled == true)
    kept.current?.respond(Response(body: .text("late")))
    #expect(client.readToEnd() == "")
    guard case .requestFinished(let finished)? = harness.events.list.first else {
      Issue.record("The request was not reported.")
      return
    }
    #expect(finished.status == .serviceUnavailable)
    #expect(kept.current?.commit() == false, "the client was told that nothing was done")
  }

  @Test(
    "what may be done by then is 500, and not called undone (item 37)", arguments: [false, true])
  func timeoutAfterCommit(_ isAskedLate: Bool) throws {
    let clock = TestClock()
    let harness = try harness(clock: clock) { $0.limits.handlerTimeout = .milliseconds(5_000) }
    let client = try harness.client()
    client.send("GET /later HTTP/1.1\r\nHost: a\r\n\r\n")
    kept.arrived.wait()
    #expect(kept.current?.commit() == true)
    if isAskedLate { kept.current?.onCancel {} }
    clock.advance(milliseconds: 5_000)
    harness.settle()
    let answer = client.answer()
    #expect(answer.status == 500)
    #expect(answer.text.contains("/problems/outcome-unknown\""))
  }

  @Test("a request that was answered is not given up, wherever its answer is")
  func answered() throws {
    let responder = Responder(mailbox: try Mailbox(), connection: ConnectionID(token: 0))
    #expect(responder.commit())
    responder.respond(Response())
    #expect(responder.cancel() == nil)
    #expect(!responder.isCancelled)
  }
}
