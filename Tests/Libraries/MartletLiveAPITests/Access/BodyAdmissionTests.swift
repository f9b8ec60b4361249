import MartletHTTP
import MartletLiveAPI
import MartletSQLite
import MartletStore
import MartletTime
import TestSupport
import Testing

@Suite("Callers are authorized before the body is read (item 87)", .timeLimit(.minutes(10)))
struct BodyAdmissionTests {
  private func key(
    _ service: NotesService, _ scope: Rights.Scope, parts: [Int]? = nil
  ) throws -> String {
    try service.database.write {
      try APIKeys.create(
        "key", Rights(scope, parts: parts), expiresAt: nil, now: Clock.system.now(), in: $0)
    }.text
  }

  /// The status that is sent before any byte of the body; 100 if the server wants the body.
  private func status(
    _ service: NotesService, _ fields: String,
    length: String = "Expect: 100-continue\r\nContent-Length: 13"
  ) throws -> Int {
    let client = try service.client()
    try client.send("POST /notes HTTP/1.1\r\nHost: localhost\r\n\(length)\r\n\(fields)\r\n")
    return try client.responseHead().status
  }

  @Test("Missing, malformed, wrong and insufficient keys get a final status, and no 100")
  func refused() throws {
    let service = try NotesService(keys: Gate.Settings())
    let reader = try key(service, .read)
    let limited = try key(service, .write, parts: [1])
    let wrong = String(reader.dropLast(4)) + "AAAA"
    let long = "Content-Length: 900000"
    for length in [
      "Expect: 100-continue\r\nContent-Length: 13", long, "Transfer-Encoding: chunked",
    ] {
      #expect(try status(service, "", length: length) == 401)
      #expect(try status(service, "Authorization: Bearer nonsense\r\n", length: length) == 401)
      #expect(try status(service, "Authorization: Bearer \(wrong)\r\n", length: length) == 401)
      // The first request needs a hash, the later ones do not.
      for _ in 0..<2 {
        #expect(try status(service, "Authorization: Bearer \(reader)\r\n", length: length) == 403)
        #expect(try status(service, "Authorization: Bearer \(limited)\r\n", length: length) == 403)
      }
    }
    #expect(service.failures.list.isEmpty)
  }

  @Test("A page of another origin gets a 403 before the body")
  func origins() throws {
    let service = try NotesService()
    #expect(try status(service, "Sec-Fetch-Site: cross-site\r\n") == 403)
    #expect(try status(service, "Origin: https://elsewhere.example\r\n") == 403)
    #expect(try status(service, "Origin: http://localhost\r\n") == 100)
  }

  @Test("A valid key is admitted, with and without a cached secret, and its write is done")
  func admitted() throws {
    let service = try NotesService(keys: Gate.Settings())
    let text = try key(service, .write)
    for round in 1...3 {
      let client = try service.client()
      let body = #"{"title":"x"}"#
      try client.send(
        "POST /notes HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(text)\r\n"
          + "Expect: 100-continue\r\nContent-Length: \(body.utf8.count)\r\n\r\n")
      #expect(try client.responseHead().status == 100)
      try client.send(body)
      #expect(try client.response().status == 201)
      let notes = try client.get("/notes", [("Authorization", "Bearer \(text)")])
      #expect(notes.items.count == round)
    }
  }

  @Test("A wrong key with a body counts as one failed authentication, not as two")
  func once() throws {
    var settings = Gate.Settings()
    settings.failuresPerMinute = 3
    let service = try NotesService(keys: settings)
    let text = String(try key(service, .write).dropLast(4)) + "AAAA"
    let client = try service.client()
    let fields = [("Authorization", "Bearer \(text)")]
    for status in [401, 401, 401, 429] {
      let answer = try client.request("POST", "/notes", fields, body: #"{"title":"x"}"#)
      #expect(answer.status == status)
    }
  }

  @Test("A key that is revoked while its body arrives does not write")
  func revoked() throws {
    let service = try NotesService(keys: Gate.Settings())
    let text = try key(service, .write)
    let other = try key(service, .write)
    let client = try service.client()
    try client.send(
      "POST /notes HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(text)\r\n"
        + "Expect: 100-continue\r\nContent-Length: 13\r\n\r\n")
    #expect(try client.responseHead().status == 100)
    try service.database.write { try $0.run("UPDATE apiKeys SET revokedAt = 1 WHERE id = 1") }
    try client.send(#"{"title":"x"}"#)
    #expect(try client.response().status == 401)
    let notes = try service.client().get("/notes", [("Authorization", "Bearer \(other)")])
    #expect(notes.items.isEmpty)
  }
}
