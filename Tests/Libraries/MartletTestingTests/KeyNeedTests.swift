import Martlet
import MartletTesting
import Testing

@Suite("Which key a route needs") struct KeyNeedTests {
  private func service(_ routes: [Route]) throws -> TestService {
    var service = Service(path: "", migrator: Migrator(), routes: routes)
    service.keys = Gate.Settings()
    service.onEvent = { _ in }
    service.api.realm = #"the "rooms""#
    return try TestService(service)
  }

  @Test("Routes of functions need a key by default: read for reads, write for changes")
  func functions() async throws {
    let plain: Route.Handler = { _, _, _ in .respond(.text("done")) }
    let service = try service([
      .async(.get, "/a") { _, _ in .text("done") }, .async(.post, "/a") { _, _ in .text("done") },
      .async(.delete, "/a", needs: .admin) { _, _ in .text("done") },
      .async(.post, "/open", needs: .noKey) { _, _ in .text("done") },
      .plain(.get, "/p", plain), .plain(.put, "/p", plain),
      .plain(.get, "/open", needs: .noKey, plain),
      .text("/t", type: "text/plain") { "done" },
    ])
    let keys = try Rights.Scope.allCases.map { try service.createKey("\($0)", Rights($0)) }
    let requests: [(String, String, [Int])] = [
      ("GET", "/a", [401, 200, 200, 200]), ("POST", "/a", [401, 403, 200, 200]),
      ("DELETE", "/a", [401, 403, 403, 200]), ("GET", "/p", [401, 200, 200, 200]),
      ("PUT", "/p", [401, 403, 200, 200]), ("GET", "/t", [401, 200, 200, 200]),
      ("POST", "/open", [200, 200, 200, 200]), ("GET", "/open", [200, 200, 200, 200]),
    ]
    for (method, path, wanted) in requests {
      var statuses: [Int] = []
      for key in [nil] + keys {
        service.key = key
        statuses.append(try await service.request(method, path).status)
      }
      #expect(statuses == wanted, "\(method) \(path)")
    }
    service.key = nil
    for path in ["/livez", "/readyz", "/problems/not-found"] {
      #expect(try await service.get(path).status == 200, "\(path)")
    }
  }

  @Test("A route for administrators refuses a key for changes, also in a batch")
  func administrators() throws {
    let service = try service([
      .read("/keys", needs: .admin) { request, _ in
        LiveSource(request) { db, body in
          body.append(decimal: try APIKeys.all(in: db).count)
          return true
        }
      },
      .write(.delete, "/keys/{id}", needs: .admin) { request, context in
        let (id, now) = (try request.id("id"), context.clock.now())
        return WriteRoute.Work { db in
          try APIKeys.revoke(id, now: now, in: db)
          return .done
        }
      },
      .download("/export", needs: .admin) { _ in
        Download(type: "text/csv", name: "export.csv") { _, body, _ in body.append(utf8: "a") }
      },
      .bundle("/live"), .batch("/batch"),
    ])
    let admin = try service.createKey("first", Rights(.admin))
    service.key = try service.createKey("phone", Rights(.write))
    let batch = #"{"operations":[{"method":"DELETE","path":"/keys/1"}]}"#
    #expect(try service.delete("/keys/1").problem == "forbidden")
    #expect(try service.get("/keys").problem == "forbidden")
    #expect(try service.get("/export").problem == "forbidden")
    let refused = try service.post("/batch", batch)
    #expect(try refused.value["cause"]?.string == "/problems/forbidden")
    #expect(
      try refused.value["detail"]?.string?.hasPrefix("The operation at /operations/0 failed: ")
        == true)
    let live = try service.get("/live?keys=/keys", [("Accept", "text/event-stream")])
    #expect(live.status == 403)
    #expect(
      live["WWW-Authenticate"]
        == #"Bearer realm="the \"rooms\"", error="insufficient_scope", scope="admin""#)
    service.key = admin
    #expect(try service.get("/keys").text == "2")
    #expect(try service.get("/export").status == 200)
    #expect(try service.delete("/keys/2").status == 204)
  }

  @Test("A function answers with JSON and with the fields of all responses")
  func json() async throws {
    struct Forecast: Encodable {
      var url = "https://example.org/"
      var at = Instant(milliseconds: 1_500)
      var degrees: Double?
    }
    let service = try service([
      .async(.get, "/weather") { _, _ in try .json(Forecast(degrees: 2.5)) },
      .async(.get, "/nothing") { _, _ in
        Response(.noContent, Fields(["Cache-Control": "no-cache"]))
      },
      .async(.get, "/infinite") { _, _ in try .json([Double.infinity]) },
    ])
    let answer = try await service.get("/weather", [("X-Request-ID", "mine")])
    #expect(
      answer.text
        == #"{"at":"1970-01-01T00:00:01.500Z","degrees":2.5,"url":"https://example.org/"}"#)
    #expect(answer["Content-Type"] == "application/json" && answer["X-Request-ID"] == "mine")
    #expect(answer["X-Content-Type-Options"] == "nosniff" && answer["Cache-Control"] == "no-store")
    let nothing = try await service.get("/nothing")
    #expect(nothing.status == 204 && nothing["Cache-Control"] == "no-cache")
    #expect(nothing["X-Request-ID"] != nil && nothing["X-Content-Type-Options"] == nil)
    #expect(try await service.get("/infinite").status == 500)
  }
}
