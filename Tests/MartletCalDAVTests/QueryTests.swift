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
}
