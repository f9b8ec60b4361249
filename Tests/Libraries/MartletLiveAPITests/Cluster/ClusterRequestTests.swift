import MartletHTTP
import MartletJSON
import MartletLiveQueries
import MartletSQLite
import MartletStore
import MartletTime
import Synchronization
import TestSupport
import Testing

@testable import MartletLiveAPI

/// A cluster whose answers a test decides.
private final class ScriptedCluster: ServiceCluster {
  struct State {
    var isPrimary = true
    var isFresh = true
    var forwardsEverything = false
    var becomesFresh = true
    var staleness: Duration?
    var answers: [ForwardedAnswer] = []
    var forwarded: [String] = []
    var waits = 0
    var trouble: String?
    /// Whether requests come from a proxy.
    var isProxied = false
    /// Called by a wait, before it is over.
    var whileWaiting: (@Sendable () -> Void)?
    /// Whether it is the primary after the next answer.
    var becomesPrimary = false
  }
  let state = Mutex(State())

  func openDatabase(
    _ open: (any Replicator) throws -> EmbeddedDatabase
  ) throws -> EmbeddedDatabase {
    throw CancellationError()
  }
  var forwardsEverything: Bool { state.withLock { $0.forwardsEverything } }
  var isPrimary: Bool { state.withLock { $0.isPrimary } }
  var isFresh: Bool { state.withLock { $0.isFresh } }
  var trouble: String? { state.withLock { $0.trouble } }
  var staleness: Duration? { state.withLock { $0.staleness } }

  func whenFresh(_ completion: @escaping @Sendable (Bool) -> Void) {
    let (isFresh, whileWaiting) = state.withLock { state in
      state.waits += 1
      return (state.becomesFresh, state.whileWaiting)
    }
    whileWaiting?()
    completion(isFresh)
  }

  func forward(_ request: Request, completion: @escaping @Sendable (ForwardedAnswer) -> Void) {
    completion(
      state.withLock { state in
        state.forwarded.append("\(request.method) \(request.path)")
        if state.becomesPrimary { state.isPrimary = true }
        return state.answers.isEmpty ? .noPrimary : state.answers.removeFirst()
      })
  }
}

@Suite("Requests to a node of a cluster") struct ClusterRequestTests {
  private let cluster = ScriptedCluster()
  private let database: EmbeddedDatabase
  private let server: HTTPServer
  private let port: UInt16
  private let folder: TemporaryFolder
  private let api: API

