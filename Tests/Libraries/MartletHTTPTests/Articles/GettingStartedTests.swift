import Foundation
import Glibc
import Testing

@testable import MartletHTTP

/// The program of MartletHTTP's article for newcomers. Its routes are in `HelloServer.swift`.
@Suite struct GettingStartedTests {
  @Test("The article's route and its streamed response work as described") func responses() throws {
    let server = try makeServer(port: 0)
    let port = try server.start()
    defer { server.stop() }
    let client = try RawClient(port)
    #expect(client.get("/hello/Ada").text == "Hello, Ada!\n")
    let report = client.get("/report")
    #expect(report.field("Transfer-Encoding") == "chunked")
    #expect(report.text.split(separator: "\n").count == 1_000)
    #expect(report.text.hasPrefix("line 1\nline 2\n") && report.text.hasSuffix("line 1000\n"))
    let missing = client.get("/nothing")
    #expect(missing.status == 404)
    #expect(missing.field("Content-Type") == "application/problem+json")
  }

  @Test("The article's event stream works as described") func events() throws {
    let server = try makeServer(port: 0)
    let port = try server.start()
    defer { server.stop() }
    let follower = try RawClient(port)
    follower.send("GET /count HTTP/1.1\r\nHost: a\r\n\r\n")
    let head = follower.read(through: "\r\n\r\n")
    #expect(head.contains("Content-Type: text/event-stream"))
    let client = try RawClient(port)
    for number in 1...2 {
      client.send("POST /count HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")
      #expect(client.answer().status == 204)
      let event = "id: \(number)\nevent: count\ndata: \(number)\n\n"
      #expect(follower.read(through: "\n\n").hasSuffix(event))
    }
    server.drain {}
    #expect(follower.read(through: "\n\n").hasSuffix("retry: 1000\n\n"))
  }

  /// The article's `main.swift`. Compiled, but not called: it waits for signals forever.
  private static func main() throws -> Never {
    let signals = StopSignals()
    let server = try makeServer(port: 8080)
    let port = try server.start()
    print("listening on http://127.0.0.1:\(port)")
    signals.wait(first: { server.drain { exit(0) } }, further: { exit(0) })
  }

  @Test("Every example of the article is compiled by these tests") func examples() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let article = folder.appending(
      path: "../../../../Sources/Libraries/MartletHTTP/MartletHTTP.docc/GettingStarted.md")
    let blocks = try String(contentsOf: article.standardized, encoding: .utf8)
      .components(separatedBy: "```swift\n").dropFirst()
      .map { $0.components(separatedBy: "```")[0] }
    #expect(blocks.count == 2)
    let files = ["HelloServer.swift", "GettingStartedTests.swift"]
    for (block, file) in zip(blocks, files) {
      let source = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      #expect(Self.code(source).contains(Self.code(block)), "\(file)")
    }
  }

  /// The lines of a text without indentation, empty lines and imports.
  private static func code(_ text: String) -> String {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty && !$0.hasPrefix("import ") }.joined(separator: "\n")
  }
}
