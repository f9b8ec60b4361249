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
