import MartletQueryBuilder
import MartletTime
import Testing

@testable import MartletReminders

@Suite("The default alarm of a to-do whose program names none") struct TodoDefaultAlarmTests {
  private var calendar: Calendar

  init() throws {
    calendar = try Calendar()
    calendar.defaults = DefaultAlarms()
    calendar.defaults?.timed = AlarmTrigger.offset("PT0S")
    calendar.defaults?.day = AlarmTrigger.offset("PT9H")
  }

  private static let morning = "2027-01-04T07:00:00Z"
  private static let later = "2027-01-04T07:10:00Z"
  private static let timed = "DUE;TZID=Europe/Vienna:20270104T120000"
  private static let day = "DUE;VALUE=DATE:20270105"

  /// The offsets of the alarms, in their order.
  private func offsets() throws -> [String] {
    try calendar.db.texts("SELECT coalesce(offset, at) FROM alarms ORDER BY id").compactMap { $0 }
  }

  /// What a calendar program reads of alarms, and of what the service has stored.
  private func shown(_ id: Int) throws -> [String] {
    try calendar.lines(id).filter {
      $0.contains("VALARM") || $0.hasPrefix("TRIGGER") || $0.hasPrefix("X-")
    }
  }

  @Test(
    "The reminder has it and rings, and the text stays byte for byte",
    arguments: [(timed, "PT0S", "2027-01-04 11:00"), (day, "PT9H", "2027-01-05 08:00")])
  func new(_ due: String, _ offset: String, _ moment: String) throws {
    let stored = try calendar.store(["SUMMARY:a", due], at: Self.morning)
    #expect(stored.isAsPut)
    let id = stored.entry.id
    #expect(try offsets() == [offset] && calendar.alarms() == ["armed \(moment)"])
    #expect(
      try CalendarRepository.text(of: id, house: calendar.zone, in: calendar.db)
        == Calendar.text([["SUMMARY:a", due]]))
    // Written again, it is the same alarm.
    let row = try calendar.db.value("SELECT id FROM alarms")
    try calendar.put(["SUMMARY:b", due], at: Self.later)
    #expect(try calendar.db.value("SELECT id FROM alarms") == row && offsets() == [offset])
    // A change over HTTP makes the text anew, without it.
    try calendar.db.execute("UPDATE reminders SET notes = 'c'")
    #expect(try shown(id) == [] && calendar.lines(id).contains("DESCRIPTION:c"))
    #expect(try calendar.ring(at: "\(moment.replacing(" ", with: "T")):30Z") == 1)
  }

  @Test(
    "Which texts give it one, and take it",
    arguments: [
      // Its first due date, and the first time of day.
      ([["SUMMARY:a"], ["SUMMARY:a", timed]], [[], ["PT0S"]]),
      ([["SUMMARY:a"], ["SUMMARY:a", day]], [[], ["PT9H"]]),
      // A day becomes a time, and back; the date goes.
      ([[day], [timed], [day], []], [["PT9H"], ["PT0S"], ["PT9H"], ["PT9H"]]),
      // Another time changes nothing.
      ([[timed], ["DUE:20270106T120000Z"]], [["PT0S"], ["PT0S"]]),
      // An alarm of the program takes its place, also one that no reminder has, and one that stands
      // for none. It does not come back.
      ([[timed], [timed, alarm("-PT5M")], [timed]], [["PT0S"], ["-PT5M"], []]),
      ([[timed, alarm("-PT5M")], [timed]], [["-PT5M"], []]),
      ([[timed, alarm("19760401T005545Z", ";VALUE=DATE-TIME")]], [[]]),
      ([[timed, alarm("-PT5M", action: "EMAIL")], [timed]], [[], []]),
      // What is completed does not ring.
      ([[timed, "STATUS:COMPLETED"]], [[]]),
    ])
  func texts(_ texts: [[String]], _ expected: [[String]]) throws {
    for (lines, offsets) in zip(texts, expected) {
      try calendar.put(lines, at: Self.morning)
      #expect(try self.offsets() == offsets, "\(lines)")
    }
  }

  private static func alarm(
    _ trigger: String, _ parameter: String = "", action: String = "DISPLAY"
  ) -> String {
    ["BEGIN:VALARM", "ACTION:\(action)", "TRIGGER\(parameter):\(trigger)", "END:VALARM"]
      .joined(separator: "\r\n")
  }

  @Test("A client deletes it or changes it, and the next text does not bring it back")
  func ofClient() throws {
    let id = try calendar.put([Self.timed], at: Self.morning)
    try calendar.db.execute("UPDATE alarms SET offset = '-PT30M'")
    #expect(try shown(id) == ["BEGIN:VALARM", "TRIGGER;RELATED=END:-PT30M", "END:VALARM"])
    try calendar.db.execute("DELETE FROM alarms")
    try calendar.put([Self.timed, "SUMMARY:b"], at: Self.later)
    #expect(try offsets() == [] && shown(id) == [])
  }

  @Test("It stays beside an alarm of the app, which the program writes back")
  func besideOthers() throws {
    let id = try calendar.put([Self.timed], at: Self.morning)
    try calendar.db.execute(
      "INSERT INTO alarms (reminderID, anchor, offset) VALUES (\(id), 0, '-P1D')")
    let alarm = try shown(id)
    #expect(alarm == ["BEGIN:VALARM", "TRIGGER;RELATED=END:-P1D", "END:VALARM"])
    let read = try calendar.lines(id).drop { $0 != "BEGIN:VALARM" }.prefix { $0 != "END:VTODO" }
    try calendar.put([Self.timed, "SUMMARY:b"] + read, at: Self.later)
    #expect(try offsets() == ["PT0S", "-P1D"] && shown(id) == alarm)
    // One that the program adds takes its place.
    try calendar.put(
      [Self.timed, "SUMMARY:b"] + read + [Self.alarm("-PT5M")], at: Self.later)
    #expect(try offsets() == ["-P1D", "-PT5M"])
  }

  @Test("A snooze of it stays if the program writes the to-do again")
  func snoozed() throws {
    let id = try calendar.put([Self.timed], at: Self.morning)
    try calendar.db.execute("UPDATE alarms SET snoozedUntil = '2027-01-04 12:00:00.000'")
    #expect(try shown(id) == [])
    try calendar.put([Self.timed, "SUMMARY:b"], at: Self.later)
    #expect(try calendar.alarms() == ["snoozed 2027-01-04 12:00"] && shown(id) == [])
  }

  @Test("A series keeps it, and a changed occurrence has its own")
  func series() throws {
    let master = ["DTSTART;TZID=Europe/Vienna:20270104T120000", Self.timed, "RRULE:FREQ=DAILY"]
    let id = try calendar.put(master, at: Self.morning)
    let part = [
      "RECURRENCE-ID;TZID=Europe/Vienna:20270105T120000",
      "DTSTART;TZID=Europe/Vienna:20270105T120000", "DUE;TZID=Europe/Vienna:20270105T150000",
    ]
    try calendar.put(master, part, at: Self.later)
    #expect(try offsets() == ["PT0S", "PT0S"])
    #expect(try calendar.alarms() == ["armed 2027-01-04 11:00", "armed 2027-01-05 14:00"])
    try calendar.complete(id, at: Self.later)
    // The changed occurrence is left out.
    #expect(try calendar.alarms() == ["armed 2027-01-06 11:00", "armed 2027-01-05 14:00"])
    #expect(try shown(id) == [])
  }

  @Test("It can be switched off")
  func off() throws {
    var settings = DefaultAlarms.Values()
    settings.areForCalendars = false
    try DefaultAlarms.store(settings, in: calendar.db)
    #expect(try DefaultAlarms.forCalendars(fixed: .init(), in: calendar.db) == nil)
    // A line of a program does not stand for it.
    let off = try Calendar()
    let id = try off.put([Self.timed, "X-MARTLET-DEFAULT-ALARM:PT0S"], at: Self.morning)
    try off.db.execute("UPDATE reminders SET notes = 'c'")
    #expect(try off.alarms() == [] && off.lines(id).allSatisfy { !$0.hasPrefix("X-MARTLET") })
  }

  @Test("An export has it, and an import does not put it into the text", arguments: [true, false])
  func transfer(_ updates: Bool) throws {
    try calendar.put([Self.timed, "X-OTHER:1"], at: Self.morning)
    var records: [TransferRecord] = []
    _ = try Exporter.export(in: calendar.db) { records.append($0) }
    for target in updates ? [calendar, try Calendar()] : [try Calendar()] {
      _ = try Importer.add(records, zone: target.zone, updates: updates, in: target.db)
      let id = try #require(
        try target.db.value("SELECT id FROM reminders WHERE uid = 't'")?.integer)
      let lines = try target.lines(Int(id))
      #expect(lines.contains("X-OTHER:1") && !lines.contains("BEGIN:VALARM"), "\(lines)")
      #expect(try target.alarms() == ["armed 2027-01-04 11:00"])
    }
  }
}
