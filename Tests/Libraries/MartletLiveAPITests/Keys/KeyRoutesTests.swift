import Foundation
import MartletJSON
import MartletLiveAPI
import MartletSQLite
import MartletTime
import TestSupport
import Testing

@Suite("Keys over HTTP") struct KeyRoutesTests {
  private let time = TestClock(Instant(milliseconds: 1_795_000_000_123))
  private let service: NotesService
  private let client: RawClient

  init() throws {
    var gate = Gate.Settings()
    gate.failuresPerMinute = 20
    var settings = API.Settings()
    settings.storesResponses = true
    service = try NotesService(
      settings: settings, keys: gate,
      routes: Route.keys("/keys", parts: "notes") { id, db in
        try db.value("SELECT 1 FROM notes WHERE id = ?", .integer(Int64(id))) != nil
      } + Route.pairing("/codes", "/pairings", parts: "notes") + [.batch("/batch"), Self.token],
      clock: time.clock)
    client = try service.client()
  }

  /// A change that the token `right` permits.
  private static let token = Route.token("/answers") { request, _ in
    var body = try Body(request)
    let token = body.string("token", 1...100)
    try body.finish()
    let refusal = APIProblem(.invalidPairingCode, "wrong")
    return TokenRoute.Work(refusal: refusal, isValid: { _ in token == "right" }) { db in
      try db.execute("INSERT INTO notes (title) VALUES ('by a token')")
      let body = ByteBuffer(capacity: 16)
      body.append("{}")
      return body.share()
    }
  }

  private func bearer(_ key: String?) -> [(String, String)] {
    [("Authorization", "Bearer \(key ?? "")")]
  }

  private func send(
    _ method: String, _ target: String, _ key: String?, _ body: String? = nil
  ) throws -> RawResponse {
    try client.request(method, target, key == nil ? [] : bearer(key), body: body)
  }

