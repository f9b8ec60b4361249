import Foundation
import MartletXML
import TestSupport
import Testing

@testable import MartletCalDAV

@Suite("Thunderbird") struct ThunderbirdTests {
  private let service: CalDAVService
  private let list = "/dav/lists/1/"

  init() throws { service = try CalDAVService() }

  private func sync(_ token: String?) throws -> Answer {
    try service.report(
      list,
      """
      <d:sync-collection><d:sync-token>\(token ?? "")</d:sync-token><d:sync-level>1</d:sync-level>\
      <d:prop><d:getcontenttype/><d:getetag/></d:prop></d:sync-collection>
      """, depth: 1)
  }

  private func multiget(_ hrefs: [String]) throws -> Answer {
    try service.report(
      list,
      "<c:calendar-multiget><d:prop><d:getetag/><c:calendar-data/></d:prop>"
        + hrefs.map { "<d:href>\($0)</d:href>" }.joined() + "</c:calendar-multiget>")
  }

  @Test("Thunderbird: what it asks of a list before anything else")
  func first() throws {
    let found = try service.propfind(
      list,
      """
      <d:resourcetype/><d:owner/><d:current-user-principal/><d:current-user-privilege-set/>\
      <d:supported-report-set/><c:supported-calendar-component-set/><cs:getctag/>
      """)
    #expect(found.dav(list, "owner")?.children.first?.text == "/dav/principal/")
    #expect(
      found.dav(list, "current-user-principal")?.children.first?.text == "/dav/principal/")
    #expect(found.caldav(list, "supported-calendar-component-set") != nil)
    #expect(found.ctag(list) != nil)
    // It reads local names: everything that it asked for is in the one propstat with 200.
    let response = try #require(found.response(list))
    #expect(response.all(DAVName.dav("propstat")).count == 1)
    let options = try service.send("OPTIONS", list)
    #expect(options.status == 200 && options["DAV"]?.contains("calendar-access") == true)
  }

  @Test(
    "Thunderbird: getcontenttype begins with text/calendar; a status outside of propstat is 404 or 507"
  )
  func changes() throws {
    for number in 0..<105 {
      try service.put("\(list)\(number).ics", CalDAVService.todo("u\(number)"))
    }
    let all = try sync(nil)
    #expect(all.hrefs.count == 105)
    for href in all.hrefs {
      #expect(all.dav(href, "getcontenttype")?.text.hasPrefix("text/calendar") == true)
      // Otherwise it takes the resource for a deleted one.
      #expect(all.status(href) == nil)
    }
    for start in stride(from: 0, to: 105, by: 100) {
      let hrefs = Array(all.hrefs[start..<min(start + 100, 105)])
      let got = try multiget(hrefs)
      #expect(got.hrefs == hrefs)
      for href in hrefs {
        #expect(got.dav(href, "getetag") == all.dav(href, "getetag"))
        #expect(got.caldav(href, "calendar-data")?.text.contains("BEGIN:VTODO") == true)
      }
    }
    try service.send("DELETE", "\(list)7.ics")
    try service.put("\(list)8.ics", CalDAVService.todo("u8", "SUMMARY:8"))
    let next = try sync(all.token)
    #expect(Set(next.hrefs) == ["\(list)7.ics", "\(list)8.ics"])
    #expect(next.status("\(list)7.ics") == "HTTP/1.1 404 Not Found")
    #expect(next.status("\(list)8.ics") == nil)
    #expect(try multiget(["\(list)7.ics"]).status("\(list)7.ics") == "HTTP/1.1 404 Not Found")
    // A token of another database: it begins anew after a 403.
    #expect(try sync("data:,elsewhere-1").status == 403)
  }
}
