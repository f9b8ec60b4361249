import Foundation
import TestSupport
import Testing

@testable import MartletCalDAV

@Suite("To-dos as reminders, and back") struct MappingTests {
  private let service: CalDAVService
  private let path = "/dav/lists/1/t.ics"

  init() throws { service = try CalDAVService() }

  private func put(_ lines: String...) throws -> [String: Any] {
    let text =
      (["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//EN"]
      + lines.filter { $0.hasPrefix("ZONE") }.flatMap { _ in Self.windowsZone }
      + ["BEGIN:VTODO", "UID:t"] + lines.filter { !$0.hasPrefix("ZONE") }
      + ["END:VTODO", "END:VCALENDAR", ""]).joined(separator: "\r\n")
    let answer = try service.put(path, text)
    #expect([201, 204].contains(answer.status), "\(answer.text)")
    return try #require(try service.reminders().values.first)
  }

  private func lines() throws -> [String] {
    try service.text(path).replacingOccurrences(of: "\r\n ", with: "").components(
      separatedBy: "\r\n")
  }

  /// Changes something that has nothing to do with the lines, so that the text is made anew.
  private func edit() throws {
    let id = try #require(try service.reminders().values.first?["id"] as? Int)
    let answer = try service.patch("/v1/reminders/\(id)", #"{"isFlagged":true}"#)
    #expect(answer.status == 200, "\(answer.text)")
  }

  private func change(_ body: String) throws {
    let id = try #require(try service.reminders().values.first?["id"] as? Int)
    let answer = try service.patch("/v1/reminders/\(id)", body)
    #expect(answer.status == 200, "\(answer.text)")
  }

  /// The zone of Windows for Berlin and Vienna, as Outlook writes it.
  static let windowsZone = [
    "BEGIN:VTIMEZONE", "TZID:W. Europe Standard Time", "BEGIN:STANDARD",
    "DTSTART:16010101T030000", "TZOFFSETFROM:+0200", "TZOFFSETTO:+0100",
    "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10", "END:STANDARD", "BEGIN:DAYLIGHT",
    "DTSTART:16010101T020000", "TZOFFSETFROM:+0100", "TZOFFSETTO:+0200",
    "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3", "END:DAYLIGHT", "END:VTIMEZONE",
  ]

  @Test("Planify: a floating time is in the zone of the server, and stays floating")
  func floating() throws {
    let reminder = try put("DUE:20261125T090000")
    #expect(reminder["dueDate"] as? String == "2026-11-25T08:00:00.000Z")
    try edit()
    #expect(try lines().contains("DUE:20261125T090000"))
    try change(#"{"dueDate":"2026-11-26T08:00:00Z"}"#)
    #expect(try lines().contains { $0.hasPrefix("DUE") && $0.contains("20261126") })
  }

  @Test("Outlook: a zone of Windows is the one that its definition means")
  func windows() throws {
    let summer = try put("ZONE", "DUE;TZID=W. Europe Standard Time:20270701T090000")
    #expect(summer["dueDate"] as? String == "2027-07-01T07:00:00.000Z")
    #expect(summer["timeZone"] as? String == "Europe/Vienna")
    try edit()
    let lines = try lines()
    #expect(lines.contains("DUE;TZID=W. Europe Standard Time:20270701T090000"))
    #expect(lines.contains("TZID:W. Europe Standard Time"))
  }

  @Test("DTSTART with DURATION has a due date; no stale DTSTART after an edit")
  func duration() throws {
    let reminder = try put("DTSTART;TZID=Europe/Vienna:20261125T090000", "DURATION:PT90M")
    #expect(reminder["dueDate"] as? String == "2026-11-25T09:30:00.000Z")
    #expect(reminder["startDate"] as? String == "2026-11-25T08:00:00.000Z")
    try edit()
    #expect(try lines().contains("DURATION:PT90M"))
    try change(#"{"dueDate":"2026-11-30","startDate":null,"timeZone":null}"#)
    let lines = try lines()
    #expect(lines.contains("DUE;VALUE=DATE:20261130"), "\(lines)")
    #expect(!lines.contains { $0.hasPrefix("DTSTART") || $0.hasPrefix("DURATION") }, "\(lines)")
  }

  @Test("iOS: DTSTART equal to DUE is no start, and goes out with the rule")
  func equalStart() throws {
    let reminder = try put(
      "DTSTART;VALUE=DATE:20261125", "DUE;VALUE=DATE:20261125", "RRULE:FREQ=DAILY")
    #expect(reminder["startDate"] is NSNull)
    try edit()
    #expect(try lines().contains("DTSTART;VALUE=DATE:20261125"))
    // The next occurrence.
    try change(#"{"status":"completed"}"#)
    let lines = try lines()
    #expect(lines.contains("DUE;VALUE=DATE:20261126") && lines.contains("RRULE:FREQ=DAILY"))
    #expect(lines.contains("DTSTART;VALUE=DATE:20261126"), "\(lines)")
  }

  @Test("Statuses: in process is open, canceled is completed, and 100 % means completed")
  func statuses() throws {
    var reminder = try put("STATUS:IN-PROCESS", "PERCENT-COMPLETE:40")
    #expect(reminder["status"] as? String == "incomplete")
    try edit()
    #expect(try lines().contains("STATUS:IN-PROCESS"))
    reminder = try put("COMPLETED:20261110T090000Z")
    #expect(reminder["status"] as? String == "completed")
    #expect(reminder["completedAt"] as? String == "2026-11-10T09:00:00.000Z")
    try change(#"{"status":"incomplete"}"#)
    let open = try lines()
    #expect(open.contains("STATUS:NEEDS-ACTION") && !open.contains { $0.hasPrefix("COMPLETED") })
    try change(#"{"status":"completed"}"#)
    let done = try lines()
    #expect(done.contains("STATUS:COMPLETED") && done.contains("PERCENT-COMPLETE:100"))
    reminder = try put("STATUS:CANCELLED")
    #expect(reminder["status"] as? String == "completed")
    try edit()
    #expect(try lines().contains("STATUS:CANCELLED"))
  }

  @Test("Alarms: the trigger of macOS from 1976, mail, places, and one that rings")
  func alarms() throws {
    let mail = [
      "BEGIN:VALARM", "ACTION:EMAIL", "TRIGGER:-PT1H", "ATTENDEE:mailto:a@b", "END:VALARM",
    ]
    let none = [
      "BEGIN:VALARM", "ACTION:NONE", "TRIGGER;VALUE=DATE-TIME:19760401T005545Z", "END:VALARM",
    ]
    let place = [
      "BEGIN:VALARM", "ACTION:DISPLAY", "X-APPLE-PROXIMITY:ARRIVE", "TRIGGER:PT0S", "END:VALARM",
    ]
    let bell = [
      "BEGIN:VALARM", "UID:bell", "ACTION:AUDIO", "TRIGGER:-PT15M", "ATTACH:Basso",
      "REPEAT:2", "DURATION:PT5M", "END:VALARM",
    ]
    let text =
      (["BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VTODO", "UID:t", "DUE:20261125T090000Z"] + mail
      + none + place + bell + ["END:VTODO", "END:VCALENDAR", ""]).joined(separator: "\r\n")
    #expect(try service.put(path, text).status == 201)
    let alarms = try #require(try service.reminders().values.first?["alarms"] as? [[String: Any]])
    #expect(alarms.count == 1 && alarms.first?["offset"] as? String == "-PT15M")
    #expect(alarms.first?["from"] as? String == "due")
    try edit()
    let out = try service.text(path)
    for component in [mail, none, place, bell] {
      #expect(out.contains(component.joined(separator: "\r\n")), "\(component) in \(out)")
    }
    // The alarm is removed elsewhere, the others stay.
    try change(#"{"alarms":[{"at":"2026-11-25T07:00:00Z"}]}"#)
    let changed = try service.text(path)
    #expect(!changed.contains("UID:bell") && changed.contains("ACTION:EMAIL"))
    #expect(changed.contains("TRIGGER;VALUE=DATE-TIME:20261125T070000Z"))
  }

  @Test("Snoozed alarms of iOS (RFC 9074) and Thunderbird")
  func snoozed() throws {
    var reminder = try put(
      "DUE:20261120T120000Z", "BEGIN:VALARM", "UID:one", "ACTION:DISPLAY", "TRIGGER:PT0S",
      "ACKNOWLEDGED:20261120T120100Z", "END:VALARM", "BEGIN:VALARM", "UID:two",
      "ACTION:DISPLAY", "TRIGGER;VALUE=DATE-TIME:20261120T121500Z",
      "RELATED-TO;RELTYPE=SNOOZE:one", "END:VALARM")
    var alarms = try #require(reminder["alarms"] as? [[String: Any]])
    #expect(alarms.count == 1, "\(alarms)")
    #expect(alarms.first?["snoozedUntil"] as? String == "2026-11-20T12:15:00.000Z")
    try edit()
    #expect(try lines().contains("RELATED-TO;RELTYPE=SNOOZE:one"))
    // The UID of an alarm is its UID, wherever macOS writes its own.
    _ = try put(
      "DUE:20261120T120000Z", "BEGIN:VALARM", "X-WR-ALARMUID:other", "UID:one",
      "ACTION:DISPLAY", "TRIGGER:PT0S", "ACKNOWLEDGED:20261120T120100Z", "END:VALARM",
      "BEGIN:VALARM", "UID:two", "ACTION:DISPLAY",
      "TRIGGER;VALUE=DATE-TIME:20261120T121500Z", "RELATED-TO;RELTYPE=SNOOZE:one", "END:VALARM")
    try edit()
    #expect(try lines().contains("RELATED-TO;RELTYPE=SNOOZE:one"))
    reminder = try put(
      "DUE:20261120T120000Z", "X-MOZ-LASTACK:20261120T120200Z", "BEGIN:VALARM",
      "ACTION:DISPLAY", "TRIGGER:PT0S", "END:VALARM")
    alarms = try #require(reminder["alarms"] as? [[String: Any]])
    #expect(alarms.first?["acknowledgedAt"] as? String == "2026-11-20T12:02:00.000Z", "\(alarms)")
    try edit()
    #expect(try lines().contains("X-MOZ-LASTACK:20261120T120200Z"))
  }

  @Test("Tasks.org: moving DUE to a later occurrence completes the current one")
  func elsewhere() throws {
    _ = try put("DUE;VALUE=DATE:20261123", "DTSTART;VALUE=DATE:20261123", "RRULE:FREQ=WEEKLY")
    _ = try put("DUE;VALUE=DATE:20261207", "DTSTART;VALUE=DATE:20261207", "RRULE:FREQ=WEEKLY")
    let completions = try service.send("GET", "/v1/completions").items
    #expect(completions.map { $0["kind"] as? String } == ["elsewhere"], "\(completions)")
    #expect(completions.first?["dueDate"] as? String == "2026-11-23")
    #expect(try service.reminders().values.first?["dueDate"] as? String == "2026-12-07")
    #expect(try lines().contains("DUE;VALUE=DATE:20261207"))
  }

  @Test("STATUS:COMPLETED with a rule moves on, and the client has to look again")
  func completed() throws {
    let text = CalDAVService.todo(
      "t", "DUE;VALUE=DATE:20261123", "DTSTART;VALUE=DATE:20261123", "RRULE:FREQ=WEEKLY;COUNT=2")
    #expect(try service.put(path, text)["ETag"] != nil)
    let done = text.replacingOccurrences(
      of: "END:VTODO", with: "STATUS:COMPLETED\r\nEND:VTODO")
    let answer = try service.put(path, done)
    #expect(answer.status == 204 && answer["ETag"] == nil)
    let now = try lines()
    #expect(now.contains("DUE;VALUE=DATE:20261130") && now.contains("STATUS:NEEDS-ACTION"))
    #expect(
      now.contains("RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=1") || now.contains { $0.contains("COUNT=1") })
  }

  @Test("Thunderbird: completed parts become completions, changed ones reminders of their own")
  func parts() throws {
    let master = [
      "BEGIN:VTODO", "UID:t", "SUMMARY:Plants", "DTSTART;VALUE=DATE:20261123",
      "DUE;VALUE=DATE:20261123", "RRULE:FREQ=DAILY", "END:VTODO",
    ]
    func part(_ day: String, _ lines: String...) -> [String] {
      ["BEGIN:VTODO", "UID:t", "RECURRENCE-ID;VALUE=DATE:\(day)"] + lines + ["END:VTODO"]
    }
    let all =
      ["BEGIN:VCALENDAR", "VERSION:2.0"] + master
      + part("20261123", "STATUS:COMPLETED", "COMPLETED:20261120T100000Z")
      + part("20261124", "STATUS:COMPLETED", "COMPLETED:20261120T100100Z")
      + part("20261126", "SUMMARY:Big plants", "DUE;VALUE=DATE:20261127") + ["END:VCALENDAR", ""]
    let answer = try service.put(path, all.joined(separator: "\r\n"))
    #expect(answer.status == 201 && answer["ETag"] == nil)
    let reminders = try service.reminders()
    #expect(reminders["Plants"]?["dueDate"] as? String == "2026-11-25")
    #expect(reminders["Big plants"]?["dueDate"] as? String == "2026-11-27")
    #expect(try service.send("GET", "/v1/completions").items.count == 2)
    let now = try lines()
    #expect(now.filter { $0 == "BEGIN:VTODO" }.count == 1)
    #expect(now.contains("EXDATE;VALUE=DATE:20261126"), "\(now)")
  }

  @Test("An unknown rule is kept, and goes on from a new due date")
  func unknownRule() throws {
    let reminder = try put("DTSTART:20261125T090000Z", "DUE:20261125T090000Z", "RRULE:FREQ=HOURLY")
    #expect(reminder["recurrence"] is NSNull)
    try change(#"{"dueDate":"2026-11-26T09:00:00Z"}"#)
    let lines = try lines()
    #expect(lines.contains("RRULE:FREQ=HOURLY") && lines.contains("DTSTART:20261126T090000Z"))
  }
}
