import TestSupport
import Testing

@Suite("The page /try") struct TryPageTests {
  @Test("Its inputs accept what the server accepts, and not more")
  func lengths() throws {
    let server = try MartletProcess()
    let client = try RawClient(port: server.port)
    let page = try client.get("/try").text
    func longest(_ input: String) throws -> Int {
      let tag = try #require(page.firstMatch(of: try Regex("<input id=\"\(input)\"[^>]*>")))
      let found = try #require(page[tag.range].firstMatch(of: /maxlength="(\d+)"/))
      return try #require(Int(found.1))
    }
    func title(_ count: Int) throws -> Int {
      let text = String(repeating: "a", count: count)
      return try client.post("/v1/lists/1/reminders", #"{"title":"\#(text)"}"#).status
    }
    func search(_ count: Int) throws -> Int {
      try client.get("/v1/search?q=" + String(repeating: "a", count: count)).status
    }
    let most = (title: try longest("title"), query: try longest("query"))
    #expect(try title(most.title) == 201 && title(most.title + 1) == 422)
    #expect(try search(most.query) == 200 && search(most.query + 1) == 400)
  }
}
