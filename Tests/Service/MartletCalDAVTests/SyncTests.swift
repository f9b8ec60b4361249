import Foundation
import MartletXML
import TestSupport
import Testing

@testable import MartletCalDAV
@testable import MartletReminders

@Suite("What has changed since a sync token") struct SyncTests {
  private let service: CalDAVService
  private let list = "/dav/lists/1/"

  init() throws { service = try CalDAVService() }

  private func todo(_ uid: String) -> String { CalDAVService.todo(uid, "SUMMARY:\(uid)") }

  private func sync(_ token: String?, limit: Int? = nil) throws -> Answer {
    try service.report(list, body(token, limit: limit))
  }

  private func body(_ token: String?, limit: Int? = nil) -> String {
    let limit = limit.map { "<d:limit><d:nresults>\($0)</d:nresults></d:limit>" } ?? ""
    return """
      <d:sync-collection><d:sync-token>\(token ?? "")</d:sync-token><d:sync-level>1</d:sync-level>\
      \(limit)<d:prop><d:getetag/></d:prop></d:sync-collection>
      """
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

  /// Forgets deletions, as after some months.
  private func forget() throws {
    try service.database.write { db in
      var pass = FeedPass(cutoff: "9999")
      while let found = try pass.portion(100, in: db) {
        pass.last = found.last
        if !found.isClean { try pass.delete(found, in: db) }
      }
    }
  }

  private func isRefused(_ answer: Answer) -> Bool {
    answer.status == 403 && answer.raw.text.contains("D:valid-sync-token")
  }

  @Test("A deletion that the feed has forgotten is not missed, and tokens do not go back")
  func forgotten() throws {
    for uid in ["a", "b"] { try service.put("\(list)\(uid).ics", todo(uid)) }
    let before = try sync(nil).token
    try service.send("DELETE", "\(list)a.ics")
    let after = try #require(try sync(before).token)
    try service.patch("/v1/lists/1", #"{"title":"Renamed"}"#)
    try service.send("MKCALENDAR", "/dav/lists/other/")
    try service.put("/dav/lists/other/x.ics", todo("x"))
    let quiet = try service.report("/dav/lists/other/", body(nil)).token
    try forget()
    #expect(isRefused(try sync(before)))
    let again = try sync(after)
    #expect(again.hrefs.isEmpty && again.token == after)
    #expect(try sync(nil).token == after)
    #expect(try service.propfind(list, "<cs:getctag/>").ctag(list) == after)
    // Nothing of the other list was forgotten.
    try service.put("/dav/lists/other/y.ics", todo("y"))
    let other = try service.report("/dav/lists/other/", body(quiet))
    #expect(other.hrefs == ["/dav/lists/other/y.ics"])
    try service.put("\(list)c.ics", todo("c"))
    #expect(try sync(after).hrefs == ["\(list)c.ics"])
  }

  @Test("A token is not one of another list, also if that has the path now")
  func otherList() throws {
    let path = "/dav/lists/work/"
    try service.send("MKCALENDAR", path)
    try service.put("\(path)a.ics", todo("a"))
    let token = try service.report(path, body(nil)).token
    #expect(isRefused(try sync(token)))
    try service.send("DELETE", path)
    try service.send("MKCALENDAR", path)
    try service.put("\(path)b.ics", todo("b"))
    #expect(isRefused(try service.report(path, body(token))))
  }

  @Test("A restored database gives no entity tag again")
  func restored() throws {
    let path = "\(list)a.ics"
    let tag = try #require(try service.put(path, todo("a"))["ETag"])
    let ofList = try #require(try service.propfind(list, "<d:getetag/>").dav(list, "getetag")?.text)
    // As a restore does.
    try service.database.write { try RemindersDatabase.startFeedAnew($0) }
    let new = try #require(try service.send("GET", path)["ETag"])
    #expect(new != tag)
    #expect(try service.propfind(list, "<d:getetag/>").dav(list, "getetag")?.text != ofList)
    #expect(try service.put(path, todo("a"), [("If-Match", tag)]).status == 412)
    #expect(try service.put(path, todo("a"), [("If-Match", new)]).status == 204)
  }

  @Test("Names that differ in the composition of accents are two")
  func composition() throws {
    for name in ["%C3%A9", "e%CC%81"] { try service.put("\(list)\(name).ics", todo(name)) }
    let both = ["\(list)%C3%A9.ics", "\(list)e%CC%81.ics"]
    #expect(try sync(nil).hrefs == both)
  }

  @Test(
    "Wrong tokens",
    arguments: ["nonsense", "data:,other-1", "data:,", "data:,x-999999", "data:,x-1-999999"])
  func wrong(_ token: String) throws {
    let answer = try sync(token)
    #expect(answer.status == 403 && answer.raw.text.contains("D:valid-sync-token"))
  }
}