  init() throws {
    folder = try TemporaryFolder()
    let file = try Connection(location: .file(folder.file("a.db")))
    try file.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY, title TEXT NOT NULL) STRICT")
    try APITables.keptAnswers.install(in: file)
    try APITables.keys.install(in: file)
    file.close()
    database = try EmbeddedDatabase(path: folder.file("a.db"))
    var settings = API.Settings()
    settings.storesResponses = true
    // What is counted stays counted.
    var keys = Gate.Settings()
    keys.requestsPerMinute = 1
    api = API(
      database: database, live: LiveQueries(database), settings: settings,
      gate: try Gate(database, settings: keys), cluster: cluster)
    var router = Router()
    let current: WriteRoute.Current = { db, body in
      body.append(utf8: "\(try db.value("SELECT count(*) FROM notes")?.integer ?? 0)")
      return true
    }
    try api.register(
      [
        .read("/notes") { request, _ in LiveSource(request) { try current($0, $1) } },
        .write(.post, "/notes") { _, _ in
          .init(current: current) { db in
            try db.run("INSERT INTO notes (title) VALUES ('a')")
            return .created(location: "/notes", current)
          }
        },
        .write(.delete, "/notes") { _, _ in
          .init(current: current) { db in
            try db.run("DELETE FROM notes")
            guard db.changes > 0 else { throw APIProblem(.notFound, "There are no notes.") }
            return .done
          }
        },
        .readyz { [cluster] _ in cluster.trouble },
      ], on: &router)
    var configuration = HTTPServer.Configuration()
    configuration.host = "127.0.0.1"
    configuration.loops = 1
    configuration.isTrusted = { [cluster] _ in cluster.state.withLock { $0.isProxied } }
    // As the internal port does.
    let named = router.guarded { request in
      if let id = request.fields["Forwarded-ID"] {
        request.forwarding = .init(id: id, isLocal: true)
      }
      return nil
    }
    server = try HTTPServer(configuration: configuration, router: named)
    port = try server.start()
  }

  private func finish() {
    server.stop()
    database.close()
  }

  private func client() throws -> RawClient { try RawClient(port: port) }

  @Test("A replica sends writes to the primary, and passes its answer on")
  func forwarded() throws {
    defer { finish() }
    let fields = Fields(["Location": "/notes/7", "ETag": "\"x\"", "X-Request-ID": "r"])
    cluster.state.withLock {
      $0.isPrimary = false
      $0.answers = [.response(Response(.created, fields, body: .text("7"))), .overloaded, .unknown]
    }
    let made = try client().post("/notes", "")
    #expect(made.status == 201 && made.text == "7" && made["Location"] == "/notes/7")
    #expect(made["ETag"] == "\"x\"")
    let overloaded = try client().post("/notes", "")
    #expect(overloaded.status == 503 && overloaded.text.contains("/problems/overloaded"))
    let unknown = try client().post("/notes", "")
    #expect(unknown.status == 500 && unknown.text.contains("/problems/outcome-unknown"))
    let nobody = try client().request("DELETE", "/notes")
    #expect(nobody.status == 503 && nobody.text.contains("/problems/no-quorum"))
    #expect(nobody["Retry-After"] == "1")
    #expect(
      cluster.state.withLock { $0.forwarded }
        == ["POST /notes", "POST /notes", "POST /notes", "DELETE /notes"])
    #expect(try client().get("/notes").text == "0")
  }

  @Test("A node that becomes the primary while a write waits does it itself")
  func here() throws {
    defer { finish() }
    cluster.state.withLock {
      $0.isPrimary = false
      $0.answers = [.isHere]
      $0.becomesPrimary = true
    }
    let made = try client().post("/notes", "")
    #expect(made.status == 201 && made.text == "1")
  }

  @Test("A key whose revocation reaches a node while a read waits for it is refused there")
  func revoked() throws {
    defer { finish() }
    let now = Clock.system.now()
    let keys = try (0..<2).map { number in
      try database.write { try APIKeys.create("k\(number)", Rights(.read), now: now, in: $0) }
    }
    let fields = keys.map { [("Authorization", "Bearer \($0.text)")] }
    cluster.state.withLock { $0.isFresh = false }
    #expect(try client().request("GET", "/notes", fields[0]).status == 200)
    cluster.state.withLock {
      $0.whileWaiting = { [database] in
        _ = try? database.write { try APIKeys.revoke(1, now: now, in: $0) }
      }
    }
    #expect(try client().request("GET", "/notes", fields[0]).status == 401)
    #expect(try client().request("GET", "/notes", fields[1]).status == 200)
  }

  @Test("A request that is admitted again after a change of keys is counted once")
  func countedOnce() throws {
    defer { finish() }
    let now = Clock.system.now()
    let key = try database.write { try APIKeys.create("k", Rights(.read), now: now, in: $0).text }
    cluster.state.withLock {
      $0.isProxied = true
      $0.isFresh = false
      $0.whileWaiting = { [database] in
        _ = try? database.write { try APIKeys.create("more", Rights(.read), now: now, in: $0) }
      }
    }
    let fields = [("Authorization", "Bearer \(key)"), ("X-Forwarded-For", "192.0.2.1")]
    for number in 1...2 {
      let answer = try client().request("GET", "/notes", fields)
      #expect(answer.status == 200)
      let standings = answer.fields.filter { $0.name == "RateLimit" }.map(\.value)
        .filter { $0.hasPrefix("\"key\"") }
      try #require(standings.count == 1, "\(answer.fields)")
      #expect(standings[0].hasPrefix("\"key\";r=\(600 - number);"), "\(standings)")
    }
  }

  @Test("A read waits until the file has everything, and is refused if that is not found out")
  func fresh() throws {
    defer { finish() }
    #expect(try client().get("/notes").status == 200)
    #expect(cluster.state.withLock { $0.waits } == 0)
    cluster.state.withLock { $0.isFresh = false }
    #expect(try client().get("/notes").text == "0")
    #expect(cluster.state.withLock { $0.waits } == 1)
    cluster.state.withLock { $0.becomesFresh = false }
    let refused = try client().get("/notes")
    #expect(refused.status == 503 && refused.text.contains("/problems/no-quorum"))
    // A browser would give up after another status.
    let stream = try client().request("GET", "/notes", [("Accept", "text/event-stream")])
    #expect(stream.status == 200 && stream.text.contains("event: bye"))
    #expect(try client().get("/readyz").status == 200)
    cluster.state.withLock { $0.trouble = "cut off" }
    #expect(try client().get("/readyz").status == 503)
  }

  @Test("If the operator allows it, a stale read is answered with its age, and a stream is refused")
  func staleReads() throws {
    defer { finish() }
    cluster.state.withLock { ($0.isFresh, $0.staleness) = (false, .milliseconds(2_001)) }
    let fresh = try client().get("/notes")
    #expect(fresh.status == 200 && fresh["Martlet-Age"] == nil)
    cluster.state.withLock { $0.becomesFresh = false }
    let stale = try client().get("/notes")
    #expect(stale.status == 200 && stale["Martlet-Age"] == "3" && stale.body == fresh.body)
    let known = [("If-None-Match", try #require(stale["ETag"]))]
    let same = try client().request("GET", "/notes", known)
    #expect(same.status == 304 && same["Martlet-Age"] == "3")
    let stream = try client().request(
      "GET", "/notes", [("Accept", "text/event-stream")])
    #expect(stream.text.contains("event: bye"))
    cluster.state.withLock { $0.isPrimary = false }
    #expect(try client().post("/notes", "").status == 503)
  }

  @Test("A node that does not know the schema lets another one answer everything")
  func unknownSchema() throws {
    defer { finish() }
    cluster.state.withLock {
      $0.forwardsEverything = true
      $0.answers = [
        .response(Response(.ok, .none, body: .text("7"))),
        .response(Response(.created, .none, body: .text("8"))), .isHere,
      ]
    }
    #expect(try client().get("/notes").text == "7")
    #expect(try client().post("/notes", "").text == "8")
    #expect(try client().get("/notes").status == 503)
    #expect(try client().get("/notes").status == 503)
    let stream = try client().request("GET", "/notes", [("Accept", "text/event-stream")])
    #expect(stream.status == 200 && stream.text.contains("event: bye"))
    let again = try client().request("GET", "/notes", [("Forwarded-ID", "a")])
    #expect(again.status == 503 && again["Martlet-Send-Again"] == "true")
    #expect(try client().get("/readyz").status == 200)
  }

  @Test("A forwarded request that comes again is done once, with any method")
  func again() throws {
    defer { finish() }
    func send(_ method: String, _ id: String) throws -> RawResponse {
      try client().request(method, "/notes", [("Forwarded-ID", id)], body: "")
    }
    for _ in 1...3 {
      let made = try send("POST", "a")
      #expect(made.status == 201 && made.text == "1" && made["Idempotency-Replayed"] == nil)
    }
    #expect(try send("POST", "b").text == "2")
    for _ in 1...2 { #expect(try send("DELETE", "c").status == 204) }
    #expect(try send("DELETE", "d").status == 404)
    // What a client repeats is still told.
    func keyed() throws -> RawResponse {
      try client().request(
        "POST", "/notes", [("Forwarded-ID", "e"), ("Idempotency-Key", "k")], body: "")
    }
    #expect(try keyed()["Idempotency-Replayed"] == nil)
    #expect(try keyed()["Idempotency-Replayed"] == "true")
    #expect(try client().get("/notes").text == "1")
  }

  @Test(
    "Answers to forwarded requests are kept for a minute, and take no room from those of clients")
  func kept() throws {
    defer { finish() }
    let clock = TestClock()
    let db = try Connection(location: .file(folder.file("a.db")))
    defer { db.close() }
    let peer = try #require(Peer(address: "192.0.2.1"))
    func key(_ id: String) throws -> IdempotencyKey {
      let request = try Request(.put, target: "/notes", peer: peer)
      request.forwarding = .init(id: id, isLocal: false)
      return try #require(IdempotencyKey(forwarded: request))
    }
    func clientKey(_ name: String) throws -> IdempotencyKey {
      try #require(
        try IdempotencyKey(
          Request(.post, target: "/notes", fields: Fields(["Idempotency-Key": name]), peer: peer)))
    }
    let answers = { StoredAnswers(db, clock.clock, most: 3) }
    try answers().keep(WrittenAnswer(status: .created), try clientKey("1"))
    for number in 0..<50 {
      try answers().keep(WrittenAnswer(status: .noContent), try key("\(number)"))
    }
    try answers().keep(WrittenAnswer(status: .created), try clientKey("2"))
    #expect(try answers().find(try clientKey("1")) != nil)
    #expect(try answers().find(try key("0"))?.status == .noContent)
    #expect(try db.value("SELECT count(*) FROM idempotentAnswers WHERE id < 0")?.integer == 50)
    clock.advance(milliseconds: 60_001)
    for number in 50..<60 {
      try answers().keep(WrittenAnswer(status: .noContent), try key("\(number)"))
    }
    #expect(try db.value("SELECT count(*) FROM idempotentAnswers WHERE id < 0")?.integer == 10)
    #expect(try answers().find(try clientKey("1")) != nil)
  }
}
