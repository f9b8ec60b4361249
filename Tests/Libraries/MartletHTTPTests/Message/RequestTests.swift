import Testing

@testable import MartletHTTP

@Suite("The parts of a request that a handler sees (item 12, item 13, item 16)")
struct RequestTests {
  private func request(_ target: String, _ fields: String = "") throws -> Request {
    var machine = Machine()
    nonisolated(unsafe) var request: Request?
    machine.answer = {
      request = $0
      return nil
    }
    machine.receive("GET \(target) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n")
    return try #require(request)
  }

  @Test(
    "Segments are decoded once, and %2F does not separate them",
    arguments: [
      ("/", []), ("/a", ["a"]), ("/a/", ["a", ""]), ("/a//b", ["a", "", "b"]),
      ("/a%2Fb/c", ["a/b", "c"]), ("/%252e", ["%2e"]), ("/%C3%A9/x%20y", ["é", "x y"]),
      ("/..%2f/.", ["../", "."]),
    ])
  func segments(_ target: String, _ segments: [String]) throws {
    #expect(try request(target).target.segments == segments)
  }

  @Test(
    "Query items keep their order, repetitions and empty values",
    arguments: [
      ("/?a=1&b=2&a=3", [("a", "1"), ("b", "2"), ("a", "3")]), ("/?a", [("a", "")]),
      ("/?a=&=b", [("a", ""), ("", "b")]), ("/?", []), ("/", []), ("/?&&a=1&", [("a", "1")]),
      ("/?a=b=c", [("a", "b=c")]), ("/?q=x+y%2Bz%26", [("q", "x y+z&")]),
      ("/?%61=%C3%A9", [("a", "é")]), ("/?today=/v1/r%3Fdue=today", [("today", "/v1/r?due=today")]),
    ])
  func queryItems(_ target: String, _ items: [(String, String)]) throws {
    #expect(
      try request(target).queryItems == items.map { QueryItem(name: $0.0, value: $0.1) })
  }

  @Test("An encoded item is parsed to the same item")
  func encodedItem() throws {
    let item = QueryItem(name: "zone&", value: "Etc/GMT+1 = ä%20")
    #expect(item.encoded == "zone%26=Etc%2FGMT%2B1%20%3D%20%C3%A4%2520")
    #expect(try request("/?\(item.encoded)").queryItems == [item])
  }

  @Test("Fields are found in any case, and lists are joined")
  func fields() throws {
    let request = try request(
      "/", "Accept: a/b\r\nX-Odd:  v w \t\r\nACCEPT: c/d\r\nEmpty:\r\n")
    #expect(request.fields["accept"] == "a/b")
    #expect(request.fields.list("Accept") == "a/b, c/d")
    #expect(request.fields["x-ODD"] == "v w")
    #expect(request.fields.first("Empty") == "")
    #expect(request.fields["None"] == nil)
    #expect(request.fields.contains("Host"))
    #expect(request.fields.all.map(\.name) == ["Host", "Accept", "X-Odd", "ACCEPT", "Empty"])
  }

  @Test("An underscore is not a hyphen, and no field has a hidden meaning (item 21)")
  func underscores() throws {
    let request = try request(
      "/", "If_None_Match: *\r\nContent_Length: 9\r\nProxy: evil\r\nHTTP_HOST: b\r\n")
    #expect(request.fields["If-None-Match"] == nil)
    #expect(request.fields["Content-Length"] == nil)
    #expect(request.fields["Host"] == "a")
    #expect(request.fields["If_None_Match"] == "*")
    #expect(request.body.count == 0)
  }

  @Test("Names that differ in one bit are different: ^ and ~")
  func caseFolding() throws {
    #expect(try request("/", "A^: 1\r\n").fields["a~"] == nil)
    #expect(try request("/", "A^: 1\r\n").fields["a^"] == "1")
  }
}
