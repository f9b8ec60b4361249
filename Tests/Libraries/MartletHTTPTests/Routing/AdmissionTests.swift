import Dispatch
import MartletTime
import Synchronization
import Testing

@testable import MartletHTTP

@Suite("A route decides before a body is read (item 87)", .timeLimit(.minutes(10)))
struct AdmissionTests {
  private final class Held: Sendable {
    let responder = Mutex<Responder?>(nil)
    let arrived = DispatchSemaphore(value: 0)
    let asked = Atomic(0)
  }

  /// `/in` reads every body, `/out` none, and `/later` lets the test decide.
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

  @Test("The handler gets the admitted request once, and the response its fields")
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
    "A refusal is sent instead of 100 or a long body, and ends the connection",
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

  @Test("After a short refused body the connection continues with the next request")
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

  @Test("No body is read while the decision is pending; then it is")
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
    // A higher layer would keep the request and continue when the caller is known.
    held.responder.withLock { $0.take() }?.respond(Response(.unauthorized))
    #expect(second.answer().status == 401)
    #expect(second.get("/").text == "OK")
  }

  @Test("A decision that never comes gets 503 at the handler timeout")
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

  @Test("A dropped decision gets 500, and so does a handler that asks for a body again")
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
