import Foundation
import TestSupport
import Testing

@testable import MartletCalDAV

@Suite("Parents that come and go") struct ParentTests {
  private let service: CalDAVService
  private let list = "/dav/lists/1/"

  init() throws { service = try CalDAVService() }

  private func tag() throws -> String? { try service.send("GET", "\(list)c.ics")["ETag"] }
  private func parent() throws -> Int? { try service.reminders()["Child"]?["parentID"] as? Int }

  @Test("Neither changes the text of a subtask, its entity tag or the token of a sync")
  func sameText() throws {
    let text = CalDAVService.todo("c", "SUMMARY:Child", "RELATED-TO;RELTYPE=PARENT:p")
    let first = try #require(try service.put("\(list)c.ics", text)["ETag"])
    let changed = try service.json("/v1/reminders/1")["updatedAt"] as? String
    try service.put("\(list)p.ics", CalDAVService.todo("p", "SUMMARY:Parent"))
    #expect(try parent() != nil && tag() == first)
    #expect(try service.text("\(list)c.ics") == text)
    #expect(try service.json("/v1/reminders/1")["updatedAt"] as? String == changed)
    // An edit by the client with the tag that it knows.
    let edited = text.replacingOccurrences(of: "END:VTODO", with: "PRIORITY:1\r\nEND:VTODO")
    let second = try #require(
      try service.put("\(list)c.ics", edited, [("If-Match", first)])["ETag"])
    #expect(try parent() != nil)
    try service.send("DELETE", "\(list)p.ics")
    #expect(try parent() == nil && tag() == second)
    #expect(try service.text("\(list)c.ics") == edited)
    try service.put("\(list)p.ics", CalDAVService.todo("p", "SUMMARY:Parent"))
    #expect(try parent() != nil && tag() == second)
    // The parent moves to another list, and comes back.
    try service.send("MKCALENDAR", "/dav/lists/other/")
    for (from, to) in [("1", "other"), ("other", "1")] {
      let moved = try service.send(
        "MOVE", "/dav/lists/\(from)/p.ics", [("Destination", "/dav/lists/\(to)/p.ics")])
      #expect(moved.status == 201, "\(moved.text)")
      #expect(try (parent() == nil) == (to == "other") && tag() == second)
    }
  }

  @Test("The same holds for a text that the server has made")
  func madeText() throws {
    try service.put("\(list)c.ics", CalDAVService.todo("c", "SUMMARY:Child", "RELATED-TO:p"))
    try service.patch("/v1/reminders/1", #"{"isFlagged":true}"#)
    let (text, first) = (try service.text("\(list)c.ics"), try tag())
    try service.put("\(list)p.ics", CalDAVService.todo("p", "SUMMARY:Parent"))
    #expect(try parent() != nil && tag() == first)
    #expect(try service.text("\(list)c.ics") == text)
    try service.send("DELETE", "\(list)p.ics")
    #expect(try parent() == nil && tag() == first)
    #expect(try service.text("\(list)c.ics") == text)
  }

  @Test("Another parent, or none, does change the text")
  func otherParent() throws {
    try service.put("\(list)p.ics", CalDAVService.todo("p", "SUMMARY:Parent"))
    try service.put("\(list)q.ics", CalDAVService.todo("q", "SUMMARY:Other"))
    try service.put("\(list)c.ics", CalDAVService.todo("c", "SUMMARY:Child", "RELATED-TO:p"))
    let reminders = try service.reminders()
    let id = try #require(reminders["Child"]?["id"] as? Int)
    let other = try #require(reminders["Other"]?["id"] as? Int)
    var last = try tag()
    for (parent, line) in [("\(other)", "RELATED-TO:q"), ("null", nil)] {
      #expect(try service.patch("/v1/reminders/\(id)", "{\"parentID\":\(parent)}").status == 200)
      #expect(try tag() != last)
      last = try tag()
      let text = try service.text("\(list)c.ics")
      #expect(line.map { text.contains("\($0)\r\n") } ?? !text.contains("RELATED-TO"), "\(text)")
    }
  }
}
