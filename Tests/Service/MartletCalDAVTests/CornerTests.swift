import TestSupport
import Testing

@testable import MartletCalDAV

@Suite("Corners of the protocols") struct CornerTests {
  private let service: CalDAVService
  private let list = "/dav/lists/1/"

  init() throws { service = try CalDAVService() }

  private static let york = """
    BEGIN:VCALENDAR
    VERSION:2.0
    PRODID:-//test//EN
    BEGIN:VTIMEZONE
    TZID:New York
    BEGIN:STANDARD
    DTSTART:20001101T020000
    TZOFFSETFROM:-0500
    TZOFFSETTO:-0500
    END:STANDARD
    BEGIN:DAYLIGHT
    DTSTART:20070311T020000
    TZOFFSETFROM:-0500
    TZOFFSETTO:-0400
    RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU
    END:DAYLIGHT
    BEGIN:STANDARD
    DTSTART:20071104T020000
    TZOFFSETFROM:-0400
    TZOFFSETTO:-0500
    RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU
    END:STANDARD
    END:VTIMEZONE
    END:VCALENDAR
    """

  @Test("The zone of a query, or of its list, is that of times without one (RFC 4791 section 7.3)")
  func zoneOfQuery() throws {
    try service.put("\(list)a.ics", CalDAVService.todo("a", "DUE:20270101T230000"))
    func found(_ zone: String) throws -> Bool {
      try service.report(
        list,
        """
        <c:calendar-query><d:prop><d:getetag/></d:prop><c:filter>\
        <c:comp-filter name="VCALENDAR"><c:comp-filter name="VTODO">\
        <c:time-range start="20270102T030000Z" end="20270102T050000Z"/></c:comp-filter>\
        </c:comp-filter></c:filter>\(zone)</c:calendar-query>
        """
      ).hrefs.contains { $0.hasSuffix("a.ics") }
    }
    #expect(try !found(""))
    #expect(try found("<c:timezone>\(Self.york)</c:timezone>"))
    #expect(try patch(Self.york).status == 207)
    #expect(try found(""))
    let vienna = Self.york.replacing("New York", with: "Europe/Vienna")
    #expect(try !found("<c:timezone>\(vienna)</c:timezone>"))
  }

  @Test("An occurrence is the one of the query's zone, also expanded")
  func expandedInZone() throws {
    try service.put(
      "\(list)a.ics", CalDAVService.todo("a", "DUE:20270101T230000", "RRULE:FREQ=DAILY"))
    func found(_ zone: String) throws -> [String] {
      try service.report(
        list,
        """
        <c:calendar-query><d:prop><c:calendar-data><c:expand start="20270102T030000Z" \
        end="20270102T050000Z"/></c:calendar-data></d:prop><c:filter>\
        <c:comp-filter name="VCALENDAR"><c:comp-filter name="VTODO">\
        <c:time-range start="20270102T030000Z" end="20270102T050000Z"/></c:comp-filter>\
        </c:comp-filter></c:filter>\(zone)</c:calendar-query>
        """
      ).hrefs
    }
    #expect(try found("").isEmpty)
    #expect(try found("<c:timezone>\(Self.york)</c:timezone>").count == 1)
    #expect(try patch(Self.york).status == 207)
    #expect(try found("").count == 1)
  }

  @Test(
    "The zone of a completion is that of its line",
    arguments: [
      ("COMPLETED;TZID=Europe/Vienna:20261120T101112", "20261120T091112Z"),
      ("COMPLETED;VALUE=DATE:20261120", "20261119T230000Z"),
    ])
  func completedInZone(_ line: String, _ time: String) throws {
    try service.put(
      "\(list)a.ics", CalDAVService.todo("a", "CREATED:20250101T000000Z", "STATUS:COMPLETED", line))
    func found(_ range: String) throws -> Bool {
      try service.report(
        list,
        """
        <c:calendar-query><d:prop><d:getetag/></d:prop><c:filter>\
        <c:comp-filter name="VCALENDAR"><c:comp-filter name="VTODO">\
        <c:time-range \(range)/></c:comp-filter></c:comp-filter></c:filter></c:calendar-query>
        """
      ).hrefs.count == 1
    }
    #expect(try found("start=\"\(time)\""))
    let after = time.replacing("0Z", with: "1Z").replacing("2Z", with: "3Z")
    #expect(try !found("start=\"\(after)\""))
  }

  /// Sets the zone of the list.
  private func patch(_ text: String) throws -> RawResponse {
    try service.send(
      "PROPPATCH", list, [],
      """
      <d:propertyupdate xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:set><d:prop>\
      <c:calendar-timezone>\(text)</c:calendar-timezone></d:prop></d:set></d:propertyupdate>
      """)
  }

