import Foundation
import TestSupport
import Testing

@testable import MartletCalDAV

@Suite("Evolution and GNOME") struct EvolutionTests {
  private let service: CalDAVService
  private let list = "/dav/lists/1/"

  init() throws { service = try CalDAVService() }

  @Test("Evolution: without privileges a list is only read")
  func privileges() throws {
    #expect(try service.send("OPTIONS", list)["DAV"]?.contains("calendar-access") == true)
    let found = try service.propfind(list, "<d:current-user-privilege-set/>")
    let names = found.dav(list, "current-user-privilege-set")?.children.flatMap(\.children)
      .map(\.name.local)
    for name in ["read", "write", "write-content", "bind", "unbind"] {
      #expect(names?.contains(name) == true, "\(name)")
    }
  }

  @Test("Evolution: the ctag twice, a query, texts by 100, PUT and DELETE")
  func exchange() throws {
    let put = try service.put(
      "\(list)20261120T120000Z-1.ics", CalDAVService.todo("e1", "SUMMARY:One"),
      [("If-None-Match", "*")])
    #expect(put.status == 201)
    let ctag = try service.propfind(list, "<cs:getctag/>").ctag(list)
    #expect(try service.propfind(list, "<cs:getctag/>").ctag(list) == ctag)
    let found = try service.report(
      list,
      """
      <c:calendar-query><d:prop><d:getetag/></d:prop><c:filter><c:comp-filter name="VCALENDAR">\
      <c:comp-filter name="VTODO"></c:comp-filter></c:comp-filter></c:filter></c:calendar-query>
      """)
    #expect(found.hrefs == ["\(list)20261120T120000Z-1.ics"])
    let got = try service.report(
      list,
      "<c:calendar-multiget><d:prop><d:getetag/><c:calendar-data/></d:prop>"
        + found.hrefs.map { "<d:href>\($0)</d:href>" }.joined() + "</c:calendar-multiget>")
    #expect(got.caldav(found.hrefs[0], "calendar-data")?.text.contains("UID:e1") == true)
    #expect(
      try service.send("DELETE", found.hrefs[0], [("If-Match", put["ETag"] ?? "")]).status == 204)
    #expect(try service.propfind(list, "<cs:getctag/>").ctag(list) != ctag)
  }
}
