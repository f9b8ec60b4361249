import Foundation
import MartletHTTP
import MartletLiveAPI
import MartletSQLite
import MartletStore
import MartletTime
import Synchronization
import TestSupport
import Testing

@Suite("Routes of other protocols") struct ExchangeRouteTests {
  private static let routes: [Route] = [
    .exchange(.propfind, "/x") { _, _ in
      .read { db in
        let count = try db.value("SELECT count(*) FROM notes")?.integer ?? 0
        return Response(.multiStatus, body: .text("\(count)"))
      }
    },
    .exchange(.put, "/x", needs: .write, bodyLimit: 10) { request, _ in
      let text = String(decoding: request.body.bytes, as: UTF8.self)
      return .write { db, hasBegun in
        try db.run("INSERT INTO notes (title) VALUES (?)", .text(text))
        let count = try db.value("SELECT count(*) FROM notes")?.integer ?? 0
        #expect(hasBegun == (text == "again" && count > 1))
        if text == "again", count < 3 { return nil }
        guard text != "no" else {
          throw ExchangeRefusal(Response(.conflict, body: .text("<no/>")))
        }
        return Response(.created)
      }
    },
  ]

  private func basic(_ key: String, user: String = "me") -> [(String, String)] {
    [("Authorization", "Basic " + Data("\(user):\(key)".utf8).base64EncodedString())]
  }

  @Test("A key can be the password, here and nowhere else")
  func passwords() throws {
    let service = try NotesService(keys: Gate.Settings(), routes: ExchangeRouteTests.routes)
    let client = try service.client()
    // Without a key, as everywhere on this machine.
    #expect(try client.request("PROPFIND", "/x").status == 207)
    let read = try service.database.write {
      try APIKeys.create("read", Rights(.read), now: Clock.system.now(), in: $0).text
    }
    for user in ["", "me", "mé@example.org"] {
      let answer = try client.request("PROPFIND", "/x", basic(read, user: user))
      #expect(answer.status == 207 && answer.text.hasSuffix("0"), "\(answer.text)")
    }
    #expect(
      try client.request("PROPFIND", "/x", [("Authorization", "Bearer \(read)")]).status == 207)
    #expect(try client.request("PUT", "/x", basic(read), body: "a").status == 403)
    #expect(try client.request("GET", "/notes", basic(read)).status == 401)
    let other = read.dropLast() + (read.hasSuffix("a") ? "b" : "a")
    for fields in [[], basic("wrong"), basic(String(other))] {
      let refused = try client.request("PROPFIND", "/x", fields)
      #expect(refused.status == 401)
      let offers = refused.fields.filter { $0.name == "WWW-Authenticate" }.map(\.value)
      try #require(offers.count == 2)
      #expect(offers[0] == "Basic realm=\"martlet\", charset=\"UTF-8\"", "\(offers)")
      #expect(offers[1].contains("Bearer realm="), "\(offers)")
    }
    // Others do not offer it.
    let elsewhere = try client.get("/notes").fields.filter { $0.name == "WWW-Authenticate" }
    #expect(elsewhere.count == 1)
  }

  @Test("A page of another site reads nothing through a visitor's browser")
  func otherSites() throws {
    let service = try NotesService(routes: ExchangeRouteTests.routes)
    let client = try service.client()
    for (fields, status) in [
      ([("Sec-Fetch-Site", "cross-site")], 403), ([("Origin", "http://evil.example")], 403),
      ([("Sec-Fetch-Site", "same-origin")], 207),
      ([("Origin", "http://localhost")], 207),
    ] {
      #expect(try client.request("PROPFIND", "/x", fields).status == status, "\(fields)")
    }
  }

  @Test("A refusal has its own document and undoes the write; large changes run in parts")
  func writes() throws {
    let service = try NotesService(routes: ExchangeRouteTests.routes)
    let client = try service.client()
    let refused = try client.request("PUT", "/x", body: "no")
    #expect(refused.status == 409 && refused.text.hasSuffix("<no/>"))
    #expect(try client.request("PROPFIND", "/x").text.hasSuffix("0"))
    #expect(try client.request("PUT", "/x", body: "again").status == 201)
    #expect(try client.request("PROPFIND", "/x").text.hasSuffix("3"))
    #expect(try client.request("PUT", "/x", body: "01234567890").status == 413)
  }

  @Test("Methods of WebDAV are 405 where no route takes them")
  func methods() throws {
    let service = try NotesService(routes: ExchangeRouteTests.routes)
    for name in [
      "PROPFIND", "PROPPATCH", "MKCOL", "MKCALENDAR", "REPORT", "MOVE", "COPY", "LOCK", "UNLOCK",
      "ACL",
    ] {
      let answer = try service.client().request(name, "/notes")
      #expect(answer.status == 405, "\(name)")
      #expect(answer["Allow"] == "GET, HEAD, POST, OPTIONS")
    }
    #expect(try service.client().request("LOCK", "/x").status == 405)
  }

  @Test("A large body is parsed on a worker, not on the event loop")
  func largeBodies() throws {
    let threads = Mutex<[UInt]>([])
    let note: @Sendable () -> Void = { threads.withLock { $0.append(UInt(pthread_self())) } }
    let routes: [Route] = [
      .exchange(.report, "/x") { _, _ in
        note()
        return .answer(Response(.multiStatus))
      },
      .write(.post, "/y") { request, _ in
        note()
        _ = try Body(request)
        return WriteRoute.Work { _ in .done }
      },
    ]
    let service = try NotesService(routes: routes)
    let client = try service.client()
    let json = [("Content-Type", "application/json")]
    for count in [10, 20_000, 10] {
      let text = "\"" + String(repeating: "x", count: count) + "\""
      #expect(try client.request("REPORT", "/x", body: text).status == 207)
      #expect(try client.request("POST", "/y", json, body: "{\"a\":\(text)}").status < 300)
      let wrong = try client.request("POST", "/y", json, body: "{\"a\":\(text)")
      #expect(wrong.status == 400 && wrong.problem == "malformed-json", "\(wrong.text)")
    }
    let seen = threads.withLock { $0 }
    let loop = try #require(seen.first)
    #expect(seen.prefix(3).allSatisfy { $0 == loop } && seen.suffix(3).allSatisfy { $0 == loop })
    #expect(seen.count == 9 && !seen[3..<6].contains(loop))
  }
}
