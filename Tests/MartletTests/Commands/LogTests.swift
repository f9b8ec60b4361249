import Foundation
import TestSupport
import Testing

@testable import martlet

@Suite struct LogTests {
  @Test("nobody writes a line of their own into it: control characters are escaped (item 85)")
  func escapes() async throws {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      Log()(
        .error, "a\nb",
        ["k": "v\r\n2026-11-20 info forged", "e": "\u{1B}[2J\u{85}", "q": "say \"x\""])
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    let line = try #require(text.split(separator: "\n").first { $0.contains(" error ") })
    #expect(
      line.hasSuffix(
        #"error a\u{a}b k="v\u{d}\u{a}2026-11-20 info forged" e=\u{1b}[2J\u{85} q="say \"x\"""#))
    #expect(!text.contains("\n2026-11-20 info forged"))
  }

  @Test("no field of a request gets into it, also when the request fails (item 85)")
  func secrets() throws {
    let server = try MartletProcess()
    let secrets = [("Authorization", "Bearer s3cret-key"), ("Cookie", "session=s3cret-cookie")]
    for (method, target) in [
      ("GET", "/v1/lists"), ("POST", "/v1/lists"), ("GET", "/nowhere"), ("PUT", "/v1/lists"),
    ] {
      let client = try RawClient(port: server.port)
      _ = try client.request(method, target, secrets, body: method == "GET" ? nil : "{")
    }
    let refused = try RawClient(port: server.port)
    try refused.send("GET / HTTP/1.1\r\nAuthorization: s3cret-key\r\nBad Name: s3cret\r\n\r\n")
    #expect(try refused.response().status == 400)
    let end = try server.stop()
    #expect(end.errors.contains("stopped"))
    #expect(!end.errors.contains("s3cret"))
  }
}
