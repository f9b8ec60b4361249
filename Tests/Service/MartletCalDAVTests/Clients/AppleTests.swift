import Foundation
import MartletXML
import TestSupport
import Testing

@testable import MartletCalDAV

/// Reminders of iOS 18 and 26 and of macOS: accountsd finds the account, remindd reads and writes.
@Suite("Apple Reminders") struct AppleTests {
  private let service: CalDAVService
  private let list = "/dav/lists/1/"

  init() throws { service = try CalDAVService() }

  @Test("Apple Reminders: the account is found from the host name")
  func account() throws {
    #expect(try service.send("PROPFIND", "/.well-known/caldav").status == 301)
    let names = "<d:current-user-principal/><d:principal-URL/><d:resourcetype/>"
    for (path, href) in [("/", "/dav/"), ("/dav/", "/dav/")] {
      let root = try service.propfind(path, names, [("Brief", "t")])
      #expect(root.dav(href, "current-user-principal")?.children.first?.text == "/dav/principal/")
    }
    let options = try service.send("OPTIONS", "/dav/principal/")
    #expect(options.status == 200 && options["DAV"]?.contains("calendar-access") == true)
    let principal = try service.propfind(
      "/dav/principal/",
      """
      <c:calendar-home-set/><c:calendar-user-address-set/><d:current-user-principal/>\
      <d:displayname/><d:principal-URL/><d:resource-id/><d:supported-report-set/>\
      <c:schedule-inbox-URL/><c:schedule-outbox-URL/><cs:dropbox-home-URL/><cs:email-address-set/>\
      <cs:notification-URL/><d:principal-collection-set/>
      """)
    #expect(
      principal.caldav("/dav/principal/", "calendar-home-set")?.children.first?.text
        == "/dav/lists/")
    // What is not there is a 404 in its propstat, and no fault.
    #expect(principal.status == 207 && principal.raw.text.contains("404 Not Found"))
    let search = try service.report(
      "/dav/principal/", "<d:principal-search-property-set></d:principal-search-property-set>",
      depth: 0)
    #expect(search.status == 200)
    let found = try service.report(
      "/dav/principal/",
      """
      <d:principal-property-search><d:property-search><d:prop><d:displayname/></d:prop>\
      <d:match>me</d:match></d:property-search><d:prop><d:displayname/></d:prop>\
      </d:principal-property-search>
      """)
    #expect(found.status == 207 && found.hrefs.isEmpty)
  }

  private static let homeNames = """
    <c:calendar-description/><c:calendar-free-busy-set/><c:calendar-timezone/>\
    <c:default-alarm-vevent-date/><c:default-alarm-vevent-datetime/>\
    <c:schedule-calendar-transp/><c:schedule-default-calendar-URL/>\
    <c:supported-calendar-component-set/><c:supported-calendar-component-sets/>\
    <cs:allowed-sharing-modes/><cs:checksum-versions/><cs:getctag/><cs:invite/><cs:owner/>\
    <cs:pre-publish-url/><cs:publish-url/><cs:push-transports/><cs:pushkey/><cs:source/>\
    <cs:subscribed-strip-alarms/><cs:subscribed-strip-attachments/>\
    <cs:subscribed-strip-todos/><a:calendar-color/><a:calendar-order/><a:refreshrate/>\
    <d:add-member/><d:current-user-privilege-set/><d:displayname/><d:owner/>\
    <d:quota-available-bytes/><d:quota-used-bytes/><d:resource-id/><d:resourcetype/>\
    <d:supported-report-set/><d:sync-token/>
    """

  @Test("Apple Reminders: without a list of to-dos it would make \"Reminders\" again and again")
  func home() throws {
    let home = try service.propfind("/dav/lists/", depth: 1, AppleTests.homeNames)
    #expect(home.hrefs == ["/dav/lists/", list])
    let components = try #require(home.caldav(list, "supported-calendar-component-set"))
    #expect(components.children.compactMap { $0.attribute("name") } == ["VTODO"])
    #expect(
      home.dav(list, "resourcetype")?.children.map(\.name)
        == [DAVName.dav("collection"), DAVName.caldav("calendar")])
    let reports = home.dav(list, "supported-report-set")?.children.flatMap(\.children)
      .flatMap(\.children).map(\.name.local)
    #expect(reports?.contains("sync-collection") == true)
    // A list that it makes is in the home at once.
    let made = try service.send(
      "MKCALENDAR", "/dav/lists/5B30-1F/", [],
      CalDAVService.namespaced(
        """
        <c:mkcalendar><d:set><d:prop><d:displayname>Garten</d:displayname>\
        <c:supported-calendar-component-set><c:comp name="VTODO"/>\
        </c:supported-calendar-component-set><a:calendar-order>1</a:calendar-order>\
        <a:calendar-color symbolic-color="custom">#1BADF8FF</a:calendar-color>\
        <c:calendar-free-busy-set><c:NO/></c:calendar-free-busy-set>\
        </d:prop></d:set></c:mkcalendar>
        """))
    #expect(made.status == 201)
    let after = try service.propfind("/dav/lists/", depth: 1, AppleTests.homeNames)
    #expect(after.dav("/dav/lists/5B30-1F/", "displayname")?.text == "Garten")
    let color = XMLName(DAVName.apple, "calendar-color")
    #expect(after.value("/dav/lists/5B30-1F/", color)?.text == "#1BADF8FF")
  }

  @Test("Apple Reminders: a PROPPATCH that is refused would let the list flicker")
  func proppatch() throws {
    let patch = try Answer(
      service.send(
        "PROPPATCH", list, [],
        CalDAVService.namespaced(
          """
          <d:propertyupdate><d:set><d:prop><a:calendar-order>3</a:calendar-order>\
          </d:prop></d:set><d:set><d:prop>\
          <a:calendar-color symbolic-color="red">#FF2968FF</a:calendar-color>\
          </d:prop></d:set><d:set><d:prop><d:displayname>Zu tun</d:displayname></d:prop></d:set>\
          </d:propertyupdate>
          """)))
    for name in [
      DAVName.dav("displayname"), XMLName(DAVName.apple, "calendar-color"),
      XMLName(DAVName.apple, "calendar-order"),
    ] {
      #expect(patch.value(list, name) != nil, "\(name)")
    }
    #expect(patch.responses.count == 1)
    let stored = try service.json("/v1/lists/1")
    #expect(stored["title"] as? String == "Zu tun" && stored["color"] as? String == "#ff2968")
    let after = try service.propfind(list, "<a:calendar-order/><a:calendar-color/>")
    #expect(after.value(list, XMLName(DAVName.apple, "calendar-order"))?.text == "3")
    #expect(after.value(list, XMLName(DAVName.apple, "calendar-color"))?.text == "#FF2968FF")
  }

  private func sync(_ token: String?) throws -> Answer {
    try service.report(
      list,
      """
      <d:sync-collection><d:sync-token>\(token ?? "")</d:sync-token><d:sync-level>1</d:sync-level>\
      <d:prop><d:getcontenttype/><d:getetag/></d:prop></d:sync-collection>
      """, depth: 1)
  }

  @Test("Apple Reminders: a to-do with its alarm; if the alarm were lost, its switch would go off")
  func alarm() throws {
    let before = try sync(nil)
    let text = CalDAVService.todo(
      "A1", "SUMMARY:Call", "DUE;TZID=Europe/Vienna:20261125T090000",
      "DTSTART;TZID=Europe/Vienna:20261125T090000", "X-APPLE-SORT-ORDER:123", "BEGIN:VALARM",
      "UID:B", "X-WR-ALARMUID:B", "TRIGGER;VALUE=DATE-TIME:20261125T080000Z",
      "DESCRIPTION:Event reminder", "ACTION:DISPLAY", "END:VALARM")
    let put = try service.put("\(list)A1.ics", text, [("If-None-Match", "*")])
    #expect(put.status == 201 && put["ETag"] != nil)
    let listed = try service.propfind(list, depth: 1, "<d:getetag/><d:getcontenttype/>")
    #expect(listed.hrefs == [list, "\(list)A1.ics"])
    let next = try sync(before.token)
    #expect(next.hrefs == ["\(list)A1.ics"])
    #expect(next.dav("\(list)A1.ics", "getetag")?.text == put["ETag"])
    let reminder = try #require(try service.reminders()["Call"])
    #expect((reminder["alarms"] as? [[String: Any]])?.count == 1)
    let id = try #require(reminder["id"] as? Int)
    try service.patch("/v1/reminders/\(id)", #"{"status":"completed"}"#)
    let changed = try sync(next.token)
    let got = try service.report(
      list,
      "<c:calendar-multiget><d:prop><d:getetag/><c:calendar-data/></d:prop>"
        + changed.hrefs.map { "<d:href>\($0)</d:href>" }.joined() + "</c:calendar-multiget>")
    let done = try #require(got.caldav("\(list)A1.ics", "calendar-data")?.text)
    for line in [
      "BEGIN:VALARM", "UID:B", "X-WR-ALARMUID:B", "TRIGGER;VALUE=DATE-TIME:20261125T080000Z",
      "X-APPLE-SORT-ORDER:123", "STATUS:COMPLETED",
    ] {
      #expect(done.contains("\(line)\r\n"), "\(line) in \(done)")
    }
    // The next occurrence of a rule keeps it as well.
    try service.patch(
      "/v1/reminders/\(id)",
      #"{"status":"incomplete","recurrence":{"rule":"FREQ=DAILY"}}"#)
    try service.patch("/v1/reminders/\(id)", #"{"status":"completed"}"#)
    #expect(try service.text("\(list)A1.ics").contains("BEGIN:VALARM"))
  }
}
