import Foundation
import MartletXML
import TestSupport
import Testing

@testable import MartletCalDAV

@Suite("The exchanges of clients") struct ClientTests {
  private let service: CalDAVService
  private let list = "/dav/lists/1/"

  init() throws { service = try CalDAVService() }

  @Test(
    "Well-known: every method is led to /dav/",
    arguments: ["GET", "PROPFIND", "PUT", "POST", "OPTIONS"])
  func wellKnown(_ method: String) throws {
    let answer = try service.send(method, "/.well-known/caldav")
    #expect(answer.status == 301 && answer["Location"] == "/dav/")
  }

  @Test("Apple Reminders: account, lists, colors, a new list, a to-do with its alarm")
  func apple() throws {
    let root = try service.propfind(
      "/", "<d:current-user-principal/><d:principal-URL/><d:resourcetype/>")
    #expect(root.dav("/dav/", "current-user-principal")?.children.first?.text == "/dav/principal/")
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
    let search = try service.report(
      "/dav/principal/", "<d:principal-search-property-set></d:principal-search-property-set>",
      depth: 0)
    #expect(search.status == 200)
    let names = """
      <d:resourcetype/><d:displayname/><d:current-user-privilege-set/><d:owner/><d:sync-token/>\
      <d:supported-report-set/><c:supported-calendar-component-set/><cs:getctag/>\
      <a:calendar-color/><a:calendar-order/><cs:pushkey/><cs:push-transports/><cs:source/>\
      <c:schedule-calendar-transp/><d:quota-available-bytes/><cs:subscribed-strip-alarms/>
      """
    let home = try service.propfind("/dav/lists/", depth: 1, names)
    #expect(home.hrefs == ["/dav/lists/", list])
    // Without a list of to-dos it makes "Reminders" again and again.
    let components = try #require(home.caldav(list, "supported-calendar-component-set"))
    #expect(components.children.compactMap { $0.attribute("name") } == ["VTODO"])
    #expect(
      home.dav(list, "resourcetype")?.children.map(\.name)
        == [DAVName.dav("collection"), DAVName.caldav("calendar")])
    // Without an answer of 200 the list flickers.
    let patch = try Answer(
      service.send(
        "PROPPATCH", list, [],
        CalDAVService.namespaced(
          """
          <d:propertyupdate><d:set><d:prop><a:calendar-order>3</a:calendar-order>\
          <a:calendar-color symbolic-color="red">#FF2968FF</a:calendar-color>\
          <d:displayname>Zu tun</d:displayname></d:prop></d:set></d:propertyupdate>
          """)))
    #expect(patch.dav(list, "displayname") != nil && patch.responses.count == 1)
    let stored = try service.json("/v1/lists/1")
    #expect(stored["title"] as? String == "Zu tun" && stored["color"] as? String == "#ff2968")
    let after = try service.propfind(list, "<a:calendar-order/><a:calendar-color/>")
    #expect(after.value(list, XMLName(DAVName.apple, "calendar-order"))?.text == "3")
    #expect(after.value(list, XMLName(DAVName.apple, "calendar-color"))?.text == "#FF2968FF")
    let made = try service.send(
      "MKCALENDAR", "/dav/lists/5B30-1F/", [],
      CalDAVService.namespaced(
        """
        <c:mkcalendar><d:set><d:prop><d:displayname>Garten</d:displayname>\
        <c:supported-calendar-component-set><c:comp name="VTODO"/>\
        </c:supported-calendar-component-set><a:calendar-order>1</a:calendar-order>\
        </d:prop></d:set></c:mkcalendar>
        """))
    #expect(made.status == 201)
    #expect(
      try service.propfind("/dav/lists/", depth: 1, "<d:displayname/>").dav(
        "/dav/lists/5B30-1F/", "displayname")?.text == "Garten")
    let text = CalDAVService.todo(
      "A1", "SUMMARY:Call", "DUE;TZID=Europe/Vienna:20261125T090000",
      "DTSTART;TZID=Europe/Vienna:20261125T090000", "X-APPLE-SORT-ORDER:123", "BEGIN:VALARM",
      "UID:B", "X-WR-ALARMUID:B", "TRIGGER;VALUE=DATE-TIME:20261125T080000Z",
      "DESCRIPTION:Event reminder", "ACTION:DISPLAY", "END:VALARM")
    #expect(try service.put("\(list)A1.ics", text, [("If-None-Match", "*")]).status == 201)
    let listed = try service.propfind(list, depth: 1, "<d:getetag/><d:getcontenttype/>")
    #expect(listed.hrefs == [list, "\(list)A1.ics"])
    let id = try #require(try service.reminders()["Call"]?["id"] as? Int)
    try service.patch("/v1/reminders/\(id)", #"{"status":"completed"}"#)
    let done = try service.text("\(list)A1.ics")
    #expect(done.contains("BEGIN:VALARM") && done.contains("X-APPLE-SORT-ORDER:123"))
  }

  @Test("Tasks.org: an unchanged ctag, a query, a multiget, extended MKCOL")
  func tasks() throws {
    let made = try service.send(
      "MKCOL", "/dav/lists/tasks%20list/", [],
      CalDAVService.namespaced(
        """
        <d:mkcol><d:set><d:prop><d:resourcetype><d:collection/><c:calendar/></d:resourcetype>\
        <d:displayname>Tasks</d:displayname><a:calendar-color>#0088FF</a:calendar-color>\
        <c:supported-calendar-component-set><c:comp name="VTODO"/>\
        </c:supported-calendar-component-set></d:prop></d:set></d:mkcol>
        """))
    #expect(made.status == 201)
    let path = "/dav/lists/tasks%20list/"
    let home = try service.propfind(
      "/dav/lists/", depth: 1,
      """
      <d:resourcetype/><d:displayname/><c:supported-calendar-component-set/><cs:getctag/>\
      <a:calendar-color/><d:sync-token/><d:owner/><d:current-user-privilege-set/>
      """)
    #expect(home.dav(path, "displayname")?.text == "Tasks")
    for number in 0..<3 {
      try service.put("\(path)\(number).ics", CalDAVService.todo("\(number)", "SUMMARY:\(number)"))
    }
    let ctag = try service.propfind(path, "<cs:getctag/>").ctag(path)
    let same = try service.propfind(path, "<cs:getctag/>").ctag(path)
    #expect(ctag != nil && ctag == same)
    let query = try service.report(
      path,
      """
      <c:calendar-query><d:prop><d:getetag/></d:prop><c:filter><c:comp-filter name="VCALENDAR">\
      <c:comp-filter name="VTODO"/></c:comp-filter></c:filter></c:calendar-query>
      """)
    #expect(query.hrefs.count == 3)
    let got = try service.report(
      path,
      "<c:calendar-multiget><d:prop><d:getcontenttype/><d:getetag/><c:calendar-data/></d:prop>"
        + query.hrefs.map { "<d:href>\($0)</d:href>" }.joined() + "</c:calendar-multiget>")
    for href in query.hrefs {
      #expect(got.dav(href, "getetag") == query.dav(href, "getetag"))
      let text = try #require(got.caldav(href, "calendar-data")?.text)
      #expect(text.components(separatedBy: "BEGIN:VTODO").count == 2)
    }
  }

  @Test("DAVx⁵: an ETag changes with the text, and with nothing else")
  func davx5() throws {
    try service.put("\(list)p.ics", CalDAVService.todo("p", "SUMMARY:Parent"))
    let tag = try service.send("GET", "\(list)p.ics")["ETag"]
    // A subtask changes the counts of its parent.
    try service.put("\(list)c.ics", CalDAVService.todo("c", "SUMMARY:Child", "RELATED-TO:p"))
    #expect(try service.send("GET", "\(list)p.ics")["ETag"] == tag)
    // A text that is put again is not changed.
    try service.put("\(list)p.ics", CalDAVService.todo("p", "SUMMARY:Parent"))
    #expect(try service.send("GET", "\(list)p.ics")["ETag"] == tag)
  }

  @Test("Thunderbird: depth 0, then sync and multiget; status outside of propstat is 404 only")
  func thunderbird() throws {
    try service.put("\(list)a.ics", CalDAVService.todo("a"))
    try service.put("\(list)b.ics", CalDAVService.todo("b"))
    let first = try service.propfind(
      list,
      """
      <d:resourcetype/><d:owner/><d:current-user-principal/><d:current-user-privilege-set/>\
      <d:supported-report-set/><c:supported-calendar-component-set/><cs:getctag/>
      """)
    #expect(first.dav(list, "owner")?.children.first?.text == "/dav/principal/")
    func sync(_ token: String) throws -> Answer {
      try service.report(
        list,
        """
        <d:sync-collection><d:sync-token>\(token)</d:sync-token><d:sync-level>1</d:sync-level>\
        <d:prop><d:getcontenttype/><d:getetag/></d:prop></d:sync-collection>
        """)
    }
    let all = try sync("")
    for href in ["\(list)a.ics", "\(list)b.ics"] {
      #expect(all.dav(href, "getcontenttype")?.text.hasPrefix("text/calendar") == true)
      #expect(all.status(href) == nil)
    }
    try service.send("DELETE", "\(list)a.ics")
    #expect(try sync(all.token ?? "").status("\(list)a.ics") == "HTTP/1.1 404 Not Found")
  }

  @Test("Evolution: calendar-access, and privileges to write")
  func evolution() throws {
    #expect(try service.send("OPTIONS", list)["DAV"]?.contains("calendar-access") == true)
    let found = try service.propfind(list, "<d:current-user-privilege-set/>")
    let names = found.dav(list, "current-user-privilege-set")?.children.flatMap(\.children)
      .map(\.name.local)
    #expect(names?.contains("write") == true && names?.contains("bind") == true)
  }

  @Test("KDE: a query for events is empty, and no error")
  func kde() throws {
    try service.put("\(list)a.ics", CalDAVService.todo("a"))
    for (component, count) in [("VEVENT", 0), ("VJOURNAL", 0), ("VTODO", 1)] {
      let answer = try service.report(
        list,
        """
        <c:calendar-query><d:prop><d:getetag/></d:prop><c:filter><c:comp-filter name="VCALENDAR">\
        <c:comp-filter name="\(component)"/></c:comp-filter></c:filter></c:calendar-query>
        """)
      #expect(answer.status == 207 && answer.hrefs.count == count, "\(component)")
    }
  }

  @Test("vdirsyncer: an at sign in a path, with and without its escape, is the same resource")
  func vdirsyncer() throws {
    try service.put("\(list)a@b.ics", CalDAVService.todo("a@b"))
    #expect(try service.send("GET", "\(list)a%40b.ics").status == 200)
    let listed = try service.propfind(list, depth: 1, "<d:getetag/>").hrefs
    #expect(listed == [list, "\(list)a%40b.ics"])
    let found = try service.propfind(list, "<d:displayname/><a:calendar-color/>")
    #expect(found.dav(list, "displayname") != nil)
  }

  @Test("Home Assistant: a query for open to-dos")
  func homeAssistant() throws {
    try service.put("\(list)a.ics", CalDAVService.todo("a", "STATUS:COMPLETED"))
    try service.put("\(list)b.ics", CalDAVService.todo("b"))
    let answer = try service.report(
      list,
      """
      <c:calendar-query><d:prop><c:calendar-data/></d:prop><c:filter>\
      <c:comp-filter name="VCALENDAR"><c:comp-filter name="VTODO">\
      <c:prop-filter name="STATUS"><c:text-match negate-condition="yes">COMPLETED</c:text-match>\
      </c:prop-filter></c:comp-filter></c:comp-filter></c:filter></c:calendar-query>
      """)
    #expect(answer.hrefs == ["\(list)b.ics"] || answer.hrefs.isEmpty)
  }

  @Test("A minimal answer names no properties that are not there")
  func minimal() throws {
    let answer = try service.propfind(
      list, "<d:displayname/><d:nothing/>", [("Prefer", "return=minimal")])
    #expect(!answer.raw.text.contains("nothing"))
    #expect(try service.propfind(list, "<d:nothing/>").raw.text.contains("404 Not Found"))
    let infinite = try service.send("PROPFIND", list, [("Depth", "infinity")])
    #expect(infinite.status == 403 && infinite.text.contains("propfind-finite-depth"))
    // An empty body asks for all of them.
    #expect(try service.send("PROPFIND", list, [("Depth", "0")]).text.contains("getctag"))
  }

  @Test("cadaver: COPY and LOCK are not allowed, and MKCOL makes a list once")
  func cadaver() throws {
    #expect(try service.send("COPY", "\(list)a.ics").status == 405)
    #expect(try service.send("LOCK", list).status == 405)
    #expect(try service.send("MKCOL", "/dav/lists/new/").status == 201)
    #expect(try service.send("MKCOL", "/dav/lists/new/").status == 405)
    #expect(try service.send("MKCALENDAR", "/dav/lists/new/").status == 403)
    #expect(try service.send("MKCALENDAR", "/dav/lists/12/").status == 403)
    #expect(try service.send("DELETE", "/dav/lists/new/").status == 204)
    #expect(try service.send("PROPFIND", "/dav/lists/new/").status == 404)
  }

  @Test("A feed of a list is one calendar")
  func feed() throws {
    try service.put("\(list)a.ics", CalDAVService.todo("a", "SUMMARY:One"))
    try service.put("\(list)b.ics", CalDAVService.todo("b", "SUMMARY:Two"))
    let feed = try service.send("GET", list)
    #expect(feed.status == 200 && feed["Content-Type"] == "text/calendar; charset=utf-8")
    #expect(feed.text.components(separatedBy: "BEGIN:VTODO").count == 3)
    #expect(feed.text.components(separatedBy: "BEGIN:VCALENDAR").count == 2)
  }

  @Test("What a phone ticks off is on an event stream")
  func stream() throws {
    try service.put("\(list)a.ics", CalDAVService.todo("a", "SUMMARY:One"))
    let streams = StreamClient(port: service.port)
    try streams.open("/v1/reminders?completed=false")
    #expect(streams.wait { $0[0].events.count == 1 })
    try service.put(
      "\(list)a.ics",
      CalDAVService.todo("a", "SUMMARY:One", "STATUS:COMPLETED", "COMPLETED:20261120T120000Z"))
    #expect(streams.wait { $0[0].events.last?.data.contains(#""items":[]"#) == true })
  }

  @Test("Hostile requests get an answer, and no 500")
  func hostile() throws {
    let bodies = [
      "", "<", "<a/>", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>",
      String(repeating: "<a>", count: 100), "\u{0}",
      "<a xmlns='\(String(repeating: "x", count: 300))'/>",
    ]
    for method in ["PROPFIND", "PROPPATCH", "REPORT", "MKCALENDAR", "PUT", "DELETE", "MOVE"] {
      for path in ["/dav/", "/dav/lists/", "/dav/lists/%2F/", "\(list)x.ics", "\(list)%FF%41"] {
        for body in bodies { try service.send(method, path, [], body) }
      }
    }
  }
}
