import Dispatch
import Testing

@testable import MartletHTTP

@Suite("Responses that are sent later")
struct ResponderTests {
  @Test("Responses from another thread are sent in the order of the requests")
  func otherThread() throws {
    let harness = try Harness { router in
      router.addBasics()
      router.on(.get, "/later/{n}") { request, _ in
        .later { responder in
          DispatchQueue.global().async {
            responder.respond(Response(body: .text(request.parameter("n") ?? "")))
          }
        }
      }
    }
    let client = try harness.client()
    client.send((0..<50).map { "GET /later/\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
    for number in 0..<50 { #expect(client.answer().text == String(number)) }
  }

  @Test("A second response is ignored")
  func twice() throws {
    let harness = try Harness { router in
      router.addBasics()
      router.on(.get, "/twice") { _, _ in
        .later { responder in
          responder.respond(Response(body: .text("first")))
          responder.respond(Response(body: .text("second")))
        }
      }
    }
    let client = try harness.client()
    #expect(client.get("/twice").text == "first")
    #expect(client.get("/").text == "OK")
  }

  @Test("A responder that is released without an answer sends 500")
  func dropped() throws {
    let harness = try Harness { router in
      router.addBasics()
      router.on(.get, "/dropped") { _, _ in .later { _ in } }
    }
    let client = try harness.client()
    let answer = client.get("/dropped")
    #expect(answer.status == 500)
    #expect(answer.text.contains("/problems/internal\""))
    #expect(client.get("/").text == "OK")
  }

  @Test("A response for a closed connection does not reach another one")
  func gone() throws {
    let harness = try Harness(loops: 1) { router in
      router.addBasics()
      router.on(.get, "/later") { _, _ in
        .later { responder in
          DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(50)) {
            responder.respond(Response(body: .text("late")))
          }
        }
      }
    }
    do {
      let client = try harness.client()
      client.send("GET /later HTTP/1.1\r\nHost: a\r\n\r\n")
      client.resetsAtEnd()
    }
    while harness.server.connections > 0 { harness.settle() }
    let next = try harness.client()
    for _ in 0..<20 { #expect(next.get("/").text == "OK") }
  }

  @Test("A request can be kept")
  func keptRequest() throws {
    let harness = try Harness { router in
      router.addBasics()
      router.on(.post, "/keep/{n}") { request, _ in
        .later { responder in
          DispatchQueue.global().async {
            let text = "\(request.path) \(request.fields["X-Name"] ?? "") \(request.body.string)"
            responder.respond(Response(body: .text(text)))
          }
        }
      }
    }
    let clients = try (0..<4).map { _ in try harness.client() }
    for round in 0..<20 {
      for (number, client) in clients.enumerated() {
        client.send(
          "POST /keep/\(number) HTTP/1.1\r\nHost: a\r\nX-Name: n\(round)\r\n"
            + "Content-Length: 3\r\n\r\nb\(number)!")
      }
      for (number, client) in clients.enumerated() {
        #expect(client.answer().text == "/keep/\(number) n\(round) b\(number)!")
      }
    }
  }
}
