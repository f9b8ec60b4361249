import MartletSQLite
import MartletTime
import Testing

@testable import MartletReminders

@Suite("Series that calendar programs complete") struct SeriesTests {
  let calendar: Calendar

  init() throws { calendar = try Calendar() }

  private func completions() throws -> [String] {
    try calendar.db.texts("SELECT completedAt FROM completions ORDER BY id").compactMap { $0 }
  }

  @Test(
    "A series moves on from the time at which it was ticked, not from the sync",
    arguments: [
      ("DAILY;INTERVAL=7", "completion", "20261120", "20261123T090000Z", "2026-11-30"),
      ("WEEKLY", "due", "20261120", "20261120T090000Z", "2026-11-27"),
      ("DAILY", "due", "20261124", "20261125T090000Z", "2026-11-26"),
      // A clock that is ahead.
      ("DAILY", "due", "20261128", "20261224T090000Z", "2026-11-29"),
    ])
  func ticked(_ rule: String, _ basis: String, _ due: String, _ time: String, _ next: String) throws
  {
    let todo = [
      "DTSTART;VALUE=DATE:\(due)", "DUE;VALUE=DATE:\(due)", "RRULE:FREQ=\(rule)",
      "X-MARTLET-BASIS:\(basis)",
    ]
    try calendar.put(todo, at: "2026-11-20T08:00:00Z")
    let done = ["STATUS:COMPLETED", "COMPLETED:\(time)"]
    try calendar.put(todo + done, at: "2026-11-28T19:24:00Z")
    #expect(try calendar.due() == next)
    let said = "\(time.prefix(4))-\(time.dropFirst(4).prefix(2))-\(time.dropFirst(6).prefix(2))"
    #expect(
      try completions() == [
        said < "2026-11-29" ? "\(said) 09:00:00.000" : "2026-11-28 19:24:00.000"
      ])
  }
}
