import Foundation
import MartletReminders
import MartletTime
import TestSupport
import Testing

@testable import MartletCalDAV

/// The oracle counts the starts of a series by its rule from DTSTART (RFC 5545 section 3.8.5.3); an
/// occurrence is due as many days later as the first one, at the same time of day.
@Suite("Random series, counted from DTSTART") struct RandomSeriesTests {
  private struct RandomSeries {
    let zone: ZoneInfo
    /// What clocks show when the first occurrence begins and is due.
    let begin: CivilTime
    let due: CivilTime
    let isTimed: Bool
    let rule: RecurrenceRule

    private static let rules = [
      "DAILY", "DAILY;INTERVAL=3", "DAILY;COUNT=4", "WEEKLY", "WEEKLY;BYDAY=MO,TH",
      "WEEKLY;INTERVAL=2;BYDAY=MO,SU", "WEEKLY;INTERVAL=2;BYDAY=MO,SU;WKST=SU", "MONTHLY",
      "MONTHLY;BYMONTHDAY=5,-5", "MONTHLY;BYDAY=2TU", "MONTHLY;BYDAY=-2FR;COUNT=3", "YEARLY",
      "MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1", "YEARLY;BYMONTH=4;BYDAY=1WE",
    ]

    init(_ random: inout SeededRandom) throws {
      func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }
      let names = ["Europe/Vienna", "America/New_York", "Asia/Kolkata"]
      zone = try ZoneDatabase.system.zone(named: names[number(0..<3)])
      isTimed = number(0..<2) == 0
      let text = "FREQ=\(RandomSeries.rules[number(0..<RandomSeries.rules.count)])"
      let day = CivilDate(daysSinceEpoch: 20_800 + number(0..<400))
      let some = RecurrenceSeries(start: .day(day), rule: try RecurrenceRule(text), in: zone)
      guard case .day(let first)? = some.next(after: .day(day)) else { throw Fault() }
      let hours = isTimed ? (5 + number(0..<8), 14 + number(0..<8)) : (0, 0)
      let last = first.adding(days: number(0..<2) * number(0..<20))
      begin = try #require(CivilTime(date: first, hour: hours.0, minute: 0, second: 0))
      due = try #require(CivilTime(date: last, hour: hours.1, minute: 0, second: 0))
      var end = ""
      if number(0..<3) == 0, !text.contains("COUNT") {
        let until = CivilTime(date: first.adding(days: 40), hour: 12, minute: 0, second: 0)!
        end = ";UNTIL=" + RandomSeries.basic(until, isTimed: isTimed) + (isTimed ? "Z" : "")
      }
      rule = try RecurrenceRule(text + end)
    }

    struct Fault: Error {}

    static func basic(_ time: CivilTime, isTimed: Bool) -> String {
      let text = RFC3339.string(time.instant()).filter { $0 != "-" && $0 != ":" }
      return String(text.prefix(isTimed ? 15 : 8))
    }

    func line(_ name: String, _ time: CivilTime) -> String {
      let text = RandomSeries.basic(time, isTimed: isTimed)
      return isTimed ? "\(name);TZID=\(zone.identifier):\(text)" : "\(name);VALUE=DATE:\(text)"
    }

    var lines: [String] { [line("DTSTART", begin), line("DUE", due), "RRULE:\(rule)"] }

    /// The first starts.
    func starts(_ count: Int) -> [CivilTime] {
      let start: Occurrence = isTimed ? .instant(zone.instant(of: begin)) : .day(begin.date)
      return RecurrenceSeries(start: start, rule: rule, in: zone).occurrences.prefix(count).map {
        switch $0 {
        case .day(let day): begin.on(day)
        case .instant(let instant): zone.time(at: instant)
        }
      }
    }

    func due(of start: CivilTime) -> CivilTime {
      let days = due.date.daysSinceEpoch - begin.date.daysSinceEpoch
      return due.on(start.date.adding(days: days))
    }

