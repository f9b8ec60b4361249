import MartletSQLite
import MartletTime
import Testing

@testable import MartletReminders

@Suite("The first text of a to-do that has moved on elsewhere") struct FirstTextTests {
  let calendar: Calendar

  init() throws { calendar = try Calendar() }

  private func alarm(_ lines: String...) -> [String] {
    ["BEGIN:VALARM", "ACTION:DISPLAY"] + lines + ["END:VALARM"]
  }

  @Test("A series that comes completed moves on from when it was completed")
  func completed() throws {
    try calendar.put(
      [
        "DTSTART;VALUE=DATE:20261120", "DUE;VALUE=DATE:20261120", "RRULE:FREQ=DAILY;INTERVAL=7",
        "X-MARTLET-BASIS:completion", "STATUS:COMPLETED", "COMPLETED:20261122T090000Z",
      ], at: "2026-11-28T10:00:00Z")
    #expect(try calendar.due() == "2026-11-29")
    #expect(
      try calendar.db.texts("SELECT dueDate || ' ' || completedAt FROM completions")
        == ["2026-11-20 2026-11-22 09:00:00.000"])
  }

  @Test("Its alarms of fixed times move with it")
  func fixedTime() throws {
    try calendar.put(
      [
        "DTSTART;TZID=Europe/Vienna:20261201T090000", "DUE;TZID=Europe/Vienna:20261201T090000",
        "RRULE:FREQ=DAILY", "STATUS:COMPLETED", "COMPLETED:20261130T200000Z",
      ] + alarm("TRIGGER;VALUE=DATE-TIME:20261201T073000Z"), at: "2026-11-30T21:00:00Z")
    #expect(try calendar.alarms() == ["armed 2026-12-02 07:30"])
  }

  @Test("A snooze is one of the occurrence that the series has come to by its parts")
  func snoozed() throws {
    let master =
      [
        "DTSTART:20261127T090000Z", "DUE:20261127T090000Z", "RRULE:FREQ=DAILY",
        "X-MOZ-LASTACK:20261128T090100Z", "X-MOZ-SNOOZE-TIME-1795856400000000:20261128T100500Z",
      ] + alarm("TRIGGER:PT0S")
    let done = [
      "RECURRENCE-ID:20261127T090000Z", "STATUS:COMPLETED", "COMPLETED:20261127T091500Z",
    ]
    for _ in 1...2 {
      try calendar.put(master, done, at: "2026-11-28T09:02:00Z")
      #expect(try calendar.due() == "2026-11-28 09:00:00.000")
      #expect(try calendar.alarms() == ["snoozed 2026-11-28 10:05"])
    }
  }

  @Test("The notes say what was cut or could not be read, also of a part")
  func unread() throws {
    let long = String(repeating: "x", count: 1_001)
    let stored = try calendar.store(
      [
        "SUMMARY:\(long)", "DUE:20261127T090000Z", "DTSTART;TZID=Nowhere:20261127T080000",
        "RRULE:FREQ=DAILY", "EXDATE:20261201T090000Z,nonsense",
      ],
      ["SUMMARY:B", "RECURRENCE-ID:20261129T090000Z", "CATEGORIES:1,2,3,4,5,6"],
      at: "2026-11-27T08:00:00Z")
    #expect(
      stored.unread == [
        "The title was cut after 1000 characters.",
        "It has no start date: “20261127T080000” was not understood.",
        "EXDATE was not read: “20261201T090000Z,nonsense” was not understood.",
        "1 tag too many: a reminder has at most five.",
      ], "\(stored.unread)")
  }
}
