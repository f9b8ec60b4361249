import MartletJSON
import Testing

@testable import MartletHTTP

@Suite("Problem documents (RFC 9457) (item 63, item 64)")
struct ProblemTests {
  @Test("A document has escaped members and the extension members of its type")
  func document() throws {
    let problem = Problem(
      .conflict, type: "/problems/too-many-tags", detail: "a \"quoted\"\n\u{1} é", instance: "/i/1",
      fields: Fields(["Retry-After": "3"]), members: { $0.member("limit", 5) })
    let response = problem.response()
    #expect(response.status == .conflict)
    #expect(response.fields["Content-Type"] == "application/problem+json")
    #expect(response.fields["Retry-After"] == "3")
    guard case .bytes(let bytes) = response.body else {
      Issue.record("no body")
      return
    }
    let expected: JSONValue = [
      "type": "/problems/too-many-tags", "title": "Conflict", "status": 409,
      "detail": "a \"quoted\"\n\u{1} é", "instance": "/i/1", "limit": 5,
    ]
    #expect(try JSONValue.parse(bytes) == expected)
  }

  @Test("about:blank has the status phrase as its title")
  func blank() throws {
    guard case .bytes(let bytes) = Problem(.notFound).response().body else { return }
    #expect(
      try JSONValue.parse(bytes) == ["type": "about:blank", "title": "Not Found", "status": 404])
  }
}
