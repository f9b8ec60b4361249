import Foundation
import TestSupport
import Testing

/// Requests that cover the API: each operation with its success and all its errors.
struct ContractWalk {
  let walk: Walk

  init(_ walk: Walk) { self.walk = walk }

  func all() throws {
    try fill()
    try operating()
    for operation in Operation.reads { try refusals(ofRead: operation) }
    for operation in Operation.writes { try refusals(ofWrite: operation) }
    try filters()
    try bodies()
    try conflicts()
    try channelBodies()
    try manyChannels()
    try manySubscriptions()
    try manySmartLists()
    try protocolErrors()
    try deletions()
    try unreadRule()
  }

  private func fill() throws {
    try walk.call(201, "POST", "/v1/lists", body: ##"{"title":"Errands","color":"#EF7E4A"}"##)
    try walk.call(201, "POST", "/v1/tags", body: #"{"title":"holiday"}"#)
    try walk.call(
      200, "POST", "/v1/batch",
      body: """
        {"operations":[{"name":"a","method":"POST","path":"/v1/tags","body":{"title":"batch"}},
        {"method":"DELETE","path":"/v1/tags/{a}"}]}
        """)
    try walk.call(
      422, "POST", "/v1/batch",
      body: #"{"operations":[{"method":"DELETE","path":"/v1/lists/99"}]}"#,
      problem: "batch-failed")
    let key = [("Idempotency-Key", "8e03978e-40d5-43dd-bc93-6894a57f9324")]
    for _ in 0..<2 { try walk.call(201, "POST", "/v1/tags", key, body: #"{"title":"once"}"#) }
    try walk.call(
      422, "POST", "/v1/tags", key, body: #"{"title":"twice"}"#, problem: "idempotency-key-reused")
    try walk.call(
      400, "POST", "/v1/tags", [("Idempotency-Key", "a b")], body: #"{"title":"x"}"#,
      problem: "invalid-idempotency-key")
    let made = try walk.call(
      201, "POST", "/v1/reminders",
      body: """
        {"listID":2,"title":"Winter tyres","notes":"The car <is> due","dueDate":"2026-12-01",
        "priority":"high","isFlagged":true,"tags":["car","errand"]}
        """)
    #expect(made["Location"] == "/v1/reminders/1")
    try walk.call(
      201, "POST", "/v1/lists/2/reminders", of: Operation.ofList,
      body: #"{"title":"Späti","dueDate":"2026-11-20T16:36:00.5+01:00","status":"completed"}"#)
    try walk.call(
      201, "POST", "/v1/lists/1/reminders", of: Operation.ofList,
      body: """
        {"title":"Plants","startDate":"2026-11-20T09:00:00Z","dueDate":"2026-11-20T10:00:00Z",
        "timeZone":"Europe/Vienna","recurrence":{"rule":"freq=weekly","basis":"each",
        "start":"2026-11-20T10:00:00Z","excluded":["2026-11-27T10:00:00Z","2026-12-04"]}}
        """)
    try walk.call(200, "PATCH", "/v1/settings", body: #"{"defaultDayAlarm":null}"#)
    try channels()
    try subscriptions()
    try smartLists()
    try walk.call(200, "PUT", "/v1/reminders/2/tags/caf%C3%A9", of: Operation.tagging)
    try walk.call(200, "PATCH", "/v1/lists/2", of: Operation.list, body: #"{"title":"Errands!"}"#)
    try walk.call(
      200, "PATCH", "/v1/reminders/2", of: Operation.reminder,
      [("Content-Type", "application/merge-patch+json")],
      body: #"{"dueDate":null,"priority":"low"}"#)
    try walk.call(204, "PUT", "/v1/lists/order", body: #"{"ids":[2,1]}"#)
    try walk.call(
      204, "PUT", "/v1/lists/2/reminders/order", of: "/v1/lists/{id}/reminders/order",
      body: #"{"ids":[2,1]}"#)
  }

  private func operating() throws {
    for path in [
      "/livez", "/readyz", "/metrics", "/openapi.yaml", "/", "/try", "/try.css", "/try.js",
      "/app/martlet.js", "/app/martlet.d.ts",
    ] {
      try walk.call(200, "GET", path)
      try walk.call(200, "HEAD", path)
      try walk.call(405, "POST", path, body: "{}", problem: "method-not-allowed")
    }
    try walk.call(200, "GET", "/", [("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")])
    let problem = "/problems/{slug}"
    try walk.call(200, "GET", "/problems/not-found", of: problem)
    try walk.call(404, "GET", "/problems/not-fund", of: problem, problem: "not-found")
    try walk.call(304, "GET", "/problems/not-found", of: problem, [("If-None-Match", "*")])
    try walk.call(
      405, "POST", "/problems/not-found", of: problem, body: "{}", problem: "method-not-allowed")
    for path in [
      "/openapi.yaml", "/", "/try", "/try.css", "/try.js", "/app/martlet.js", "/app/martlet.d.ts",
    ] {
      try walk.call(304, "GET", path, [("If-None-Match", "*")])
    }
    try walk.call(200, "GET", "/v1/export")
    try walk.call(400, "GET", "/v1/export?format=xml", problem: "invalid-parameter")
    try walk.call(200, "GET", "/v1/export?format=csv")
    try walk.call(200, "GET", "/v1/export", [("Accept", "text/calendar")])
    try walk.call(
      406, "GET", "/v1/export", [("Accept", "application/json")], problem: "not-acceptable")
    try walk.call(200, "POST", "/v1/import", body: #"{"type":"tag","title":"imported"}"#)
    try walk.call(400, "POST", "/v1/import", body: "{", problem: "malformed-json")
    try walk.call(422, "POST", "/v1/import", body: #"{"type":"task"}"#, problem: "invalid-body")
    try walk.call(
      409, "POST", "/v1/import", [("Content-Type", "text/csv")],
      body: "title,tags\nx,1;2;3;4;5;6\n",
      problem: "too-many-tags")
    try walk.call(
      403, "POST", "/v1/import", [("Sec-Fetch-Site", "cross-site")], body: "",
      problem: "cross-origin")
    let tooLarge = RawClient.head("POST", "/v1/import", [("Content-Length", "200000000")])
    try walk.raw(413, tooLarge, problem: "payload-too-large")
    let sessions = "/v1/live/sessions"
    try walk.call(201, "POST", sessions)
    try walk.call(201, "POST", sessions, body: "{}")
    try walk.call(400, "POST", sessions, body: "{", problem: "malformed-json")
    try walk.call(422, "POST", sessions, body: #"{"for":"me"}"#, problem: "invalid-body")
    let head = RawClient.head("POST", sessions, [("Content-Length", "2000000")])
    try walk.raw(413, head, problem: "payload-too-large")
    try walk.call(
      403, "POST", sessions, [("Sec-Fetch-Site", "cross-site")], problem: "cross-origin")
    try walk.stream("/v1/live?stats=/v1/stats&lists=/v1/lists&timeZone=Europe/Vienna")
    try walk.call(400, "GET", "/v1/live?stats=/nowhere", problem: "invalid-parameter")
    try walk.call(
      406, "GET", "/v1/live?stats=/v1/stats", [("Accept", "application/json")],
      problem: "not-acceptable")
  }

  // MARK: Refusals

  // MARK: Order, quick add and smart lists

  private func smartLists() throws {
    try walk.call(
      201, "POST", "/v1/smart-lists",
      body: #"{"title":"S","icon":"⚑","filter":{"tag":["car"],"due":"today"},"sort":"-dueDate"}"#)
    try walk.call(
      200, "PATCH", "/v1/smart-lists/1", of: Operation.smartList,
      body: #"{"filter":{"due":null},"sort":null}"#)
    try walk.call(204, "PUT", "/v1/smart-lists/order", body: #"{"ids":[1]}"#)
    try walk.call(201, "POST", "/v1/smart-lists", body: #"{"title":"S","filter":{},"uid":"s"}"#)
    try walk.call(
      200, "PUT", "/v1/smart-lists/2/position", of: Operation.smartPosition,
      body: #"{"after":null}"#)
    try walk.call(204, "DELETE", "/v1/smart-lists/2", of: Operation.smartList)
    try walk.call(
      200, "PUT", "/v1/lists/2/position", of: Operation.listPosition, body: #"{"before":null}"#)
    try walk.call(
      200, "PUT", "/v1/reminders/2/position", of: Operation.position, body: #"{"before":1}"#)
    try walk.call(
      200, "POST", "/v1/quick-add?preview=true",
      body: #"{"text":"a tomorrow 9am every week @car !high remind 10 minutes before"}"#)
    try walk.call(201, "POST", "/v1/quick-add", body: #"{"text":"Bread today"}"#)
    try walk.call(422, "POST", "/v1/quick-add", body: #"{"text":"today"}"#, problem: "invalid-body")
    try walk.call(409, "POST", "/v1/pairing-codes", problem: "no-keys")
    try walk.call(
      422, "POST", "/v1/pairings", body: #"{"code":"K3FM9-QXR7T","name":"x"}"#,
      problem: "invalid-pairing-code")
  }

  private func manySmartLists() throws {
    while try walk.call(200, "GET", "/v1/smart-lists").items.count < 100 {
      try walk.call(201, "POST", "/v1/smart-lists", body: #"{"title":"S","filter":{}}"#)
    }
    try walk.call(
      409, "POST", "/v1/smart-lists", body: #"{"title":"S","filter":{}}"#,
      problem: "too-many-smart-lists")
  }

  /// Requests of a key with the scope `admin`.
  ///
  /// - Parameter fill: Adds as many valid keys as there can be.
  func keys(_ fill: () throws -> Void) throws {
    let spare = "/v1/keys/\(KeyedService.spareKey)"
    let reads = [
      Operation(method: "GET", template: "/v1/keys", path: "/v1/keys"),
      Operation(
        method: "GET", template: Operation.key, path: spare, missing: "/v1/keys/9999",
        malformed: "/v1/keys/x"),
    ]
    for operation in reads { try refusals(ofRead: operation) }
    try walk.call(400, "GET", "/v1/keys?cursor=x", problem: "invalid-cursor")
    let body = #"{"name":"k","scope":"read","lists":[2]}"#
    let writes = [
      Operation(method: "POST", template: "/v1/keys", path: "/v1/keys", body: body),
      Operation(
        method: "DELETE", template: Operation.key, path: spare, missing: "/v1/keys/9999",
        malformed: "/v1/keys/x"),
      Operation(
        method: "POST", template: "/v1/pairing-codes", path: "/v1/pairing-codes", body: "{}"),
      Operation(
        method: "POST", template: "/v1/pairings", path: "/v1/pairings",
        body: #"{"code":"K3FM9-QXR7T","name":"x"}"#),
    ]
    // A body is not required for a code.
    for operation in writes where operation.template != "/v1/pairing-codes" {
      try refusals(ofWrite: operation)
    }
    try refusals(
      ofWrite: Operation(
        method: "POST", template: "/v1/pairing-codes", path: "/v1/pairing-codes"))
    try walk.call(400, "POST", "/v1/pairing-codes", body: "{", problem: "malformed-json")
    try walk.call(
      422, "POST", "/v1/pairing-codes", body: #"{"scope":"x"}"#, problem: "invalid-body")
    let head = RawClient.head(
      "POST", "/v1/pairing-codes", walk.fields + [("Content-Length", "2000000")])
    try walk.raw(413, head, problem: "payload-too-large")
    try walk.call(201, "POST", "/v1/keys", body: body)
    func pair(_ status: Int) throws {
      let code = try walk.call(201, "POST", "/v1/pairing-codes").json["code"] as? String ?? ""
      try walk.call(
        status, "POST", "/v1/pairings", body: #"{"code":"\#(code)","name":"phone"}"#)
    }
    try pair(201)
    try walk.call(204, "DELETE", spare, of: Operation.key)
    try fill()
    try walk.call(409, "POST", "/v1/keys", body: body, problem: "too-many-keys")
    try pair(409)
  }

  private func refusals(ofRead operation: Operation) throws {
    let (path, template) = (operation.path, operation.template)
    let joint = path.contains("?") ? "&" : "?"
    let answer = try walk.call(200, "GET", path, of: template)
    let tag = try #require(answer["ETag"])
    try walk.call(200, "HEAD", path, of: template)
    try walk.stream(path, of: template)
    for known in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
      try walk.call(304, "GET", path, of: template, [("If-None-Match", known)])
    }
    try walk.call(200, "GET", path, of: template, [("If-None-Match", "\"other\"")])
    try walk.call(
      406, "GET", path, of: template, [("Accept", "text/html")], problem: "not-acceptable")
    try walk.call(
      400, "GET", path + joint + "colour=red", of: template, problem: "unknown-parameter")
    try walk.call(
      400, "GET", path + joint + "deltas=maybe", of: template, problem: "invalid-parameter")
    if let missing = operation.missing {
      try walk.call(404, "GET", missing, of: template, problem: "not-found")
      try walk.call(
        404, "GET", missing, of: template, [("Accept", "text/event-stream")], problem: "not-found")
    }
    if let malformed = operation.malformed {
      try walk.call(400, "GET", malformed, of: template, problem: "invalid-parameter")
    }
  }

  private func refusals(ofWrite operation: Operation) throws {
    let (method, path, template) = (operation.method, operation.path, operation.template)
    func refused(
      _ status: Int, _ problem: String, _ path: String, _ fields: [(String, String)] = [],
      body: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      try walk.call(
        status, method, path, of: template, fields, body: body ?? operation.body, problem: problem,
        sourceLocation: sourceLocation)
    }
    for origin in ["https://evil.example", "null"] {
      try refused(403, "cross-origin", path, [("Origin", origin)])
    }
    try refused(403, "cross-origin", path, [("Sec-Fetch-Site", "cross-site")])
    try refused(400, "unknown-parameter", path + "?colour=red")
    if method != "POST" {
      try refused(412, "precondition-failed", path, [("If-Match", "\"0000000000000000\"")])
    }
    if let missing = operation.missing { try refused(404, "not-found", missing) }
    if let malformed = operation.malformed { try refused(400, "invalid-parameter", malformed) }
    guard operation.body != nil else { return }
    let nested = String(repeating: "[", count: 65) + String(repeating: "]", count: 65)
    for body in ["{\"title\":", "", nested, "{\"title\":\"\u{1}\"}"] {
      try refused(400, "malformed-json", path, body: body)
    }
    try refused(422, "invalid-body", path, body: "[]")
    try refused(422, "invalid-body", path, body: #"{"colour":"red"}"#)
    try refused(415, "unsupported-media-type", path, [("Content-Encoding", "gzip")])
    // The announced body is never sent, and the server does not wait for it.
    let head = RawClient.head(method, path, walk.fields + [("Content-Length", "2000000")])
    try walk.raw(413, head, of: template, problem: "payload-too-large")
  }
}
