import MartletXML
import TestSupport
import Testing

@testable import MartletCalDAV

@Suite("Queries") struct QueryTests {
  private let service: CalDAVService
  private let list = "/dav/lists/1/"

  init() throws {
    service = try CalDAVService()
    try service.put(
      "\(list)open.ics",
      CalDAVService.todo(
        "open", "SUMMARY;LANGUAGE=de:Über uns", "DUE:20261125T090000Z", "BEGIN:VALARM",
        "ACTION:DISPLAY", "TRIGGER:-PT1H", "END:VALARM"))
    try service.put(
      "\(list)done.ics",
      CalDAVService.todo(
        "done", "SUMMARY:Done", "STATUS:COMPLETED", "COMPLETED:20261110T090000Z",
        "DTSTART;VALUE=DATE:20261101"))
    try service.put(
      "\(list)weekly.ics",
      CalDAVService.todo(
        "weekly", "SUMMARY:Weekly", "DTSTART;VALUE=DATE:20261123", "DUE;VALUE=DATE:20261123",
        "RRULE:FREQ=WEEKLY"))
    try service.put("\(list)bare.ics", CalDAVService.todo("bare", "SUMMARY:Bare"))
  }

  private func query(_ filter: String, _ prop: String = "<d:getetag/>") throws -> Answer {
    try service.report(
      list,
      """
      <c:calendar-query><d:prop>\(prop)</d:prop><c:filter><c:comp-filter name="VCALENDAR">\
      \(filter)</c:comp-filter></c:filter></c:calendar-query>
      """)
  }

  private func names(_ filter: String) throws -> Set<String> {
    Set(try query(filter).hrefs.map { String($0.dropFirst(list.count).dropLast(4)) })
  }

  private func todo(_ inner: String) -> String {
    #"<c:comp-filter name="VTODO">\#(inner)</c:comp-filter>"#
  }
  private func range(_ start: String, _ end: String) -> String {
    #"<c:time-range start="\#(start)" end="\#(end)"/>"#
  }

