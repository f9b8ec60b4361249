import MartletICalendar
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

  // MARK: RDATE

  /// Title, due date and rule of all reminders.
  private func rows() throws -> [String] {
    try calendar.db.texts(
      """
      SELECT title || ' ' || coalesce(dueDate, '-') || coalesce(' ' || recurrenceRule, '') \
      FROM reminders WHERE status = 0 ORDER BY dueDate, id
      """
    ).compactMap { $0 }
  }

  @Test("Dates beside the rule are reminders of their own, and leave the text of the series")
  func added() throws {
    let series = [
      "SUMMARY:A", "PRIORITY:1", "DTSTART;VALUE=DATE:20261201", "DUE;VALUE=DATE:20261202",
      "RRULE:FREQ=WEEKLY;COUNT=2",
    ]
    // The second one is of the rule, the third one is left out.
    let dates = [
      "RDATE;VALUE=DATE:20261203,20261208", "RDATE;VALUE=DATE:20261220",
      "EXDATE;VALUE=DATE:20261220",
    ]
    let id = try calendar.put(series + dates, at: "2026-11-28T10:00:00Z")
    let expected = ["A 2026-12-02 FREQ=WEEKLY;COUNT=2;BYDAY=WE", "A 2026-12-04"]
    #expect(try rows() == expected)
    #expect(try calendar.lines(id).contains { $0.hasPrefix("RDATE") } == false)
    #expect(
      try calendar.db.texts("SELECT startDate FROM reminders WHERE id != \(id)") == ["2026-12-03"])
    #expect(
      try calendar.db.texts("SELECT uid FROM reminders WHERE id != \(id)") == ["t-2026-12-03"])
    // A program that writes its old text again changes nothing.
    try calendar.put(series + dates, at: "2026-11-28T11:00:00Z")
    #expect(try rows() == expected)
  }

  @Test("Dates without a rule, periods, and times of a zone")
  func addedTimes() throws {
    try calendar.put(
      [
        "SUMMARY:A", "DTSTART;TZID=Europe/Vienna:20261201T090000",
        "DUE;TZID=Europe/Vienna:20261201T100000",
        "RDATE;TZID=Europe/Vienna:20261203T120000",
        "RDATE;VALUE=PERIOD:20261204T080000Z/PT1H",
        "BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT1H", "END:VALARM",
        "BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER;VALUE=DATE-TIME:20261201T063000Z", "END:VALARM",
      ], at: "2026-11-28T10:00:00Z")
    #expect(
      try rows() == [
        "A 2026-12-01 09:00:00.000", "A 2026-12-03 12:00:00.000", "A 2026-12-04 09:00:00.000",
      ])
    let alarms = try calendar.alarms()
    #expect(
      alarms == [
        "armed 2026-12-01 07:00", "armed 2026-12-01 06:30", "armed 2026-12-03 10:00",
        "armed 2026-12-03 09:30", "armed 2026-12-04 07:00", "armed 2026-12-04 06:30",
      ], "\(alarms)")
  }

  @Test("An added date that was completed is completed, one that was moved is elsewhere")
  func addedAndChanged() throws {
    try calendar.put(
      [
        "SUMMARY:A", "DTSTART;VALUE=DATE:20261201", "DUE;VALUE=DATE:20261201", "RRULE:FREQ=WEEKLY",
        "RDATE;VALUE=DATE:20261203,20261204",
      ],
      ["RECURRENCE-ID;VALUE=DATE:20261203", "STATUS:COMPLETED", "COMPLETED:20261127T100000Z"],
      ["SUMMARY:B", "RECURRENCE-ID;VALUE=DATE:20261204", "DUE;VALUE=DATE:20261206"],
      at: "2026-11-28T10:00:00Z")
    #expect(try rows().map { $0.prefix(12) } == ["A 2026-12-01", "B 2026-12-06"])
    #expect(
      try calendar.db.texts("SELECT uid || completedAt FROM reminders WHERE status = 1")
        == ["t-2026-12-032026-11-27 10:00:00.000"])
  }

  @Test("A line with an invalid date, or with too many dates, stays in the text")
  func unreadDates() throws {
    let many = "RDATE;VALUE=DATE:" + Array(repeating: "20270101", count: 101).joined(separator: ",")
    let id = try calendar.put(
      [
        "SUMMARY:A", "DTSTART;VALUE=DATE:20261201", "DUE;VALUE=DATE:20261201", "RRULE:FREQ=WEEKLY",
        "RDATE;VALUE=DATE:20261203,nonsense", many,
      ], at: "2026-11-28T10:00:00Z")
    #expect(try rows().count == 1)
    #expect(try calendar.lines(id).count { $0.hasPrefix("RDATE") } == 2)
  }

  @Test("The reminders of added dates together have at most the bytes of one to-do")
  func addedBytes() throws {
    let dates =
      "RDATE;VALUE=DATE:" + (10..<40).map { "2027010\($0 % 9 + 1)" }.joined(separator: ",")
    let large = "X-LARGE:" + String(repeating: "x", count: 100_000)
    let id = try calendar.put(
      [
        "SUMMARY:A", "DTSTART;VALUE=DATE:20261201", "DUE;VALUE=DATE:20261201", large, dates,
        "RDATE;VALUE=DATE:20270115",
      ], at: "2026-11-28T10:00:00Z")
    #expect(try rows() == ["A 2026-12-01", "A 2027-01-15"])
    #expect(try calendar.lines(id).contains(dates))
  }

  // MARK: THISANDFUTURE

  private let daily = [
    "SUMMARY:A", "DTSTART;TZID=Europe/Vienna:20261201T090000",
    "DUE;TZID=Europe/Vienna:20261201T090000", "RRULE:FREQ=DAILY;COUNT=10",
  ]

  @Test("A change of this and all later occurrences begins another series")
  func following() throws {
    let change = [
      "SUMMARY:B", "RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Vienna:20261205T090000",
      "DTSTART;TZID=Europe/Vienna:20261205T130000", "DUE;TZID=Europe/Vienna:20261205T130000",
    ]
    let done = [
      "RECURRENCE-ID;TZID=Europe/Vienna:20261207T090000", "STATUS:COMPLETED",
      "COMPLETED:20261127T100000Z",
    ]
    for _ in 0..<2 {
      try calendar.put(daily, change, done, at: "2026-11-28T10:00:00Z")
      #expect(
        try rows() == [
          "A 2026-12-01 08:00:00.000 FREQ=DAILY;UNTIL=20261205T075959Z",
          "B 2026-12-05 12:00:00.000 FREQ=DAILY;COUNT=6",
        ])
      #expect(
        try calendar.db.texts(
          "SELECT r.title || completions.dueDate FROM completions JOIN reminders r ON r.id = reminderID"
        ) == ["B2026-12-07 12:00:00.000"])
    }
  }

  private func change(_ title: String, from day: String, to hour: String) -> [String] {
    [
      "SUMMARY:\(title)",
      "RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Vienna:202612\(day)T090000",
      "DTSTART;TZID=Europe/Vienna:202612\(day)T\(hour)0000",
      "DUE;TZID=Europe/Vienna:202612\(day)T\(hour)0000",
    ]
  }

  @Test("A change back to what the series said at first is a change")
  func followingTwice() throws {
    try calendar.put(
      daily, change("B", from: "03", to: "13"), change("B", from: "04", to: "13"),
      change("A", from: "06", to: "09"), at: "2026-11-28T10:00:00Z")
    #expect(
      try rows() == [
        "A 2026-12-01 08:00:00.000 FREQ=DAILY;UNTIL=20261203T075959Z",
        "B 2026-12-03 12:00:00.000 FREQ=DAILY;UNTIL=20261206T115959Z",
        "A 2026-12-06 08:00:00.000 FREQ=DAILY;COUNT=5",
      ])
  }

  @Test("A text may have as many of them as it has parts")
  func followingOften() throws {
    let first = try #require(CivilDate(year: 2027, month: 1, day: 1))
    let changes = (1..<999).map { number in
      let day = CalendarTime.text(first.adding(days: number))
      return [
        "SUMMARY:\(number)", "RECURRENCE-ID;RANGE=THISANDFUTURE;VALUE=DATE:\(day)",
        "DUE;VALUE=DATE:\(day)",
      ]
    }
    let series = [
      "SUMMARY:0", "DTSTART;VALUE=DATE:20270101", "DUE;VALUE=DATE:20270101", "RRULE:FREQ=DAILY",
    ]
    try calendar.put(todos: [series] + changes, at: "2026-11-28T10:00:00Z")
    let rows = try rows()
    #expect(rows.count == 999 && rows.last == "998 2029-09-25 FREQ=DAILY")
  }

  @Test("From the current occurrence on, the series itself is changed, also to another weekday")
  func followingFromTheFirst() throws {
    try calendar.put(
      [
        "SUMMARY:A", "DTSTART;VALUE=DATE:20261201", "DUE;VALUE=DATE:20261201",
        "RRULE:FREQ=WEEKLY;BYDAY=TU",
      ],
      [
        "SUMMARY:B", "RECURRENCE-ID;RANGE=THISANDFUTURE;VALUE=DATE:20261201",
        "DUE;VALUE=DATE:20261203",
      ], at: "2026-11-28T10:00:00Z")
    #expect(try rows() == ["B 2026-12-03 FREQ=WEEKLY;BYDAY=TH"])
  }

  @Test("The other series leaves out what the series left out, moved with it")
  func followingLeavesOut() throws {
    let days = ["DTSTART;VALUE=DATE:20261201", "DUE;VALUE=DATE:20261201", "RRULE:FREQ=DAILY"]
    for (from, to, excluded) in [("03", "03", "05"), ("03", "04", "06"), ("01", "02", "06")] {
      try calendar.put(
        ["SUMMARY:A", "EXDATE;VALUE=DATE:20261205"] + days,
        [
          "SUMMARY:B", "RECURRENCE-ID;RANGE=THISANDFUTURE;VALUE=DATE:202612\(from)",
          "DTSTART;VALUE=DATE:202612\(to)", "DUE;VALUE=DATE:202612\(to)",
        ], at: "2026-11-28T10:00:00Z")
      #expect(
        try calendar.db.texts("SELECT recurrenceExcluded FROM reminders WHERE title = 'B'")
          == [#"["2026-12-\#(excluded)"]"#], "\(from) \(to)")
      try calendar.db.execute("DELETE FROM reminders")
    }
  }

  @Test("A series in UTC stays in UTC, and one with DTSTART alone goes on with that")
  func followingZones() throws {
    let range = "RECURRENCE-ID;RANGE=THISANDFUTURE"
    try calendar.put(
      [
        "SUMMARY:A", "DTSTART:20270902T010000Z", "DUE:20270902T020000Z", "RRULE:FREQ=MONTHLY",
      ],
      [
        "SUMMARY:B", "\(range):20271002T010000Z", "DTSTART:20271002T010000Z",
        "DUE:20271002T020000Z",
      ],
      at: "2026-11-28T10:00:00Z")
    #expect(
      try calendar.db.texts("SELECT DISTINCT timeZone FROM reminders") == ["UTC"])
    try calendar.db.execute("DELETE FROM reminders")
    try calendar.put(
      ["SUMMARY:A", "DTSTART;VALUE=DATE:20270501", "RRULE:FREQ=DAILY"],
      ["SUMMARY:B", "\(range);VALUE=DATE:20270503", "DTSTART;VALUE=DATE:20270503"],
      at: "2026-11-28T10:00:00Z")
    #expect(
      try rows() == [
        "A 2027-05-01 FREQ=DAILY;UNTIL=20270502", "B 2027-05-03 FREQ=DAILY",
      ])
  }

  @Test("Days of a DURATION in UTC have 24 hours")
  func durationInUTC() throws {
    try calendar.put(
      ["SUMMARY:A", "DTSTART:20271024T020000Z", "DURATION:P10D"], at: "2026-11-28T10:00:00Z")
    #expect(try calendar.db.texts("SELECT dueDate FROM reminders") == ["2027-11-03 02:00:00.000"])
  }

  @Test("Completed with all later ones, or canceled, it ends there")
  func followingEnds() throws {
    let id = "RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Vienna:20261205T090000"
    try calendar.put(daily, [id, "STATUS:CANCELLED"], at: "2026-11-28T10:00:00Z")
    #expect(try rows() == ["A 2026-12-01 08:00:00.000 FREQ=DAILY;UNTIL=20261205T075959Z"])
    try calendar.put(
      daily, [id, "STATUS:COMPLETED", "COMPLETED:20261127T100000Z"], at: "2026-11-28T10:00:00Z")
    #expect(try rows() == ["A 2026-12-01 08:00:00.000 FREQ=DAILY;UNTIL=20261205T080000Z"])
    #expect(try completions() == ["2026-11-27 10:00:00.000"])
  }

  @Test("A completed occurrence, followed by a part that repeats the series, is only completed")
  func followingRepeats() throws {
    try calendar.put(
      daily,
      [
        "SUMMARY:A", "RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Vienna:20261201T090000",
        "STATUS:COMPLETED", "COMPLETED:20261127T100000Z",
      ],
      [
        "SUMMARY:A", "RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Vienna:20261202T090000",
        "DTSTART;TZID=Europe/Vienna:20261202T090000", "DUE;TZID=Europe/Vienna:20261202T090000",
      ], at: "2026-11-28T10:00:00Z")
    let rows = try rows()
    #expect(rows == ["A 2026-12-02 08:00:00.000 FREQ=DAILY;COUNT=10"], "\(rows)")
    #expect(try completions() == ["2026-11-27 10:00:00.000"])
  }

  @Test("Dates of RDATE after a change of all later occurrences are changed as these are")
  func followingAdded() throws {
    let days = ["DTSTART;VALUE=DATE:20261201", "RRULE:FREQ=DAILY;COUNT=5"]
    let series = ["SUMMARY:A", "RDATE;VALUE=DATE:20261202,20261220"] + days
    let id = "RECURRENCE-ID;RANGE=THISANDFUTURE;VALUE=DATE:20261203"
    let moved = ["SUMMARY:B", id, "DTSTART;VALUE=DATE:20261204"]
    try calendar.put(series, at: "2026-11-28T10:00:00Z")
    #expect(try rows().last == "A 2026-12-20")
    for _ in 1...2 {
      try calendar.put(series, moved, at: "2026-11-28T11:00:00Z")
      #expect(
        try rows() == [
          "A 2026-12-01 FREQ=DAILY;UNTIL=20261202", "B 2026-12-04 FREQ=DAILY;COUNT=3",
          "B 2026-12-21",
        ])
    }
    // What has become of it is newer.
    try calendar.db.execute("UPDATE reminders SET title = 'C' WHERE dueDate = '2026-12-21'")
    try calendar.put(series, moved, at: "2026-11-28T12:00:00Z")
    #expect(try rows().last == "C 2026-12-21")
    try calendar.db.execute("DELETE FROM reminders")
    try calendar.put(series, at: "2026-11-28T10:00:00Z")
    try calendar.put(series, [id, "STATUS:COMPLETED"], at: "2026-11-28T11:00:00Z")
    #expect(
      try calendar.db.texts("SELECT dueDate FROM reminders WHERE status = 1") == ["2026-12-20"])
    try calendar.db.execute("DELETE FROM reminders")
    try calendar.put(series, at: "2026-11-28T10:00:00Z")
    try calendar.put(series, [id, "STATUS:CANCELLED"], at: "2026-11-28T11:00:00Z")
    #expect(try rows() == ["A 2026-12-01 FREQ=DAILY;UNTIL=20261202"])
  }

  @Test("A change of all later occurrences that no rule gives is said to be one of a single one")
  func followingUnread() throws {
    let stored = try calendar.store(
      ["SUMMARY:A", "DUE;VALUE=DATE:20270131", "RRULE:FREQ=MONTHLY"],
      [
        "SUMMARY:B", "RECURRENCE-ID;RANGE=THISANDFUTURE;VALUE=DATE:20270331",
        "DUE;VALUE=DATE:20270401",
      ], at: "2026-11-28T10:00:00Z")
    #expect(
      stored.unread == [
        "The change from 2027-03-31 on is one of that occurrence alone: no rule gives the later ones."
      ])
    #expect(try rows().map { $0.prefix(12) } == ["A 2027-01-31", "B 2027-04-01"])
  }

  @Test("The date of an occurrence that is done does not come back as one of RDATE")
  func addedAndMovedOn() throws {
    let rest = ["SUMMARY:A", "RRULE:FREQ=DAILY", "RDATE;VALUE=DATE:20261201"]
    try calendar.put(rest + ["DTSTART;VALUE=DATE:20261201"], at: "2026-11-28T10:00:00Z")
    try calendar.put(rest + ["DTSTART;VALUE=DATE:20261202"], at: "2026-11-28T11:00:00Z")
    #expect(try rows() == ["A 2026-12-02 FREQ=DAILY"])
  }
}