  /// Creates the first key, without a key.
  private func first() throws -> String {
    let answer = try send("POST", "/keys", nil, #"{"name":"first","scope":"admin"}"#)
    #expect(answer.status == 201, "\(answer.text)")
    return try #require(answer.json["key"] as? String)
  }

  // MARK: Keys

  @Test("A key works no more once its revocation has been answered")
  func atOnce() throws {
    let admin = try first()
    let others = try (0..<4).map { _ in try service.client() }
    // Wrong keys are limited.
    for number in 2...20 {
      let answer = try send("POST", "/keys", admin, #"{"name":"k","scope":"read"}"#)
      let key = bearer(try #require(answer.json["key"] as? String))
      let client = others[number % others.count]
      #expect(try client.request("GET", "/whoami", key).status == 200)
      #expect(try send("DELETE", "/keys/\(number)", admin).status == 204)
      #expect(try client.request("GET", "/whoami", key).status == 401)
    }
  }

  @Test("A key is made, shown once, listed and revoked")
  func life() throws {
    let admin = try first()
    let answer = try send(
      "POST", "/keys", admin,
      #"{"name":"phone","scope":"write","expiresAt":"2026-12-01T00:00:00+01:00"}"#)
    #expect(answer.status == 201 && answer["Location"] == "/keys/2" && answer["ETag"] == nil)
    let key = try #require(answer.json["key"] as? String)
    var shown = answer.json
    shown["key"] = nil
    #expect(
      shown as NSDictionary == [
        "id": 2, "name": "phone", "scope": "write", "notes": NSNull(), "pairedBy": NSNull(),
        "createdAt": "2026-11-18T11:06:40.123Z", "expiresAt": "2026-11-30T23:00:00.000Z",
        "revokedAt": NSNull(),
      ])
    #expect(try send("GET", "/keys/2", admin).json as NSDictionary == shown as NSDictionary)
    #expect(try send("GET", "/whoami", key).json["name"] as? String == "phone")
    let list = try send("GET", "/keys", admin)
    #expect(list.items.compactMap { $0["id"] as? Int } == [1, 2] && !list.text.contains("mk_"))
    #expect(try send("GET", "/keys", key).status == 403)
    #expect(try send("DELETE", "/keys/2", admin).status == 204)
    #expect(try send("GET", "/whoami", key).status == 401)
    #expect(try send("GET", "/keys/2", admin).json["revokedAt"] is String)
    #expect(try send("DELETE", "/keys/2", admin).status == 204, "it is revoked already")
    #expect(try send("DELETE", "/keys/9", admin).status == 404)
  }

  @Test("A key expires when it says")
  func expiry() throws {
    let admin = try first()
    let answer = try send(
      "POST", "/keys", admin,
      #"{"name":"x","scope":"read","expiresAt":"2026-11-18T12:00:00Z"}"#)
    let key = answer.json["key"] as? String
    #expect(try send("GET", "/notes", key).status == 200)
    time.advance(milliseconds: 3_600_000)
    #expect(try send("GET", "/notes", key).status == 401)
  }

  @Test("A key is limited to parts of the data that exist")
  func parts() throws {
    #expect(try send("POST", "/notes", nil, #"{"title":"a"}"#).status == 201)
    let admin = try first()
    let body = #"{"name":"x","scope":"write","notes":[1]}"#
    let answer = try send("POST", "/keys", admin, body)
    #expect(answer.json["notes"] as? [Int] == [1])
    let who = try send("GET", "/whoami", answer.json["key"] as? String)
    #expect(who.json["notes"] as? [Int] == [1])
    let unknown = try send("POST", "/keys", admin, #"{"name":"x","scope":"read","notes":[1,7]}"#)
    #expect(unknown.status == 422 && unknown.text.contains("/notes/1"))
    let first = try send("POST", "/keys", admin, #"{"name":"x","scope":"read","notes":[7,1]}"#)
    #expect(first.status == 422 && first.text.contains("/notes/0"), "as the body has them")
  }

  @Test(
    "What is wrong is named",
    arguments: [
      (#"{"scope":"read"}"#, "/name"), (#"{"name":"","scope":"read"}"#, "/name"),
      (#"{"name":"a\nb","scope":"read"}"#, "/name"), (#"{"name":"x"}"#, "/scope"),
      (#"{"name":"x","scope":"root"}"#, "/scope"),
      (#"{"name":"x","scope":"admin","notes":[1]}"#, "/notes"),
      (#"{"name":"x","scope":"read","notes":[]}"#, "/notes"),
      (#"{"name":"x","scope":"read","expiresAt":"2020-01-01T00:00:00Z"}"#, "/expiresAt"),
      (#"{"name":"x","scope":"read","expiresAt":30}"#, "/expiresAt"),
      (#"{"name":"x","scope":"read","key":"mk_1_a"}"#, "/key"),
    ])
  func faults(_ body: String, _ pointer: String) throws {
    let answer = try send("POST", "/keys", nil, body)
    #expect(answer.status == 422 && answer.text.contains("\"\(pointer)\""), "\(answer.text)")
    #expect(try send("GET", "/notes", nil).status == 200, "no key was made")
  }

  @Test("A repeated request makes no second key, and no secret is stored")
  func idempotency() throws {
    let admin = try first()
    let fields = bearer(admin) + [("Idempotency-Key", "a")]
    let body = #"{"name":"x","scope":"read"}"#
    let answers = try (0..<2).map { _ in
      try client.request("POST", "/keys", fields, body: body)
    }
    #expect(answers.map(\.status) == [201, 201])
    #expect(answers[0].json["id"] as? Int == answers[1].json["id"] as? Int)
    #expect(answers[1]["Idempotency-Replayed"] == "true" && answers[1].json["key"] == nil)
    let stored = try service.database.read { db in
      try db.query("SELECT CAST(body AS TEXT) FROM idempotentAnswers").compactMap { $0[0].text }
    }
    #expect(stored.count == 1 && !stored[0].contains("mk_"))
  }

  @Test("A batch stores no key either")
  func batch() throws {
    let admin = try first()
    let fields = bearer(admin) + [("Idempotency-Key", "b")]
    let body = """
      {"operations":[{"method":"POST","path":"/keys","body":{"name":"x","scope":"read"}},
      {"method":"POST","path":"/notes","body":{"title":"a"}}]}
      """
    let answers = try (0..<2).map { _ in
      try client.request("POST", "/batch", fields, body: body)
    }
    #expect(answers.map(\.status) == [200, 200], "\(answers[0].text)")
    #expect(answers[0].text.contains("mk_2_") && !answers[1].text.contains("mk_2_"))
    #expect(answers[1].text.contains(#""name":"x""#) && answers[1].text.contains(#""title":"a""#))
    let stored = try service.database.read { db in
      try db.query("SELECT CAST(body AS TEXT) FROM idempotentAnswers").compactMap { $0[0].text }
    }
    #expect(stored.count == 1 && !stored[0].contains("mk_"))
  }

  @Test("The first key has the scope admin")
  func firstKey() throws {
    let refused = try send("POST", "/keys", nil, #"{"name":"x","scope":"write"}"#)
    #expect(refused.status == 422 && refused.text.contains("/scope"))
    #expect(try send("GET", "/notes", nil).status == 200)
    let admin = try first()
    #expect(try send("POST", "/keys", admin, #"{"name":"x","scope":"write"}"#).status == 201)
  }

  @Test("Pages of keys")
  func pages() throws {
    let admin = try first()
    for name in ["a", "b", "c"] {
      #expect(
        try send("POST", "/keys", admin, #"{"name":"\#(name)","scope":"read"}"#).status == 201)
    }
    var names: [String] = []
    var cursor = ""
    repeat {
      let page = try send("GET", "/keys?limit=2\(cursor)", admin)
      names += page.items.compactMap { $0["name"] as? String }
      cursor = (page.json["nextCursor"] as? String).map { "&cursor=\($0)" } ?? ""
    } while !cursor.isEmpty
    #expect(names == ["first", "a", "b", "c"])
  }

  // MARK: Pairing

  private func code(_ key: String, _ body: String? = nil) throws -> String {
    let answer = try send("POST", "/codes", key, body)
    #expect(answer.status == 201, "\(answer.text)")
    return try #require(answer.json["code"] as? String)
  }

  private func pair(_ code: String, _ name: String = "phone") throws -> RawResponse {
    try send("POST", "/pairings", nil, #"{"code":"\#(code)","name":"\#(name)"}"#)
  }

  @Test("A code is traded once for a key with the same rights and the same end")
  func pairing() throws {
    #expect(try send("POST", "/notes", nil, #"{"title":"a"}"#).status == 201)
    let admin = try first()
    let made = try send(
      "POST", "/keys", admin,
      #"{"name":"tablet","scope":"write","notes":[1],"expiresAt":"2027-01-01T00:00:00Z"}"#)
    let tablet = try #require(made.json["key"] as? String)
    let code = try code(tablet)
    let paired = try pair(code.lowercased())
    #expect(paired.status == 201, "\(paired.text)")
    let json = paired.json
    #expect(json["scope"] as? String == "write" && json["notes"] as? [Int] == [1])
    #expect(json["expiresAt"] as? String == "2027-01-01T00:00:00.000Z")
    #expect(
      json["pairedBy"] as? Int == made.json["id"] as? Int && json["name"] as? String == "phone")
    let phone = json["key"] as? String
    #expect(try send("GET", "/whoami", phone).json["name"] as? String == "phone")
    #expect(try pair(code).problem == "invalid-pairing-code", "it is used up")
    // Revoking one leaves the other.
    #expect(try send("DELETE", "/keys/2", admin).status == 204)
    #expect(try send("GET", "/whoami", phone).status == 200)
  }

  @Test("The new key can do less, but not more, than the one that has made the code")
  func scope() throws {
    let admin = try first()
    let reader = try pair(try code(admin, #"{"scope":"read"}"#)).json
    #expect(reader["scope"] as? String == "read")
    let key = try #require(reader["key"] as? String)
    let more = try send("POST", "/codes", key, #"{"scope":"write"}"#)
    #expect(more.status == 422 && more.text.contains("/scope"))
    #expect(try pair(try code(key)).json["scope"] as? String == "read")
  }

  @Test("A key can pair 20 others, however they are chained, and all can be revoked with it")
  func chains() throws {
    let admin = try first()
    let made = try send("POST", "/keys", admin, #"{"name":"x","scope":"read"}"#)
    var key = try #require(made.json["key"] as? String)
    var paired: [String] = []
    for _ in 0..<20 {
      key = try #require(try pair(try code(key)).json["key"] as? String)
      paired.append(key)
    }
    #expect(try pair(try code(key)).problem == "too-many-keys")
    #expect(try pair(try code(paired[3])).problem == "too-many-keys")
    #expect(try pair(try code(admin)).status == 201, "another family")
    #expect(try send("DELETE", "/keys/5?paired=true", admin).status == 204)
    // The keys 3 and 4 are above it.
    #expect(
      try paired.map { try send("GET", "/whoami", $0).status }
        == [200, 200] + Array(repeating: 401, count: 18))
    #expect(try pair(try code(paired[0])).status == 201, "there is room again")
  }

  @Test("A code is valid for five minutes, until the next one, and while its key is")
  func end() throws {
    let admin = try first()
    let made = try send("POST", "/keys", admin, #"{"name":"x","scope":"read"}"#)
    let key = try #require(made.json["key"] as? String)
    let first = try code(key)
    let second = try code(key)
    #expect(try pair(first).status == 422)
    time.advance(milliseconds: 299_000)
    #expect(try pair(second).status == 201)
    let third = try code(key)
    time.advance(milliseconds: 300_000)
    #expect(try pair(third).status == 422)
    let fourth = try code(key)
    #expect(try send("DELETE", "/keys/2", admin).status == 204)
    #expect(try pair(fourth).status == 422)
  }

  @Test("Of several devices with one code, one gets a key")
  func race() throws {
    let admin = try first()
    let code = try code(admin)
    let clients = try (0..<8).map { _ in try service.client() }
    let body = #"{"code":"\#(code)","name":"phone"}"#
    for client in clients {
      try client.send(RawClient.head("POST", "/pairings", [], body: body) + body)
    }
    let statuses = try clients.map { try $0.response().status }
    #expect(statuses.filter { $0 == 201 }.count == 1 && statuses.filter { $0 == 422 }.count == 7)
  }

  @Test("Wrong codes are counted like wrong keys, and right ones are not")
  func guesses() throws {
    let admin = try first()
    for _ in 0..<20 { #expect(try pair(try code(admin)).status == 201) }
    let statuses = try (0..<25).map { try pair("K3FM9-QXR\($0 % 10)T").status }
    #expect(
      statuses.prefix(20).allSatisfy { $0 == 422 } && statuses.suffix(5).allSatisfy { $0 == 429 })
    #expect(try pair(try code(admin)).status == 429, "also the right one")
    #expect(try send("GET", "/notes", admin).status == 200, "a valid key is not counted")
    #expect(try pair("no code").status == 429)
  }

  @Test("A token needs no key and no origin; wrong ones are counted like wrong keys")
  func tokens() throws {
    let admin = try first()
    let other = [("Origin", "https://evil.example"), ("Sec-Fetch-Site", "cross-site")]
    func send(_ token: String) throws -> RawResponse {
      try client.request("POST", "/answers", other, body: #"{"token":"\#(token)"}"#)
    }
    for _ in 0..<25 {
      let answer = try send("right")
      #expect(answer.status == 200 && answer["Access-Control-Allow-Origin"] == "*")
    }
    let statuses = try (0..<25).map { try send("wrong \($0)").status }
    #expect(
      statuses.prefix(20).allSatisfy { $0 == 422 } && statuses.suffix(5).allSatisfy { $0 == 429 })
    #expect(try send("right").status == 429)
    #expect(try client.request("POST", "/answers?a=1", [], body: "{}").status == 400)
    #expect(try client.request("GET", "/notes", bearer(admin)).status == 200)
  }

  @Test("Without keys there is nothing to trade; a live session makes no codes")
  func refusals() throws {
    #expect(try send("POST", "/codes", nil).problem == "no-keys")
    #expect(try pair("K3FM9-QXR7T").status == 422)
    let admin = try first()
    #expect(try send("POST", "/codes", nil).status == 401)
    let session = try send("POST", "/sessions", admin).json["access"] as? String ?? ""
    let byURL = try client.request("POST", "/codes?access=\(session)", [])
    #expect([400, 401, 403].contains(byURL.status), "\(byURL.text)")
    #expect(try send("POST", "/codes", admin, #"{"x":1}"#).status == 422)
    #expect(try send("POST", "/pairings", nil, #"{"code":"K3FM9-QXR7T"}"#).status == 422)
    #expect(try send("POST", "/pairings?code=K3FM9-QXR7T", nil, "{}").status == 400)
  }

  @Test("A page of another origin can neither make codes nor trade them")
  func origins() throws {
    let admin = try first()
    let other = [("Origin", "https://evil.example"), ("Sec-Fetch-Site", "cross-site")]
    let code = try code(admin)
    let body = #"{"code":"\#(code)","name":"x"}"#
    #expect(try client.request("POST", "/pairings", other, body: body).problem == "cross-origin")
    #expect(
      try client.request("POST", "/codes", other + bearer(admin), body: "{}").problem
        == "cross-origin")
  }
}
