import MartletHTTP
import MartletJSON
import MartletLiveQueries
import MartletSQLite
import MartletStore
import MartletTime
import TestSupport
import Testing

@testable import MartletLiveAPI

@Suite("Stored responses") struct StoredAnswersTests {
  private func database() throws -> Connection {
    let connection = try Connection(location: .inMemory)
    try APITables.keptAnswers.install(in: connection)
    return connection
  }
  private func key(_ name: String) throws -> IdempotencyKey {
    let fields = Fields(["Idempotency-Key": name])
    let peer = try #require(Peer(address: "192.0.2.1"))
    return try #require(
      try IdempotencyKey(Request(.post, target: "/notes", fields: fields, peer: peer)))
  }

  @Test("A response is stored for a day")
  func lifetime() throws {
    let connection = try database()
    let clock = TestClock()
    let day: Int64 = 24 * 3_600_000
    for number in 0..<20 {
      try StoredAnswers(connection, clock.clock, most: 20)
        .keep(WrittenAnswer(status: .created, location: "/\(number)"), try key("\(number)"))
    }
    clock.advance(milliseconds: day - 1)
    #expect(
      try StoredAnswers(connection, clock.clock, most: 20).find(try key("7"))?.location == "/7")
    clock.advance(milliseconds: 1)
    #expect(try StoredAnswers(connection, clock.clock, most: 20).find(try key("7")) == nil)
    try StoredAnswers(connection, clock.clock, most: 20)
      .keep(WrittenAnswer(status: .noContent), try key("7"))
    #expect(
      try StoredAnswers(connection, clock.clock, most: 20).find(try key("7"))?.status == .noContent)
    for number in 20..<22 {
      try StoredAnswers(connection, clock.clock, most: 20)
        .keep(WrittenAnswer(status: .created), try key("\(number)"))
    }
    #expect(try connection.value("SELECT count(*) FROM idempotentAnswers")?.integer == 3)
  }

  /// A service that stores responses and has a write with preconditions.
  private func service(keys: Gate.Settings? = nil) throws -> NotesService {
    var settings = API.Settings()
    settings.storesResponses = true
    let current: WriteRoute.Current = { db, body in
      body.append(utf8: try db.value("SELECT title FROM notes WHERE id = 1")?.text ?? "none")
      return true
    }
    let service = try NotesService(
      settings: settings, keys: keys,
      routes: [
        .write(.post, "/notes/1/more") { _, _ in
          WriteRoute.Work(current: current) { db in
            try db.run("UPDATE notes SET title = title || '+' WHERE id = 1")
            return .changed(current)
          }
        }
      ])
    try service.database.write { try APITables.keptAnswers.install(in: $0) }
    return service
  }

  @Test("An API key gets only its own stored responses")
  func callers() throws {
    let service = try service(keys: Gate.Settings())
    let client = try service.client()
    let keys = try (0..<2).map { _ in
      let key = try service.database.write {
        try APIKeys.create("key", Rights(.write), expiresAt: nil, now: Clock.system.now(), in: $0)
      }
      return [("Authorization", "Bearer \(key.text)"), ("Idempotency-Key", "once")]
    }
    let body = #"{"title":"a"}"#
    let answers = try (keys + keys).map {
      let response = try client.request("POST", "/notes", $0, body: body)
      #expect(response.status == 201)
      return response["Location"]
    }
    #expect(answers == ["/notes/1", "/notes/2", "/notes/1", "/notes/2"])
    // A key cannot be used with another body.
    let other = try client.request("POST", "/notes", keys[0], body: #"{"title":"b"}"#)
    #expect(other.problem == "idempotency-key-reused")
  }

  @Test("A repeated request gets its response although it changed the ETag in If-Match")
  func preconditions() throws {
    let service = try service()
    let client = try service.client()
    #expect(try client.post("/notes", #"{"title":"a"}"#).status == 201)
    let fields = [
      ("Idempotency-Key", "once"), ("If-Match", ETag(hashing: Array("a".utf8)).description),
    ]
    let first = try client.request("POST", "/notes/1/more", fields)
    #expect(first.status == 200 && first.text == "a+")
    let again = try client.request("POST", "/notes/1/more", fields)
    #expect(again.status == 200 && again.text == "a+")
    #expect(
      try client.request("POST", "/notes/1/more", [fields[1], ("Idempotency-Key", "new")]).status
        == 412)
    #expect(try client.get("/notes/1").json["title"] as? String == "a+")
  }

  @Test("Beyond the limit the oldest responses are deleted")
  func most() throws {
    let connection = try database()
    let kept = StoredAnswers(connection, TestClock().clock, most: 3)
    for number in 0..<10 { try kept.keep(WrittenAnswer(status: .created), try key("\(number)")) }
    #expect(
      try connection.value("SELECT group_concat(key) FROM idempotentAnswers")?.text == "7,8,9")
  }

  @Test("A key applies to one caller, one path and one query")
  func scope() throws {
    let peer = try #require(Peer(address: "192.0.2.1"))
    func scope(_ target: String, of keyID: Int?) throws -> String? {
      var request = try Request(
        .post, target: target, fields: Fields(["Idempotency-Key": "a"]), peer: peer)
      request.caller = Access(Rights(.write), keyID: keyID)
      return try IdempotencyKey(request)?.scope
    }
    let scopes = try [
      scope("/notes", of: nil), scope("/notes", of: 1), scope("/notes", of: 2),
      scope("/notes?a=1", of: 1), scope("/notes?a=2", of: 1), scope("/others", of: 1),
    ]
    #expect(Set(scopes.compactMap(\.self)).count == scopes.count)
  }
}
