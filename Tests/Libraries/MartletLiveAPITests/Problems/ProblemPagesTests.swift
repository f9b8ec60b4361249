import MartletHTTP
import TestSupport
import Testing

@testable import MartletLiveAPI

@Suite("The documentation of problem types") struct ProblemPagesTests {
  private static let allLent = ProblemType("all-lent", .conflict, "All copies are lent")

  @Test("A service can add problem types, and each has a page")
  func own() throws {
    let lend = Route.write(.post, "/loans") { _, _ in
      WriteRoute.Work { _ in throw APIProblem(Self.allLent, "The last one went yesterday.") }
    }
    let page = "# Problems\n\n## all-lent\n\nCome back later.\n\n## other\n\nSomething else.\n"
    let service = try NotesService(routes: [
      lend, .problems(ProblemType.ofAPI + [Self.allLent], page: page),
    ])
    let client = try service.client()
    let refused = try client.post("/loans", "{}")
    #expect(refused.status == 409)
    #expect(refused.json["title"] as? String == "All copies are lent")
    let type = try #require(refused.json["type"] as? String)
    let meaning = try client.get(type)
    #expect(meaning.text == "# all-lent\n\n**409 All copies are lent**\n\nCome back later.\n\n")
    #expect(meaning["Content-Type"] == "text/plain; charset=utf-8")
    let plain = try client.get("/problems/not-found")
    #expect(plain.text == "# not-found\n\n**404 Not found**\n")
    let unknown = try client.get("/problems/all-lend")
    #expect(unknown.status == 404)
    #expect((unknown.json["detail"] as? String)?.contains("did you mean all-lent?") == true)
  }

  @Test("Problem types with the same slug are equal")
  func equality() {
    #expect(ProblemType("conflict", .badRequest, "Other") == .conflict)
    #expect(Set(ProblemType.ofAPI).count == ProblemType.ofAPI.count)
    #expect(ProblemType.overloaded.isRefusal && !ProblemType.internalError.isRefusal)
  }
}
