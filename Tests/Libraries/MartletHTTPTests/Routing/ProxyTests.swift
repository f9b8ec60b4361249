import MartletTime
import Synchronization
import Testing

@testable import MartletHTTP

@Suite("Requests through a proxy") struct ProxyTests {
  @Test(
    "The last address in X-Forwarded-For is the client if the proxy is trusted",
    arguments: [
      ("X-Forwarded-For: 203.0.113.9", "203.0.113.9"),
      ("X-Forwarded-For: 198.51.100.1, 203.0.113.9", "203.0.113.9"),
      ("X-Forwarded-For: 198.51.100.1\r\nX-Forwarded-For: \t[2001:db8::7] ", "2001:db8::7"),
      ("X-Forwarded-For: \", 203.0.113.9", "203.0.113.9"),
      ("X-Forwarded-For: unknown", "127.0.0.1"),
      ("X-Forwarded-For: 203.0.113.9:1234", "203.0.113.9"),
      ("X-Forwarded-For: [2001:db8::7]:1234", "2001:db8::7"),
      ("X-Forwarded-For: ,", "127.0.0.1"),
      ("Forwarded: for=203.0.113.9", "127.0.0.1"),
    ])
  func client(fields: String, address: String) throws {
    for isTrusted in [true, false] {
      let harness = try Harness {
        $0.isTrusted = { _ in isTrusted }
      } routes: {
        $0.on(.get, "/") { request, _ in
          .respond(Response(body: .text(request.client.address)))
        }
      }
      let text = try harness.client().get("/", fields + "\r\n").text
      #expect(text == (isTrusted ? address : "127.0.0.1"))
    }
  }

  @Test("The clients of a trusted proxy are counted, not the proxy")
  func rate() throws {
    let harness = try Harness(clock: TestClock()) {
      $0.limits.requestsPerMinute = 60
      $0.limits.requestBurst = 1
      $0.isTrusted = { _ in true }
    } routes: {
      $0.addBasics()
    }
    let client = try harness.client()
    func status(_ address: String) -> Int {
      client.get("/", "X-Forwarded-For: \(address)\r\n").status
    }
    #expect(status("203.0.113.1") == 200)
    #expect(status("203.0.113.2") == 200)
    #expect(status("203.0.113.1") == 429)
    // Clients that the proxy names without an address count as one.
    #expect([status("unknown"), status("_hidden")] == [200, 429])
    // The proxy's own requests come from loopback.
    #expect([client.get("/").status, client.get("/").status] == [200, 200])
  }

  @Test("Fields for the response to a request are on every response to it and on no other")
  func answerFields() throws {
    let harness = try Harness {
      $0.answerFields = { request in
        request.fields["Origin"].map { Fields(["Access-Control-Allow-Origin": $0]) } ?? .none
      }
    } routes: { router in
      router.addBasics()
      router.on(.get, "/later") { _, _ in
        .later { $0.respond(Response(body: .text("later"))) }
      }
    }
    let client = try harness.client()
    for path in ["/", "/later", "/nowhere"] {
      let answer = client.get(path, "Origin: https://a.example\r\n")
      #expect(answer.field("Access-Control-Allow-Origin") == "https://a.example")
      #expect(client.get(path).field("Access-Control-Allow-Origin") == nil)
    }
  }
}
