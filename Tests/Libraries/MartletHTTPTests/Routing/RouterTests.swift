import Testing

@testable import MartletHTTP

@Suite("Routes")
struct RouterTests {
  private static let harnessPaths: [(String, String)] = [
    ("/", "root"), ("/v1/lists", "lists"), ("/v1/lists/7", "list 7"),
    ("/v1/lists/order", "order"), ("/v1/lists/7/reminders", "reminders of 7"),
    ("/v1/lists/order/reminders", "reminders of order"), ("/v1/a%2Fb", "any a/b"),
    ("/v1/%6Cists", "lists"), ("/v1/x/tags/%C3%A9%20!", "tag x é !"), ("/v1", "404"),
    ("/v1/lists/", "404"), ("/v1//reminders", "404"), ("/V1/lists", "404"), ("//", "404"),
  ]

  @Test("Literals win, parameters are decoded, empty segments stay", arguments: harnessPaths)
  func finds(_ path: String, _ expected: String) throws {
    var router = Router()
    let answer = { (text: @escaping @Sendable (Request) -> String) -> Router.Handler in
      { request, _ in .respond(Response(body: .text(text(request)))) }
    }
    router.on(.get, "/", answer { _ in "root" })
    router.on(.get, "/v1/lists", answer { _ in "lists" })
    router.on(.get, "/v1/lists/{id}", answer { "list \($0.integer("id") ?? -1)" })
    router.on(.get, "/v1/lists/order", answer { _ in "order" })
    router.on(.get, "/v1/lists/{id}/reminders", answer { "reminders of \($0.parameter("id")!)" })
    router.on(.get, "/v1/{any}", answer { "any \($0.parameter("any")!)" })
    router.on(
      .get, "/v1/{reminder}/tags/{tag}",
      answer { "tag \($0.parameter("reminder")!) \($0.parameter("tag")!)" })
    router.missed = { _, _, _ in Response(body: .text("404")) }
    let tree = try RouteTree(router)

    var machine = Machine()
    let context = RequestContext(
      loop: 0, scratch: machine.loop.scratch, now: machine.loop.wall, monotonic: .zero)
    machine.answer = { request in
      guard case .respond(let response) = tree.answer(request, context) else { return nil }
      return response
    }
    machine.receive("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(machine.text.hasSuffix("\r\n\r\n" + expected))
  }

  @Test(
    "An invalid pattern is an error that names it",
    arguments: [
      "users", "", "/users?x=1", "/users#top", "/{}", "/{id", "/id}", "/x{id}", "/{id}.json",
      "/{a{b}",
      "/{id}/books/{id}",
    ])
  func noPattern(_ text: String) {
    #expect {
      _ = try PathPattern(text)
    } throws: { "\($0)".hasPrefix("the route \"\(text)\" ") }
  }

  private static let clashes: [(PathPattern, PathPattern, String)] = [
    ("/lists", "/lists", "the route GET /lists is registered twice"),
    (
      "/lists/{id}", "/lists/{name}",
      "the routes GET /lists/{id} and GET /lists/{name} match the same paths"
    ),
  ]

  @Test("Two routes for one method and path are an error that names both", arguments: clashes)
  func twice(_ one: PathPattern, _ other: PathPattern, _ text: String) {
    var router = Router()
    router.on(.get, one) { _, _ in .respond(Response()) }
    router.on(.put, one) { _, _ in .respond(Response()) }
    router.on(.get, other) { _, _ in .respond(Response()) }
    #expect {
      _ = try HTTPServer(router: router)
    } throws: { "\($0)" == text }
  }

  @Test("Parameters of different names can share a position if their paths differ")
  func names() throws {
    var tree = PathTree<Int>()
    try tree.add(.get, "/lists/{id}", 1)
    try tree.add(.put, "/lists/{list}", 2)
    try tree.add(.get, "/lists/{list}/entries/{id}", 3)
    let request = try Request(
      .get, target: "/lists/7/entries/8", peer: Peer(high: 0, low: 1, port: 1))
    guard case .found(3) = tree.find(request) else {
      Issue.record("not found")
      return
    }
    #expect(request.parameter("list") == "7" && request.parameter("id") == "8")
    let other = try Request(.put, target: "/lists/7", peer: Peer(high: 0, low: 1, port: 1))
    guard case .found(2) = tree.find(other) else {
      Issue.record("not found")
      return
    }
    #expect(other.parameter("list") == "7" && other.parameter("id") == nil)
  }

  @Test("Responses for missing routes can be replaced")
  func missed() throws {
    let harness = try Harness { router in
      router.on(.put, "/x") { _, _ in .respond(Response()) }
      router.missed = { miss, request, _ in
        var response = Router.answer(to: miss)
        response.fields.append("X-Path", request.path)
        return response
      }
    }
    let client = try harness.client()
    #expect(client.get("/y").field("X-Path") == "/y")
    #expect(client.get("/x").field("X-Path") == "/x")
  }
}
