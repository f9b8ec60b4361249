import Dispatch
import Foundation
import MartletLiveAPI
import MartletSQLite
import MartletStore
import MartletTime
import Synchronization
import TestSupport
import Testing

@Suite("The gate, within its process") struct GateTests {
  private func create(_ service: NotesService, _ scope: Rights.Scope = .write) throws -> (
    id: Int, fields: [(String, String)]
  ) {
    let key = try service.database.write {
      try APIKeys.create("key", Rights(scope), expiresAt: nil, now: Clock.system.now(), in: $0)
    }
    return (key.id, [("Authorization", "Bearer \(key.text)")])
  }

  private func revoke(_ id: Int, _ service: NotesService) throws {
    #expect(
      try service.database.write { try APIKeys.revoke(id, now: Clock.system.now(), in: $0) })
  }

  @Test("Requests need a key as soon as the first one exists, and not before")
  func first() throws {
    let service = try NotesService(keys: Gate.Settings())
    let client = try service.client()
    #expect(try client.post("/notes", #"{"title":"open"}"#).status == 201)
    let streams = StreamClient(port: service.port)
    try streams.open("/notes")
    #expect(streams.wait { $0[0].events.count == 1 })
    let key = try create(service)
    // The write's own transaction sees the key at once.
    #expect(try client.post("/notes", #"{"title":"late"}"#).status == 401)
    #expect(streams.wait { $0[0].hasEnded })
    #expect(try client.get("/notes", key.fields).items.count == 1)
    #expect(try client.get("/whoami", key.fields).json["keyID"] as? Int == key.id)
  }

  @Test("Under load, no write is done after its key was revoked, and streams end")
  func revocation() throws {
    let service = try NotesService(keys: Gate.Settings())
    let other = try create(service)
    let keys = try (0..<4).map { _ in try create(service) }
    let port = service.port
    let isOver = Atomic(false)
    let wrong = Atomic(0)
    let group = DispatchGroup()
    for place in 0..<3 {
      DispatchQueue.global().async(group: group) {
        guard let client = try? RawClient(port: port) else { return }
        var round = place
        while !isOver.load(ordering: .relaxed) {
          round += 1
          let fields = round.isMultiple(of: 3) ? other.fields : keys[round % 4].fields
          let status =
            round.isMultiple(of: 2)
            ? try? client.get("/notes?limit=1", fields).status
            : try? client.request("POST", "/notes", fields, body: #"{"title":"x"}"#).status
          if status.map({ [200, 201, 401].contains($0) }) != true {
            wrong.add(1, ordering: .relaxed)
          }
        }
      }
    }
    let client = try service.client()
    for key in keys {
      let streams = StreamClient(port: port)
      try streams.open("/whoami", key.fields)
      #expect(streams.wait { $0[0].events.count == 1 })
      try revoke(key.id, service)
      #expect(
        try client.request("POST", "/notes", key.fields, body: #"{"title":"after"}"#).status == 401)
      #expect(streams.wait { $0[0].hasEnded })
    }
    isOver.store(true, ordering: .relaxed)
    group.wait()
    #expect(wrong.load(ordering: .relaxed) == 0)
    let titles = try client.get("/notes", other.fields).text
    #expect(!titles.contains("after"))
  }

  @Test("A waiting write is not done if the write before it revokes its key")
  func revokedInTheSameCommit() throws {
    let service = try NotesService(keys: Gate.Settings())
    let key = try create(service)
    let isHeld = DispatchSemaphore(value: 0)
    let mayGoOn = DispatchSemaphore(value: 0)
    try service.database.submit { _ in
      isHeld.signal()
      mayGoOn.wait()
    } completion: { _ in
    }
    isHeld.wait()
    try service.database.submit {
      _ = try APIKeys.revoke(key.id, now: Clock.system.now(), in: $0)
    } completion: { _ in
    }
    let client = try service.client()
    let body = #"{"title":"after"}"#
    try client.send(RawClient.head("POST", "/notes", key.fields, body: body) + body)
    while service.database.waitingWrites < 2 { usleep(100) }
    mayGoOn.signal()
    #expect(try client.response().status == 401)
    #expect(try service.database.read { try $0.value("SELECT count(*) FROM notes") } == 0)
  }

  @Test("A live session can be used at once and ends with its key")
  func sessions() throws {
    let service = try NotesService(keys: Gate.Settings())
    let key = try create(service, .read)
    let client = try service.client()
    let streams = StreamClient(port: service.port)
    for _ in 0..<20 {
      let made = try client.request("POST", "/sessions", key.fields)
      let access = try #require(made.json["access"] as? String)
      try streams.open("/notes?access=\(access)")
    }
    #expect(streams.wait { $0.allSatisfy { $0.events.count == 1 } })
    for stream in streams.streams {
      #expect(stream.response?.status == 200, "\(stream.events) \(stream.hasEnded)")
    }
    try revoke(key.id, service)
    #expect(streams.wait { $0.allSatisfy(\.hasEnded) })
    #expect(streams.streams.allSatisfy { $0.last?.event == "bye" })
  }

  @Test("The 401 for a malformed key names the expected form and repeats nothing of the key")
  func form() throws {
    let service = try NotesService(keys: Gate.Settings())
    let key = try create(service)
    let bearer = try #require(key.fields.first?.1)
    let text = String(bearer.dropFirst("Bearer ".count))
    let client = try service.client()
    for value in [bearer, "bearer  \(text)", "BEARER \(text)"] {
      #expect(try client.get("/notes", [("Authorization", value)]).status == 200, "\(value)")
    }
    let wrong = [
      (text, "Bearer and a space"), ("Basic \(text)", "Bearer and a space"),
      ("Bearer: \(text)", "Bearer and a space"), ("Bearer\(text)", "Bearer and a space"),
      ("Bearer", "form of a key"), ("Bearer \"\(text)\"", "form of a key"),
      ("Bearer <\(text)>", "form of a key"), ("Bearer \(text.dropLast())", "form of a key"),
      ("Bearer \(text) x", "form of a key"),
    ]
    for (value, says) in wrong {
      let answer = try client.get("/notes", [("Authorization", value)])
      let detail = answer.json["detail"] as? String ?? ""
      #expect(answer.status == 401)
      #expect(detail.contains(says) && detail.hasSuffix("Authorization: Bearer mk_…"), "\(detail)")
      #expect(!answer.text.contains(text.suffix(31).dropLast()))
    }
    let inURL = try client.get("/notes?access=\(text)")
    #expect(inURL.status == 401 && inURL.text.contains("does not belong in a URL"))
    #expect(!inURL.text.contains(text.suffix(32)))
  }

  @Test("The 401 for an expired key with its secret says when it expired")
  func expired() throws {
    var settings = Gate.Settings()
    settings.keyCreationHint = "martlet key create"
    let service = try NotesService(keys: settings)
    let end = try RFC3339.parse("2026-01-02T03:04:05Z")
    let keys = try service.database.write { db in
      try (0..<2).map { _ in
        try APIKeys.create("old", Rights(.read), expiresAt: end, now: .epoch, in: db)
      }
    }
    try revoke(keys[1].id, service)
    let client = try service.client()
    func detail(_ text: String) throws -> String {
      let answer = try client.get("/notes", [("Authorization", "Bearer \(text)")])
      #expect(answer.status == 401)
      #expect(answer["WWW-Authenticate"]?.contains("invalid_token") == true)
      return answer.json["detail"] as? String ?? ""
    }
    let told = try detail(keys[0].text)
    #expect(told.contains("2026-01-02T03:04:05") && told.contains("martlet key create"), "\(told)")
    let unknown =
      "The key or live session is invalid: it does not exist, was revoked or has another secret."
    let swapped = keys[0].text.prefix(5) + keys[1].text.dropFirst(5)
    #expect(try detail(String(swapped)) == unknown, "another secret")
    #expect(try detail(keys[1].text) == unknown, "revoked as well")
  }

  @Test("A changed key has its new rights")
  func changed() throws {
    let service = try NotesService(keys: Gate.Settings())
    let key = try create(service, .read)
    let client = try service.client()
    #expect(
      try client.request("POST", "/notes", key.fields, body: #"{"title":"x"}"#).status == 403)
    try service.database.write { try $0.run("UPDATE apiKeys SET scope = 'write'") }
    let deadline = Date(timeIntervalSinceNow: 10)
    while try client.get("/whoami", key.fields).json["scope"] as? String != "write" {
      try #require(Date() < deadline)
    }
    var status = 403
    while status == 403, Date() < deadline {
      status = try client.request("POST", "/notes", key.fields, body: #"{"title":"x"}"#).status
    }
    #expect(status == 201)
  }

  @Test(
    "A key that a shell deletes is refused at once, and a cached result has what a shell writes",
    arguments: [true, false])
  func shell(_ hasCounters: Bool) throws {
    let service = try NotesService(keys: Gate.Settings())
    let counted = ["notes", "apiKeys", "apiKeyParts", "apiKeyHistory", "liveSessions"]
    if hasCounters {
      try service.database.write { try SchemaPart.counters(of: counted).install(in: $0) }
    }
    let shell = try Connection(location: .file(service.path))
    shell.setBusyTimeout(.seconds(5))
    let keys = try (0..<2).map { _ in try create(service) }
    let client = try service.client()
    let streams = StreamClient(port: service.port)
    for key in keys { try streams.open("/whoami", key.fields) }
    #expect(streams.wait { $0.allSatisfy { $0.events.count == 1 } })
    for count in 1...3 {
      // Without an answer of its own before, the service does not know of the commit yet.
      try shell.execute("INSERT INTO notes (title) VALUES ('shell')")
      #expect(
        try client.request("POST", "/notes", keys[0].fields, body: #"{"title":"x"}"#).status == 201)
      for _ in 0..<3 {
        #expect(try client.get("/notes", keys[0].fields).items.count == count * 2)
      }
    }
    #expect(service.kept.count > 0)
    try shell.run("DELETE FROM apiKeys WHERE id = ?", .integer(Int64(keys[0].id)))
    #expect(
      try client.request("POST", "/notes", keys[0].fields, body: #"{"title":"x"}"#).status == 401)
    #expect(streams.wait { $0[0].hasEnded })
    #expect(try client.get("/whoami", keys[0].fields).status == 401)
    #expect(try client.get("/whoami", keys[1].fields).status == 200)
    #expect(streams.wait { !$0[1].hasEnded })
  }
}
