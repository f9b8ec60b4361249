import Foundation
import MartletJSON
import MartletXML
import TestSupport
import Testing

@testable import MartletCalDAV
@testable import MartletLiveAPI

@Suite("Large requests and answers") struct LargeTests {
  private let service: CalDAVService
  private let list = "/dav/lists/1/"

  init() throws { service = try CalDAVService() }

  private func query(_ filter: String, _ prop: String = "<d:getetag/>") throws -> Answer {
    try service.report(
      list,
      """
      <c:calendar-query><d:prop>\(prop)</d:prop><c:filter><c:comp-filter name="VCALENDAR">\
      <c:comp-filter name="VTODO">\(filter)</c:comp-filter></c:comp-filter></c:filter>\
      </c:calendar-query>
      """)
  }

  @Test("An answer of over 512 KiB is whole, also while others are prepared, and compressed")
  func large() throws {
    let notes = "DESCRIPTION:" + String(repeating: "x", count: 20_000)
    for number in 0..<40 {
      try service.put("\(list)\(number).ics", CalDAVService.todo("u\(number)", notes))
    }
    let all = try query("", "<c:calendar-data/>")
    #expect(all.hrefs.count == 40 && all.raw.body.count > 800_000)
    #expect(all.raw["Content-Type"] == "application/xml; charset=utf-8")
    for href in all.hrefs {
      #expect(all.caldav(href, "calendar-data")?.text.contains(notes) == true)
    }
    let small = try query("")
    #expect(small.hrefs == all.hrefs)
    let packed = try service.send(
      "REPORT", list, [("Accept-Encoding", "gzip"), ("Depth", "1")],
      CalDAVService.namespaced(
        """
        <c:calendar-query><d:prop><c:calendar-data/></d:prop><c:filter>\
        <c:comp-filter name="VCALENDAR"/></c:filter></c:calendar-query>
        """))
    #expect(packed.status == 207 && packed["Content-Encoding"] == "gzip")
    #expect(packed.body.count < 100_000)
    // One after the other, without a 503.
    for _ in 0..<5 {
      let feed = try service.send("GET", list)
      #expect(feed.status == 200)
      #expect(feed.text.components(separatedBy: "BEGIN:VTODO").count == 41)
    }
  }

  @Test("After fifty objects it is known how large an answer becomes, whatever a filter leaves out")
  func forecast() throws {
    for length in [1_000, 10] {
      var expected: [Int] = []
      let buffer = ByteBuffer(capacity: 1_024)
      try Multistatus.write(into: buffer, Download.Progress { expected.append($0) }) { answer in
        try answer.expect(600, nil)
        for number in 0..<600 {
          try answer.next()
          if number % 2 == 0 {
            answer.write(String(repeating: "x", count: length), status: Multistatus.notFound)
          }
        }
      }
      let said = expected.filter { $0 > 0 }
      // Half of the others have a response as long as those before.
      #expect(said.count == 1 && abs(said[0] - 275 * (length + 130)) < 275 * 60, "\(said)")
    }
  }

  @Test("A large answer that takes too long is given up")
  func tooLong() throws {
    var limits = APISettings()
    limits.documentTimeout = .zero
    let service = try CalDAVService(limits: limits)
    let notes = "DESCRIPTION:" + String(repeating: "x", count: 20_000)
    for number in 0..<30 {
      try service.put("\(list)\(number).ics", CalDAVService.todo("u\(number)", notes))
    }
    let answer = try RawClient(port: service.port).request("GET", list)
    #expect(answer.status == 503 && answer.problem == "query-timeout", "\(answer.text)")
    #expect(try service.send("GET", "\(list)1.ics").status == 200)
  }

  @Test("vdirsyncer: thousands of paths in one multiget, each answered once")
  func manyPaths() throws {
    try service.put("\(list)a.ics", CalDAVService.todo("a"))
    let paths =
      (0..<6_000).map { "<d:href>\(list)\($0).ics</d:href>" }
      + Array(
        repeating: "<d:href>\(list)a.ics</d:href><d:href>\(list)%61.ics</d:href>", count: 1_000)
    let answer = try service.report(
      list,
      "<c:calendar-multiget><d:prop><d:getetag/></d:prop>\(paths.joined())</c:calendar-multiget>")
    #expect(answer.status == 207 && answer.hrefs.count == 6_001)
    #expect(answer.dav("\(list)a.ics", "getetag") != nil)
  }

