import Foundation
import MartletXML
import TestSupport
import Testing

@testable import MartletCalDAV

/// Tasks.org, with the library dav4jvm.
@Suite("Tasks.org") struct TasksOrgTests {
  private let service: CalDAVService
  private let path = "/dav/lists/tasks%20list/"

  init() throws {
    service = try CalDAVService()
    let made = try service.send(
      "MKCOL", path, [],
      CalDAVService.namespaced(
        """
        <d:mkcol><d:set><d:prop><d:resourcetype><d:collection/><c:calendar/></d:resourcetype>\
        <d:displayname>Tasks</d:displayname><a:calendar-color>#0088FF</a:calendar-color>\
        <c:supported-calendar-component-set><c:comp name="VTODO"/>\
        </c:supported-calendar-component-set></d:prop></d:set></d:mkcol>
        """))
    #expect(made.status == 201)
  }

  private static let names = """
    <d:resourcetype/><d:displayname/><c:supported-calendar-component-set/><cs:getctag/>\
    <a:calendar-color/><d:sync-token/><d:owner/><d:current-user-privilege-set/>\
    <d:current-user-principal/><cs:invite/>
    """

  private func query() throws -> Answer {
    try service.report(
      path,
      """
      <c:calendar-query><d:prop><d:getetag/></d:prop><c:filter><c:comp-filter name="VCALENDAR">\
      <c:comp-filter name="VTODO"/></c:comp-filter></c:filter></c:calendar-query>
      """)
  }

  private func multiget(_ hrefs: [String]) throws -> Answer {
    try service.report(
      path,
      "<c:calendar-multiget><d:prop><d:getcontenttype/><d:getetag/><c:calendar-data/></d:prop>"
        + hrefs.map { "<d:href>\($0)</d:href>" }.joined() + "</c:calendar-multiget>")
  }

  @Test("Tasks.org: a list without a name or its components would not be seen")
  func lists() throws {
    #expect(try service.send("PROPFIND", "/.well-known/caldav")["Location"] == "/dav/")
    let home = try service.propfind("/dav/lists/", depth: 1, TasksOrgTests.names)
    for href in home.hrefs where href != "/dav/lists/" {
      #expect(home.dav(href, "displayname")?.text.isEmpty == false, "\(href)")
      let components = home.caldav(href, "supported-calendar-component-set")?.children
      #expect(components?.compactMap { $0.attribute("name") } == ["VTODO"], "\(href)")
      let kinds = home.dav(href, "resourcetype")?.children.map(\.name)
      #expect(kinds?.contains(DAVName.caldav("calendar")) == true, "\(href)")
    }
    #expect(home.dav(path, "displayname")?.text == "Tasks")
    let patch = try Answer(
      service.send(
        "PROPPATCH", path, [],
        CalDAVService.namespaced(
          """
          <d:propertyupdate><d:set><d:prop><d:displayname>More tasks</d:displayname>\
          <a:calendar-color>#FF0088FF</a:calendar-color></d:prop></d:set></d:propertyupdate>
          """)))
    #expect(patch.dav(path, "displayname") != nil)
    let after = try service.propfind(path, TasksOrgTests.names)
    #expect(after.dav(path, "displayname")?.text == "More tasks")
  }

  @Test("Tasks.org: it stops at an unchanged token; then a query, and texts by 30")
  func sync() throws {
    for number in 0..<35 {
      try service.put("\(path)\(number).ics", CalDAVService.todo("\(number)", "SUMMARY:\(number)"))
    }
    let first = try service.propfind(path, TasksOrgTests.names)
    let same = try service.propfind(path, TasksOrgTests.names)
    #expect(first.ctag(path) != nil && first.ctag(path) == same.ctag(path))
    #expect(first.dav(path, "sync-token")?.text == same.dav(path, "sync-token")?.text)
    let found = try query()
    #expect(found.hrefs.count == 35)
    for start in stride(from: 0, to: 35, by: 30) {
      let hrefs = Array(found.hrefs[start..<min(start + 30, 35)])
      let got = try multiget(hrefs)
      #expect(got.hrefs == hrefs)
      for href in hrefs {
        // Without one of the two the sync would end.
        #expect(got.dav(href, "getetag") == found.dav(href, "getetag"))
        let text = try #require(got.caldav(href, "calendar-data")?.text)
        #expect(text.components(separatedBy: "BEGIN:VTODO").count == 2)
      }
    }
    try service.put("\(path)0.ics", CalDAVService.todo("0", "SUMMARY:other"))
    #expect(try service.propfind(path, TasksOrgTests.names).ctag(path) != first.ctag(path))
  }

  @Test("Tasks.org: two VTODOs in a resource would end the sync of the list")
  func oneTodo() throws {
    // Thunderbird has written two.
    let text = CalDAVService.todo(
      "r", "SUMMARY:Plants", "DTSTART;VALUE=DATE:20261123", "DUE;VALUE=DATE:20261123",
      "RRULE:FREQ=DAILY", "END:VTODO", "BEGIN:VTODO", "UID:r",
      "RECURRENCE-ID;VALUE=DATE:20261123", "STATUS:COMPLETED", "COMPLETED:20261120T100000Z")
    #expect(try service.put("\(path)r.ics", text).status == 201)
    let got = try multiget(try query().hrefs)
    for href in got.hrefs {
      let text = try #require(got.caldav(href, "calendar-data")?.text)
      #expect(text.components(separatedBy: "BEGIN:VTODO").count == 2, "\(text)")
    }
  }

  @Test("Tasks.org: a move is a DELETE and a PUT, or the other way round, with the same UID")
  func moves() throws {
    let text = CalDAVService.todo("m", "SUMMARY:Moved", "X-A:1", "CATEGORIES:a,b")
    try service.put("\(path)m.ics", text)
    #expect(try service.send("DELETE", "\(path)m.ics").status == 204)
    #expect(try service.put("/dav/lists/1/m.ics", text).status == 201)
    #expect(try service.text("/dav/lists/1/m.ics") == text)
    #expect(try service.put("\(path)m.ics", text).status == 201)
    #expect(try service.send("DELETE", "/dav/lists/1/m.ics").status == 204)
    #expect(try service.text("\(path)m.ics") == text)
    #expect(try service.send("GET", "/v1/reminders").items.count == 1)
  }
}
