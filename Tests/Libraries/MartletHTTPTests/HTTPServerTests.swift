import Dispatch
import Foundation
import Glibc
import MartletTime
import Synchronization
import Testing

@testable import MartletHTTP

@Suite("A server with real sockets")
struct HTTPServerTests {
  private func harness(_ configure: (inout HTTPServer.Configuration) -> Void = { _ in }) throws
    -> Harness
  {
    try Harness(configure: configure) { $0.addBasics() }
  }

  @Test("A connection stays open for the next request (item 34)")
  func keepAlive() throws {
    let harness = try harness()
    let client = try harness.client()
    for _ in 0..<3 {
      let answer = client.get("/")
      #expect(answer.status == 200)
      #expect(answer.text == "OK")
      #expect(answer.field("Connection") == nil)
      #expect(answer.field("Date")?.hasSuffix(" GMT") == true)
    }
  }

  @Test("A thousand pipelined requests in one write are answered in order (item 35)")
  func pipelining() throws {
    let harness = try harness()
    let client = try harness.client()
    let requests = (0..<1000).map { "GET /size/\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined()
    DispatchQueue.global().async { [client = UncheckedBox(client)] in client.value.send(requests) }
    for size in 0..<1000 {
      let answer = client.answer()
      #expect(answer.status == 200)
      #expect(answer.body.count == size)
    }
  }

  @Test("Pipelined responses that exceed the socket buffer wait for the client (item 35)")
  func backPressure() throws {
    let harness = try harness()
    let client = try harness.client(receiveBuffer: 4096)
    let requests = String(repeating: "GET /size/100000 HTTP/1.1\r\nHost: a\r\n\r\n", count: 200)
    DispatchQueue.global().async { [client = UncheckedBox(client)] in client.value.send(requests) }
    var total = 0
    for _ in 0..<200 { total += client.answer().body.count }
    #expect(total == 20_000_000)
  }

  @Test("A request can arrive with one byte per write (item 36)")
  func byteByByte() throws {
    let harness = try harness()
    let client = try harness.client()
    for byte in "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello".utf8 {
      client.send([byte])
    }
    #expect(client.answer().text == "hello")
  }

  @Test("A client that has closed its sending side gets its response (item 39)")
  func halfClosed() throws {
    let harness = try harness()
    let client = try harness.client()
    client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    client.halfClose()
    #expect(client.readToEnd().hasSuffix("\r\n\r\nOK"))
  }

  @Test("A client that has closed its sending side gets a large response slowly (item 39)")
  func halfClosedSlowly() throws {
    let harness = try harness()
    let client = try harness.client(receiveBuffer: 4096)
    client.send("GET /size/20000000 HTTP/1.1\r\nHost: a\r\n\r\n")
    client.halfClose()
    #expect(client.answer().body.count == 20_000_000)
    #expect(client.readToEnd() == "")
  }

  @Test("Connection: close is sent, and the connection closes (item 34)")
  func close() throws {
    let harness = try harness()
    let client = try harness.client()
    client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    let all = client.readToEnd()
    #expect(all.contains("Connection: close\r\n"))
    #expect(all.hasSuffix("OK"))
  }

  @Test("HTTP/1.0 connections stay open with keep-alive (item 34)")
  func keepAlive10() throws {
    let harness = try harness()
    let client = try harness.client()
    client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
    #expect(client.answer().field("Connection") == "keep-alive")
    client.send("GET / HTTP/1.0\r\n\r\n")
    #expect(client.readToEnd().contains("Connection: close"))
  }

  @Test("HEAD has the fields of GET and no content; the connection stays in step (item 45)")
  func head() throws {
    let harness = try harness()
    let client = try harness.client()
    client.send("HEAD /size/77 HTTP/1.1\r\nHost: a\r\n\r\n")
    let head = client.answer(toHead: true)
    #expect(head.field("Content-Length") == "77")
    #expect(client.get("/").text == "OK")
  }

  @Test("OPTIONS, 405 and TRACE have Allow; unknown paths get 404 (item 49, item 50)")
  func misses() throws {
    let harness = try harness()
    let client = try harness.client()
    client.send("OPTIONS /echo HTTP/1.1\r\nHost: a\r\n\r\n")
    let options = client.answer()
    #expect(options.status == 204)
    #expect(options.field("Allow") == "POST, OPTIONS")
    #expect(options.field("Content-Length") == nil)
    client.send("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(client.answer().field("Allow") == "GET, HEAD, POST, OPTIONS")
    client.send("DELETE / HTTP/1.1\r\nHost: a\r\n\r\n")
    let refused = client.answer()
    #expect(refused.status == 405)
    #expect(refused.field("Allow") == "GET, HEAD, OPTIONS")
    #expect(refused.field("Content-Type") == "application/problem+json")
    client.send("TRACE / HTTP/1.1\r\nHost: a\r\nX-Secret: 1\r\n\r\n")
    let trace = client.answer()
    #expect(trace.status == 405)
    #expect(!trace.text.contains("X-Secret"))
    #expect(client.get("/none").status == 404)
    #expect(client.get("/size/").status == 404)
  }

  @Test("413 reaches a client that continues to send (item 9, item 31)")
  func tooLarge() throws {
    let harness = try harness { $0.limits.body = 1000 }
    let client = try harness.client()
    client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 30000\r\n\r\n")
    client.send(String(repeating: "x", count: 30_000))
    let answer = client.answer()
    #expect(answer.status == 413)
    #expect(answer.field("Connection") == "close")
    #expect(client.readToEnd() == "")
  }

  @Test("A chunked body is refused when it reaches the limit (item 31)")
  func chunkedTooLarge() throws {
    let harness = try harness { $0.limits.body = 1000 }
    let client = try harness.client()
    client.send("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
    client.send("3E8\r\n" + String(repeating: "x", count: 1000) + "\r\n")
    client.send("1\r\nx\r\n")
    #expect(client.answer().status == 413)
  }

  @Test("A route can have its own body limit (item 31)")
  func routeLimit() throws {
    let harness = try Harness { router in
      router.on(.post, "/large", bodyLimit: 4 << 20) { request, _ in
        .respond(Response(body: .text(String(request.body.count))))
      }
    }
    let client = try harness.client()
    let size = 3 << 20
    client.send("POST /large HTTP/1.1\r\nHost: a\r\nContent-Length: \(size)\r\n\r\n")
    client.send([UInt8](repeating: 0x61, count: size))
    #expect(client.answer().text == String(size))
  }

  @Test("Long targets get 414, long fields 431 (item 10)")
  func tooLong() throws {
    let harness = try harness()
    let long = try harness.client()
    long.send("GET /" + String(repeating: "a", count: 9000))
    #expect(long.answer().status == 414)
    let large = try harness.client()
    large.send("GET / HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "a", count: 9000))
    #expect(large.answer().status == 431)
  }

  @Test("100 Continue is sent when the body is wanted (item 32)")
  func expectContinue() throws {
    let harness = try harness()
    let client = try harness.client()
    client.send(
      "POST /echo HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
    #expect(client.read(through: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
    client.send("hi")
    #expect(client.answer().text == "hi")
  }

  @Test(
    "The final status is sent at once when the body is not wanted (item 32)",
    arguments: [("/none", 2, 404), ("/", 2, 405), ("/echo", 2_000_000, 413)])
  func expectRefused(_ path: String, _ length: Int, _ status: Int) throws {
    let harness = try harness()
    let client = try harness.client()
    client.send(
      "POST \(path) HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: \(length)\r\n\r\n"
    )
    #expect(client.answer().status == status)
    #expect(client.readToEnd() == "")
  }

  @Test("A body without a route is skipped, not read as a request (item 33)")
  func bodyForNobody() throws {
    let harness = try harness()
    let client = try harness.client()
    let smuggled = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n"
    client.send(
      "POST /none HTTP/1.1\r\nHost: a\r\nContent-Length: \(smuggled.utf8.count)\r\n\r\n\(smuggled)")
    #expect(client.answer().status == 404)
    #expect(client.get("/").text == "OK")
  }

  @Test("Other hosts get 421 (item 18)")
  func allowedHosts() throws {
    let harness = try harness { $0.allowedHosts = ["localhost", "[::1]"] }
    // An absolute target's authority takes precedence over the Host field.
    for (target, host, status) in [
      ("http://localhost:80/", "localhost", 200), ("http://localhost/", "evil.example", 200),
      ("http://evil.example/", "localhost", 421),
    ] {
      let client = try harness.client()
      client.send("GET \(target) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
      #expect(client.answer().status == status)
    }
    for (host, status) in [("LOCALHOST:81", 200), ("[::1]:81", 200), ("evil", 421)] {
      let client = try harness.client()
      client.send("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n")
      #expect(client.answer().status == status)
    }
  }

  @Test("The connection closes after the maximum number of requests (item 38)")
  func requestsPerConnection() throws {
    let harness = try harness { $0.limits.requestsPerConnection = 2 }
    let client = try harness.client()
    #expect(client.get("/").field("Connection") == nil)
    #expect(client.get("/").field("Connection") == "close")
    #expect(client.readToEnd() == "")
  }

  @Test("Too many connections get 503 with Retry-After (item 38, item 49)")
  func connections() throws {
    let harness = try harness { $0.limits.connections = 2 }
    var clients = [try harness.client(), try harness.client()]
    for client in clients { #expect(client.get("/").status == 200) }
    let refused = try harness.client()
    let answer = refused.answer()
    #expect(answer.status == 503)
    #expect(answer.field("Retry-After") == "5")
    #expect(answer.text.contains("/problems/overloaded"))
    clients.removeLast()
    while harness.server.connections > 1 { harness.settle() }
    #expect(try harness.client().get("/").status == 200)
  }

  @Test("Too many connections of one counted address get 503 (item 38)")
  func connectionsOfOneAddress() throws {
    let harness = try harness {
      $0.limits.connectionsPerAddress = 1
      $0.isCounted = { _ in true }
    }
    let first = try harness.client()
    #expect(first.get("/").status == 200)
    #expect(try harness.client().answer().status == 503)
  }

  @Test("Every response has the configured fields, even the server's own errors")
  func commonFields() throws {
    let harness = try harness { $0.fields = Fields(["X-Served-By": "here"]) }
    let client = try harness.client()
    #expect(client.get("/").field("X-Served-By") == "here")
    client.send("BAD\r\n\r\n")
    let answer = client.answer()
    #expect(answer.status == 400)
    #expect(answer.field("X-Served-By") == "here")
  }

  @Test("A port in use is reported")
  func portInUse() throws {
    let harness = try harness()
    var configuration = HTTPServer.Configuration()
    configuration.host = "127.0.0.1"
    configuration.port = harness.port
    let second = try HTTPServer(configuration: configuration, router: Router())
    let error = #expect(throws: SystemError.self) { _ = try second.start() }
    #expect(error?.code == EADDRINUSE)
    #expect(error?.description.contains("127.0.0.1:\(harness.port)") == true)
  }

  @Test("localhost is served on IPv4 and IPv6")
  func localhost() throws {
    let harness = try harness { $0.host = "localhost" }
    #expect(try RawClient(harness.port).get("/").text == "OK")
    if let client = try? RawClient(harness.port, host: "::1") {
      #expect(client.get("/").text == "OK")
    }
  }

  /// Whether this machine has IPv6.
  private static let hasIPv6 = (try? HTTPServer.tryAddress(host: "::1", port: 0)) != nil

  @Test("An empty host and :: mean every address", arguments: ["", "::", "[::]"])
  func everyAddress(host: String) throws {
    guard host.isEmpty || HTTPServerTests.hasIPv6 else { return }
    let harness = try harness { $0.host = host }
    #expect(try RawClient(harness.port).get("/").text == "OK")
    if HTTPServerTests.hasIPv6 {
      #expect(try RawClient(harness.port, host: "::1").get("/").text == "OK")
    }
  }

  @Test("Any other IPv6 address is no IPv4 address", .enabled(if: hasIPv6))
  func onlyIPv6() throws {
    let harness = try harness { $0.host = "::1" }
    #expect(try RawClient(harness.port, host: "::1").get("/").text == "OK")
    #expect(throws: (any Error).self) { try RawClient(harness.port) }
  }

  @Test("The handler of missing routes gets bodies if it asks for them")
  func missedBodies() throws {
    let harness = try Harness { router in
      router.readsMissedBodies = true
      router.missed = { _, request, _ in
        Response(.notFound, body: .text(String(request.body.count)))
      }
    }
    let client = try harness.client()
    client.send("POST /none HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n")
    client.send([UInt8](repeating: 0x61, count: 100_000))
    #expect(client.answer().text == "100000")
    #expect(client.get("/").text == "0")
  }

  @Test("Events are reported for the configured interests")
  func events() throws {
    let harness = try Harness(configure: { $0.interests = [.requests, .trouble] }) {
      $0.addBasics()
    }
    let client = try harness.client()
    _ = client.get("/size/9?a=b", "X: 1\r\n")
    client.send("BAD\r\n\r\n")
    _ = client.readToEnd()
    var lines: [String] = []
    for event in harness.events.list {
      switch event {
      case .requestFinished(let finished):
        lines.append(
          "\(finished.request.method) \(finished.request.target.raw) \(finished.status.rawValue)"
            + " \(finished.bytes)")
      case .requestRejected(_, let error): lines.append("\(error.status.rawValue) \(error.section)")
      default: lines.append("unexpected")
      }
    }
    #expect(lines == ["GET /size/9?a=b 200 9", "400 RFC 9112 3"])
  }

  @Test("Slow heads time out, and a normal client is not delayed (item 37, item 82)")
  func slowHeads() throws {
    let clock = TestClock()
    let harness = try Harness(clock: clock) { $0.addBasics() }
    let slow = try (0..<200).map { _ in try harness.client() }
    for client in slow { client.send("GET / HTTP/1.1\r\nHost: a\r\nX: ") }
    #expect(try harness.client().get("/").status == 200)
    while harness.server.connections < 200 { harness.settle() }
    clock.advance(milliseconds: 10_001)
    // A client whose bytes had not been read by now is closed without a response.
    for client in slow {
      harness.settle()
      let answer = client.readToEnd()
      #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 408"))
    }
    #expect(try harness.client().get("/").status == 200)
  }

  @Test("stop closes open connections")
  func stop() throws {
    let harness = try harness()
    let client = try harness.client()
    #expect(client.get("/").status == 200)
    harness.server.stop()
    #expect(client.readToEnd() == "")
    #expect(throws: (any Error).self) { try RawClient(harness.port) }
  }
}

/// `@unchecked Sendable`: one thread sends while the other reads, which sockets allow.
struct UncheckedBox<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}
