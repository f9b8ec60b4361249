import Dispatch
import MartletTesting
import Synchronization
import Testing

@testable import MartletHTTP

@Suite("Graceful drain (item 43)")
struct DrainTests {
  private final class Held: Sendable {
    let responder = Mutex<Responder?>(nil)
    let arrived = DispatchSemaphore(value: 0)
  }

  private func drain(_ harness: Harness, seconds: Int = 10) -> DispatchSemaphore {
    let done = DispatchSemaphore(value: 0)
    harness.server.drain(within: .seconds(seconds)) { done.signal() }
    return done
  }

  @Test("Draining closes idle connections, refuses new ones and ends")
  func idle() throws {
    let harness = try Harness { $0.addBasics() }
    let client = try harness.client()
    #expect(client.get("/").status == 200)
    let done = drain(harness)
    #expect(client.readToEnd() == "")
    #expect(done.wait(timeout: .now() + Deadline.hang) == .success)
    #expect(throws: (any Error).self) { try RawClient(harness.port) }
  }

  @Test("A request in progress is finished with Connection: close")
  func inFlight() throws {
    let held = Held()
    let harness = try Harness { router in
      router.on(.get, "/later") { _, _ in
        .later { responder in
          held.responder.withLock { $0 = responder }
          held.arrived.signal()
        }
      }
    }
    let client = try harness.client()
    client.send("GET /later HTTP/1.1\r\nHost: a\r\n\r\n")
    held.arrived.wait()
    let done = drain(harness)
    // Loops that refuse connections are draining.
    while (try? harness.client()) != nil {}
    held.responder.withLock { $0.take() }?.respond(Response(body: .text("late")))
    let answer = client.answer()
    #expect(answer.text == "late")
    #expect(answer.field("Connection") == "close")
    #expect(done.wait(timeout: .now() + Deadline.hang) == .success)
  }

  @Test("A response that is being sent arrives complete")
  func onItsWay() throws {
    let harness = try Harness { $0.addBasics() }
    let client = try harness.client(receiveBuffer: 4096)
    client.send("GET /size/20000000 HTTP/1.1\r\nHost: a\r\n\r\n")
    _ = client.read(through: "\r\n\r\n")
    let done = drain(harness)
    while (try? harness.client()) != nil {}
    #expect(client.read(20_000_000).count == 20_000_000)
    #expect(client.readToEnd() == "")
    #expect(done.wait(timeout: .now() + Deadline.hang) == .success)
  }

  @Test("Requests sent before the drain are answered, even on connections not read yet")
  func justAccepted() throws {
    let harness = try Harness(loops: 1) { $0.addBasics() }
    let kept = try (0..<24).map { _ in try harness.client() }
    for client in kept { #expect(client.get("/").status == 200) }
    // While the loop is blocked, more clients connect than it accepts per iteration, and all send.
    let isHeld = DispatchSemaphore(value: 0)
    let mayGoOn = DispatchSemaphore(value: 0)
    harness.server.onEachLoop { _ in
      isHeld.signal()
      mayGoOn.wait()
    }
    isHeld.wait()
    let clients = try kept + (0..<100).map { _ in try harness.client() }
    for client in clients { client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n") }
    let done = drain(harness)
    mayGoOn.signal()
    for client in clients {
      #expect(client.answer().text == "OK")
      #expect(client.endsCleanly)
    }
    #expect(done.wait(timeout: .now() + Deadline.hang) == .success)
  }

  @Test("No client that sent a request is reset, whatever the state of the request")
  func noReset() throws {
    let harness = try Harness { $0.addBasics() }
    let clients = try (0..<24).map { _ in try harness.client() }
    for client in clients { client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n") }
    let done = drain(harness)
    for client in clients {
      #expect(client.answer().text == "OK")
      #expect(client.endsCleanly)
    }
    #expect(done.wait(timeout: .now() + Deadline.hang) == .success)
  }

  @Test("Streams send their bye event")
  func streams() throws {
    let harness = try Harness { router in
      router.on(.get, "/live") { _, _ in
        .stream(
          StreamResponse(bye: { _ in
            Event.frame(event: "bye", data: "{}", retry: .milliseconds(500))
          }) { _ in
            Steps()
          })
      }
    }
    let client = try harness.client()
    client.send("GET /live HTTP/1.1\r\nHost: a\r\n\r\n")
    _ = client.read(through: "\r\n\r\n")
    let done = drain(harness)
    #expect(
      client.readToEnd() == "20\r\nretry: 500\nevent: bye\ndata: {}\n\n\r\n0\r\n\r\n")
    #expect(done.wait(timeout: .now() + Deadline.hang) == .success)
  }

  @Test("A stream that was requested before the drain and starts later sends its bye event")
  func lateStream() throws {
    let held = Held()
    let harness = try Harness { router in
      router.on(.get, "/live") { _, _ in
        .laterStream { responder in
          held.responder.withLock { $0 = responder }
          held.arrived.signal()
        }
      }
    }
    let client = try harness.client()
    client.send("GET /live HTTP/1.1\r\nHost: a\r\n\r\n")
    held.arrived.wait()
    let done = drain(harness, seconds: 3600)
    // Loops that refuse connections are draining.
    while (try? harness.client()) != nil {}
    held.responder.withLock { $0.take() }?.stream(
      StreamResponse(bye: { _ in Event.frame(event: "bye", data: "{}") }) { _ in Steps() })
    _ = client.read(through: "\r\n\r\n")
    #expect(client.readToEnd() == "15\r\nevent: bye\ndata: {}\n\n\r\n0\r\n\r\n")
    #expect(done.wait(timeout: .now() + Deadline.hang) == .success)
  }

  @Test("Connections that remain at the deadline are closed")
  func deadline() throws {
    let held = Held()
    let harness = try Harness { router in
      router.on(.get, "/never") { _, _ in
        .later { responder in
          held.responder.withLock { $0 = responder }
          held.arrived.signal()
        }
      }
    }
    let client = try harness.client()
    client.send("GET /never HTTP/1.1\r\nHost: a\r\n\r\n")
    held.arrived.wait()
    let done = drain(harness, seconds: 0)
    #expect(done.wait(timeout: .now() + Deadline.hang) == .success)
    #expect(client.readToEnd() == "")
  }
}