  @Test("A time zone of a list is a time zone, and an error has one condition")
  func zoneOfList() throws {
    let refused = try patch("BEGIN:VCALENDAR garbage")
    #expect(refused.status == 403 && refused.text.contains("valid-calendar-data"))
    #expect(!refused.text.contains("responsedescription"))
    #expect(
      refused.text.contains("<M:detail>A time zone is a calendar with one VTIMEZONE.</M:detail>"))
    #expect(try patch(Self.york).status == 207)
    let query = """
      <c:calendar-query><d:prop><d:getetag/></d:prop><c:filter>\
      <c:comp-filter name="VCALENDAR"/></c:filter><c:timezone>garbage</c:timezone>\
      </c:calendar-query>
      """
    let made = """
      <c:mkcalendar><d:set><d:prop><c:calendar-timezone>garbage</c:calendar-timezone></d:prop>\
      </d:set></c:mkcalendar>
      """
    for (method, path, body) in [
      ("REPORT", list, query), ("MKCALENDAR", "/dav/lists/new/", made),
    ] {
      let answer = try service.send(method, path, [], CalDAVService.namespaces(body))
      #expect(answer.status == 403 && answer.text.contains("valid-calendar-data"), "\(method)")
    }
    #expect(try service.send("PROPFIND", "/dav/lists/new/", [("Depth", "0")]).status == 404)
  }

  @Test("A list is not made inside a list")
  func listInList() throws {
    for (method, path, status) in [
      ("MKCOL", "/dav/lists/nosuch/x/", 409), ("MKCALENDAR", "/dav/lists/nosuch/x/", 409),
      ("MKCALENDAR", "/dav/lists/1/x/", 403), ("MKCOL", "/dav/lists/1/x", 403),
    ] {
      #expect(try service.send(method, path).status == status, "\(method) \(path)")
    }
  }

  @Test("A body that is no XML, and a PROPFIND that asks for nothing or for two things")
  func bodies() throws {
    let other = [("Content-Type", "xzy-foo/bar")]
    #expect(try service.send("MKCOL", "/dav/lists/new/", other, "text").status == 415)
    for inside in ["", "<d:prop><d:getetag/></d:prop><d:allprop/>", "<d:other/>"] {
      let body = "<d:propfind xmlns:d=\"DAV:\">\(inside)</d:propfind>"
      #expect(try service.send("PROPFIND", list, [], body).status == 400, "\(inside)")
    }
    let body = "<d:propfind xmlns:d=\"DAV:\"><d:allprop/><d:include/></d:propfind>"
    #expect(try service.send("PROPFIND", list, [], body).status == 207)
    // Without a depth it is about the list alone.
    try service.put("\(list)a.ics", CalDAVService.todo("a"))
    for (fields, count) in [([], 1), ([("Depth", "0")], 1), ([("Depth", "1")], 2)] {
      #expect(try Answer(service.send("PROPFIND", list, fields)).hrefs.count == count)
    }
  }

  @Test("A zone of Windows that the text does not define")
  func windowsZone() throws {
    let zone = "TZID=W. Europe Standard Time"
    try service.put(
      "\(list)a.ics", CalDAVService.todo("a", "SUMMARY:A", "DUE;\(zone):20261201T090000"))
    let due = try service.reminders()["A"]?["dueDate"] as? String
    #expect(due == "2026-12-01T08:00:00.000Z")
  }

  @Test("The answer to a PUT says what a reminder cannot have")
  func unread() throws {
    let read = try service.put("\(list)a.ics", CalDAVService.todo("a", "PRIORITY:1"))
    #expect(read["X-Martlet-Unread"] == nil)
    let cut = try service.put(
      "\(list)b.ics", CalDAVService.todo("b", "CATEGORIES:1,2,3,4,5,6", "RRULE:FREQ=HÖRLY"))
    #expect(
      cut["X-Martlet-Unread"]
        == "It does not recur: the rule FREQ=H?RLY was not understood. "
        + "1 tag too many: a reminder has at most five.")
    #expect(cut.status == 201 && cut["ETag"] != nil)
  }

  @Test("The names of the wanted properties have a bound, and so have the tags that are read")
  func bounds() throws {
    func find(_ length: Int) throws -> RawResponse {
      let name = String(repeating: "n", count: length)
      let names = (0..<10).map { "<d:\(name)\($0)/>" }.joined()
      return try service.send(
        "PROPFIND", list, [],
        CalDAVService.namespaced("<d:propfind><d:prop>\(names)</d:prop></d:propfind>"))
    }
    #expect(try find(1_500).status == 207)
    let refused = try find(1_700)
    #expect(refused.status == 400 && refused.text.contains("more than 16 KiB together"))
    let categories = "CATEGORIES:" + (0..<3_000).map { "c\($0)" }.joined(separator: ",")
    let put = try service.put("\(list)many.ics", CalDAVService.todo("many", categories))
    #expect(put["X-Martlet-Unread"] == "995 tags too many: a reminder has at most five.")
    #expect(try service.text("\(list)many.ics").replacing("\r\n ", with: "").contains("c2999"))
  }
}
