import Foundation
import TestSupport
import Testing

@testable import MartletCalDAV

@Suite("Planify, Errands, Nextcloud Tasks") struct PlanifyTests {
  private let service: CalDAVService
  private let list = "/dav/lists/1/"

  init() throws { service = try CalDAVService() }

  @Test("Planify: all texts in one query, with floating times")
  func query() throws {
    for number in 0..<20 {
      try service.put(
        "\(list)\(number).ics", CalDAVService.todo("\(number)", "DUE:20261125T090000"))
    }
    let answer = try service.report(
      list,
      """
      <c:calendar-query><d:prop><d:getetag/><c:calendar-data/></d:prop><c:filter>\
      <c:comp-filter name="VCALENDAR"><c:comp-filter name="VTODO"/></c:comp-filter></c:filter>\
      </c:calendar-query>
      """)
    #expect(answer.hrefs.count == 20)
    for href in answer.hrefs {
      #expect(answer.dav(href, "getetag") != nil)
      #expect(
        answer.caldav(href, "calendar-data")?.text.contains("DUE:20261125T090000\r\n") == true)
    }
    let items = try service.send("GET", "/v1/reminders?limit=100").items
    #expect(Set(items.map { $0["dueDate"] as? String }) == ["2026-11-25T08:00:00.000Z"])
  }

  @Test("Errands: a time that it writes without a zone, as it read it, is a time of this server")
  func errands() throws {
    // It takes the time in UTC for a local one.
    try service.put("\(list)e.ics", CalDAVService.todo("e", "SUMMARY:e", "DUE:20261125T080000Z"))
    #expect(try service.reminders()["e"]?["dueDate"] as? String == "2026-11-25T08:00:00.000Z")
    let saved = CalDAVService.todo(
      "e", "SUMMARY:e", "DTSTAMP:20261120T120000Z", "DUE:20261125T080000", "PRIORITY:1",
      "CATEGORIES:home", "X-ERRANDS-COLOR:red", "X-ERRANDS-TOOLBAR-SHOWN:True")
    try service.put("\(list)e.ics", saved)
    let reminder = try #require(try service.reminders()["e"])
    #expect(reminder["dueDate"] as? String == "2026-11-25T07:00:00.000Z")
    #expect(reminder["tags"] as? [String] == ["home"])
    #expect(try service.text("\(list)e.ics") == saved)
  }

  @Test("Nextcloud Tasks: a file that it exported, with a parent after its subtask")
  func nextcloud() throws {
    func task(_ uid: String, _ lines: String...) -> String {
      CalDAVService.todo(
        uid,
        [
          "CREATED:20261101T090000", "LAST-MODIFIED:20261102T090000",
          "DTSTAMP:20261102T090000",
        ] + lines)
    }
    let child = task(
      "n2", "SUMMARY:Child", "RELATED-TO:n1", "PERCENT-COMPLETE:50", "STATUS:IN-PROCESS",
      "X-OC-HIDESUBTASKS:0", "X-APPLE-SORT-ORDER:682084021", "X-PINNED:true")
    try service.put("\(list)n2.ics", child)
    let parent = task(
      "n1", "SUMMARY:Parent", "DUE;VALUE=DATE:20261125", "X-OC-HIDECOMPLETEDSUBTASKS:1")
    try service.put("\(list)n1.ics", parent)
    let reminders = try service.reminders()
    #expect(reminders["Child"]?["parentID"] as? Int == reminders["Parent"]?["id"] as? Int)
    #expect(reminders["Parent"]?["dueDate"] as? String == "2026-11-25")
    #expect(try service.text("\(list)n2.ics") == child && service.text("\(list)n1.ics") == parent)
    let id = try #require(reminders["Child"]?["id"] as? Int)
    try service.patch("/v1/reminders/\(id)", #"{"isFlagged":true}"#)
    let changed = try service.text("\(list)n2.ics")
    for line in ["X-PINNED:true", "X-APPLE-SORT-ORDER:682084021", "X-OC-HIDESUBTASKS:0"] {
      #expect(changed.contains(line + "\r\n"), "\(changed)")
    }
  }

  @Test("Planify: a subtask comes before its parent, and no parent is made up")
  func orphans() throws {
    try service.put(
      "\(list)c.ics", CalDAVService.todo("c", "SUMMARY:Child", "RELATED-TO:p"))
    try service.put(
      "\(list)g.ics", CalDAVService.todo("g", "SUMMARY:Grandchild", "RELATED-TO;RELTYPE=PARENT:c"))
    #expect(try service.send("GET", "/v1/reminders").items.count == 2)
    let reminders = try service.reminders()
    #expect(reminders["Child"]?["parentID"] is NSNull)
    #expect(reminders["Grandchild"]?["parentID"] as? Int == reminders["Child"]?["id"] as? Int)
    #expect(try service.text("\(list)c.ics").contains("RELATED-TO:p\r\n"))
    // Also after a change from elsewhere.
    let id = try #require(reminders["Child"]?["id"] as? Int)
    try service.patch("/v1/reminders/\(id)", #"{"isFlagged":true}"#)
    #expect(try service.text("\(list)c.ics").contains("RELATED-TO:p\r\n"))
    try service.put("\(list)p.ics", CalDAVService.todo("p", "SUMMARY:Parent"))
    let parent = try #require(try service.reminders()["Parent"]?["id"] as? Int)
    #expect(try service.reminders()["Child"]?["parentID"] as? Int == parent)
    #expect(try service.send("GET", "/v1/reminders").items.count == 3)
  }
}
