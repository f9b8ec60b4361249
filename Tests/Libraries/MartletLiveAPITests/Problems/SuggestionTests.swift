import MartletHTTP
import MartletStore
import TestSupport
import Testing

@testable import MartletLiveAPI

@Suite("Suggestions for unknown parameters") struct ParameterSuggestionTests {
  private static let known = ["cursor", "limit", "q", "sort", "tag", "timeZone", "total"]

  @Test(
    "A word of other APIs leads to the parameter that does this here",
    arguments: [
      ("page", "for the next page send cursor with the nextCursor of this page"),
      ("offset", "for the next page send cursor with the nextCursor of this page"),
      ("pageToken", "for the next page send cursor with the nextCursor of this page"),
      ("per_page", "did you mean limit?"), ("page-size", "did you mean limit?"),
      ("query", "did you mean q?"), ("orderBy", "did you mean sort?"),
      ("tz", "did you mean timeZone?"),
      ("include_total", "did you mean total?"),
      // A slip of the pen is still found by its letters.
      ("tga", "did you mean tag?"), ("limti", "did you mean limit?"),
    ])
  func words(_ word: String, _ hint: String) {
    let text = Suggestion.parameter(for: word, among: Self.known, else: "all")
    #expect(text == "; \(hint)\(hint.hasSuffix("?") ? " " : "; ")all")
  }

  @Test("A route without that parameter has no suggestion, and one with the word has its own")
  func others() {
    #expect(Suggestion.parameter(for: "page", among: ["tag"], else: "all") == "; all")
    #expect(
      Suggestion.parameter(for: "Page", among: ["page"], else: "all") == "; did you mean page? all")
  }

  @Test("A list route uses it")
  func routes() throws {
    let asked = Route.read("/asked") { request, _ in
      var query = QueryParameters.ofRead(request)
      _ = try query.cursor()
      try query.finish()
      throw APIProblem.notFound("nothing")
    }
    let service = try NotesService(routes: [asked])
    let client = try service.client()
    let answer = try client.get("/asked?page=2")
    #expect(answer.problem == "unknown-parameter")
    #expect(answer.text.contains("unknown; for the next page send cursor"), "\(answer.text)")
  }
}

@Suite("Suggestions for misspelled paths") struct SuggestionTests {
  private static let patterns = [
    "/", "/livez", "/v1/lists", "/v1/lists/{id}", "/v1/lists/{id}/reminders", "/v1/lists/order",
    "/v1/reminders", "/v1/reminders/{id}", "/v1/reminders/{id}/tags/{title}", "/v1/stats",
  ].map(Suggestion.Pattern.init)

  @Test(
    "A misspelled path suggests the closest one",
    arguments: [
      ("/v1/reminders/", "/v1/reminders"), ("/reminders", "/v1/reminders"),
      ("/V1/Reminders/7", "/v1/reminders/7"), ("/v1/reminder", "/v1/reminders"),
      ("/lists/3/reminders", "/v1/lists/3/reminders"), ("/v1/list/5", "/v1/lists/5"),
      ("/v1/reminders/7/tag/A%20b", "/v1/reminders/7/tags/A%20b"), ("/livez/", "/livez"),
      ("//v1//lists", "/v1/lists"), ("/v1/lists/ordr", "/v1/lists/order"),
    ])
  func near(_ path: String, _ meant: String) {
    #expect(Suggestion.path(for: path, among: Self.patterns) == meant)
  }

  @Test(
    "A path that is close to none of them has no suggestion",
    arguments: ["/", "/v1", "/wp-login.php", "/v2/things/1/2/3", "/v1/users", ""])
  func far(_ path: String) {
    #expect(Suggestion.path(for: path, among: Self.patterns) == nil)
  }

  @Test("A long path has no suggestion")
  func long() {
    let path = "/v1/lists/" + String(repeating: "x", count: 300)
    #expect(Suggestion.path(for: path + "/", among: Self.patterns) == nil)
  }

  @Test("The 404 of an unknown path suggests a path, or names the API's description")
  func answer() throws {
    var settings = API.Settings()
    settings.description = "/openapi.yaml"
    let service = try NotesService(settings: settings)
    let client = try service.client()
    let near = try client.get("/Notes/")
    #expect(near.status == 404)
    #expect(near.json["detail"] as? String == "There is nothing at this path. Did you mean /notes?")
    let far = try client.get("/users").json["detail"] as? String
    #expect(far == "There is nothing at this path. /openapi.yaml lists all paths.")
  }
}
