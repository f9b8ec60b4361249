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

  @Test("A subtask that comes to the list of its parent is joined, by MOVE and by the JSON API")
  func moves() throws {
    try service.send("MKCALENDAR", "/dav/lists/other/")
    try service.put("\(list)p.ics", CalDAVService.todo("p", "SUMMARY:Parent"))
    try service.put(
      "/dav/lists/other/c.ics", CalDAVService.todo("c", "SUMMARY:Child", "RELATED-TO:p"))
    let id = try #require(try service.reminders()["Child"]?["id"] as? Int)
    let other = try #require(try service.reminders()["Child"]?["listID"] as? Int)
    func move(_ from: String, _ to: String) throws {
      let answer = try service.send(
        "MOVE", "/dav/lists/\(from)/c.ics", [("Destination", "/dav/lists/\(to)/c.ics")])
      #expect(answer.status == 201, "\(answer.text)")
    }
    #expect(try parent() == nil)
    try move("other", "1")
    #expect(try parent() != nil)
    try move("1", "other")
    #expect(try parent() == nil)
    #expect(try service.text("/dav/lists/other/c.ics").contains("RELATED-TO:p\r\n"))
    #expect(try service.patch("/v1/reminders/\(id)", #"{"listID":1}"#).status == 200)
    #expect(try parent() != nil && other != 1)
  }

  @Test("A cycle that ends leaves nobody waiting")
  func cycle() throws {
    try service.put("\(list)a.ics", CalDAVService.todo("a", "SUMMARY:A", "RELATED-TO:b"))
    try service.put("\(list)b.ics", CalDAVService.todo("b", "SUMMARY:B", "RELATED-TO:a"))
    let ids = try service.reminders().mapValues { $0["id"] as? Int }
    // One of them waits.
    let waiting = try service.reminders().filter { $0.value["parentID"] is NSNull }.map(\.key)
    try #require(waiting.count == 1)
    let joined = waiting == ["A"] ? "B" : "A"
    let name = joined.lowercased()
    try service.put("\(list)\(name).ics", CalDAVService.todo(name, "SUMMARY:\(joined)"))
    let after = try service.reminders()
    #expect(after[joined]?["parentID"] is NSNull)
    #expect(after[waiting[0]]?["parentID"] as? Int == ids[joined] ?? nil)
  }
}
