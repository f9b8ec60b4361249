import MartletHTTP
import MartletSQLite
import MartletTime
import Testing

@testable import MartletLiveAPI
@testable import MartletLiveQueries

@Suite("Stored keys and live sessions") struct APIKeysTests {
  private let db: Connection
  private let now = Instant(seconds: 1_000)

  init() throws {
    db = try Connection(location: .inMemory)
    try APITables.keys.install(in: db)
  }

  private func create(until end: Instant? = nil) throws -> Int {
    try APIKeys.create("key", Rights(.read), expiresAt: end, now: now, in: db).id
  }

  private func createSession(of key: Int, until end: Instant) throws {
    _ = try APIKeys.createSession(
      of: key, Secret(), hash: "*", expiresAt: end, now: now, in: db)
  }

  @Test("A key is listed as JSON without its secret")
  func json() throws {
    _ = try APIKeys.create("door", Rights(.read, parts: [3]), now: now, in: db)
    let body = try Response.json(try APIKeys.all(in: db)).body
    guard case .bytes(let bytes) = body else { throw APIProblem.notFound("no bytes") }
    #expect(
      String(decoding: bytes, as: UTF8.self) == """
        [{"createdAt":"1970-01-01T00:16:40.000Z","expiresAt":null,"id":1,"name":"door",\
        "parts":[3],"revokedAt":null,"scope":"read"}]
        """)
  }

  @Test("The next expiry is the earliest of all keys and live sessions")
  func nextEnd() throws {
    func nextEnd(after now: Instant) throws -> Instant? {
      let token = InvalidationToken(1) { _ in }
      return KeyRing(try APIKeys.rows(now: now, in: db), hasKeys: true, token, after: nil).nextEnd
    }
    #expect(try nextEnd(after: now) == nil)
    let key = try create()
    #expect(try nextEnd(after: now) == nil)
    for seconds: Int64 in [3_000, 2_000, 4_000] { _ = try create(until: Instant(seconds: seconds)) }
    try createSession(of: key, until: Instant(seconds: 2_500))
    var ends: [Int64] = []
    var last = now
    while let end = try nextEnd(after: last) {
      ends.append(end.milliseconds / 1_000)
      last = end
    }
    #expect(ends == [2_000, 2_500, 3_000, 4_000])
  }

  @Test("A waiting write gets 401 if its key was revoked and 503 if it was changed")
  func changedMeanwhile() throws {
    let rights = Rights(.write, parts: [1, 2])
    let id = try APIKeys.create("key", rights, expiresAt: nil, now: now, in: db).id
    let access = Access(rights, keyID: id)
    func refusal() throws -> ProblemType? {
      do {
        try access.check(at: now, in: db)
        return nil
      } catch let problem as APIProblem {
        return problem.type
      }
    }
    #expect(try refusal() == nil)
    // The reloaded key is unchanged.
    access.end()
    #expect(try refusal() == nil)
    try db.run("DELETE FROM apiKeyParts WHERE part = 2")
    #expect(try refusal() == .overloaded)
    _ = try APIKeys.revoke(id, now: now, in: db)
    #expect(try refusal() == .unauthorized)
  }

  @Test("A live session expires at the earlier of its own expiry and that of its key")
  func sessions() throws {
    for end in [nil, Instant(seconds: 2_000), Instant(seconds: 9_000)] {
      try createSession(of: try create(until: end), until: Instant(seconds: 3_000))
    }
    let ends = try APIKeys.rows(now: now, in: db).filter { $0.kind == .session }.map(\.expiresAt)
    let expected: [Instant] = [
      Instant(seconds: 3_000), Instant(seconds: 2_000), Instant(seconds: 3_000),
    ]
    #expect(ends == expected)
  }

  @Test("An ID that a key got by an UPDATE is never reused")
  func renumbered() throws {
    let key = try create()
    try db.run("UPDATE apiKeys SET id = 9 WHERE id = ?", .integer(Int64(key)))
    try db.run("DELETE FROM apiKeys")
    #expect(try create() == 10)
  }

  @Test("Of the keys that have ended, the last thousand stay, and valid ones are never deleted")
  func ended() throws {
    try APITables.pairing.install(in: db)
    // Key 1 has paired key 2, that one key 3, and that one key 4. Keys 1 and 4 are valid.
    for id: Int64 in 1...4 {
      #expect(try create() == Int(id))
      guard id > 1 else { continue }
      try db.run("INSERT INTO pairedKeys VALUES (?, ?, 1)", .integer(id), .integer(id - 1))
    }
    for id in [2, 3] { try APIKeys.revoke(id, now: now, in: db) }
    // 600 keys have expired, 600 were revoked later.
    try db.run(
      """
      WITH RECURSIVE n (n) AS (VALUES (0) UNION ALL SELECT n + 1 FROM n WHERE n < 1199)
      INSERT INTO apiKeys (name, scope, hash, createdAt, expiresAt, revokedAt)
      SELECT 'old', 'read', '*', 0, CASE WHEN n < 600 THEN 1000001 + n END,
        CASE WHEN n >= 600 THEN 1001000 + n END FROM n
      """)
    let later = Instant(seconds: 2_000)
    let id = try APIKeys.create("new", Rights(.read), now: later, in: db).id
    #expect(id == 1_205)
    let kept = try db.query("SELECT id FROM apiKeys ORDER BY id").compactMap { $0[0].integer }
    #expect(kept == [1, 4] + Array(205...1_205))
    // Revoking key 1 with its paired keys still reaches key 4.
    #expect(
      try db.query("SELECT keyID, pairedBy, rootID FROM pairedKeys").map(\.values)
        == [[.integer(4), .integer(1), .integer(1)]])
  }
}
