import Dispatch
import MartletTime
import Synchronization
import Testing

@testable import MartletHTTP

@Suite("A route decides before a body is read (item 87)", .timeLimit(.minutes(1)))
struct AdmissionTests {
  private final class Held: Sendable {
    let responder = Mutex<Responder?>(nil)
    let arrived = DispatchSemaphore(value: 0)
    let asked = Atomic(0)
  }

  /// `/in` has every body read; `/out` none; `/later` as the test says.
  private func harness(
    _ held: Held = Held(), clock: TestClock? = nil
  ) throws -> Harness {
    try Harness(loops: 1, clock: clock) { router in
      let answer: Router.Handler = { request, _ in
        .respond(Response(body: .text("\(request.id) \(request.body.string)")))
      }
      router.on(
        .post, "/in",
        admit: { request, _ in
          held.asked.add(1, ordering: .relaxed)
          var request = request
          request.id = "known"
          return .adding(Fields(["X-Standing": "good"]), .readBody(request))
        }, answer)
      router.on(
        .post, "/out",
        admit: { _, _ in
          held.asked.add(1, ordering: .relaxed)
          return .respond(Response(.unauthorized))
        }, answer)
      router.on(
        .post, "/later",
        admit: { _, _ in
          .later { responder in
            held.responder.withLock { $0 = responder }
            held.arrived.signal()
          }
        }, answer)
      router.on(.post, "/again") { request, _ in .readBody(request) }
      router.on(.get, "/") { _, _ in .respond(Response(body: .text("OK"))) }
    }
  }

  @Test("the handler gets the request that was admitted, and the answer its fields; once")
  func admitted() throws {
    let held = Held()
    let harness = try harness(held)
    let client = try harness.client()
    for _ in 0..<2 {
      client.send(
        "POST /in HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
      #expect(client.answer(toHead: true).status == 100)
      client.send("hi")
      let answer = client.answer()
      #expect(answer.text == "known hi" && answer.field("X-Standing") == "good")
    }
    #expect(held.asked.load(ordering: .relaxed) == 2)
    // Without a body there is nothing to decide.
    client.send("POST /out HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")
    #expect(client.answer().status == 200)
    #expect(held.asked.load(ordering: .relaxed) == 2)
  }

  @Test(
    "a refusal comes instead of 100, and before a long or endless body, and ends the connection",
    arguments: [
      "Expect: 100-continue\r\nContent-Length: 2\r\n", "Content-Length: 1000000\r\n",
      "Transfer-Encoding: chunked\r\n",
    ])
  func refused(_ fields: String) throws {
    let harness = try harness()
    let client = try harness.client()
    client.send("POST /out HTTP/1.1\r\nHost: a\r\n\(fields)\r\n")
    let answer = client.answer()
    #expect(answer.status == 401 && answer.field("Connection") == "close")
    client.halfClose()
    #expect(client.endsCleanly)
  }

  @Test("behind a short body that was refused the connection goes on with the next request")
  func skipped() throws {
    let harness = try harness()
    let client = try harness.client()
    let head = "POST /out HTTP/1.1\r\nHost: a\r\nContent-Length: 40\r\n\r\n"
    let body = "GET /none HTTP/1.1\r\nHost: a\r\n\r\n123456789"
    #expect(body.utf8.count == 40)
    client.send(head)
    #expect(client.answer().status == 401)
    for byte in body.utf8 { client.send([byte]) }
    #expect(client.get("/").text == "OK")
    client.send(head + body + head + body + "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(client.answer().status == 401 && client.answer().status == 401)
    #expect(client.answer().text == "OK")
  }

  @Test("while the decision takes its time nothing is read; then the body is")
  func later() throws {
    let held = Held()
    let harness = try harness(held)
    let client = try harness.client()
    client.send("POST /later HTTP/1.1\r\nHost: a\r\nContent-Length: 200000\r\n\r\n")
    held.arrived.wait()
    let body = String(repeating: "x", count: 200_000)
    DispatchQueue.global().async { [client = UncheckedBox(client)] in client.value.send(body) }
    harness.settle()
    held.responder.withLock { $0.take() }?.proceed { _ in .respond(Response(.forbidden)) }
    #expect(client.answer().status == 403)

    let second = try harness.client()
    second.send("POST /later HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi")
    held.arrived.wait()
    // What a layer above would do: keep the request, and hand it on when it is known.
    held.responder.withLock { $0.take() }?.respond(Response(.unauthorized))
    #expect(second.answer().status == 401)
    #expect(second.get("/").text == "OK")
  }

  @Test("a decision that never comes is 503 at the handler's time")
  func timeout() throws {
    let held = Held()
    let clock = TestClock()
    let harness = try harness(held, clock: clock)
    let client = try harness.client()
    client.send("POST /later HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n")
    held.arrived.wait()
    clock.advance(milliseconds: 30_001)
    harness.settle()
    #expect(client.answer().status == 503)
    held.responder.withLock { $0 = nil }
  }

  @Test("one that is dropped is 500, as is a handler that asks for a body it has")
  func mistakes() throws {
    let held = Held()
    let harness = try harness(held)
    let client = try harness.client()
    client.send("POST /later HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi")
    held.arrived.wait()
    held.responder.withLock { $0 = nil }
    #expect(client.answer().status == 500)
    client.send("POST /again HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi")
    #expect(client.answer().status == 500)
  }
}
