import Dispatch
import MartletTesting
import Synchronization
import Testing

@testable import MartletHTTP

@Suite("Responses that are gathered") struct GatheringTests {
  @Test("All gathered responses arrive on all loops, even nested ones")
  func answers() throws {
    let waiting = Mutex<[Responder]>([])
    let arrived = DispatchSemaphore(value: 0)
    let harness = try Harness(loops: 3) { router in
      router.on(.get, "/later") { _, _ in
        .later { responder in
          waiting.withLock { $0.append(responder) }
          arrived.signal()
        }
      }
    }
    let clients = try (0..<30).map { _ in try harness.client() }
    for _ in 0..<3 {
      for client in clients { client.send("GET /later HTTP/1.1\r\nHost: a\r\n\r\n") }
      for _ in clients { #expect(arrived.wait(timeout: .now() + Deadline.hang) == .success) }
      let responders = waiting.withLock { waiting in
        defer { waiting = [] }
        return waiting
      }
      HTTPServer.gathering {
        for responder in responders[..<10] { responder.respond(Response(body: .text("one"))) }
        HTTPServer.gathering {
          for responder in responders[10...] { responder.respond(Response(body: .text("two"))) }
        }
      }
      let texts = clients.map { $0.answer().text }
      #expect(texts.count { $0 == "one" } == 10 && texts.count { $0 == "two" } == 20)
    }
  }
}
