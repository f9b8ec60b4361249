import MartletTime
import Testing

@testable import MartletReminders

@Suite("Series at times that clocks skip")
struct SkippedTimeTests {
  let calendar: Calendar

  init() throws { calendar = try Calendar() }

  @Test("A series keeps its time of day on a date at which clocks skip it")
  func skippedTime() throws {
    // The clocks of Vienna go from 02:00 to 03:00 on March 28.
    for rule in ["FREQ=DAILY", "FREQ=DAILY;COUNT=3", "FREQ=WEEKLY;BYDAY=MO,SU", "FREQ=MONTHLY"] {
      func series(_ time: String) -> [String] {
        ["SUMMARY:A", "DTSTART;TZID=Europe/Vienna:\(time)", "RRULE:\(rule)"]
      }
      let id = try calendar.put(series("20270328T023000"), at: "2027-03-01T10:00:00Z")
      #expect(try calendar.due() == "2027-03-28 01:30:00.000")
      // A program that writes it again, or reads what was made anew, changes nothing.
      try calendar.put(series("20270328T023000"), at: "2027-03-01T11:00:00Z")
      var values = ReminderRepository.Values()
      values.title = "B"
      try ReminderRepository.update(
        id, values, at: RFC3339.parse("2027-03-01T12:00:00Z"), zone: calendar.zone, in: calendar.db)
      let lines = try calendar.lines(id)
      #expect(lines.contains("DTSTART;TZID=Europe/Vienna:20270328T023000"), "\(lines)")
      #expect(lines.contains { $0.hasPrefix("RRULE:\(rule)") }, "\(lines)")
      try calendar.complete(id, at: "2027-03-28T06:00:00Z")
      let next = try calendar.due()
      #expect(next?.hasSuffix(" 00:30:00.000") == true, "\(rule): \(next ?? "-")")
      try calendar.db.execute("DELETE FROM reminders")
    }
  }

  @Test("A series that comes to such a date is written with its time of day")
  func cameToSkippedTime() throws {
    let id = try calendar.put(
      ["SUMMARY:A", "DTSTART;TZID=Europe/Vienna:20270327T023000", "RRULE:FREQ=DAILY;COUNT=4"],
      at: "2027-03-01T10:00:00Z")
    try calendar.complete(id, at: "2027-03-27T06:00:00Z")
    #expect(try calendar.due() == "2027-03-28 01:30:00.000")
    let lines = try calendar.lines(id)
    #expect(lines.contains("DUE;TZID=Europe/Vienna:20270328T023000"), "\(lines)")
    #expect(lines.contains { $0.hasPrefix("RRULE:FREQ=DAILY;COUNT=3") }, "\(lines)")
    // A program that keeps only the standard properties writes the same.
    let known = lines.drop { $0 != "BEGIN:VTODO" }.filter {
      ["DTSTART", "DUE", "RRULE"].contains($0.prefix { $0.isLetter })
    }
    try calendar.put(known, at: "2027-03-27T07:00:00Z")
    try calendar.complete(id, at: "2027-03-28T06:00:00Z")
    #expect(try calendar.due() == "2027-03-29 00:30:00.000")
    try calendar.complete(id, at: "2027-03-29T06:00:00Z")
    try calendar.complete(id, at: "2027-03-30T06:00:00Z")
    let rows = try calendar.db.texts("SELECT status || ' ' || dueDate FROM reminders")
    #expect(rows == ["1 2027-03-30 00:30:00.000"])
  }

  @Test("A time in UTC is skipped by no clocks")
  func timeInUTC() throws {
    // The clocks of London go from 01:00 to 02:00 on March 28, at 01:00 in UTC.
    let id = try calendar.put(
      [
        "SUMMARY:A", "DTSTART;TZID=Europe/London:20270328T003000", "DUE:20270328T013000Z",
        "RRULE:FREQ=DAILY",
      ], at: "2027-03-01T10:00:00Z")
    try calendar.complete(id, at: "2027-03-28T06:00:00Z")
    #expect(try calendar.due() == "2027-03-29 01:30:00.000")
  }
}
