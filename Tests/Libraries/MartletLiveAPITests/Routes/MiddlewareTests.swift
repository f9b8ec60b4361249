import MartletHTTP
import MartletLiveQueries
import MartletStore
import Synchronization
import TestSupport
import Testing

@testable import MartletLiveAPI

@Suite("Middleware") struct MiddlewareTests {
  /// Admits requests with the word, and signs the responses.
  private let guarded = Middleware { request, _ in
    guard request.fields["X-Word"] == "sesame" else {
      throw APIProblem(.forbidden, "The word is another one.")
    }
  } after: { _, outcome, _ in
    .adding(Fields(["X-Signed": "yes"]), outcome)
  }

  private static let pages: [Route] = [
    .read("/pages", audience: .everyone) { request, _ in
      LiveSource(request) { _, body in
        body.append("{}")
        return true
      }
    },
    .write(.post, "/pages") { _, _ in WriteRoute.Work { _ in .done } },
    .plain(.get, "/open") { _, _, _ in .respond(Response(.ok, .none, body: .text("open"))) },
  ]

  private func service() throws -> NotesService {
    try NotesService(
      routes: MiddlewareTests.pages.map { $0.wrapped(in: guarded) } + [.batch("/batch")])
  }

  @Test("An error of a middleware is the response, even if the route's result is cached")
  func refused() throws {
    let service = try service()
    let client = try service.client()
    let word = [("X-Word", "sesame")]
    for path in ["/pages", "/open"] {
      for _ in 0..<4 {
        let answer = try client.get(path, word)
        #expect(answer.status == 200 && answer["X-Signed"] == "yes")
        #expect(try client.get(path).problem == "forbidden")
      }
    }
    #expect(try service.client().request("POST", "/pages", body: "{}").status == 403)
    #expect(try service.client().request("POST", "/pages", word, body: "{}").status == 204)
  }

  @Test("Middleware checks operations of a batch and queries of a bundle, too")
  func parts() throws {
    let service = try service()
    let client = try service.client()
    let batch = #"{"operations":[{"method":"POST","path":"/pages","body":{}}]}"#
    #expect(try client.post("/batch", batch).json["cause"] as? String == "/problems/forbidden")
    let live = try client.get("/live?pages=/pages", [("Accept", "text/event-stream")])
    #expect(live.status == 403)
  }

  @Test("The outermost middleware runs first and sees the outcome last")
  func order() throws {
    let calls = Mutex<[String]>([])
    func named(_ name: String) -> Middleware {
      Middleware { _, _ in
        calls.withLock { $0.append(name) }
      } after: { _, outcome, _ in
        calls.withLock { $0.append("-" + name) }
        return outcome
      }
    }
    let route = MiddlewareTests.pages[2].wrapped(in: named("inner")).wrapped(in: named("outer"))
    let service = try NotesService(routes: [route])
    #expect(try service.client().get("/open").text == "open")
    #expect(calls.withLock { $0 } == ["outer", "inner", "-inner", "-outer"])
  }

  @Test("An async function can answer, and its errors are problems or faults")
  func asynchronous() async throws {
    // Blocking tests can hold all threads of the pool for long, above all under a sanitizer.
    var limits = Limits()
    limits.handlerTimeout = .seconds(150)
    let service = try NotesService(
      limits: limits,
      routes: [
        .async(.get, "/sum/{a}") { request, _ in
          await Task.yield()
          guard let a = request.integer("a") else {
            throw APIProblem(.invalidParameter, "No number.")
          }
          if a == 0 { throw NotesService.Boom() }
          return Response(.ok, .none, body: .text("\(a + 1)"))
        }
      ])
    // The task that answers needs a thread of the pool, which a blocking client would hold.
    let answers = try await Blocking.run {
      try ["/sum/41", "/sum/x", "/sum/0"].map {
        try RawClient(port: service.port, timeout: 150).get($0)
      }
    }
    #expect(answers[0].text == "42")
    #expect(answers.map(\.status) == [200, 400, 500])
  }

  @Test("The task of a request that times out is canceled", .timeLimit(.minutes(10)))
  func cancelled() async throws {
    let (ends, end) = AsyncStream.makeStream(of: Bool.self)
    var limits = Limits()
    limits.handlerTimeout = .milliseconds(50)
    let service = try NotesService(
      limits: limits,
      routes: [
        .async(.get, "/wait") { _, _ in
          // Ends when the task is canceled.
          for await _ in AsyncStream<Void>.makeStream().stream {}
          end.yield(Task.isCancelled)
          throw CancellationError()
        }
      ])
    #expect(try service.client().get("/wait").status == 503)
    for await isCancelled in ends {
      #expect(isCancelled)
      break
    }
  }
}
