import TestSupport
import Testing

@testable import MartletCalDAV

@Suite("Spans of time: the table of RFC 4791 section 9.9") struct TimeRangeTests {
  private let service: CalDAVService
  private let list = "/dav/lists/1/"

  init() throws { service = try CalDAVService() }

  private func time(_ hour: Int) -> String { "20261201T\(hour < 10 ? "0" : "")\(hour)0000Z" }

  private func names(_ inner: String) throws -> Set<String> {
    let answer = try service.report(
      list,
      """
      <c:calendar-query><d:prop><d:getetag/></d:prop><c:filter><c:comp-filter name="VCALENDAR">\
      <c:comp-filter name="VTODO">\(inner)</c:comp-filter></c:comp-filter></c:filter>\
      </c:calendar-query>
      """)
    return Set(answer.hrefs.map { String($0.dropFirst(list.count).dropLast(4)) })
  }

  private func range(_ from: Int, _ to: Int) -> String {
    #"<c:time-range start="\#(time(from))" end="\#(time(to))"/>"#
  }

  @Test("Each of the eight kinds of to-dos, with each span of whole hours")
  func rows() throws {
    let (begin, end) = (4, 7)
    let start = "DTSTART:\(time(begin))"
    let done = ["STATUS:COMPLETED", "COMPLETED:\(time(end))"]
    let rows: [String: ([String], @Sendable (Int, Int) -> Bool)] = [
      "duration": ([start, "DURATION:PT3H"], { $0 <= end && ($1 > begin || $1 >= end) }),
      "both": (
        [start, "DUE:\(time(end))"], { ($0 < end || $0 <= begin) && ($1 > begin || $1 >= end) }
      ),
      "start": ([start], { $0 <= begin && $1 > begin }),
      "due": (["DUE:\(time(end))"], { $0 < end && $1 >= end }),
      "done": (
        done + ["CREATED:\(time(begin))"],
        { ($0 <= begin || $0 <= end) && ($1 >= begin || $1 >= end) }
      ),
      "completed": (done, { $0 <= end && $1 >= end }),
      "created": (["CREATED:\(time(begin))"], { $1 > begin }),
      "bare": ([], { _, _ in true }),
    ]
    for (name, row) in rows {
      let lines = CalDAVService.todo(name, row.0)
      #expect(try service.put("\(list)\(name).ics", lines).status == 201)
    }
    for from in 0..<10 {
      for to in (from + 1)...10 {
        let expected = Set(rows.filter { $0.value.1(from, to) }.keys)
        #expect(try names(range(from, to)) == expected, "\(from) to \(to)")
      }
    }
  }

  @Test("The span of a VALARM is about that alarm, not about another one of the to-do")
  func alarm() throws {
    func alarm(_ text: String, _ trigger: String) -> [String] {
      ["BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:\(text)", "TRIGGER:\(trigger)", "END:VALARM"]
    }
    let mail = ["BEGIN:VALARM", "ACTION:EMAIL", "DESCRIPTION:mail", "TRIGGER:-PT2H", "END:VALARM"]
    try service.put(
      "\(list)a.ics",
      CalDAVService.todo(
        "a", ["DUE:\(time(12))"] + alarm("one", "-PT1H") + alarm("two", "-PT5H") + mail))
    func rings(_ text: String, _ hour: Int) throws -> Bool {
      let match = #"<c:prop-filter name="DESCRIPTION"><c:text-match>\#(text)</c:text-match>"#
      return try names(
        #"<c:comp-filter name="VALARM">\#(range(hour, hour + 1))\#(match)</c:prop-filter></c:comp-filter>"#
      ) == ["a"]
    }
    for (text, hour) in [("one", 11), ("two", 7), ("mail", 10)] {
      for other in 5..<13 { #expect(try rings(text, other) == (other == hour), "\(text) \(other)") }
    }
  }

  @Test("Times in a zone that is unreadable or large cost little", .timeLimit(.minutes(10)))
  func zones() throws {
    func zone(_ name: String, _ part: [String]) -> [String] {
      let all = ["BEGIN:STANDARD", "DTSTART:19700101T000000", "TZOFFSETFROM:+0100"] + part
      return ["BEGIN:VTIMEZONE", "TZID:\(name)"]
        + (0..<100).flatMap { _ in all + ["TZOFFSETTO:+0100", "END:STANDARD"] }
        + ["END:VTIMEZONE"]
    }
    let times = (0..<200).map { "19\(70 + $0 % 30)0101T00\($0 % 60 < 10 ? "0" : "")\($0 % 60)00" }
    let zones =
      zone("Bad", ["RRULE:FREQ=DAILY"]) + zone("Large", ["RDATE:" + times.joined(separator: ",")])
    for name in ["Bad", "Large"] {
      let lines = (0..<5_000).map { "X-A;TZID=\(name):202612\(10 + $0 % 10)T080000" }
      let text = CalDAVService.todo("a\(name)", lines, after: zones)
      #expect(try service.put("\(list)\(name).ics", text).status == 201)
    }
    let condition = #"<c:prop-filter name="X-A">\#(range(1, 2))</c:prop-filter>"#
    #expect(try names(String(repeating: condition, count: 90)).isEmpty)
  }

  @Test("Nothing of a list of to-dos is busy")
  func freeBusy() throws {
    try service.put("\(list)a.ics", CalDAVService.todo("a", ["DUE:\(time(7))"]))
    let answer = try service.report(list, "<c:free-busy-query>\(range(0, 9))</c:free-busy-query>")
    #expect(answer.status == 200 && answer.raw["Content-Type"]?.hasPrefix("text/calendar") == true)
    let lines = ["BEGIN:VFREEBUSY", "DTSTART:\(time(0))", "DTEND:\(time(9))", "END:VFREEBUSY"]
    #expect(answer.raw.text.contains(lines.joined(separator: "\r\n") + "\r\n"))
    #expect(!answer.raw.text.contains("FREEBUSY;"))
    let without = try service.report(list, "<c:free-busy-query></c:free-busy-query>")
    #expect(without.status == 400)
  }
}
