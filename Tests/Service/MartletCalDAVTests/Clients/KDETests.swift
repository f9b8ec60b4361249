import Foundation
import TestSupport
import Testing

@testable import MartletCalDAV

@Suite("KDE") struct KDETests {
  @Test("KDE: a query for events is empty; an error would end the sync")
  func queries() throws {
    let service = try CalDAVService()
    let list = "/dav/lists/1/"
    let home = try service.propfind(
      "/dav/lists/", depth: 1,
      """
      <d:displayname/><d:resourcetype/><a:calendar-color/><c:supported-calendar-component-set/>\
      <d:current-user-privilege-set/><cs:getctag/>
      """)
    #expect(home.caldav(list, "supported-calendar-component-set") != nil)
    try service.put("\(list)a.ics", CalDAVService.todo("a"))
    for (component, count) in [("VEVENT", 0), ("VTODO", 1), ("VJOURNAL", 0)] {
      let answer = try service.report(
        list,
        """
        <c:calendar-query><d:prop><d:getetag/><d:resourcetype/></d:prop><c:filter>\
        <c:comp-filter name="VCALENDAR"><c:comp-filter name="\(component)"/></c:comp-filter>\
        </c:filter></c:calendar-query>
        """)
      #expect(answer.status == 207 && answer.hrefs.count == count, "\(component)")
    }
    let got = try service.report(
      list,
      """
      <c:calendar-multiget><d:prop><d:getetag/><c:calendar-data/></d:prop>\
      <d:href>\(list)a.ics</d:href></c:calendar-multiget>
      """)
    #expect(got.caldav("\(list)a.ics", "calendar-data")?.text.contains("UID:a") == true)
  }
}
