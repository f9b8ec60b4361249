import MartletSQLite
import MartletTime
import Testing

@testable import MartletReminders

@Suite("The alarms of calendar programs") struct TodoAlarmsTests {
  let calendar: Calendar

  init() throws { calendar = try Calendar() }

  private func alarm(_ lines: String...) -> [String] {
    ["BEGIN:VALARM", "ACTION:DISPLAY"] + lines + ["END:VALARM"]
  }

  private let now = "2026-11-28T10:00:00Z"

  // MARK: Acknowledged (RFC 9074 section 6.1)

  @Test(
    "An acknowledgement silences the moments up to it, and no later one",
    arguments: [
      ("20261101T080000Z", "armed 2026-12-05 18:55"),
      ("20261205T185459Z", "armed 2026-12-05 18:55"),
      ("20261205T185500Z", "acknowledged"), ("20261206T000000Z", "acknowledged"),
    ])
  func acknowledged(_ time: String, _ state: String) throws {
    let due = ["DUE:20261205T190000Z"]
    let inAlarm = due + alarm("TRIGGER:-PT5M", "ACKNOWLEDGED:\(time)")
    let id = try calendar.put(inAlarm, at: now)
    #expect(try calendar.alarms() == [state])
    // The client reads what it has written, also after a change elsewhere.
    #expect(try calendar.lines(id).contains("ACKNOWLEDGED:\(time)"))
    try calendar.db.execute("UPDATE reminders SET title = 'changed' WHERE id = \(id)")
    #expect(try calendar.lines(id).contains("ACKNOWLEDGED:\(time)"))
    try calendar.put(due + ["X-MOZ-LASTACK:\(time)"] + alarm("TRIGGER:-PT5M"), at: now)
    #expect(try calendar.alarms() == [state])
  }

  @Test("A series that a client moves on in place rings again, with the old acknowledgement")
  func movedInPlace() throws {
    func todo(_ day: Int) -> [String] {
      ["DTSTART:202612\(day)T090000Z", "DUE:202612\(day)T090000Z", "RRULE:FREQ=DAILY"]
        + alarm("TRIGGER:-PT5M", "ACKNOWLEDGED:20261210T090000Z")
    }
    try calendar.put(todo(10), at: "2026-12-10T09:01:00Z")
    #expect(try calendar.alarms() == ["acknowledged"])
    try calendar.put(todo(11), at: "2026-12-10T09:02:00Z")
    #expect(try calendar.alarms() == ["armed 2026-12-11 08:55"])
  }

  @Test("An alarm that was acknowledged before its moment is silent for calendar programs, too")
  func acknowledgedEarly() throws {
    let id = try calendar.put(["DUE:20261205T190000Z"] + alarm("TRIGGER:-PT5M"), at: now)
    var values = AlarmRepository.Values()
    values.state = .acknowledged
    try AlarmRepository.update(
      1, values, among: .all, at: RFC3339.parse(now), in: calendar.zone, calendar.db)
    let lines = try calendar.lines(id)
    #expect(lines.contains("ACKNOWLEDGED:20261205T185500Z"))
    let todo = lines.drop { $0 != "BEGIN:VTODO" }.dropFirst().prefix { $0 != "END:VTODO" }
    try calendar.put(todos: [todo.filter { !$0.hasPrefix("UID:t") || $0 != "UID:t" }], at: now)
    #expect(try calendar.alarms() == ["acknowledged"])
  }

  @Test("Of two components for one moment, one that is acknowledged does not silence the other")
  func acknowledgedHalf() throws {
    let one = alarm("TRIGGER:-PT5M", "ACKNOWLEDGED:20261206T000000Z")
    let other = alarm("TRIGGER:-PT5M")
    for todo in [one + other, other + one] {
      try calendar.put(["DUE:20261205T190000Z"] + todo, at: now)
      #expect(try calendar.alarms() == ["armed 2026-12-05 18:55"])
    }
    try calendar.put(["DUE:20261205T190000Z"] + one + one, at: now)
    #expect(try calendar.alarms() == ["acknowledged"])
  }

  @Test("The acknowledgement of all alarms holds where that of an alarm is about an earlier moment")
  func acknowledgedTwice() throws {
    try calendar.put(
      ["DUE:20261205T190000Z", "X-MOZ-LASTACK:20261206T000000Z"]
        + alarm("TRIGGER:-PT5M", "ACKNOWLEDGED:20261101T080000Z"), at: now)
    #expect(try calendar.alarms() == ["acknowledged"])
  }

  // MARK: Snoozed

  @Test(
    "The time of a snooze is one of its zone, or of the server",
    arguments: [";TZID=Europe/Vienna:20261205T080000", ":20261205T080000", ":20261205T070000Z"])
  func snoozeInZone(_ time: String) throws {
    try calendar.put(
      ["DUE:20261128T090000Z"] + alarm("UID:one", "TRIGGER:-PT5M")
        + alarm("RELATED-TO;RELTYPE=SNOOZE:one", "TRIGGER;VALUE=DATE-TIME\(time)"), at: now)
    #expect(try calendar.alarms() == ["snoozed 2026-12-05 07:00"])
  }