  @Test("A list that is too large for one transaction is deleted if it is the one of the client")
  func largeList() throws {
    try service.database.write { db in
      try db.run(
        """
        WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 6200) \
        INSERT INTO reminders (remindersListID, title) SELECT 1, 'r' || i FROM n
        """)
    }
    let tag = try #require(try service.propfind(list, "<d:getetag/>").dav(list, "getetag")?.text)
    let wrong = try service.send("DELETE", list, [("If-Match", "\"no\"")])
    #expect(wrong.status == 412)
    #expect(try service.propfind(list, "<d:getetag/>").dav(list, "getetag")?.text == tag)
    #expect(try service.send("DELETE", list, [("If-Match", tag)]).status == 204)
    #expect(try service.propfind(list, "<d:getetag/>").status == 404)
  }

  @Test("Thousands of properties that a list does not have", .timeLimit(.minutes(10)))
  func manyProperties() throws {
    func set(_ count: Int, _ size: Int) -> String {
      let value = String(repeating: "v", count: size)
      let all = (0..<count).map { "<d:x\($0)>\(value)</d:x\($0)>" }.joined()
      return "<d:set><d:prop>\(all)</d:prop></d:set>"
    }
    func patch(_ count: Int, _ size: Int) throws -> Answer {
      try Answer(
        service.send(
          "PROPPATCH", list, [],
          CalDAVService.namespaced(
            "<d:propertyupdate>\(set(count, size))</d:propertyupdate>")))
    }
    #expect(try patch(200, 20).dav(list, "x199") != nil)
    let large = try patch(100, 1_000)
    #expect(large.status == 207 && large.raw.text.contains("507 Insufficient Storage"))
    // No other write waits for them: they are refused before the transaction.
    #expect(try patch(15_000, 0).status == 507)
    let making = try service.send(
      "MKCALENDAR", "/dav/lists/many/", [],
      CalDAVService.namespaced("<c:mkcalendar>\(set(15_000, 0))</c:mkcalendar>"))
    #expect(making.status == 507)
    #expect(try service.propfind(list, "<d:x0/>").dav(list, "x0")?.text.utf8.count == 20)
    let names = (0..<9_000).map { "<d:y\($0)/>" }.joined()
    #expect(try service.propfind(list, names).status == 400)
    let some = (0..<200).map { "<d:y\($0)/>" }.joined()
    #expect(try service.propfind(list, some).status == 207)
  }

  @Test("Many conditions of times are answered from one series", .timeLimit(.minutes(10)))
  func manyTimes() throws {
    for number in 0..<20 {
      try service.put(
        "\(list)\(number).ics",
        CalDAVService.todo(
          "\(number)", "DUE;VALUE=DATE:20270101", "RRULE:FREQ=DAILY", "BEGIN:VALARM",
          "ACTION:DISPLAY", "DESCRIPTION:a", "TRIGGER:-PT1H", "END:VALARM"))
    }
    let late = #"<c:time-range start="20290601T000000Z" end="20290602T000000Z"/>"#
    let alarm = #"<c:comp-filter name="VALARM">\#(late)</c:comp-filter>"#
    let none = #"<c:prop-filter name="LOCATION"/>"#
    let all = try query(late + String(repeating: alarm, count: 20))
    #expect(all.hrefs.count == 20)
    let answer = try query(late + String(repeating: alarm, count: 20) + none)
    #expect(answer.status == 207 && answer.hrefs.isEmpty)
    let before = #"<c:time-range start="20261201T000000Z" end="20261202T000000Z"/>"#
    #expect(try query(before).hrefs.isEmpty)
  }

