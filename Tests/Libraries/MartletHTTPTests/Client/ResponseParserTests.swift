import MartletJSON
import Testing

@testable import MartletHTTP

@Suite("Responses of other servers") struct ResponseParserTests {
  /// The head and the body of a response whose bytes come in parts of a length.
  private func parse(
    _ text: String, to method: MartletHTTP.Method = .get, parts: Int = .max
  ) throws -> (head: ResponseParser.Head?, body: String, isDone: Bool) {
    var parser = ResponseParser(to: method)
    var body: [UInt8] = []
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: min(parts, bytes.count)) {
      try bytes[start..<min(start + min(parts, bytes.count), bytes.count)].withUnsafeBufferPointer {
        try parser.read($0) { body += Array($0.bytes) }
      }
    }
    return (parser.head, String(decoding: body, as: UTF8.self), parser.isDone)
  }

  private static let known =
    "HTTP/1.1 201 Created\r\nContent-Length: 5\r\nLocation:  /v1/lists/3 \r\nX-A: 1\r\nX-A: 2\r\n\r\nhello"
  private static let chunked =
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\nT: 1\r\n\r\n"

  @Test("A body by length or in chunks, in parts of any size", arguments: 1...60)
  func parts(_ size: Int) throws {
    let first = try parse(Self.known, parts: size)
    #expect(first.isDone && first.body == "hello")
    let head = try #require(first.head)
    #expect(head.status == 201 && head.mayPersist && head.length == 5)
    #expect(
      head.fields.all.map { "\($0.name)=\($0.value)" } == [
        "Location=/v1/lists/3", "X-A=1", "X-A=2",
      ])
    let second = try parse(Self.chunked, parts: size)
    #expect(second.isDone && second.body == "hello" && second.head?.isChunked == true)
  }

  @Test("Responses without a body")
  func empty() throws {
    for text in [
      "HTTP/1.1 204 No Content\r\nX: y\r\n\r\n", "HTTP/1.1 304 Not Modified\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
    ] {
      let response = try parse(text)
      #expect(response.isDone && response.body == "", "\(text)")
    }
    #expect(try parse("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", to: .head).isDone)
  }

  @Test("Interim responses come before the response, and a connection may end")
  func interim() throws {
    let response = try parse(
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nab",
      parts: 7)
    #expect(response.isDone && response.body == "ab" && response.head?.status == 200)
    #expect(response.head?.mayPersist == false)
  }

  @Test("A response that is cut off is not done")
  func cut() throws {
    for text in [Self.known, Self.chunked] {
      for length in text.utf8.indices.dropFirst() {
        #expect(try !parse(String(text[..<length])).isDone)
      }
    }
  }

  @Test(
    "What is no response is refused",
    arguments: [
      "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 20 OK\r\nContent-Length: 0\r\n\r\n",
      "HTTP/1.1 600 OK\r\nContent-Length: 0\r\n\r\n", "nonsense\r\n\r\n",
      "HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na",
      "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nab", "HTTP/1.1 200 OK\nContent-Length: 0\n\n",
      "HTTP/1.1 204 No Content\r\n\r\nx", "HTTP/1.1 200 OK\r\n folded: 1\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
    ])
  func refused(_ text: String) {
    #expect(throws: ProtocolError.self) { try parse(text) }
  }

  @Test("A head without end is refused")
  func endless() {
    #expect(throws: ProtocolError.self) {
      try parse("HTTP/1.1 200 OK\r\n" + String(repeating: "a: b\r\n", count: 20_000), parts: 1_000)
    }
  }
}