  @Test("The snooze of Thunderbird, of a series with the occurrence in the name")
  func snoozed() throws {
    let due = ["DTSTART:20261128T090000Z", "DUE:20261128T090000Z", "RRULE:FREQ=DAILY"]
    let extra = [
      "X-MOZ-LASTACK:20261128T090100Z",
      "X-MOZ-SNOOZE-TIME-1795856400000000:20261205T100500Z",
    ]
    let id = try calendar.put(due + extra + alarm("TRIGGER:PT0S"), at: "2026-11-28T09:02:00Z")
    #expect(try calendar.alarms() == ["snoozed 2026-12-05 10:05"])
    try calendar.db.execute("UPDATE reminders SET title = 'changed' WHERE id = \(id)")
    #expect(try calendar.lines(id).contains(extra[1]))
    // One that is snoozed here is snoozed there.
    var values = AlarmRepository.Values()
    values.snoozedUntil = try RFC3339.parse("2026-11-28T11:00:00Z")
    try AlarmRepository.update(
      1, values, among: .all, at: RFC3339.parse(now), in: calendar.zone, calendar.db)
    #expect(
      try calendar.lines(id).contains("X-MOZ-SNOOZE-TIME-1795856400000000:20261128T110000Z"))
  }

  // MARK: Triggers

  @Test(
    "A trigger of fixed time that is not in UTC means the clocks of its zone, or of the server",
    arguments: [
      "TRIGGER;VALUE=DATE-TIME;TZID=Europe/Vienna:20261205T080000",
      "TRIGGER;VALUE=DATE-TIME:20261205T080000", "TRIGGER;VALUE=DATE-TIME:20261205T070000Z",
    ])
  func zone(_ trigger: String) throws {
    try calendar.put(["DUE:20261205T190000Z"] + alarm(trigger), at: now)
    #expect(try calendar.alarms() == ["armed 2026-12-05 07:00"])
  }

  @Test(
    "A sound and a message for one moment are one alarm, whatever else they say",
    arguments: [
      ["TRIGGER:-PT5M", "REPEAT:2", "DURATION:PT5M"], ["TRIGGER;VALUE=DATE-TIME:20261205T185500Z"],
      ["TRIGGER:-PT300S"],
    ])
  func oneMoment(_ other: [String]) throws {
    for both in [[other, ["TRIGGER:-PT5M"]], [["TRIGGER:-PT5M"], other]] {
      let components = zip(["AUDIO", "DISPLAY"], both).flatMap {
        ["BEGIN:VALARM", "ACTION:\($0)"] + $1 + ["END:VALARM"]
      }
      try calendar.put(["DUE:20261205T190000Z"] + components, at: now)
      #expect(try calendar.alarms() == ["armed 2026-12-05 18:55"])
      #expect(
        try calendar.db.integer("SELECT repeatTimes FROM alarms") == (other.count > 1 ? 2 : 0))
    }
  }

  @Test("Two components for one moment are one alarm, and both are kept")
  func twoComponents() throws {
    let sound = ["BEGIN:VALARM", "ACTION:AUDIO", "TRIGGER:-PT5M", "END:VALARM"]
    let id = try calendar.put(
      ["DUE:20261205T190000Z"] + alarm("TRIGGER:-PT5M") + sound, at: now)
    #expect(try calendar.alarms() == ["armed 2026-12-05 18:55"])
    try calendar.db.execute("UPDATE reminders SET title = 'changed' WHERE id = \(id)")
    #expect(try calendar.lines(id).count { $0 == "BEGIN:VALARM" } == 2)
    try calendar.db.execute("DELETE FROM alarms")
    #expect(try !calendar.lines(id).contains("BEGIN:VALARM"))
  }

  // MARK: Fixed times in a series

  private let daily = [
    "DTSTART;TZID=Europe/Vienna:20261201T090000", "DUE;TZID=Europe/Vienna:20261201T090000",
    "RRULE:FREQ=DAILY",
  ]

  @Test("A trigger of fixed time moves with its occurrence", arguments: ["here", "there", "skip"])
  func fixedTime(_ how: String) throws {
    let fixed = alarm("UID:a1", "TRIGGER;VALUE=DATE-TIME:20261201T073000Z", "X-APPLE:1")
    let id = try calendar.put(daily + fixed, at: now)
    #expect(try calendar.alarms() == ["armed 2026-12-01 07:30"])
    let time = "2026-11-30T20:00:00Z"
    switch how {
    case "here": try calendar.complete(id, at: time)
    case "there":
      try calendar.put(
        daily + ["STATUS:COMPLETED", "COMPLETED:20261130T195900Z"] + fixed, at: time)
    default:
      try CompletionRepository.skip(
        id, among: .all, at: RFC3339.parse(time), in: calendar.zone, calendar.db)
    }
    try #require(try calendar.due() == "2026-12-02 08:00:00.000")
    #expect(try calendar.ring(at: "2026-12-01T07:31:00Z") == 0)
    #expect(try calendar.alarms() == ["armed 2026-12-02 07:30"])
    let lines = try calendar.lines(id)
    #expect(lines.contains("TRIGGER;VALUE=DATE-TIME:20261202T073000Z"))
    #expect(lines.contains("UID:a1") && lines.contains("X-APPLE:1"))
    #expect(try calendar.ring(at: "2026-12-02T07:30:00Z") == 1)
    try CompletionRepository.reopen(id, among: .all, zone: calendar.zone, in: calendar.db)
    #expect(try calendar.db.text("SELECT at FROM alarms") == "2026-12-01 07:30:00.000")
  }

  @Test("It moves on the clocks, on days, and over the change of the time")
  func onTheClocks() throws {
    let id = try calendar.put(
      ["DTSTART;VALUE=DATE:20270327", "DUE;VALUE=DATE:20270327", "RRULE:FREQ=DAILY"]
        + alarm("TRIGGER;VALUE=DATE-TIME:20270327T080000Z")
        + alarm("TRIGGER;VALUE=DATE-TIME:20270401T080000Z"), at: now)
    try calendar.complete(id, at: "2027-03-27T09:00:00Z")
    #expect(try calendar.due() == "2027-03-28")
    #expect(try calendar.alarms() == ["armed 2027-03-28 07:00", "armed 2027-04-01 08:00"])
  }
}
