import MartletJSON
import MartletLiveAPI
import MartletReminders
import MartletTime
import Testing

@testable import MartletRemindersAPI

@Suite("Reminders as the to-dos of a calendar (RFC 5545)") struct ICalendarTests {
  private func records(_ text: String) throws -> [TransferRecord] {
    var lines = MemoryLines(SharedBytes(Array(text.utf8)))
    var reader = ICalendar.Reader()
    var records: [TransferRecord] = []
    while try lines.next({ records += try reader.read($0) }) {}
    try reader.finish()
    return records
  }

  private func reminders(_ text: String) throws -> [TransferReminder] {
    try records(text).compactMap { record in
      if case .reminder(let reminder) = record { reminder } else { nil }
    }
  }

  private func text(_ records: [TransferRecord]) -> String {
    let buffer = ByteBuffer(capacity: 1024)
    var writer = ICalendar.Writer()
    writer.begin(into: buffer)
    for record in records { writer.write(record, into: buffer) }
    writer.end(TransferCounts(), into: buffer)
    return String(decoding: buffer.bytes, as: UTF8.self)
  }

  /// A calendar with a to-do of these lines.
  private func todo(_ lines: String...) -> String {
    (["BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VTODO"] + lines + ["END:VTODO", "END:VCALENDAR", ""])
      .joined(separator: "\r\n")
  }

  @Test(
    "A date or an alarm that cannot be read is left out, with a note",
    arguments: [
      (["DUE;VALUE=DATE:0NaNaNaN"], ["It has no due date: “0NaNaNaN” was not understood."]),
      (["DUE;VALUE=DATE:00001231"], ["It has no due date: “00001231” was not understood."]),
      (["DTSTART:00001231"], ["It has no start date: “00001231” was not understood."]),
      (
        ["DTSTART:20270101", "DURATION:P1D", "RRULE:FREQ=DAILY", "DUE:tomorrow"],
        ["It has no due date and does not recur: “tomorrow” was not understood."]
      ),
      (["DTSTART:x"], ["It has no start date: “x” was not understood."]),
      (
        ["BEGIN:VALARM", "TRIGGER", "END:VALARM"],
        ["An alarm is left out: “TRIGGER” was not understood."]
      ),
      (["DUE:"], []),
    ])
  func unread(_ lines: [String], _ notes: [String]) throws {
    let todos = ["BEGIN:VTODO", "UID:b", "DUE:20270131", "END:VTODO"]
    let text = ["BEGIN:VCALENDAR", "BEGIN:VTODO", "UID:a"] + lines + ["END:VTODO"] + todos
    let read = try reminders((text + ["END:VCALENDAR", "--", ""]).joined(separator: "\n"))
    #expect(read.map(\.unread) == [notes, []])
    #expect(read.map { ($0.values.dueDate ?? nil)?.description } == [nil, "2027-01-31"])
    #expect(read.allSatisfy { ($0.values.recurrence ?? nil) == nil && $0.alarms.isEmpty })
    #expect(read[0].calendar?.contains("NaN") != true)
  }

  @Test("Properties become fields of the reminder")
  func properties() throws {
    let reminder = try #require(
      try reminders(
        todo(
          "uid:1", "SUMMARY;LANGUAGE=de:Reifen\\, und mehr", "DESCRIPTION:one\\ntwo\\; \\\\",
          "DUE;VALUE=DATE:20270115", "PRIORITY:5", "STATUS:COMPLETED", "CATEGORIES:car,a\\,b",
          "CATEGORIES: Car,", "X-MARTLET-LIST:Home", "X-MARTLET-FLAGGED:TRUE",
          "CREATED:20260101T080000Z", "LAST-MODIFIED:20260102T080000Z", "DTSTAMP:20260102T080000Z")
      ).first)
    let values = reminder.values
    #expect(values.title == "Reifen, und mehr" && values.notes == "one\ntwo; \\")
    #expect(values.dueDate == .some(DueDate(stored: "2027-01-15")))
    #expect(values.priority == .some(.medium))
    #expect(values.status == .completed && values.isFlagged == true)
    #expect(values.tags == ["car", "a,b"])
    #expect(reminder.createdAt?.description == "2026-01-01T08:00:00.000Z")
    #expect(reminder.updatedAt?.description == "2026-01-02T08:00:00.000Z")
    #expect(
      reminder.calendar
        == "X-MARTLET-LINES:2\nuid:1\nSUMMARY;LANGUAGE=de:Reifen\\, und mehr\nCATEGORIES:car,a\\,b\nCATEGORIES: Car,"
    )
  }

  @Test(
    "DUE: dates, times in UTC, in a time zone, and in that of the calendar",
    arguments: [
      ("DUE:20270115", "2027-01-15"), ("DUE:20270115T083000Z", "2027-01-15 08:30:00.000"),
      ("DUE;TZID=Europe/Vienna:20270115T093000", "2027-01-15 08:30:00.000"),
      ("DUE;TZID=\"Europe/Vienna\":20270715T093000", "2027-07-15 07:30:00.000"),
      (
        "DUE;TZID=/freeassociation.sourceforge.net/Europe/Vienna:20270715T093000",
        "2027-07-15 07:30:00.000"
      ),
      ("DUE;TZID=W. Europe:20270715T093000", "2027-07-15 07:30:00.000"),
      // Times that daylight saving time skips, and that occur twice.
      ("DUE;TZID=Europe/Vienna:20270328T023000", "2027-03-28 01:30:00.000"),
      ("DUE;TZID=Europe/Vienna:20271031T023000", "2027-10-31 00:30:00.000"),
      ("DUE:20270115T093060", "2027-01-15 14:30:59.000"),
    ])
  func due(_ line: String, _ stored: String) throws {
    let file = """
      BEGIN:VCALENDAR
      X-WR-TIMEZONE:America/New_York
      BEGIN:VTIMEZONE
      TZID:W. Europe
      X-LIC-LOCATION:Europe/Vienna
      END:VTIMEZONE
      BEGIN:VTODO
      SUMMARY:x
      \(line)
      END:VTODO
      END:VCALENDAR
      """
    #expect(try reminders(file).first?.values.dueDate == .some(DueDate(stored: stored)))
  }

  @Test("Other properties are exported unchanged, unless they contradict a changed field")
  func kept() throws {
    let lines = [
      "UID:7b0c", "PRIORITY:3", "STATUS:IN-PROCESS", "PERCENT-COMPLETE:40", "CATEGORIES:f,g",
      "RRULE:FREQ=DAILY", "X-APPLE-SORT-ORDER;X-A=\"b:c;d\":42",
      "DTSTART;TZID=Here:20270101T080000",
      "BEGIN:VALARM", "TRIGGER;RELATED=END:-PT15M", "BEGIN:X-INNER", "A:b", "END:X-INNER",
      "END:VALARM",
    ]
    let zone = ["BEGIN:VTIMEZONE", "TZID:Here", "BEGIN:STANDARD", "END:STANDARD", "END:VTIMEZONE"]
    let file =
      ["BEGIN:VCALENDAR"] + zone + [
        "BEGIN:VTIMEZONE", "TZID:There", "END:VTIMEZONE", "BEGIN:VTODO",
      ]
      + ["SUMMARY:x", "CATEGORIES:a,b,c,d,e"] + lines + ["END:VTODO", "END:VCALENDAR"]
    var records = try records(file.joined(separator: "\n"))
    let out = text(records)
    for line in lines { #expect(out.contains("\r\n\(line)\r\n"), "\(line)") }
    // A time zone in use is written once, before the to-do.
    #expect(out.contains(zone.joined(separator: "\r\n") + "\r\nBEGIN:VTODO"))
    #expect(!out.contains("There"))
    #expect(try self.text(self.records(out)) == out)

    guard case .reminder(var reminder)? = records.popLast() else { return #expect(Bool(false)) }
    reminder.values.status = .completed
    reminder.values.priority = .some(.low)
    let changed = text(records + [.reminder(reminder)])
    #expect(changed.contains("STATUS:COMPLETED\r\n") && changed.contains("COMPLETED:"))
    #expect(changed.contains("PRIORITY:9\r\n") && !changed.contains("PRIORITY:3"))
    #expect(!changed.contains("IN-PROCESS") && !changed.contains("PERCENT-COMPLETE:40"))
    #expect(changed.contains("RRULE:FREQ=DAILY\r\n"))
  }

  @Test("Lines are folded at 75 bytes without splitting characters, and unfolded again")
  func folding() throws {
    var values = ReminderRepository.Values()
    values.listID = 1
    values.title = String(repeating: "äß🦜, ", count: 40)
    values.uid = "a,b"
    values.notes = "a\r\nb\u{7}\tc\\n;"
    let list = TransferList(id: 1, title: "Home; \"x\"", color: 0x0a0b_0cff)
    let out = text([.list(list), .reminder(TransferReminder(id: 7, values, createdAt: .epoch))])
    for line in out.split(separator: "\r\n" as Character, omittingEmptySubsequences: false) {
      #expect(line.utf8.count <= 75, "\(line)")
    }
    #expect(out.contains("UID:a\\,b\r\n"))
    let again = try records(out)
    guard case .list(let first)? = again.first, case .reminder(let reminder)? = again.last else {
      return #expect(Bool(false), "\(again)")
    }
    #expect(first.title == list.title && first.color == list.color)
    #expect(reminder.values.title == values.title)
    // A line break becomes a line feed, and other control characters are omitted.
    #expect(reminder.values.notes == "a\nb\tc\\n;")
  }

  @Test("Lists come from the to-dos or from their calendars")
  func lists() throws {
    let calendar = { (name: String) in
      "BEGIN:VCALENDAR\nX-WR-CALNAME:\(name)\nX-APPLE-CALENDAR-COLOR:#FF2968FF\n"
    }
    let todo = "BEGIN:VTODO\nSUMMARY:x\nEND:VTODO\n"
    let other = "BEGIN:VTODO\nSUMMARY:y\nX-MARTLET-LIST:Own\nEND:VTODO\n"
    let event = "BEGIN:VEVENT\nSUMMARY:no to-do\nBEGIN:VALARM\nX:y\nEND:VALARM\nEND:VEVENT\n"
    let end = "END:VCALENDAR\n"
    let records = try records(
      "\u{FEFF}" + calendar("A") + event + todo + other + end + calendar("A") + todo + end
        + "BEGIN:VCALENDAR\n" + todo + end)
    let lists = records.compactMap { if case .list(let list) = $0 { list } else { nil } }
    #expect(lists.map(\.title) == ["A", "Own", "Reminders"])
    #expect(lists.map(\.color).first == 0xff29_68ff)
    let places = records.compactMap {
      if case .reminder(let it) = $0 { it.values.listID } else { nil }
    }
    #expect(places == [1, 2, 1, 3])
  }

  @Test("A file with only events is refused with their number; an empty calendar is accepted")
  func eventsAlone() throws {
    let event = "BEGIN:VEVENT\nSUMMARY:x\nEND:VEVENT\n"
    let file = "BEGIN:VCALENDAR\n" + event + event + "END:VCALENDAR\n"
    var lines = MemoryLines(SharedBytes(Array((file + file).utf8)))
    let problem = try #require(throws: APIProblem.self) {
      try TransferFormat.ics.records(&lines, most: 10)
    }
    #expect(
      problem.detail
        == "The calendar has no to-dos (VTODO), only 4 events (VEVENT). Only to-dos can be imported."
    )
    #expect(try records("BEGIN:VCALENDAR\nEND:VCALENDAR\n").isEmpty)
  }

  static let faults: [(String, Int, String)] = [
    ("", 0, "calendar is empty"), ("\n\n", 2, "calendar is empty"),
    ("SUMMARY:x", 1, "begins with BEGIN:VCALENDAR"),
    ("BEGIN:VTODO\n", 1, "begins with BEGIN:VCALENDAR"),
    ("BEGIN:VCALENDAR\nVERSION:1.0\nEND:VCALENDAR", 2, "version 1.0"),
    ("BEGIN:VCALENDAR\nnonsense\nEND:VCALENDAR", 2, "got \"nonsense\""),
    ("BEGIN:VCALENDAR\nA;B:c\nEND:VCALENDAR", 2, "got \"A;B:c\""),
    ("BEGIN:VCALENDAR\nA;B=\"c:d\nEND:VCALENDAR", 2, "Expected NAME:value"),
    ("BEGIN:VCALENDAR\nBEGIN:VTODO\nEND:VCALENDAR", 3, "Expected END:VTODO, got"),
    ("END:VCALENDAR", 1, "Expected no END"),
    ("BEGIN:VCALENDAR\nBEGIN:VTODO\n", 2, "VTODO has no END"),
    (
      "BEGIN:VCALENDAR\nBEGIN:VTODO\nDUE;TZID=Nowhere:20270101T080000\nEND:VTODO\nEND:VCALENDAR", 4,
      "\"Nowhere\" is unknown"
    ),
    (
      "BEGIN:VCALENDAR\n" + String(repeating: "BEGIN:X\n", count: 9), 9,
      "nested more than 8 levels"
    ),
  ]

  @Test("An error names its line", arguments: faults)
  func mistakes(_ file: String, _ line: Int, _ says: String) throws {
    var lines = MemoryLines(SharedBytes(Array(file.utf8)))
    var reader = ICalendar.Reader()
    let problem = try #require(throws: APIProblem.self) {
      while try lines.next({ _ = try reader.read($0) }) {}
      try reader.finish()
    }
    #expect(problem.detail.contains(says), "\(problem.detail)")
    #expect(reader.line == line)
  }

  @Test("Expensive files are refused or processed quickly")
  func hostile() throws {
    // Such a name is not looked up piece by piece.
    let name = String(repeating: "a/", count: 50_000) + "b"
    #expect(throws: APIProblem.self) { try records(todo("DUE;TZID=\(name):20270101T080000")) }
    // A definition that would be stored with each to-do.
    let zone =
      "BEGIN:VTIMEZONE\nTZID:Z\nX:\(String(repeating: "y", count: 1 << 19))\nEND:VTIMEZONE\n"
    let todos = String(
      repeating: "BEGIN:VTODO\nDTSTART;TZID=Z:1\nEND:VTODO\n", count: 200)
    let problem = #expect(throws: APIProblem.self) {
      try records("BEGIN:VCALENDAR\n\(zone)\(todos)END:VCALENDAR\n")
    }
    #expect(problem?.detail.contains("more than 64 MiB") == true)
    // Each calendar in a file may define its time zones.
    let one = "BEGIN:VCALENDAR\n\(zone)BEGIN:VTODO \nSUMMARY:x\nEND:VTODO \nEND:VCALENDAR\n"
    #expect(try reminders(String(repeating: one, count: 5)).count == 5)
  }

  /// Searching the definition for each `DUE` would take many minutes.
  @Test("A time zone definition is searched only once", .timeLimit(.minutes(10)))
  func largeZone() throws {
    let zone =
      "BEGIN:VTIMEZONE\nTZID:Z\n" + String(repeating: "A:b\n", count: 50_000)
      + "X-LIC-LOCATION:Europe/Vienna\nEND:VTIMEZONE\n"
    let due = String(repeating: "DUE;TZID=Z:20270101T080000\n", count: 10_000)
    let file = "BEGIN:VCALENDAR\n\(zone)BEGIN:VTODO\n\(due)END:VTODO\nEND:VCALENDAR\n"
    let dates = try reminders(file).map { $0.values.dueDate?.map(\.stored) }
    #expect(dates == ["2027-01-01 07:00:00.000"])
  }

  @Test("Leading spaces of tags are dropped unless they are marked as part of the tag")
  func blanks() throws {
    var values = ReminderRepository.Values()
    values.listID = 1
    values.tags = [" a ", "b", "c\u{85}"]
    let list = TransferList(id: 1, title: "")
    let out = text([.list(list), .reminder(TransferReminder(values))])
    #expect(out.contains("\r\nCATEGORIES;X-MARTLET-EXACT=TRUE: a ,b,c\u{85}\r\n"))
    let again = try reminders(out)
    #expect(again.map(\.values.tags) == [[" a ", "b", "c\u{85}"]])
    #expect(try reminders(todo("CATEGORIES: a, b")).first?.values.tags == ["a", "b"])
  }

  @Test("Messages quote a short excerpt, even of a text that is a single character")
  func excerpts() {
    let marks = String(repeating: "\u{301}", count: 100_000)
    for file in ["e\(marks)", "BEGIN:VCALENDAR\nEND:\(marks)", "BEGIN:VCALENDAR\nVERSION:\(marks)"]
    {
      let problem = #expect(throws: APIProblem.self) { try records(file + "\nX:y\n") }
      #expect((problem?.detail.utf8.count ?? 0) < 300)
    }
  }

  @Test("A canceled to-do is completed, but has no time of completion")
  func cancelled() throws {
    let out = text(try records(todo("SUMMARY:x", "STATUS:CANCELLED", "PERCENT-COMPLETE:40")))
    #expect(out.contains("STATUS:CANCELLED\r\nPERCENT-COMPLETE:40\r\nX-MARTLET"))
    #expect(!out.contains("COMPLETED:"))
  }

  @Test("The size of stored properties is limited")
  func limit() throws {
    let long = "X:" + String(repeating: "y", count: 1 << 20)
    let problem = #expect(throws: APIProblem.self) { try records(todo("SUMMARY:x", long)) }
    #expect(problem?.detail.contains("more than 1 MiB") == true)
  }
}
