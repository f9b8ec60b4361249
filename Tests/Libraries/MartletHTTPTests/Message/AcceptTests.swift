import Testing

@testable import MartletHTTP

@Suite("Accept and Accept-Encoding (RFC 9110 12.5) (item 55)")
struct AcceptTests {
  @Test(
    "The best of JSON and event stream is chosen",
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

  @Test(
    "Commas and semicolons in quoted strings do not separate",
    arguments: [
      (#"text/html;x=",text/event-stream,""#, []),
      (#"text/html;x="\",text/event-stream""#, []),
      (#"text/html;x="a\\",text/event-stream"#, ["text/event-stream"]),
      (#"text/event-stream;x="a;q=0",text/html"#, ["text/event-stream"]),
      (#"application/json;q=0.2;x=",", text/event-stream;q=0.1"#, ["application/json"]),
      // An unclosed quote is an ordinary character.
      (#"text/html;x=", text/event-stream"#, ["text/event-stream"]),
    ] as [(String, [String])])
  func quoted(_ field: String, _ expected: [String]) {
    let best = Accept(field).best(of: [.json, .eventStream]).map(\.description)
    #expect(best.map { [$0] } ?? [] == expected)
  }

  @Test(
    "Languages in the order that a client prefers",
    arguments: [
      (nil, "en de"), ("", "en de"), ("de", "de en"), ("de-AT, en;q=0.5", "de en"),
      ("en-US,en;q=0.9,de;q=0.8", "en de"), ("fr, de;q=0.1", "de en"), ("DE", "de en"),
      ("en;q=0, de;q=0.1", "de en"), ("den", "en de"), ("*, de;q=0.1", "en de"),
      ("*;q=0.1, de", "de en"),
      ("de, en", "de en"), ("en;q=0.5, de;q=0.5", "en de"), ("de;q=x, en;q=0.1", "en de"),
    ] as [(String?, String)])
  func languages(_ field: String?, _ expected: String) {
    #expect(AcceptLanguage(field).sorted(["en", "de"]).joined(separator: " ") == expected)
  }

  @Test("The members of a list, with and without escapes")
  func members() {
    func members(_ text: String, escapes: Bool = true) -> [String] {
      var text = text
      var members: [String] = []
      text.withUTF8 { $0.visitListMembers(escapes: escapes) { members.append($0.text) } }
      return members
    }
    #expect(members(#" a , "b,c" ,, d"e,f"g"#) == ["a", #""b,c""#, #"d"e,f"g"#])
    #expect(members(#""a\",b",c"#) == [#""a\",b""#, "c"])
    #expect(members(#""a\",b"#, escapes: false) == [#""a\""#, "b"])
    #expect(members(#"a,"b,c"#) == ["a", #""b"#, "c"])
    #expect(members(#""a\"#) == [#""a\"#] && members("") == [] && members(#"","#) == [#"""#])
  }

  @Test("A list of unclosed quotes is parsed in linear time")
  func manyQuotes() {
    var text = String(repeating: #"\""#, count: 1 << 17)
    var count = 0
    text.withUTF8 { $0.visitListMembers { _ in count += 1 } }
    #expect(count == 1)
  }

  @Test("The most precise range decides")
  func precision() {
    let accept = Accept("*/*;q=0.1, text/*;q=0.2, text/event-stream;q=0.345")
    #expect(accept.quality(of: .eventStream) == 345)
    #expect(accept.quality(of: "text/plain") == 200)
    #expect(accept.quality(of: .json) == 100)
    #expect(accept.names(.eventStream))
    #expect(!accept.names(.json))
  }

  @Test(
    "Accept-Encoding decides about gzip",
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

@Suite("Media types (RFC 9110 8.3.1)")
struct MediaTypeTests {
  @Test(
    "Media types are parsed without parameters and lowercased",
    arguments: [
      ("application/json", "application/json"), ("Text/HTML; charset=x", "text/html"),
      ("a/b ;c", "a/b"), ("a", nil), ("a/b/c", nil), ("a /b", nil), ("/", nil), ("", nil),
    ] as [(String, String?)])
  func read(_ text: String, _ expected: String?) {
    let type: MediaType? = MediaType(text)
    #expect(type?.description == expected)
  }
}
