import Foundation
import TestSupport
import Testing

/// Every operation of `openapi.yaml` with every kind of key, on granted and on foreign data.
@Suite("Authorization") struct AuthorizationTests {
  /// The statuses of requests without access.
  private static let refusals: Set<Int> = [401, 403]

  @Test("The tests cover every operation of openapi.yaml that needs a key")
  func complete() throws {
    let document = try ContractDocument()
    #expect(Set(GuardedOperation.all.map(\.name)) == document.guarded)
    // A device that trades a pairing code has no key yet, and the reader of a message has a token.
    #expect(
      document.open.subtracting(["POST /v1/pairings", "POST /v1/answers"])
        .allSatisfy { !$0.contains("/v1/") && $0.hasPrefix("GET ") })
  }

  @Test("Requests without a valid key are refused and change nothing")
  func credentials() throws {
    let service = try KeyedService()
    let read = try #require(service.keys["read"])
    let revoked = try service.create(["--name", "gone", "--scope", "admin"])
    let id = revoked.split(separator: "_")[1]
    #expect(try service.run(["revoke", String(id)]).code == 0)
    try service.waitFor401([("Authorization", "Bearer \(revoked)")])
    let expired = try service.create(["--name", "late", "--scope", "admin", "--expires", "1ms"])
    let swapped = read.dropLast(32) + (service.keys["admin"] ?? "").suffix(32)
    let stored = try MartletProcess.sqlite3(
      service.server.database, "SELECT hash FROM apiKeys LIMIT 1", in: service.server.folder)
    let shown =
      [nil, "", "Bearer", "Bearer \(revoked)", "Bearer \(expired)", "Bearer \(swapped)"]
      + [
        "Bearer mk_999_\(read.suffix(32))", "Bearer \(read)x", "Bearer \(read.dropLast())",
        "Basic \(read)", read, "Bearer \(read) \(read)", "Bearer mk_1_", "Bearer -1",
        "Bearer mk_1_\(stored.trimmingCharacters(in: .newlines))",
      ]
    let before = try service.allRows()
    let client = try RawClient(port: service.server.port)
    for operation in GuardedOperation.all {
      for credential in shown {
        let fields = credential.map { [("Authorization", $0)] } ?? []
        for request in operation.own + operation.foreign {
          try expectUnauthorized(client, operation, request, fields)
          if operation.method == "GET" {
            try expectUnauthorized(
              client, operation, request, fields + [("Accept", "text/event-stream")])
          }
        }
      }
    }
    for access in ["", revoked, "ls_1_\(read.suffix(32))", "open"] {
      let target = "/v1/stats?access=\(access)"
      let answer = try client.get(target, [("Accept", "text/event-stream")])
      #expect(answer.status == 401, "\(target)")
    }
    #expect(try service.allRows() == before)
    // Public routes need no key.
    for path in ["/livez", "/readyz", "/openapi.yaml", "/try"] {
      #expect(try client.get(path).status == 200)
    }
  }

  private func expectUnauthorized(
    _ client: RawClient, _ operation: GuardedOperation, _ request: GuardedOperation.Request,
    _ fields: [(String, String)]
  ) throws {
    let answer = try client.request(operation.method, request.target, fields, body: request.body)
    #expect(
      answer.status == 401 && answer.problem == "unauthorized"
        && answer["WWW-Authenticate"]?.hasPrefix("Bearer realm=") == true,
      "\(operation.method) \(request.target) with \(fields): \(answer.status)")
    #expect(!answer.text.contains(KeyedService.secret))
  }

  @Test("A key can do what its scope allows, and nothing else")
  func scopes() throws {
    let service = try KeyedService()
    let client = try RawClient(port: service.server.port)
    let before = try service.allRows()
    let scopes = ["read", "write", "admin"]
    for (place, key) in scopes.enumerated() {
      for operation in GuardedOperation.all where scopes[(place + 1)...].contains(operation.scope) {
        for request in operation.own + operation.foreign {
          let answer = try client.request(
            operation.method, request.target, service.key(key), body: request.body)
          #expect(answer.status == 403 && answer.problem == "forbidden", "\(operation.name)")
          #expect(answer["WWW-Authenticate"]?.contains("scope=\"\(operation.scope)\"") == true)
        }
      }
    }
    #expect(try service.allRows() == before)
    for (place, key) in scopes.enumerated() {
      for operation in GuardedOperation.reads where scopes[...place].contains(operation.scope) {
        for request in operation.own {
          let answer = try get(client, request.target, service.key(key))
          #expect(answer.status == 200, "\(key): \(request.target)")
        }
      }
    }
    for (place, key) in scopes.enumerated() {
      for operation in GuardedOperation.writes where scopes[...place].contains(operation.scope) {
        let request = try #require(operation.own.first)
        let answer = try client.request(
          operation.method, request.target, service.key(key), body: request.body)
        #expect(!AuthorizationTests.refusals.contains(answer.status), "\(key): \(operation.name)")
      }
    }
  }

  /// The response, or the first event for a route that only has an event stream.
  private func get(
    _ client: RawClient, _ target: String, _ fields: [(String, String)]
  ) throws -> RawResponse {
    guard target.hasPrefix("/v1/live") else { return try client.get(target, fields) }
    return try first(client.port, target, fields)
  }

  /// The head of an event stream with its first event as the body. The body is empty for a stream
  /// that has sent nothing but two heartbeats, and for a route that has no stream.
  private func first(
    _ port: UInt16, _ target: String, _ fields: [(String, String)]
  ) throws -> RawResponse {
    let streams = StreamClient(port: port)
    try streams.open(target, fields)
    let hasAnswered = streams.wait {
      guard let response = $0[0].response else { return false }
      return response.status != 200
        || response["Content-Type"]?.hasPrefix("text/event-stream") != true
        || !$0[0].events.isEmpty || $0[0].comments > 1
    }
    #expect(hasAnswered, "\(target)")
    let stream = streams.streams[0]
    let head = try #require(stream.response, "\(target)")
    return RawResponse(
      status: head.status, fields: head.fields, body: Array((stream.last?.data ?? "").utf8))
  }

  @Test(
    "A key that is limited to lists cannot see or change other data",
    arguments: ["readOwn", "writeOwn"])
  func foreignLists(_ key: String) throws {
    let service = try KeyedService()
    let client = try RawClient(port: service.server.port)
    let fields = service.key(key)
    let before = try service.foreignRows()
    for operation in GuardedOperation.all {
      for request in operation.foreign {
        let answer =
          operation.template == "/v1/live"
          ? try first(client.port, request.target, fields)
          : try client.request(operation.method, request.target, fields, body: request.body)
        try expectNothing(answer, operation, request)
        guard operation.method == "GET" else { continue }
        try expectNothing(try first(client.port, request.target, fields), operation, request)
      }
      if operation.method == "GET" {
        for request in operation.own {
          try expectNothing(try get(client, request.target, fields), operation, request)
          try expectNothing(try first(client.port, request.target, fields), operation, request)
        }
      }
    }
    #expect(try service.foreignRows() == before)
    // Counts do not reveal foreign data either.
    let stats = try client.get("/v1/stats", fields).json
    #expect(stats["all"] as? Int == 3 && stats["open"] as? Int == 3)
    #expect(try client.get("/v1/lists?total=true", fields).json["total"] as? Int == 2)
    #expect(try client.get("/v1/reminders?total=true", fields).json["total"] as? Int == 3)
    #expect(try client.get("/v1/search?q=both&total=true", fields).json["total"] as? Int == 2)
    #expect(try client.get("/v1/tags?total=true", fields).json["total"] as? Int == 2)
    #expect(try client.get("/v1/tags/both", fields).json["reminders"] as? Int == 2)
    #expect(try client.get("/v1/tags/both", service.key("read")).json["reminders"] as? Int == 3)
  }

  private func expectNothing(
    _ answer: RawResponse, _ operation: GuardedOperation, _ request: GuardedOperation.Request
  ) throws {
    let all = answer.fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n") + answer.text
    // An error may repeat the path of the request.
    let asked = request.target.contains(KeyedService.secret) && answer.status >= 400
    #expect(
      asked || !all.contains(KeyedService.secret), "\(operation.name) \(request.target)\n\(all)")
    if operation.method != "GET" {
      #expect(
        [403, 404, 422].contains(answer.status), "\(operation.name) \(request.target): \(all)")
    }
  }

  /// The operations that concern all lists.
  private static let wide = Set(
    GuardedOperation.all.filter { $0.scope == "admin" || $0.template.hasPrefix("/v1/smart-lists") }
      .map(\.name)
  ).union([
    "POST /v1/lists", "PUT /v1/lists/order", "PUT /v1/lists/{id}/position", "POST /v1/tags",
    "PATCH /v1/tags/{tag}", "DELETE /v1/tags/{tag}", "GET /metrics",
  ])

  @Test("A limited key cannot do what concerns all lists")
  func whole() throws {
    let service = try KeyedService()
    let client = try RawClient(port: service.server.port)
    let before = try service.allRows()
    for operation in GuardedOperation.all where Self.wide.contains(operation.name) {
      for request in operation.own + operation.foreign {
        let answer = try client.request(
          operation.method, request.target, service.key("writeOwn"), body: request.body)
        #expect(answer.status == 403, "\(operation.name)")
        // Not in a batch either.
        guard operation.method != "GET", operation.template != "/v1/import" else { continue }
        let batch = GuardedOperation.batch(operation.method, request)
        let part = try client.request(
          "POST", batch.target, service.key("writeOwn"), body: batch.body)
        #expect(part.status == 422, "\(operation.name)")
        #expect(part.json["cause"] as? String == "/problems/forbidden", "\(operation.name)")
      }
    }
    #expect(try service.allRows() == before)
    // All other operations are allowed.
    for operation in GuardedOperation.writes where !Self.wide.contains(operation.name) {
      let request = try #require(operation.own.first)
      let answer = try client.request(
        operation.method, request.target, service.key("writeOwn"), body: request.body)
      #expect(
        !AuthorizationTests.refusals.contains(answer.status), "\(operation.name): \(answer.text)")
    }
  }

  @Test("A live session can subscribe to what its key can read, and nothing else")
  func sessions() throws {
    let service = try KeyedService()
    let client = try RawClient(port: service.server.port)
    let made = try client.request("POST", "/v1/live/sessions", service.key("writeOwn"))
    let access = try #require(made.json["access"] as? String)
    let before = try service.allRows()
    for operation in GuardedOperation.all {
      for request in operation.own + operation.foreign {
        let joint = request.target.contains("?") ? "&" : "?"
        let target = "\(request.target)\(joint)access=\(access)"
        let bearer = [("Authorization", "Bearer \(access)")]
        if operation.template != "/v1/live" {
          for (target, fields) in [(target, []), (request.target, bearer)] {
            let answer = try client.request(operation.method, target, fields, body: request.body)
            #expect(AuthorizationTests.refusals.contains(answer.status), "\(operation.name)")
          }
        }
        guard operation.method == "GET" else { continue }
        let answer = try first(client.port, target, [])
        try expectNothing(answer, operation, request)
        if operation.template == "/v1/export" || Self.wide.contains(operation.name) {
          #expect(answer.status == 403)
        } else if operation.own.contains(where: { $0.target == request.target }) {
          #expect(answer.status == 200 && !answer.body.isEmpty, "\(target)")
        }
      }
    }
    #expect(try service.allRows() == before)
  }

  @Test("Streams of a limited key contain nothing about other lists")
  func liveLeak() throws {
    let service = try KeyedService()
    let client = try RawClient(port: service.server.port)
    let streams = StreamClient(port: service.server.port)
    // A key without limits subscribes to the same queries.
    let others = StreamClient(port: service.server.port)
    let targets = [
      "/v1/lists", "/v1/reminders", "/v1/tags", "/v1/stats", "/v1/search?q=both",
      "/v1/live?stats=/v1/stats&tags=/v1/tags", "/v1/changes",
    ]
    for target in targets { try others.open(target, service.key("read")) }
    #expect(others.wait { $0.allSatisfy { $0.events.count == 1 } })
    for target in targets { try streams.open(target, service.key("readOwn")) }
    #expect(streams.wait { $0.allSatisfy { $0.events.count == 1 } })
    let admin = service.key("admin")
    for body in [
      #"{"listID":4,"title":"xyzzy both","tags":["both","xyzzy2"]}"#,
      #"{"listID":2,"title":"the end","tags":["both"]}"#,
    ] {
      #expect(try client.request("POST", "/v1/reminders", admin, body: body).status == 201)
    }
    #expect(streams.wait { $0.allSatisfy { $0.events.count > 1 } })
    #expect(others.wait { $0.allSatisfy { $0.events.count > 1 } })
    for (target, stream) in zip(targets, others.streams) where target != "/v1/stats" {
      #expect(stream.events.contains { $0.data.contains(KeyedService.secret) }, "\(target)")
    }
    for (target, stream) in zip(targets, streams.streams) {
      #expect(stream.events.count == 2, "\(target): \(stream.events.count)")
      #expect(stream.events.first?.data != others.streams.first?.events.first?.data)
      #expect(!stream.events.contains { $0.data.contains(KeyedService.secret) }, "\(target)")
    }
  }
}
