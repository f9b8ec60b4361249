import MartletICalendar
import MartletTime
import TestSupport
import Testing

@testable import MartletReminders

@Suite("Months with calendar programs: every alarm rings at its moment, once")
struct YearTests {
  /// How a program writes what happens to a series with an alarm.
  enum Dialect: CaseIterable, Sendable {
    /// A trigger of fixed time; the program moves the series on by itself.
    case apple
    /// The master is completed as a whole.
    case tasks
    /// A part for each completed occurrence, and one acknowledgement for all alarms.
    case thunderbird
  }

  /// A series as its program has it.
  private struct Program {
    let dialect: Dialect
    let zone: ZoneInfo
    let interval: Int
    /// Minutes before the due date.
    let lead: Int64
    /// Nine o'clock.
    let first: Instant
    var current = 0
    var acknowledged: Instant?
    var snoozed: Instant?
    var completed: Instant?
    var parts: [[String]] = []

    /// The due date of an occurrence, always at the same time of day.
    func due(_ number: Int) -> Instant {
      let first = CivilTime(first, offset: 0)
      return zone.instant(of: first.on(first.date.adding(days: number * interval)))
    }

    func moment(_ number: Int) -> Instant { due(number).adding(milliseconds: -lead * 60_000) }

    private func local(_ name: String, _ number: Int) -> String {
      let time = zone.time(at: due(number))
      return "\(name);TZID=Europe/Vienna:\(CalendarTime.text(time))"
    }

    /// The object as the program writes it now.
    func todos() -> [[String]] {
      let first = dialect == .thunderbird ? 0 : current
      var master = [local("DTSTART", first), local("DUE", first)]
      master.append("RRULE:FREQ=DAILY;INTERVAL=\(interval)")
      var alarm = ["BEGIN:VALARM", "UID:alarm", "ACTION:DISPLAY"]
      alarm.append(
        dialect == .apple
          ? "TRIGGER;VALUE=DATE-TIME:\(CalendarTime.text(moment(current)))" : "TRIGGER:-PT\(lead)M")
      if let acknowledged, dialect == .thunderbird {
        master.append("X-MOZ-LASTACK:\(CalendarTime.text(acknowledged))")
      } else if let acknowledged {
        alarm.append("ACKNOWLEDGED:\(CalendarTime.text(acknowledged))")
      }
      master += alarm + ["END:VALARM"]
      if let snoozed, dialect == .thunderbird {
        let occurrence = due(current).milliseconds(since: .epoch) * 1_000
        master.append("X-MOZ-SNOOZE-TIME-\(occurrence):\(CalendarTime.text(snoozed))")
      } else if let snoozed {
        master += [
          "BEGIN:VALARM", "ACTION:DISPLAY", "RELATED-TO;RELTYPE=SNOOZE:alarm",
          "TRIGGER;VALUE=DATE-TIME:\(CalendarTime.text(snoozed))", "END:VALARM",
        ]
      }
      if let completed {
        master += ["STATUS:COMPLETED", "COMPLETED:\(CalendarTime.text(completed))"]
      }
      return [master] + parts
    }

    /// Completes the current occurrence.
    mutating func complete(at time: Instant) {
      snoozed = nil
      switch dialect {
      case .apple: current += 1
      case .tasks: completed = time
      case .thunderbird:
        parts.append([
          local("RECURRENCE-ID", current), "STATUS:COMPLETED",
          "COMPLETED:\(CalendarTime.text(time))",
        ])
        current += 1
      }
    }

    /// What the program reads from the server after that.
    mutating func sync() {
      guard completed != nil else { return }
      completed = nil
      current += 1
    }
  }

  @Test(
    "Rung, acknowledged, snoozed and completed at random",
    arguments: Dialect.allCases, (0..<Effort.rounds(3)).map { _ in UInt64.random(in: 0 ... .max) })
  func months(_ dialect: Dialect, _ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let calendar = try Calendar()
    var program = Program(
      dialect: dialect, zone: calendar.zone, interval: random.pick([1, 2, 7]),
      lead: random.pick([0, 5, 60]), first: try RFC3339.parse("2027-02-20T09:00:00Z"))
    func put(at time: Instant) throws {
      try calendar.put(todos: program.todos(), at: RFC3339.string(time))
    }
    func rings(_ time: Instant, _ count: Int, _ what: String) throws {
      let rung = try calendar.ring(at: RFC3339.string(time))
      #expect(rung == count, "\(what), \(RFC3339.string(time)): seed \(seed), \(dialect)")
    }
    try put(at: program.moment(0).adding(milliseconds: -3_600_000))
    // Over both changes of the clocks if the interval is a week.
    for number in 0..<40 {
      var now = program.moment(number)
      func later(_ minutes: Int64) { now = now.adding(milliseconds: minutes * 60_000) }
      try rings(now.adding(milliseconds: -1_000), 0, "before")
      try rings(now, 1, "its moment")
      later(1)
      if random.pick([true, false]) {
        program.acknowledged = now
        program.snoozed = now.adding(milliseconds: 600_000)
        try put(at: now)
        try rings(now.adding(milliseconds: 599_000), 0, "before the snooze")
        later(10)
        try rings(now, 1, "snoozed")
        later(1)
        program.snoozed = nil
      }
      if random.pick([true, false]) {
        program.acknowledged = now
        try put(at: now)
        later(60)
        try rings(now, 0, "acknowledged")
      }
      later(random.pick([1, 300]))
      program.complete(at: now)
      try put(at: now)
      program.sync()
      later(1)
      try rings(now, 0, "completed")
    }
  }
}
