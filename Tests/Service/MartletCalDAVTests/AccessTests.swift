import Foundation
import MartletLiveAPI
import MartletTime
import TestSupport
import Testing

@testable import MartletCalDAV

@Suite("What keys may do in CalDAV") struct AccessTests {
  private let service: CalDAVService

  init() throws { service = try CalDAVService(keys: true) }

  private func key(_ rights: Rights) throws -> [(String, String)] {
    let key = try service.database.write { [now = service.time.clock.now()] in
      try APIKeys.create("key", rights, now: now, in: $0).text
    }
    return [("Authorization", "Basic " + Data("me:\(key)".utf8).base64EncodedString())]
  }

  @Test("Keys are passwords; reading keys do not write; limited keys see their lists only")
  func keys() throws {
    let admin = try key(Rights(.admin))
    let refused = try service.send("PROPFIND", "/dav/")
    #expect(refused.status == 401)
    #expect(refused.fields.filter { $0.name == "WWW-Authenticate" }.count == 2)
    #expect(try service.send("GET", "/v1/lists", admin).status == 401)
    #expect(try service.send("MKCALENDAR", "/dav/lists/secret/", admin).status == 201)
    let read = try key(Rights(.read))
    let text = CalDAVService.todo("a", "SUMMARY:a")
    let calendar = [("Content-Type", "text/calendar")]
    let denied = try service.send("PUT", "/dav/lists/1/a.ics", read + calendar, text)
    #expect(denied.status == 403 && denied.text.contains("D:need-privileges"))
    #expect(try service.send("DELETE", "/dav/lists/secret/", read).status == 403)
    let limited = try key(Rights(.write, parts: [1]))
    #expect(try service.send("PUT", "/dav/lists/1/a.ics", limited + calendar, text).status == 201)
    #expect(
      try service.send("PUT", "/dav/lists/secret/a.ics", limited + calendar, text).status == 409)
    #expect(try service.send("PROPFIND", "/dav/lists/secret/", limited).status == 404)
    let home = try Answer(
      service.send("PROPFIND", "/dav/lists/", limited + [("Depth", "1")]))
    #expect(home.hrefs == ["/dav/lists/", "/dav/lists/1/"])
    let making = try service.send("MKCALENDAR", "/dav/lists/mine/", limited)
    #expect(making.status == 403 && making.text.contains("D:need-privileges"))
    let moving = try service.send(
      "MOVE", "/dav/lists/1/a.ics", limited + [("Destination", "/dav/lists/secret/a.ics")])
    #expect(moving.status == 409)
  }

  @Test("A live session reads the feed of a list, and nothing else")
  func session() throws {
    let key = try service.database.write { [now = service.time.clock.now()] in
      try APIKeys.create("key", Rights(.read), now: now, in: $0).text
    }
    let made = try service.send(
      "POST", "/v1/live/sessions", [("Authorization", "Bearer \(key)")])
    let access = try #require(made.json["access"] as? String)
    #expect(try service.send("GET", "/dav/lists/1/?access=\(access)").status == 200)
    #expect(try service.send("PROPFIND", "/dav/lists/1/?access=\(access)").status == 403)
    #expect(try service.send("GET", "/dav/lists/1/").status == 401)
  }
}