  @Test("Components, properties, texts, parameters")
  func conditions() throws {
    let all: Set = ["open", "done", "weekly", "bare"]
    #expect(try names("") == all)
    #expect(try names(todo("")) == all)
    #expect(try names(#"<c:comp-filter name="VEVENT"/>"#).isEmpty)
    #expect(
      try names(
        todo(#"<c:prop-filter name="COMPLETED"><c:is-not-defined/></c:prop-filter>"#))
        == ["open", "weekly", "bare"])
    func summary(_ inner: String) -> String {
      todo(#"<c:prop-filter name="SUMMARY">\#(inner)</c:prop-filter>"#)
    }
    #expect(try names(summary("<c:text-match>BAR</c:text-match>")) == ["bare"])
    #expect(
      try names(summary(#"<c:text-match collation="i;octet">BAR</c:text-match>"#)).isEmpty)
    #expect(
      try names(
        summary(#"<c:text-match collation="i;unicode-casemap">üBER</c:text-match>"#)) == ["open"])
    #expect(
      try names(summary(#"<c:text-match negate-condition="yes">e</c:text-match>"#)).isEmpty)
    #expect(
      try names(
        summary(
          #"<c:param-filter name="LANGUAGE"><c:text-match>DE</c:text-match></c:param-filter>"#))
        == ["open"])
    #expect(
      try names(todo(#"<c:comp-filter name="VALARM"/>"#)) == ["open"])
    #expect(
      try names(todo(#"<c:comp-filter name="VALARM"><c:is-not-defined/></c:comp-filter>"#))
        == ["done", "weekly", "bare"])
  }

  @Test("Spans of time, with occurrences and alarms")
  func spans() throws {
    #expect(
      try names(todo(range("20261125T000000Z", "20261126T000000Z"))) == ["open", "bare"])
    #expect(
      try names(todo(range("20261201T120000Z", "20261208T000000Z"))).contains("weekly"))
    #expect(
      try names(
        todo(
          #"<c:comp-filter name="VALARM">\#(range("20261125T073000Z", "20261125T083000Z"))</c:comp-filter>"#
        )) == ["open"])
    #expect(
      try names(
        todo(
          #"<c:prop-filter name="COMPLETED">\#(range("20261101T000000Z", "20261201T000000Z"))</c:prop-filter>"#
        )) == ["done"])
  }

  @Test("Invalid filters have their precondition")
  func invalid() throws {
    let collation = try query(
      todo(
        #"<c:prop-filter name="SUMMARY"><c:text-match collation="i;x">a</c:text-match></c:prop-filter>"#
      ))
    #expect(collation.status == 403 && collation.raw.text.contains("C:supported-collation"))
    let span = try query(todo(range("nonsense", "20261126T000000Z")))
    #expect(span.status == 403 && span.raw.text.contains("C:valid-filter"))
    let other = try service.report(list, "<d:expand-property></d:expand-property>")
    #expect(other.status == 403 && other.raw.text.contains("D:supported-report"))
    #expect(
      try service.report(list, "<!DOCTYPE a><c:calendar-query></c:calendar-query>").status == 400)
  }

  @Test("Parts of the text, and occurrences")
  func data() throws {
    let part = try query(
      todo(#"<c:prop-filter name="DUE"/>"#),
      #"<c:calendar-data><c:comp name="VCALENDAR"><c:comp name="VTODO"><c:prop name="UID"/></c:comp></c:comp></c:calendar-data>"#
    )
    let text = try #require(part.caldav("\(list)open.ics", "calendar-data")?.text)
    #expect(text == "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:open\r\nEND:VTODO\r\nEND:VCALENDAR\r\n")
    // A day begins at midnight in Vienna.
    let expanded = try query(
      todo(#"<c:prop-filter name="RRULE"/>"#),
      #"<c:calendar-data><c:expand start="20261122T230000Z" end="20261213T000000Z"/></c:calendar-data>"#
    )
    let weeks = try #require(expanded.caldav("\(list)weekly.ics", "calendar-data")?.text)
    for day in ["20261123", "20261130", "20261207"] {
      #expect(weeks.contains("RECURRENCE-ID;VALUE=DATE:\(day)"))
    }
    #expect(!weeks.contains("RRULE") && !weeks.contains("20261214"))
  }

  @Test("A multiget answers in order, with 404 for what is not there")
  func multiget() throws {
    let paths = ["\(list)weekly.ics", "\(list)none.ics", "http://h/dav/lists/1/ope%6E.ics"]
    let answer = try service.report(
      list,
      "<c:calendar-multiget><d:prop><d:getetag/><c:calendar-data/></d:prop>"
        + paths.map { "<d:href>\($0)</d:href>" }.joined() + "</c:calendar-multiget>")
    #expect(answer.hrefs == [paths[0], paths[1], "\(list)open.ics"])
    #expect(answer.status(paths[1]) == "HTTP/1.1 404 Not Found")
    #expect(answer.caldav("\(list)open.ics", "calendar-data")?.text.contains("UID:open") == true)
  }

  @Test("A time is in the zone that its property names, and an alarm rings again")
  func zones() throws {
    try service.put(
      "\(list)zoned.ics",
      CalDAVService.todo(
        "zoned", "DUE;TZID=Asia/Tokyo:20261210T090000", "BEGIN:VALARM", "ACTION:DISPLAY",
        "TRIGGER;RELATED=END:PT0S", "REPEAT:3", "DURATION:P1D", "END:VALARM"))
    func due(_ start: String, _ end: String) -> String {
      todo(#"<c:prop-filter name="DUE">\#(range(start, end))</c:prop-filter>"#)
    }
    #expect(try names(due("20261210T000000Z", "20261210T000001Z")) == ["zoned"])
    #expect(try names(due("20261210T080000Z", "20261210T090000Z")).isEmpty)
    func alarm(_ start: String, _ end: String) -> String {
      todo(#"<c:comp-filter name="VALARM">\#(range(start, end))</c:comp-filter>"#)
    }
    for day in 10...13 {
      #expect(try names(alarm("202612\(day)T000000Z", "202612\(day)T000001Z")) == ["zoned"])
    }
    #expect(try names(alarm("20261210T000001Z", "20261211T000000Z")).isEmpty)
    #expect(try names(alarm("20261214T000000Z", "20261231T000000Z")).isEmpty)
  }

  @Test("A report on one object")
  func object() throws {
    let path = "\(list)open.ics"
    func query(_ name: String) -> String {
      """
      <c:calendar-query><d:prop><c:calendar-data><c:comp name="VCALENDAR"><c:allprop/>\
      <c:comp name="VTODO"><c:prop name="UID"/><c:prop name="SUMMARY" novalue="yes"/></c:comp>\
      </c:comp></c:calendar-data></d:prop><c:filter><c:comp-filter name="VCALENDAR">\
      <c:comp-filter name="\(name)"/></c:comp-filter></c:filter></c:calendar-query>
      """
    }
    let found = try service.report(path, query("VTODO"))
    #expect(found.hrefs == [path])
    let data = found.caldav(path, "calendar-data")?.text ?? ""
    #expect(data.contains("\r\nSUMMARY;LANGUAGE=de:\r\n") && data.contains("UID:open"), "\(data)")
    #expect(!data.contains("DUE"))
    #expect(try service.report(path, query("VEVENT")).hrefs.isEmpty)
    let many = try service.report(
      path,
      """
      <c:calendar-multiget><d:prop><d:getetag/></d:prop><d:href>\(path)</d:href>\
      <d:href>\(list)done.ics</d:href></c:calendar-multiget>
      """)
    #expect(many.dav(path, "getetag") != nil)
    #expect(many.status("\(list)done.ics")?.contains("404") == true)
    #expect(try service.report("\(list)none.ics", query("VTODO")).status == 404)
    let sync = "<d:sync-collection><d:sync-token/><d:prop/></d:sync-collection>"
    #expect(try service.report(path, sync).status == 403)
    let options = try service.send("OPTIONS", path)
    #expect(options["Allow"]?.contains("REPORT") == true)
  }
}
