import Testing

@testable import HTTPServer

@Suite("RFC 9110 12.5: Accept and Accept-Encoding (item 55)")
struct AcceptTests {
  @Test(
    "the best of JSON and event stream",
    arguments: [
      (nil, "application/json"), ("", "application/json"), ("*/*", "application/json"),
      ("text/event-stream", "text/event-stream"),
      ("application/json;q=0.5, text/event-stream", "text/event-stream"),
      ("text/event-stream;q=0.5, */*;q=0.8", "application/json"),
      ("text/*", "text/event-stream"), ("TEXT/Event-Stream", "text/event-stream"),
      ("text/event-stream;charset=utf-8", "text/event-stream"),
      ("text/html", nil), ("application/json;q=0", nil),
      ("application/json;q=0, */*", "text/event-stream"),
      ("nonsense", "application/json"), ("application/json;q=x, text/html", nil),
    ] as [(String?, String?)])
  func best(_ field: String?, _ expected: String?) {
    #expect(Accept(field).best(of: [.json, .eventStream])?.description == expected)
  }

  @Test("the most precise range decides")
  func precision() {
    let accept = Accept("*/*;q=0.1, text/*;q=0.2, text/event-stream;q=0.345")
    #expect(accept.quality(of: .eventStream) == 345)
    #expect(accept.quality(of: "text/plain") == 200)
    #expect(accept.quality(of: .json) == 100)
    #expect(accept.names(.eventStream))
    #expect(!accept.names(.json))
  }

  @Test(
    "gzip",
    arguments: [
      (nil, false), ("", false), ("gzip", true), ("GZIP", true), ("deflate, gzip;q=1.0", true),
      ("gzip;q=0", false), ("gzip; q=0.000", false), ("*", true), ("*;q=0", false),
      ("gzip;q=0, *", false), ("br", false), ("identity", false), ("gzip;q=0.5, identity", false),
      ("gzip, identity;q=0.5", true), ("identity;q=0", false), ("gzip;q=0.1234", false),
      ("gzip;q=2", false), ("x-gzip", true),
    ] as [(String?, Bool)])
  func gzip(_ field: String?, _ expected: Bool) {
    #expect(AcceptEncoding(field).prefersGzip == expected)
  }
}
