import Foundation
import MartletSQLite
import TestSupport
import Testing

@testable import MartletCalDAV

@Suite("Texts that are old, or say less than the server knows") struct StaleTests {
  private let service: CalDAVService
  private let list = "/dav/lists/1/"
  private var path: String { "\(list)t.ics" }

  init() throws { service = try CalDAVService() }

  private func reminder() throws -> [String: Any] {
    try #require(try service.reminders().values.first)
  }

  private func id() throws -> Int { try #require(try reminder()["id"] as? Int) }

  private func change(_ body: String) throws {
    let answer = try service.patch("/v1/reminders/\(try id())", body)
    #expect(answer.status == 200, "\(answer.text)")
  }

  private func completed() throws -> [String] {
    try service.send("GET", "/v1/completions").items.compactMap { $0["dueDate"] as? String }
      .sorted()
  }

  /// What a program writes that drops our own properties.
  private func withoutOwn(_ text: String) -> String {
    text.components(separatedBy: "\r\n").filter { !$0.hasPrefix("X-MARTLET") }
      .joined(separator: "\r\n")
  }

  @Test("Thunderbird: completed parts that are sent again are recorded once")
  func parts() throws {
    func part(_ day: String, _ line: String) -> [String] {
      ["BEGIN:VTODO", "UID:t", "RECURRENCE-ID;VALUE=DATE:\(day)", line, "END:VTODO"]
    }
    let text =
      ([
        "BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VTODO", "UID:t", "SUMMARY:Plants",
        "DTSTART;VALUE=DATE:20270101", "DUE;VALUE=DATE:20270101", "RRULE:FREQ=DAILY", "END:VTODO",
      ] + part("20270101", "STATUS:CANCELLED") + part("20270102", "STATUS:COMPLETED")
      + ["END:VCALENDAR", ""]).joined(separator: "\r\n")
    for _ in 0..<3 {
      let answer = try service.put(path, text)
      #expect([201, 204].contains(answer.status) && answer["ETag"] == nil)
      #expect(try reminder()["dueDate"] as? String == "2027-01-03")
      #expect(try completed() == ["2027-01-02"])
    }
  }

  @Test("python-caldav: an old text with a new title does not take a series back")
  func oldText() throws {
    let text = CalDAVService.todo(
      "t", "SUMMARY:Old", "DTSTART;VALUE=DATE:20270101", "DUE;VALUE=DATE:20270101",
      "RRULE:FREQ=DAILY;COUNT=2")
    try service.put(path, text)
    try change(#"{"status":"completed"}"#)
    let edited = text.replacingOccurrences(of: "SUMMARY:Old", with: "SUMMARY:New")
    #expect(try service.put(path, edited)["ETag"] == nil)
    #expect(try reminder()["title"] as? String == "New")
    #expect(try reminder()["dueDate"] as? String == "2027-01-02")
    try change(#"{"status":"completed"}"#)
    try service.put(path, text)
    #expect(try reminder()["status"] as? String == "completed")
    #expect(try completed() == ["2027-01-01", "2027-01-02"])
  }

  @Test("A text that says nothing of a snooze, or of an acknowledgement, does not end it")
  func alarms() throws {
    let text = CalDAVService.todo(
      "t", "SUMMARY:Alarm", "DUE:20261121T120000Z", "BEGIN:VALARM", "ACTION:DISPLAY",
      "DESCRIPTION:Alarm", "TRIGGER;RELATED=END:-PT5M", "END:VALARM")
    try service.put(path, text)
    func alarm() throws -> [String: Any] {
      try #require(try (reminder()["alarms"] as? [[String: Any]])?.first)
    }
    let alarmID = try #require(try alarm()["id"] as? Int)
    for body in [#"{"snoozedUntil":"2026-11-21T15:00:00Z"}"#, #"{"state":"acknowledged"}"#] {
      #expect(try service.patch("/v1/alarms/\(alarmID)", body).status == 200)
      let before = try alarm()
      let tag = try #require(try service.send("GET", path)["ETag"])
      let answer = try service.put(
        path, text.replacingOccurrences(of: "SUMMARY:Alarm", with: "SUMMARY:\(body.count)"),
        [("If-Match", tag)])
      // It has to read what it has not written.
      #expect(answer.status == 204 && answer["ETag"] == nil)
      #expect(try reminder()["title"] as? String == "\(body.count)")
      #expect(try CalDAVService.sorted(alarm()) == CalDAVService.sorted(before))
      let read = try service.text(path)
      #expect(read.contains("\r\nACKNOWLEDGED:"))
      // A snooze that is over would ring on other devices.
      let isSnoozed = body.contains("snoozed")
      #expect(read.contains("RELTYPE=SNOOZE") == isSnoozed, "\(read)")
      #expect(read.contains("X-MOZ-SNOOZE-TIME") == isSnoozed)
      #expect(try alarm()["snoozedUntil"] is String == isSnoozed)
    }
    // What it does say holds.
    let tag = try #require(try service.send("GET", path)["ETag"])
    try service.put(
      path,
      text.replacingOccurrences(
        of: "DESCRIPTION:Alarm", with: "ACKNOWLEDGED:20261121T120000Z\r\nDESCRIPTION:Alarm"),
      [("If-Match", tag)])
    #expect(try alarm()["acknowledgedAt"] as? String == "2026-11-21T12:00:00.000Z")
  }

  @Test("A program that drops our own properties does not take away what they say")
  func own() throws {
    try service.put(
      path, CalDAVService.todo("t", "SUMMARY:One", "DUE;VALUE=DATE:20261123"))
    try change(
      #"{"isFlagged":true,"recurrence":{"rule":"FREQ=DAILY;INTERVAL=3","basis":"completion"}}"#)
    let text = try service.text(path)
    #expect(text.contains("X-MARTLET-FLAGGED:TRUE") && text.contains("X-MARTLET-BASIS"))
    let dropped = withoutOwn(text)
    let edited = dropped.replacingOccurrences(of: "SUMMARY:One", with: "SUMMARY:Two")
    #expect(try service.put(path, edited)["ETag"] == nil)
    func check(_ title: String, _ due: String) throws {
      let reminder = try reminder()
      let recurrence = reminder["recurrence"] as? [String: Any]
      #expect(reminder["title"] as? String == title)
      #expect(reminder["isFlagged"] as? Bool == true)
      #expect(recurrence?["basis"] as? String == "completion")
      #expect(recurrence?["rule"] as? String == "FREQ=DAILY;INTERVAL=3")
      #expect(reminder["dueDate"] as? String == due)
    }
    try check("Two", "2026-11-23")
    // The due date moves, and is no occurrence.
    try service.put(
      path,
      edited.replacingOccurrences(of: "20261123", with: "20261124")
        .replacingOccurrences(of: "SUMMARY:Two", with: "SUMMARY:Three"))
    try check("Three", "2026-11-24")
    // A program that keeps them sends them back, or says otherwise.
    let kept = try service.text(path)
    #expect(try service.put(path, kept)["ETag"] != nil)
    try check("Three", "2026-11-24")
    try service.put(
      path, kept.replacingOccurrences(of: "X-MARTLET-FLAGGED:TRUE", with: "X-MARTLET-FLAGGED:FALSE")
    )
    #expect(try reminder()["isFlagged"] as? Bool == false)
  }

  @Test("A series in UTC recurs in UTC, and its next occurrence completes the current one")
  func utc() throws {
    let text = CalDAVService.todo(
      "t", "DTSTART:20270327T080000Z", "DUE:20270327T080000Z", "RRULE:FREQ=DAILY")
    try service.put(path, text)
    #expect(try reminder()["timeZone"] as? String == "UTC")
    // The clocks of Vienna change on this day.
    try service.put(path, text.replacingOccurrences(of: "20270327", with: "20270328"))
    let completions = try service.send("GET", "/v1/completions").items
    #expect(completions.map { $0["kind"] as? String } == ["elsewhere"], "\(completions)")
    try change(#"{"status":"completed"}"#)
    #expect(try reminder()["dueDate"] as? String == "2027-03-29T08:00:00.000Z")
    let out = try service.text(path)
    #expect(out.contains("\r\nDUE:20270329T080000Z\r\n") && !out.contains("X-MARTLET"), "\(out)")
  }
}
