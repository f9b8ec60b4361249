import MartletICalendar
import MartletSQLite
import MartletStore
import MartletTime
import Testing

@testable import MartletReminders

@Suite("Texts with blemishes that have one meaning") struct BlemishTests {
  let calendar: Calendar
  private let now = "2026-11-28T10:00:00Z"

  init() throws { calendar = try Calendar() }

  @Test(
    "Rules",
    arguments: [
      ("FREQ=WEEKLY;", "FREQ=WEEKLY"), (";FREQ=DAILY;;INTERVAL=2", "FREQ=DAILY;INTERVAL=2"),
      ("FREQ=DAILY;INTERVAL=0", "FREQ=DAILY"), ("FREQ=DAILY; COUNT=3", "FREQ=DAILY;COUNT=3"),
      ("FREQ=DAILY;COUNT=3;UNTIL=20270101T090000Z", "FREQ=DAILY;COUNT=3"),
      ("FREQ=DAILY;COUNT=30;UNTIL=20261203T090000Z", "FREQ=DAILY;UNTIL=20261203T090000Z"),
    ])
  func rules(_ said: String, _ rule: String) throws {
    let lines = ["DTSTART:20261201T090000Z", "DUE:20261201T090000Z", "RRULE:\(said)"]
    let id = try calendar.put(lines, at: now)
    let stored = try #require(try calendar.db.text("SELECT recurrenceRule FROM reminders"))
    #expect(stored.hasPrefix(rule), "\(stored)")
    // A tick does not close the series, and the client's line stays.
    try calendar.complete(id, at: "2026-12-01T10:00:00Z")
    #expect(try calendar.db.integer("SELECT status FROM reminders") == 0)
    #expect(
      try calendar.due()?.hasPrefix(rule.contains("WEEKLY") ? "2026-12-08" : "2026-12-0") == true)
  }

  @Test(
    "Names of time zones",
    arguments: [
      ("W. Europe Standard Time", "08:00"), ("w. europe standard time", "08:00"),
      ("europe/vienna", "08:00"), ("EUROPE/VIENNA", "08:00"), ("america/new_york", "14:00"),
      ("Eastern Standard Time", "14:00"), ("GMT+0100", "08:00"), ("UTC-05:00", "14:00"),
      ("GMT+1", "none"), ("tzone://Microsoft/Utc", "09:00"), ("utc", "09:00"),
      ("america/port_of_spain", "13:00"), ("Nowhere/Else", "none"),
    ])
  func zones(_ name: String, _ time: String) throws {
    let zone = CalendarTime.zone(name) ?? CalendarTime.meantZone(name)
    let instant = CalendarTime.instant("20261201T090000", in: zone ?? .utc)
    let shown = instant.map { SQLiteTime.string($0).dropFirst(11).prefix(5) } ?? ""
    #expect((zone == nil ? "none" : shown) == time)
  }

  @Test(
    "Times of completion",
    arguments: [
      ("COMPLETED:20261120T101112Z", "2026-11-20 10:11:12.000"),
      ("COMPLETED;TZID=Europe/Vienna:20261120T101112", "2026-11-20 09:11:12.000"),
      ("COMPLETED:20261120T101112", "2026-11-20 09:11:12.000"),
      ("COMPLETED;VALUE=DATE:20261120", "2026-11-19 23:00:00.000"),
    ])
  func completed(_ line: String, _ time: String) throws {
    let id = try calendar.put(["SUMMARY:A", "STATUS:COMPLETED", line], at: now)
    #expect(try calendar.db.text("SELECT completedAt FROM reminders") == time)
    try calendar.db.execute("UPDATE reminders SET title = 'changed'")
    #expect(try calendar.lines(id).contains(line))
  }

  @Test("An empty date is no date, and a backslash that is no escape stays")
  func texts() throws {
    try calendar.put(
      ["SUMMARY:A", "DUE:", "DTSTART:", #"DESCRIPTION:C:\one\nD\, \; \\ \: \"x\" \"#], at: now)
    #expect(try calendar.due() == nil)
    try calendar.put(
      ["DUE:", "DTSTART:20261201T090000Z", "RRULE:FREQ=DAILY"], at: now)
    #expect(try calendar.db.text("SELECT timeZone FROM reminders") == "UTC")
    try calendar.put(["DUE:", #"DESCRIPTION:C:\one\nD\, \; \\ \: \"x\" \"#], at: now)
    #expect(try calendar.db.text("SELECT notes FROM reminders") == "C:\\one\nD, ; \\ : \"x\" \\")
  }

  @Test("A line that is folded inside a character is joined before it is decoded")
  func folded() throws {
    let bytes = Array("SUMMARY:caf".utf8) + [0xC3, 0x0D, 0x0A, 0x20, 0xA9, 0x0D, 0x0A]
    bytes.withUnsafeBufferPointer {
      #expect(CalendarReader.unfolded($0) == "SUMMARY:café\r\n")
    }
    let broken = Array("SUMMARY:caf".utf8) + [0xC3, 0x0D, 0x0A]
    broken.withUnsafeBufferPointer { #expect(CalendarReader.unfolded($0) == nil) }
  }
}
