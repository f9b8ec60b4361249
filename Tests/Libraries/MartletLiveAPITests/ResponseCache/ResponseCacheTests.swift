import Foundation
import MartletLiveAPI
import MartletLiveQueries
import MartletSQLite
import MartletStore
import MartletTime
import TestSupport
import Testing

@Suite("The response cache") struct ResponseCacheTests {
  private func note(_ title: String, _ client: RawClient) throws {
    #expect(try client.post("/notes", #"{"title":"\#(title)"}"#).status == 201)
  }

  @Test("From the third request on a result comes from the cache until a commit changes it")
  func kept() throws {
    let service = try NotesService()
    let client = try service.client()
    try note("one", client)
    try note("two", client)
    for _ in 0..<5 { #expect(try client.get("/notes/1").json["title"] as? String == "one") }
    #expect(service.kept.count == 3)
    // A change of another row does not invalidate it.
    #expect(try client.request("PATCH", "/notes/2", body: #"{"title":"2"}"#).status == 200)
    _ = try client.get("/notes/1")
    #expect(service.kept.count == 4)
    #expect(try client.request("PATCH", "/notes/1", body: #"{"title":"1"}"#).status == 200)
    #expect(try client.get("/notes/1").json["title"] as? String == "1")
    #expect(service.kept.count == 4)
    // It was in use, so it is cached again at once.
    _ = try client.get("/notes/1")
    #expect(service.kept.count == 5)
    #expect(try client.request("DELETE", "/notes/1").status == 204)
    for _ in 0..<3 { #expect(try client.get("/notes/1").status == 404) }
    #expect(service.kept.count == 5)
  }

  @Test("A cached response equals an uncached one in every representation")
  func forms() throws {
    var settings = API.Settings()
    settings.gzipFrom = 1
    let service = try NotesService(settings: settings)
    let client = try service.client()
    try note("one", client)
    func fields(_ response: RawResponse) -> [String: String] {
      var fields: [String: String] = [:]
      for name in [
        "Content-Type", "ETag", "Vary", "Cache-Control", "X-Content-Type-Options",
        "Content-Encoding", "Content-Length",
      ] { fields[name] = response[name] }
      return fields
    }
    let gzip = [("Accept-Encoding", "gzip")]
    let tag = try #require(try client.get("/notes")["ETag"])
    let asked: [(String, [(String, String)])] = [
      ("GET", []), ("GET", gzip), ("HEAD", []), ("HEAD", gzip), ("GET", [("If-None-Match", tag)]),
      ("GET", gzip + [("If-None-Match", tag)]), ("GET", [("If-Match", "\"0000000000000000\"")]),
      ("GET", [("Accept", "text/html")]),
    ]
    let fresh = try asked.map { try client.request($0.0, "/notes?order=up", $0.1) }
    #expect(service.kept.count >= 4)
    let first = try NotesService(settings: settings)
    let other = try first.client()
    try note("one", other)
    for (index, request) in asked.enumerated() {
      // Each has its own target, so it is read and not cached.
      let read = try other.request(request.0, "/notes?limit=\(index + 50)", request.1)
      #expect(read.status == fresh[index].status)
      #expect(fields(read) == fields(fresh[index]), "\(request)")
      #expect(read.body == fresh[index].body || read.status == 412 || read.status == 406)
    }
    #expect(first.kept.count == 0)
  }

  @Test("A result is not shared between keys with different rights")
  func rights() throws {
    let mine = Route.read("/mine", parts: .respected) { request, _ in
      let parts = request.access.rights.parts
      return LiveSource(request) { _, body in
        body.append(utf8: "{\"parts\":\"\(parts?.description ?? "all")\"}")
        return true
      }
    }
    let service = try NotesService(keys: Gate.Settings(), routes: [mine])
    let client = try service.client()
    let keys = try [[1], [2], [1, 2], nil].map { (parts: [Int]?) in
      let rights = parts.map { Rights(.read, parts: $0) } ?? Rights(.read)
      let key = try service.database.write {
        try APIKeys.create("key", rights, expiresAt: nil, now: Clock.system.now(), in: $0)
      }
      return (parts?.description ?? "all", [("Authorization", "Bearer \(key.text)")], key.id)
    }
    // First twice each in a row: the cache remembers a thousand single requests, or one of two that
    // share a place. Then in turns.
    for round in 0..<3 {
      for (name, fields, _) in keys {
        for _ in 0..<(round == 0 ? 2 : 1) {
          #expect(try client.get("/mine", fields).json["parts"] as? String == name)
        }
      }
    }
    #expect(service.kept.count == 8)
    #expect(try client.get("/mine").status == 401)
    let revoked = keys[0]
    #expect(
      try service.database.write {
        try APIKeys.revoke(revoked.2, now: Clock.system.now(), in: $0)
      })
    // The revocation takes effect within a tenth of a second.
    let end = ContinuousClock.now + .seconds(20)
    while try client.get("/mine", revoked.1).status != 401, ContinuousClock.now < end {}
    #expect(try client.get("/mine", revoked.1).status == 401)
  }

  @Test("The cache has a size limit, and entries in use stay")
  func bound() throws {
    var settings = API.Settings()
    settings.responseCacheBytes = 64 << 10
    let service = try NotesService(settings: settings)
    let client = try service.client()
    for number in 1...100 { try note("note \(number)", client) }
    for _ in 0..<2 { _ = try client.get("/notes/1") }
    let before = service.kept.count
    for number in 2...100 {
      for _ in 0..<2 { _ = try client.get("/notes/\(number)") }
      _ = try client.get("/notes/1")
    }
    #expect(service.kept.count - before == 99)
    // Some of the other entries fit, including the latest ones.
    let others = service.kept.count
    for number in (2...100).reversed() { _ = try client.get("/notes/\(number)") }
    #expect((10...70).contains(service.kept.count - others))
  }

  @Test("The cache can be disabled")
  func off() throws {
    var settings = API.Settings()
    settings.responseCacheBytes = 0
    let service = try NotesService(settings: settings)
    let client = try service.client()
    for _ in 0..<5 { #expect(try client.get("/notes").status == 200) }
    #expect(service.kept.count == 0)
  }

  @Test("Results of random() and of SQLite's clock are not cached")
  func unknown() throws {
    let routes = ["random()", "strftime('%f', 'now')"].enumerated().map { number, expression in
      Route.read("/any\(number)") { request, _ in
        LiveSource(request) { db, body in
          body.append(utf8: "{\"value\":\"\(try db.rows("SELECT \(expression)")[0][0])\"}")
          return true
        }
      }
    }
    let service = try NotesService(routes: routes)
    let client = try service.client()
    for number in 0..<2 { for _ in 0..<5 { _ = try client.get("/any\(number)") } }
    #expect(service.kept.count == 0)
  }
}
