import MartletJSON
import Testing

@testable import MartletHTTP

@Suite("Connections to other servers", .timeLimit(.minutes(10))) struct ClientConnectionTests {
  private static let host = Fields(["Host": "localhost"])

  private func connect(_ port: UInt16) throws -> ClientConnection {
    try ClientConnection(to: "127.0.0.1:\(port)", timeout: .seconds(20))
  }

  @Test("Requests follow each other on a connection")
  func requests() throws {
    let server = try Harness { $0.addBasics() }
    let connection = try connect(server.port)
    #expect(text(try connection.send(.get, "/", Self.host, largest: 100)) == "OK")
    let body = SharedBytes(Array(repeating: UInt8(ascii: "x"), count: 200_000))
    let echo = try connection.send(.post, "/echo", Self.host, body: body, largest: 200_000)
    #expect(text(echo).utf8.count == 200_000)
    #expect(try connection.send(.post, "/echo", Self.host, largest: 0).status == .ok)
    #expect(
      try connection.send(.delete, "/", Self.host, largest: 10_000).status == .methodNotAllowed)
    #expect(connection.isUsable)
    var count = 0
    let status = try connection.download("/size/3000000", Self.host) { count += $0.bytes.count }
    #expect(status == .ok && count == 3_000_000)
  }

  @Test("An answer that is too large, broken or missing is an error")
  func broken() throws {
    let server = try Harness { $0.addBasics() }
    let connection = try connect(server.port)
    #expect(throws: ClientError.self) {
      try connection.send(.get, "/size/1000", Self.host, largest: 999)
    }
    #expect(!connection.isUsable)
    #expect(throws: ClientError.self) { try connection.send(.get, "/", Self.host, largest: 100) }
    struct Full: Error {}
    #expect(throws: Full.self) {
      try connect(server.port).download("/size/1000", Self.host) { _ in throw Full() }
    }
    // Without Host the server closes the connection after its answer.
    let other = try connect(server.port)
    #expect(try other.send(.get, "/", .none, largest: 10_000).status == .badRequest)
    #expect(!other.isUsable)
    for address in [
      "127.0.0.1:1", "127.0.0.1", "127.0.0.1:x", "no.invalid:80",
    ] {
      let error = #expect(throws: ClientError.self) {
        _ = try ClientConnection(to: address, timeout: .seconds(5))
      }
      guard case .unreachable = error else {
        Issue.record("\(address)")
        continue
      }
    }
  }

  @Test("Routes behind a check answer nothing that it refuses")
  func guarded() throws {
    var router = Router()
    router.addBasics()
    let guarded = router.guarded { request in
      request.fields["Secret"] == "s" ? nil : .text("no", .unauthorized)
    }
    let server = try HTTPServer(
      configuration: {
        var configuration = HTTPServer.Configuration()
        configuration.host = "127.0.0.1"
        configuration.loops = 1
        configuration.firstLoop = 7
        return configuration
      }(), router: guarded)
    let port = try server.start()
    defer { server.stop() }
    let body = SharedBytes(Array("abc".utf8))
    for (method, path) in [
      (MartletHTTP.Method.get, "/"), (.post, "/echo"), (.get, "/missing"), (.delete, "/"),
    ] {
      let refused = try connect(port).send(
        method, path, Self.host, body: method == .post ? body : nil, largest: 100)
      #expect(refused.status == .unauthorized, "\(path)")
    }
    let fields = Fields(["Host": "localhost", "Secret": "s"])
    #expect(text(try connect(port).send(.post, "/echo", fields, body: body, largest: 9)) == "abc")
    #expect(try connect(port).send(.get, "/missing", fields, largest: 999).status == .notFound)
  }

  private func text(_ response: Response) -> String {
    if case .shared(let body) = response.body {
      String(decoding: body.bytes, as: UTF8.self)
    } else {
      ""
    }
  }
}