    /// A date in JSON.
    func json(_ time: CivilTime) -> String {
      isTimed ? RFC3339.string(zone.instant(of: time)) : time.date.description
    }
  }

  private let service: CalDAVService
  private let path = "/dav/lists/1/t.ics"

  init() throws { service = try CalDAVService() }

  private func text(_ lines: [String], _ parts: [[String]] = []) -> String {
    let todos = ([lines] + parts).flatMap { ["BEGIN:VTODO", "UID:t"] + $0 + ["END:VTODO"] }
    return (["BEGIN:VCALENDAR", "VERSION:2.0"] + todos + ["END:VCALENDAR", ""])
      .joined(separator: "\r\n")
  }

  private func reminder() throws -> [String: Any] {
    try #require(try service.reminders().values.first)
  }

  /// Checks the dates of the reminder against an occurrence; without one it must be completed.
  private func check(_ series: RandomSeries, _ start: CivilTime?, _ comment: Comment) throws {
    let reminder = try reminder()
    guard let start else {
      #expect(reminder["status"] as? String == "completed", comment)
      return
    }
    let due = series.due(of: start)
    #expect(reminder["dueDate"] as? String == series.json(due), comment)
    if start != due {
      #expect(reminder["startDate"] as? String == series.json(start), comment)
    }
  }

  /// Puts a series anew. Returns whether it is evaluated; otherwise it must come back as it is.
  private func begin(_ series: RandomSeries, _ comment: Comment) throws -> Bool {
    try service.send("DELETE", path)
    let put = try service.put(path, text(series.lines))
    #expect(put.status == 201 && put["ETag"] != nil, comment)
    #expect(try service.text(path) == text(series.lines), comment)
    return try reminder()["recurrence"] is [String: Any]
  }

  @Test("Completed by JSON, by parts, by both, and expanded", .timeLimit(.minutes(10)))
  func random() throws {
    var random = SeededRandom()
    let seed = random.seed
    var evaluated = 0
    let rounds = Effort.rounds(50)
    for number in 0..<rounds {
      let series = try RandomSeries(&random)
      let comment = Comment("seed \(seed), series \(number): \(series.lines)")
      guard try begin(series, comment) else { continue }
      evaluated += 1
      let starts = series.starts(4)
      func start(_ place: Int) -> CivilTime? { place < starts.count ? starts[place] : nil }
      try expand(series, starts, comment)
      let id = try #require(try reminder()["id"] as? Int)
      for place in 0..<min(starts.count, 3) {
        try check(series, starts[place], comment)
        try service.patch("/v1/reminders/\(id)", #"{"status":"completed"}"#)
      }
      try check(series, start(3), comment)
      if start(3) != nil {
        // Another program reads it as the same series.
        let text = try service.text(path).components(separatedBy: "\r\n")
          .filter { !$0.hasPrefix("X-MARTLET") }.joined(separator: "\r\n")
        try service.put(path, text)
        try check(series, start(3), comment)
      }
      guard try begin(series, comment) else { continue }
      let parts = starts.prefix(2).map { [series.line("RECURRENCE-ID", $0), "STATUS:COMPLETED"] }
      try service.put(path, text(series.lines, parts))
      try check(series, start(2), comment)
    }
    #expect(evaluated > rounds / 2)
  }

  private func expand(
    _ series: RandomSeries, _ starts: [CivilTime], _ comment: Comment
  ) throws {
    func utc(_ time: CivilTime) -> String {
      guard series.isTimed else { return RandomSeries.basic(time, isTimed: false) }
      return RandomSeries.basic(CivilTime(series.zone.instant(of: time)), isTimed: true) + "Z"
    }
    let end = try #require(starts.last).date.adding(days: 1).description.filter { $0 != "-" }
    let answer = try service.report(
      "/dav/lists/1/",
      """
      <c:calendar-multiget><d:prop><c:calendar-data><c:expand start="20260101T000000Z" \
      end="\(end)T000000Z"/></c:calendar-data></d:prop><d:href>\(path)</d:href>\
      </c:calendar-multiget>
      """)
    let text = answer.caldav(path, "calendar-data")?.text ?? ""
    let found = text.split { $0.isNewline }.filter { $0.hasPrefix("RECURRENCE-ID") }
      .compactMap { $0.split(separator: ":").last.map(String.init) }
    let all = starts.map(utc)
    #expect(Array(found.prefix(all.count)) == all, comment)
  }
}