  @Test("Thousands of zones and alarms, and conditions for each", .timeLimit(.minutes(10)))
  func manyZones() throws {
    let alarm = [
      "BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:a", "TRIGGER:-PT1H", "REPEAT:99",
      "DURATION:PT1M", "END:VALARM",
    ]
    let zone = [
      "BEGIN:VTIMEZONE", "TZID:Z#", "BEGIN:STANDARD", "DTSTART:19700101T000000",
      "TZOFFSETFROM:+0100", "TZOFFSETTO:+0100", "END:STANDARD", "END:VTIMEZONE",
    ]
    let zones = (0..<2_000).map {
      zone.joined(separator: "\r\n").replacingOccurrences(of: "#", with: "\($0)")
    }
    let alarms = Array(repeating: alarm.joined(separator: "\r\n"), count: 3_000)
    let text = CalDAVService.todo(
      "many", "DUE;TZID=Z1:20270101T080000", "RRULE:FREQ=DAILY", alarms.joined(separator: "\r\n"))
    let stored = try service.put(
      "\(list)many.ics",
      text.replacingOccurrences(
        of: "BEGIN:VTODO", with: zones.joined(separator: "\r\n") + "\r\nBEGIN:VTODO"))
    #expect(stored.status == 201, "\(stored.text)")
    let late = #"<c:time-range start="20290601T070200Z" end="20290601T070201Z"/>"#
    let rings = #"<c:comp-filter name="VALARM">\#(late)</c:comp-filter>"#
    #expect(try query(String(repeating: rings, count: 40)).hrefs == ["\(list)many.ics"])
    let trigger = #"<c:prop-filter name="TRIGGER">\#(late)</c:prop-filter>"#
    let inside = #"<c:comp-filter name="VALARM">\#(trigger)</c:comp-filter>"#
    #expect(try query(String(repeating: inside, count: 40)).hrefs.isEmpty)
    let between = #"<c:time-range start="20290601T070201Z" end="20290601T070259Z"/>"#
    let silent = #"<c:comp-filter name="VALARM">\#(between)</c:comp-filter>"#
    #expect(try query(silent).hrefs.isEmpty)
  }

  @Test("The occurrences of all objects of an answer have a bound, and so has each")
  func occurrences() throws {
    var span = XMLElement(DAVName.caldav("expand"))
    span.attributes = [
      XMLName("", "start"): "20270101T000000Z", XMLName("", "end"): "20270111T000000Z",
    ]
    let element = XMLElement(DAVName.caldav("calendar-data"), children: [span])
    let data = try CalendarData(element, zone: .utc, room: 5_000)
    let text = CalDAVService.todo(
      "a", "DUE;VALUE=DATE:20270101", "RRULE:FREQ=DAILY",
      "DESCRIPTION:" + String(repeating: "a", count: 200))
    let all = try #require(try data.apply(to: text))
    #expect(all.components(separatedBy: "BEGIN:VTODO").count == 11)
    #expect(throws: (any Error).self) { try data.apply(to: text) }
    _ = try data.anew().apply(to: text)
  }

  @Test("A text that is made to be searched slowly", .timeLimit(.minutes(10)))
  func slowText() throws {
    try service.put(
      "\(list)a.ics",
      CalDAVService.todo("a", "DESCRIPTION:" + String(repeating: "a", count: 1_000_000)))
    let part = String(repeating: "a", count: 400_000)
    for (text, count) in [(part + "b", 0), (part, 1)] {
      let answer = try query(
        #"<c:prop-filter name="DESCRIPTION"><c:text-match>\#(text)</c:text-match></c:prop-filter>"#)
      #expect(answer.status == 207 && answer.hrefs.count == count)
    }
  }

  @Test("A filter with very many conditions, and occurrences of a large text, are refused")
  func refused() throws {
    let condition = #"<c:prop-filter name="SUMMARY"/>"#
    #expect(try query(String(repeating: condition, count: 90)).status == 207)
    let many = try query(String(repeating: condition, count: 500))
    #expect(many.status == 403 && many.raw.text.contains("C:valid-filter"))
    try service.put(
      "\(list)a.ics",
      CalDAVService.todo(
        "a", "DTSTART;VALUE=DATE:20270101", "DUE;VALUE=DATE:20270101", "RRULE:FREQ=DAILY",
        "DESCRIPTION:" + String(repeating: "a", count: 50_000)))
    func expand(_ end: String) throws -> Answer {
      try query(
        "",
        #"<c:calendar-data><c:expand start="20270101T000000Z" end="\#(end)"/></c:calendar-data>"#)
    }
    #expect(try expand("20270111T000000Z").hrefs.count == 1)
    let long = try expand("20300101T000000Z")
    #expect(
      long.status == 403 && long.raw.text.contains("D:number-of-matches-within-limits"))
  }
}
