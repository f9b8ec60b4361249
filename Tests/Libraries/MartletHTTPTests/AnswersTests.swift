import MartletJSON
import Testing

@testable import MartletHTTP

@Suite("Properties of every response")
struct AnswersTests {
  private static let requests: [(request: String, status: Int)] = [
    ("GET / HTTP/1.1\r\nHost: a\r\n\r\n", 200), ("GET / HTTP/1.0\r\n\r\n", 200),
    ("GET /size/0 HTTP/1.1\r\nHost: a\r\n\r\n", 200),
    ("GET /none HTTP/1.1\r\nHost: a\r\n\r\n", 404),
    ("GET /later HTTP/1.1\r\nHost: a\r\n\r\n", 500), ("PUT / HTTP/1.1\r\nHost: a\r\n\r\n", 405),
    ("OPTIONS / HTTP/1.1\r\nHost: a\r\n\r\n", 204), ("GET / HTTP/1.1\r\n\r\n", 400),
    ("BREW / HTTP/1.1\r\nHost: a\r\n\r\n", 501), ("GET / HTTP/3.0\r\n\r\n", 505),
    ("GET /\(String(repeating: "a", count: 9000))", 414),
    ("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 2000000\r\n\r\n", 413),
    ("POST /echo HTTP/1.1\r\nHost: a\r\nExpect: tea\r\n\r\n", 417),
  ]

  private func answer(to request: String) throws -> RawClient.Answer {
    let harness = try Harness(loops: 1) { router in
      router.addBasics()
      router.on(.get, "/later") { _, _ in .later { _ in } }
    }
    let client = try harness.client()
    client.send(request)
    return client.answer()
  }

  @Test("Every response marks its end (item 47)", arguments: requests)
  func end(_ request: String, _ status: Int) throws {
    let answer = try answer(to: request)
    #expect(answer.status == status)
    #expect((answer.field("Content-Length") == nil) == (status == 204))
    #expect(answer.field("Transfer-Encoding") == nil)
  }

  @Test("No reset overtakes a response, even if the body was not read (item 9, item 33)")
  func unreadBody() throws {
    let harness = try Harness(loops: 1) { $0.addBasics() }
    // As nginx sends by default.
    for request in ["POST /none HTTP/1.1\r\nHost: a\r\nConnection: close", "POST /none HTTP/1.0"] {
      let client = try harness.client()
      client.send("\(request)\r\nContent-Length: 100000\r\n\r\n")
      #expect(client.read(through: "\r\n\r\n").hasPrefix("HTTP/1.1 404 "))
      for _ in 0..<3 {
        harness.settle()
        #expect(client.send(String(repeating: "x", count: 10_000)))
      }
    }
  }

  @Test("Every response has a Date and no program name (item 44, item 52)", arguments: requests)
  func fields(_ request: String, _ status: Int) throws {
    let answer = try answer(to: request)
    #expect(answer.field("Date")?.hasSuffix(" GMT") == true)
    #expect(answer.field("Server") == nil)
    #expect(answer.field("X-Powered-By") == nil)
  }

  @Test(
    "Errors are problems that are neither cached nor rendered as pages (item 53, item 61, item 63, item 65)",
    arguments: requests.filter { $0.status >= 400 })
  func problems(_ request: String, _ status: Int) throws {
    let answer = try answer(to: request)
    #expect(answer.field("Content-Type") == "application/problem+json")
    #expect(answer.field("Cache-Control") == "no-store")
    #expect(answer.field("X-Content-Type-Options") == "nosniff")
    #expect(answer.text.contains("\"status\":\(status)"))
    #expect(!answer.text.contains("aaa"), "the response does not echo the request")
  }

  @Test(
    "A body arrives whole after its head, copied or not, alone and pipelined",
    arguments: ["scratch", "bytes", "shared"])
  func bodySizes(kind: String) throws {
    let sizes = [0, 1, 4095, 4096, 4097, 70_000]
    @Sendable func body(_ size: Int) -> [UInt8] {
      (0..<size).map { UInt8(truncatingIfNeeded: $0 % 251) }
    }
    let harness = try Harness { router in
      router.on(.get, "/{n}") { request, context in
        let bytes = body(Int(request.integer("n") ?? 0))
        switch kind {
        case "scratch":
          bytes.withUnsafeBufferPointer { context.scratch.append($0) }
          return .respond(Response(body: .scratch))
        case "bytes": return .respond(Response(body: .bytes(bytes)))
        default: return .respond(Response(body: .shared(SharedBytes(bytes))))
        }
      }
    }
    let client = try harness.client()
    for size in sizes {
      client.send("GET /\(size) HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(client.answer().body == body(size))
    }
    client.send(sizes.map { "GET /\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
    for size in sizes { #expect(client.answer().body == body(size)) }
  }
}
