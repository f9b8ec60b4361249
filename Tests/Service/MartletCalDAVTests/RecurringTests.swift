import Foundation
import TestSupport
import Testing

@testable import MartletCalDAV

@Suite("To-dos that recur: counted from DTSTART, due later") struct RecurringTests {
  private let service: CalDAVService
  private let list = "/dav/lists/1/"
  private var path: String { "\(list)t.ics" }

  init() throws { service = try CalDAVService() }

  /// Puts a to-do, and changes of its occurrences.
  @discardableResult
  private func put(_ master: [String], _ parts: [[String]] = []) throws -> RawResponse {
    let answer = try service.put(path, text(master, parts))
    #expect([201, 204].contains(answer.status), "\(answer.text)")
    return answer
  }

  private func text(_ master: [String], _ parts: [[String]]) -> String {
    let todos = ([master] + parts).flatMap { ["BEGIN:VTODO", "UID:t"] + $0 + ["END:VTODO"] }
    return
      (["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//EN"] + todos
      + ["END:VCALENDAR", ""]).joined(separator: "\r\n")
  }

  private func lines() throws -> [String] {
    try service.text(path).replacingOccurrences(of: "\r\n ", with: "").components(
      separatedBy: "\r\n")
  }

  private func reminder(_ title: String = "") throws -> [String: Any] {
    try #require(try service.reminders()[title])
  }

  private func due(_ title: String = "") throws -> String? {
    try reminder(title)["dueDate"] as? String
  }

  private func change(_ body: String) throws {
    let id = try #require(try reminder()["id"] as? Int)
    let answer = try service.patch("/v1/reminders/\(id)", body)
    #expect(answer.status == 200, "\(answer.text)")
  }

  private func completed() throws -> [String] {
    try service.send("GET", "/v1/completions").items.compactMap { $0["dueDate"] as? String }
      .sorted()
  }

  private func expanded(_ from: String, _ to: String) throws -> Answer {
    try service.report(
      list,
      """
      <c:calendar-query><d:prop><d:getetag/><c:calendar-data><c:expand start="\(from)" \
      end="\(to)"/></c:calendar-data></d:prop><c:filter><c:comp-filter name="VCALENDAR">\
      <c:comp-filter name="VTODO"/></c:comp-filter></c:filter></c:calendar-query>
      """)
  }

  private let day = [
    "DTSTART;TZID=Europe/Vienna:20261201T090000", "DUE;TZID=Europe/Vienna:20261201T170000",
    "RRULE:FREQ=DAILY",
  ]

  // MARK: From DTSTART to DUE

  @Test("Thunderbird: a completed part is the occurrence that begins then")
  func completedPart() throws {
    try put(day)
    try put(day, [["RECURRENCE-ID;TZID=Europe/Vienna:20261201T090000", "STATUS:COMPLETED"]])
    #expect(try due() == "2026-12-02T16:00:00.000Z")
    #expect(try reminder()["startDate"] as? String == "2026-12-02T08:00:00.000Z")
    #expect(try completed() == ["2026-12-01T16:00:00.000Z"])
    // In UTC, and as a day.
    try put(day, [["RECURRENCE-ID:20261202T080000Z", "STATUS:COMPLETED"]])
    #expect(try due() == "2026-12-03T16:00:00.000Z")
    try put(day, [["RECURRENCE-ID;VALUE=DATE:20261203", "STATUS:COMPLETED"]])
    #expect(try due() == "2026-12-04T16:00:00.000Z")
  }

