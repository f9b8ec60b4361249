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

  @Test("literals win, parameters are decoded, nothing is collapsed", arguments: harnessPaths)
  func finds(_ path: String, _ expected: String) {
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
    let tree = RouteTree(router)

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

  @Test("a page of one's own for what is missing")
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
