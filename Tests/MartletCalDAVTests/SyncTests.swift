import Foundation
import MartletXML
import TestSupport
import Testing

@testable import MartletCalDAV

@Suite("What has changed since a sync token") struct SyncTests {
  private let service: CalDAVService
  private let list = "/dav/lists/1/"

  init() throws { service = try CalDAVService() }

  private func todo(_ uid: String) -> String { CalDAVService.todo(uid, "SUMMARY:\(uid)") }

  private func sync(_ token: String?, limit: Int? = nil) throws -> Answer {
    let limit = limit.map { "<d:limit><d:nresults>\($0)</d:nresults></d:limit>" } ?? ""
    return try service.report(
      list,
      """
      <d:sync-collection><d:sync-token>\(token ?? "")</d:sync-token><d:sync-level>1</d:sync-level>\
      \(limit)<d:prop><d:getetag/></d:prop></d:sync-collection>
      """)
  }

  @Test("Changes, deletions, moves and renames; nothing for other lists, orders and counts")
  func changes() throws {
    for uid in ["a", "b", "c"] { try service.put("\(list)\(uid).ics", todo(uid)) }
    let first = try sync(nil)
    #expect(first.hrefs == ["a", "b", "c"].map { "\(list)\($0).ics" })
    let token = try #require(first.token)
    #expect(token.hasPrefix("data:,"))
    let again = try sync(token)
    #expect(again.hrefs.isEmpty && again.token == token)
    let ctag = try service.propfind(list, "<cs:getctag/><d:sync-token/>").ctag(list)
    #expect(ctag == token)
    // Another list, and a new order.
    try service.send("MKCALENDAR", "/dav/lists/other/")
    try service.put("/dav/lists/other/x.ics", todo("x"))
    let id = try #require(try service.reminders()["a"]?["id"] as? Int)
    try service.send(
      "PUT", "/v1/reminders/\(id)/position", [("Content-Type", "application/json")],
      #"{"last":true}"#)
    #expect(try sync(token).token == token)
    // What JSON changes, deletes and moves.
    try service.patch("/v1/reminders/\(id)", #"{"title":"A"}"#)
    try service.send("DELETE", "\(list)b.ics")
    try service.send("MOVE", "\(list)c.ics", [("Destination", "\(list)d.ics")])
    let next = try sync(token)
    #expect(Set(next.hrefs) == Set(["a", "b", "c", "d"].map { "\(list)\($0).ics" }))
    #expect(next.status("\(list)b.ics") == "HTTP/1.1 404 Not Found")
    #expect(next.status("\(list)c.ics") == "HTTP/1.1 404 Not Found")
    #expect(next.dav("\(list)d.ics", "getetag") != nil)
    try service.send(
      "MOVE", "\(list)d.ics", [("Destination", "/dav/lists/other/d.ics")])
    let moved = try sync(next.token)
    #expect(moved.hrefs == ["\(list)d.ics"])
    #expect(moved.status("\(list)d.ics") == "HTTP/1.1 404 Not Found")
  }

  @Test("A limit is obeyed, and the token goes on exactly there")
  func limit() throws {
    for number in 0..<7 { try service.put("\(list)\(number).ics", todo("\(number)")) }
    var token: String?
    var seen: [String] = []
    for _ in 0..<4 {
      let page = try sync(token, limit: 2)
      seen += page.hrefs.filter { $0 != list }
      token = page.token
      if page.status(list) == nil { break }
      #expect(page.status(list) == "HTTP/1.1 507 Insufficient Storage")
    }
    #expect(seen == (0..<7).map { "\(list)\($0).ics" })
    #expect(try sync(token).hrefs.isEmpty)
  }

  @Test("Wrong tokens", arguments: ["nonsense", "data:,other-1", "data:,", "data:,x-999999"])
  func wrong(_ token: String) throws {
    let answer = try sync(token)
    #expect(answer.status == 403 && answer.raw.text.contains("D:valid-sync-token"))
  }
}