  @Test("Thunderbird: a changed part, and EXDATE, leave out the occurrences that begin then")
  func leftOut() throws {
    try put(
      day + ["EXDATE;TZID=Europe/Vienna:20261203T090000"],
      [
        [
          "RECURRENCE-ID;TZID=Europe/Vienna:20261202T090000", "SUMMARY:Moved",
          "DTSTART;TZID=Europe/Vienna:20261202T100000", "DUE;TZID=Europe/Vienna:20261202T180000",
        ]
      ])
    #expect(try due("Moved") == "2026-12-02T17:00:00.000Z")
    let now = try lines()
    #expect(now.contains("EXDATE;TZID=Europe/Vienna:20261202T090000"), "\(now)")
    #expect(now.contains("EXDATE;TZID=Europe/Vienna:20261203T090000"), "\(now)")
    try change(#"{"status":"completed"}"#)
    #expect(try due() == "2026-12-04T16:00:00.000Z")
  }

  @Test("UNTIL is the time of the last start; the last occurrence is due after it")
  func until() throws {
    try put(day.dropLast() + ["RRULE:FREQ=DAILY;UNTIL=20261202T080000Z"])
    try change(#"{"status":"completed"}"#)
    #expect(try due() == "2026-12-02T16:00:00.000Z")
    #expect(try lines().contains("RRULE:FREQ=DAILY;UNTIL=20261202T080000Z"))
    try change(#"{"status":"completed"}"#)
    #expect(try reminder()["status"] as? String == "completed")
  }

  @Test("The weekdays and days of a rule are those of DTSTART")
  func weekdays() throws {
    try put([
      "DTSTART;VALUE=DATE:20261130", "DUE;VALUE=DATE:20261202", "RRULE:FREQ=WEEKLY;BYDAY=MO",
    ])
    try change(#"{"status":"completed"}"#)
    #expect(try due() == "2026-12-09")
    #expect(try reminder()["startDate"] as? String == "2026-12-07")
    #expect(try lines().contains("RRULE:FREQ=WEEKLY;BYDAY=MO"))
    try put([
      "DTSTART;VALUE=DATE:20261208", "DUE;VALUE=DATE:20261211", "RRULE:FREQ=MONTHLY;BYDAY=2TU",
    ])
    try change(#"{"status":"completed"}"#)
    #expect(try due() == "2027-01-15")
    #expect(try lines().contains("RRULE:FREQ=MONTHLY;BYDAY=2TU"))
  }

  @Test("A series of JSON with a start goes out as one that is counted from DTSTART")
  func ofJSON() throws {
    try put(["DUE;VALUE=DATE:20261204"])
    try change(#"{"startDate":"2026-12-02","recurrence":{"rule":"FREQ=WEEKLY"}}"#)
    let now = try lines()
    #expect(now.contains("DTSTART;VALUE=DATE:20261202"))
    #expect(now.contains("RRULE:FREQ=WEEKLY;BYDAY=WE"), "\(now)")
  }

  @Test("If no rule gives the starts, DTSTART is DUE, and the start stays here")
  func hiddenStart() throws {
    try put(["DUE;VALUE=DATE:20261203"])
    try change(#"{"startDate":"2026-11-28","recurrence":{"rule":"FREQ=MONTHLY"}}"#)
    let now = try lines()
    #expect(now.contains("DTSTART;VALUE=DATE:20261203"), "\(now)")
    #expect(now.contains("RRULE:FREQ=MONTHLY;BYMONTHDAY=3"))
    for text in [
      now, now.filter { !$0.hasPrefix("X-MARTLET") },
      now.filter { !$0.hasPrefix("X-MARTLET") }.map {
        $0.replacingOccurrences(of: "20261203", with: "20270103")
      },
    ] {
      try service.put(path, text.joined(separator: "\r\n"))
      let start = text.contains { $0.contains("20270103") } ? "2026-12-29" : "2026-11-28"
      #expect(try reminder()["startDate"] as? String == start)
      #expect(try reminder()["recurrence"] is [String: Any])
    }
    #expect(try completed() == ["2026-12-03"])
  }

  @Test("Tasks.org: a rule that gives DUE and not DTSTART is counted from DUE")
  func countedFromDue() throws {
    try put([
      "DTSTART;VALUE=DATE:20261130", "DUE;VALUE=DATE:20261202", "RRULE:FREQ=WEEKLY;BYDAY=WE",
    ])
    try change(#"{"status":"completed"}"#)
    #expect(try due() == "2026-12-09")
  }

  // MARK: Series that cannot be counted

  private let startOnly = ["DTSTART;TZID=Europe/Vienna:20261201T090000", "RRULE:FREQ=DAILY"]

  @Test("Thunderbird: a series with DTSTART alone recurs, and gets no DUE")
  func startOnlySeries() throws {
    #expect(try put(startOnly)["ETag"] != nil)
    #expect(try due() == "2026-12-01T08:00:00.000Z")
    #expect(try reminder()["startDate"] is NSNull)
    try change(#"{"isFlagged":true}"#)
    let kept = try lines()
    #expect(startOnly.allSatisfy(kept.contains) && !kept.contains { $0.hasPrefix("DUE") })
    try put(
      startOnly,
      [
        ["RECURRENCE-ID;TZID=Europe/Vienna:20261201T090000", "STATUS:COMPLETED"],
        [
          "RECURRENCE-ID;TZID=Europe/Vienna:20261203T090000", "SUMMARY:Moved",
          "DTSTART;TZID=Europe/Vienna:20261203T100000", "LOCATION:There",
        ],
      ])
    #expect(try due() == "2026-12-02T08:00:00.000Z")
    #expect(try completed() == ["2026-12-01T08:00:00.000Z"])
    #expect(try lines().contains("EXDATE;TZID=Europe/Vienna:20261203T090000"))
    #expect(try reminder("Moved")["startDate"] as? String == "2026-12-03T09:00:00.000Z")
    try change(#"{"status":"completed"}"#)
    #expect(try due() == "2026-12-04T08:00:00.000Z")
  }

  @Test("Changes of a series that cannot be counted stay in its text")
  func unknownRule() throws {
    let parts = [
      ["RECURRENCE-ID:20261201T090000Z", "STATUS:COMPLETED"],
      ["RECURRENCE-ID:20261201T100000Z", "LOCATION:There", "X-FOO:1"],
    ]
    for (master, others) in [
      (["DTSTART:20261201T080000Z", "DUE:20261201T083000Z", "RRULE:FREQ=HOURLY"], parts),
      // Two days after each 30th are not a day of the month.
      (["DTSTART;VALUE=DATE:20261130", "DUE;VALUE=DATE:20261202", "RRULE:FREQ=MONTHLY"], parts),
      // The series itself is elsewhere (RFC 4791 section 4.1).
      (parts[0], [parts[1]]),
    ] {
      try service.send("DELETE", path)
      #expect(try put(master, others)["ETag"] != nil)
      #expect(try service.text(path) == text(master, others))
      #expect(try service.reminders().count == 1)
      try change(#"{"isFlagged":true}"#)
      let now = try service.text(path)
      for part in others {
        let todo = ["BEGIN:VTODO", "UID:t"] + part + ["END:VTODO"]
        #expect(now.contains(todo.joined(separator: "\r\n")), "\(now)")
      }
      #expect(try lines().filter { $0 == "BEGIN:VTODO" }.count == others.count + 1)
      // What goes out comes in again.
      #expect(try service.put(path, now).status == 204)
      #expect(try service.reminders().count == 1)
    }
  }

  // MARK: Programs

  @Test("KDE: the current occurrence is in a property of its own")
  func currentOfKDE() throws {
    let master = [
      "DTSTART;VALUE=DATE:20261201", "DUE;VALUE=DATE:20261201", "RRULE:FREQ=DAILY;COUNT=5",
    ]
    let current = "X-KDE-LIBKCAL-DTRECURRENCE;VALUE=DATE:202612"
    try put(master + ["\(current)01"])
    #expect(try due() == "2026-12-01")
    #expect(try put(master + ["\(current)03"])["ETag"] != nil)
    #expect(try due() == "2026-12-03")
    let items = try service.send("GET", "/v1/completions").items
    #expect(items.map { $0["kind"] as? String } == ["elsewhere"])
    try change(#"{"isFlagged":true}"#)
    #expect(try lines().contains("\(current)03"))
    try change(#"{"status":"completed"}"#)
    let now = try lines()
    #expect(!now.contains { $0.hasPrefix("X-KDE") } && now.contains("DUE;VALUE=DATE:20261204"))
    #expect(now.contains("RRULE:FREQ=DAILY;COUNT=2"), "\(now)")
    // It sends its old text again.
    try put(master + ["\(current)03"])
    #expect(try due() == "2026-12-04")
  }

  @Test("KDE: the current occurrence of a to-do that begins days before it is due")
  func currentWithStart() throws {
    let master = [
      "DTSTART;VALUE=DATE:20261130", "DUE;VALUE=DATE:20261202", "RRULE:FREQ=WEEKLY;BYDAY=MO",
    ]
    for current in ["20261207", "20261209"] {
      try service.send("DELETE", path)
      try put(master)
      try put(master + ["X-KDE-LIBKCAL-DTRECURRENCE;VALUE=DATE:\(current)"])
      #expect(try due() == "2026-12-09")
      #expect(try reminder()["startDate"] as? String == "2026-12-07")
    }
  }

  @Test("Thunderbird: a changed occurrence keeps all that its text says")
  func changedPart() throws {
    try service.put("\(list)p.ics", CalDAVService.todo("p", "SUMMARY:Parent"))
    let part = [
      "RECURRENCE-ID;TZID=Europe/Vienna:20261202T090000", "SUMMARY:Moved",
      "DUE;TZID=Europe/Vienna:20261202T180000", "LOCATION:There", "URL:https://example.org/",
      "X-FOO:1", "CATEGORIES:1,2,3,4,5,6", "PERCENT-COMPLETE:40", "STATUS:IN-PROCESS",
      "RELATED-TO:p",
    ]
    func bell(_ offset: String) -> [String] {
      [
        "BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER;RELATED=END:\(offset)", "X-BELL:2",
        "END:VALARM",
      ]
    }
    for offset in ["-PT5M", "-PT7M"] {
      try put(day, [part + bell(offset)])
      let own = try reminder("Moved")
      #expect(own["parentID"] as? Int == 1)
      #expect((own["alarms"] as? [[String: Any]])?.first?["offset"] as? String == offset)
      let id = try #require(own["id"] as? Int)
      let text = try service.text("\(list)m-\(id).ics")
      for line in part.dropFirst() + bell(offset) { #expect(text.contains(line), "\(line)") }
      #expect(!text.contains("RECURRENCE-ID") && !text.contains("UID:t\r"), "\(text)")
      #expect(try service.reminders().count == 3)
    }
  }

  @Test("EXDATE on the current occurrence moves the to-do; without another one it is completed")
  func exceptCurrent() throws {
    let master = ["DUE;VALUE=DATE:20261210", "DTSTART;VALUE=DATE:20261210"]
    let daily = master + ["RRULE:FREQ=DAILY;COUNT=3"]
    try put(daily)
    for _ in 0..<2 {
      try put(daily + ["EXDATE;VALUE=DATE:20261210"])
      #expect(try due() == "2026-12-11")
      #expect(try completed().isEmpty)
      #expect(try lines().contains("RRULE:FREQ=DAILY;COUNT=2"))
    }
    try put(daily + ["EXDATE;VALUE=DATE:20261210,20261211,20261212"])
    #expect(try reminder()["status"] as? String == "completed")
    #expect(try lines().contains("STATUS:COMPLETED"))
  }

  @Test("A series that is canceled is over, and stays canceled")
  func canceled() throws {
    try put(day)
    #expect(try put(day + ["STATUS:CANCELLED"])["ETag"] != nil)
    #expect(try reminder()["status"] as? String == "completed")
    #expect(try due() == "2026-12-01T16:00:00.000Z")
    try change(#"{"isFlagged":true}"#)
    let now = try lines()
    #expect(now.contains("STATUS:CANCELLED") && now.contains("RRULE:FREQ=DAILY"), "\(now)")
    try change(#"{"status":"incomplete"}"#)
    #expect(try lines().contains("STATUS:NEEDS-ACTION"))
    #expect(try !lines().contains("RRULE:FREQ=DAILY"))
  }

  // MARK: Expanding

  @Test("expand: exactly the occurrences in the span, and no calendar without one")
  func expansion() throws {
    try put(day)
    let none = try expanded("20261101T000000Z", "20261102T000000Z")
    #expect(none.status == 207 && none.hrefs.isEmpty, "\(none.raw.text)")
    // 09:00 to 17:00 in Vienna.
    let two = try expanded("20261203T155959Z", "20261204T080001Z")
    let text = try #require(two.caldav(path, "calendar-data")?.text)
    let found = text.split { $0.isNewline }.filter { $0.hasPrefix("RECURRENCE-ID") }
    #expect(
      found == [
        "RECURRENCE-ID:20261203T080000Z", "RECURRENCE-ID:20261204T080000Z",
      ])
    let between = try expanded("20261203T170000Z", "20261204T070000Z")
    #expect(between.hrefs.isEmpty)
    let multiget = try service.report(
      list,
      """
      <c:calendar-multiget><d:prop><d:getetag/><c:calendar-data><c:expand \
      start="20261101T000000Z" end="20261102T000000Z"/></c:calendar-data></d:prop>\
      <d:href>\(path)</d:href></c:calendar-multiget>
      """)
    #expect(multiget.dav(path, "getetag") != nil)
    #expect(multiget.caldav(path, "calendar-data") == nil)
  }

  @Test(
    "A series whose rule was not understood is not completed here",
    arguments: [
      "RRULE:FREQ=MOONLY", "rrule:FREQ=DAILY;BYMOON=FULL", "RRULE:FREQ=DAILY;RSCALE=CHINESE",
    ])
  func unreadRule(_ rule: String) throws {
    let master = ["DUE:20261124T080000Z", "DTSTART:20261124T080000Z", rule]
    try put(master)
    let id = try #require(try reminder()["id"] as? Int)
    let parent = try service.send("POST", "/v1/lists/1/reminders", [], #"{"title":"P"}"#)
    let above = try #require(parent.json["id"] as? Int)
    #expect(try service.patch("/v1/reminders/\(id)", #"{"parentID":\#(above)}"#).status == 200)
    for (id, status) in [
      (id, "completed"), (id, "completing"), (above, "completed"), (above, "completing"),
    ] {
      let refused = try service.patch("/v1/reminders/\(id)", #"{"status":"\#(status)"}"#)
      #expect(refused.status == 409 && refused.problem == "rule-not-read", "\(refused.text)")
    }
    #expect(try service.patch("/v1/reminders/\(id)", #"{"parentID":null}"#).status == 200)
    try change(#"{"title":""}"#)
    let kept = try lines()
    #expect(kept.contains(rule) && !kept.contains { $0.hasPrefix("STATUS:COMPLETED") })
    // The program that knows the rule may complete it.
    try put(master + ["STATUS:COMPLETED", "COMPLETED:20261124T090000Z"])
    #expect(try reminder()["status"] as? String == "completed")
    try put(master)
    // With another rule, it is completed and moves on.
    try change(#"{"recurrence":{"rule":"FREQ=DAILY"}}"#)
    try change(#"{"status":"completed"}"#)
    #expect(try due() == "2026-11-25T08:00:00.000Z")
  }
}
