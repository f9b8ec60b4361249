import Dispatch
import MartletTesting
import MartletTime
import Synchronization
import Testing

@testable import MartletHTTP

@Suite("A client that goes away while its response is pending")
struct CancellationTests {
  /// Routes that keep their responders: `/later` and `/stream` wait for a response.
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

  private func wasCancelled() -> Bool {
    kept.cancelled.wait(timeout: .now() + Deadline.hang) == .success
  }

  @Test(
    "A reset closes the connection and cancels the responder once (item 39)",
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

  @Test("A reset that comes with the request is noticed, too (item 39)")
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
    // Accepted in one iteration, read in the next at the latest.
    for _ in 0..<3 { harness.settle() }
    #expect(harness.events.list.count == 2, "accepted, closed")
    #expect(harness.server.connections == 0)
  }

  @Test("A client that has closed its sending side waits for a response and gets it (item 39)")
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

  @Test("A client that waits for a stream is gone when it closes its sending side (item 39)")
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

  @Test("A closed sending side is noticed even behind unread requests (item 39)")
  func halfClosedBehindRequests() throws {
    let harness = try harness()
    let client = try harness.client()
    client.send("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n")
    kept.arrived.wait()
    client.send(String(repeating: "GET /later HTTP/1.1\r\nHost: a\r\n\r\n", count: 100))
    client.halfClose()
    #expect(wasCancelled())
  }

  @Test("Cancellation handlers are released with the response")
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
    #expect(isGone.wait(timeout: .now() + Deadline.hang) == .success)
    #expect(kept.current?.isCancelled == false)
  }

  @Test("A handler that is registered after the cancellation runs at once")
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

  @Test("Stopping the server cancels pending responders")
  func stopped() throws {
    let harness = try harness()
    let client = try harness.client()
    client.send("GET /later HTTP/1.1\r\nHost: a\r\n\r\n")
    kept.arrived.wait()
    harness.server.stop()
    #expect(kept.current?.isCancelled == true)
  }

  @Test("A request without a response gets 503 with Retry-After (item 37)")
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
    // The loop sleeps by the real clock; a message makes it read the test's clock.
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
    #expect(kept.current?.commit() == false, "the client was told that nothing was changed")
  }

  @Test(
    "A timeout after commit gets 500 with an unknown outcome (item 37)", arguments: [false, true])
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

  @Test("An answered request is not canceled, even if its response is not sent yet")
  func answered() throws {
    let responder = Responder(mailbox: try Mailbox(), connection: ConnectionID(token: 0))
    #expect(responder.commit())
    responder.respond(Response())
    #expect(responder.cancel() == nil)
    #expect(!responder.isCancelled)
  }
}
