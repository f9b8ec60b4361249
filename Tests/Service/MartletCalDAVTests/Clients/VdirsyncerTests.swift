import Foundation
import TestSupport
import Testing

@testable import MartletCalDAV

@Suite("vdirsyncer, todoman, python-caldav") struct VdirsyncerTests {
  private let service: CalDAVService
  private let list = "/dav/lists/1/"

  init() throws { service = try CalDAVService() }

  @Test("vdirsyncer: an at sign in a path, with and without its escape, is the same resource")
  func atSign() throws {
    let principal = try service.propfind("/dav/", "<d:current-user-principal/>")
    #expect(
      principal.dav("/dav/", "current-user-principal")?.children.first?.text == "/dav/principal/")
    let home = try service.propfind("/dav/principal/", "<c:calendar-home-set/>")
    #expect(
      home.caldav("/dav/principal/", "calendar-home-set")?.children.first?.text == "/dav/lists/")
    let names = try service.propfind(list, "<d:displayname/><a:calendar-color/>")
    #expect(names.dav(list, "displayname") != nil)
    let put = try service.put(
      "\(list)a@b.ics", CalDAVService.todo("a@b"), [("If-None-Match", "*")])
    #expect(put.status == 201)
    for path in ["\(list)a%40b.ics", "\(list)a@b.ics"] {
      #expect(try service.send("GET", path)["ETag"] == put["ETag"], "\(path)")
    }
    #expect(
      try service.put("\(list)a%40b.ics", CalDAVService.todo("a@b"), [("If-None-Match", "*")])
        .status == 412)
    let listed = try service.propfind(list, depth: 1, "<d:getetag/>").hrefs
    #expect(listed == [list, "\(list)a%40b.ics"])
    let got = try service.report(
      list,
      """
      <c:calendar-multiget><d:prop><d:getetag/><c:calendar-data/></d:prop>\
      <d:href>\(list)a@b.ics</d:href></c:calendar-multiget>
      """)
    #expect(got.responses.count == 1 && got.raw.text.contains("UID:a@b"))
    #expect(
      try service.put(
        "\(list)a@b.ics", CalDAVService.todo("a@b", "SUMMARY:x"),
        [("If-Match", put["ETag"] ?? "")]
      ).status == 204)
  }

  @Test("python-caldav: open to-dos by COMPLETED that is not defined, and sync-collection")
  func open() throws {
    #expect(
      try service.send(
        "MKCOL", "/dav/lists/8e0b/", [],
        CalDAVService.namespaced(
          """
          <d:mkcol><d:set><d:prop><d:resourcetype><d:collection/><c:calendar/></d:resourcetype>\
          <d:displayname>Work</d:displayname></d:prop></d:set></d:mkcol>
          """)
      ).status == 201)
    try service.put(
      "\(list)a.ics",
      CalDAVService.todo("a", "STATUS:COMPLETED", "COMPLETED:20261110T090000Z"))
    try service.put("\(list)b.ics", CalDAVService.todo("b"))
    let answer = try service.report(
      list,
      """
      <c:calendar-query><d:prop><c:calendar-data/></d:prop><c:filter>\
      <c:comp-filter name="VCALENDAR"><c:comp-filter name="VTODO">\
      <c:prop-filter name="COMPLETED"><c:is-not-defined/></c:prop-filter>\
      <c:prop-filter name="STATUS"><c:text-match negate-condition="yes">CANCELLED</c:text-match>\
      </c:prop-filter></c:comp-filter></c:comp-filter></c:filter></c:calendar-query>
      """)
    // By the standard, what has no STATUS does not match a text that is negated.
    #expect(answer.hrefs == [])
    let plain = try service.report(
      list,
      """
      <c:calendar-query><d:prop><c:calendar-data/></d:prop><c:filter>\
      <c:comp-filter name="VCALENDAR"><c:comp-filter name="VTODO">\
      <c:prop-filter name="COMPLETED"><c:is-not-defined/></c:prop-filter>\
      </c:comp-filter></c:comp-filter></c:filter></c:calendar-query>
      """)
    #expect(plain.hrefs == ["\(list)b.ics"])
  }

  @Test("Home Assistant: the same completion of an occurrence, put twice, counts once")
  func twice() throws {
    let path = "\(list)x.ics"
    let text = CalDAVService.todo(
      "x", "DTSTART;VALUE=DATE:20270601", "DUE;VALUE=DATE:20270601", "RRULE:FREQ=WEEKLY")
    try service.put(path, text)
    let done = text.replacingOccurrences(
      of: "END:VTODO",
      with: "STATUS:COMPLETED\r\nCOMPLETED:20261120T110000Z\r\nPERCENT-COMPLETE:100\r\nEND:VTODO")
    for _ in 0..<3 {
      #expect(try service.put(path, done).status == 204)
      #expect(try service.text(path).contains("DUE;VALUE=DATE:20270608"))
    }
    let completions = try service.send("GET", "/v1/completions").items
    #expect(completions.map { $0["dueDate"] as? String } == ["2027-06-01"])
    // The next one is another completion.
    let next = done.replacingOccurrences(of: "20270601", with: "20270608")
    try service.put(path, next)
    #expect(try service.text(path).contains("DUE;VALUE=DATE:20270615"))
    #expect(try service.send("GET", "/v1/completions").items.count == 2)
  }
}
