import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime
import TestSupport
import Testing

@testable import MartletReminders

/// Alarms as the tables keep them, for every program that writes.
@Suite("Alarms") struct AlarmTests {
  private let file: RemindersFile
  private let db: Connection
  private let shell: Connection
  private let now: Instant
  private let zone: ZoneInfo

  init() throws {
    file = try RemindersFile()
    db = try file.connect(as: .service)
    shell = try file.connect(as: .shell)
    now = try RFC3339.parse("2026-11-24T12:00:00Z")
    zone = try ZoneDatabase.system.zone(named: "Europe/Vienna")
    try db.execute(
      """
      INSERT INTO reminders (remindersListID, title, dueDate, startDate) VALUES
        (1, 'timed', '2026-11-24 15:00:00.000', NULL), (1, 'day', '2026-11-25', '2026-11-24'),
        (1, 'none', NULL, NULL)
      """)
  }

  private func create(_ moment: AlarmTrigger.Moment, of reminder: Int = 1) throws -> ReminderAlarm {
    let id = try AlarmRepository.create(
      AlarmTrigger(moment), of: reminder, among: .all, at: now, in: zone, db)
    return try alarm(id)
  }
  private func alarm(_ id: Int) throws -> ReminderAlarm {
    try #require(try ReminderAlarm.find(id).fetchOne(db))
  }
  private func offset(_ text: String, _ from: ReminderAlarm.Anchor = .due) throws
    -> AlarmTrigger.Moment
  { .offset(try #require(CivilDuration(text)), from: from) }
  private func settle() throws { try AlarmRepository.settle(at: now, in: zone, db) }

  @Test("A snooze that is taken back leaves the alarm as it was")
  func takenBack() throws {
    let id = try create(offset("PT0S")).id
    let then = now.adding(seconds: 3 * 3_600)
    func snooze(_ until: Instant?, at time: Instant) throws {
      var values = AlarmRepository.Values()
      values.snoozedUntil = .some(until)
      try AlarmRepository.update(id, values, among: .all, at: time, in: zone, db)
    }
    let armed = try alarm(id)
    try snooze(now.adding(seconds: 60), at: now)
    #expect(try alarm(id).state == .snoozed)
    try snooze(nil, at: now)
    #expect(try alarm(id) == armed)
    #expect(try AlarmRepository.fire(at: then, catchUp: .seconds(60), db).count == 1)
    let ringing = try alarm(id)
    try snooze(then.adding(seconds: 60), at: then)
    #expect(try alarm(id).fireAt == then.adding(seconds: 60))
    try snooze(nil, at: then)
    #expect(try alarm(id) == ringing && ringing.state == .ringing)
    #expect(try AlarmRepository.fire(at: then, catchUp: .seconds(60), db).isEmpty)
    var values = AlarmRepository.Values()
    values.state = .acknowledged
    try AlarmRepository.update(id, values, among: .all, at: then, in: zone, db)
    try snooze(nil, at: then)
    #expect(try alarm(id).state == .acknowledged)
  }

  @Test("The first moment is counted from a date, in the zone of the reminder or of the house")
  func moments() throws {
    for (text, from, reminder, expected) in [
      ("PT0S", .due, 1, "2026-11-24T15:00:00Z"), ("-PT10M", .due, 1, "2026-11-24T14:50:00Z"),
      ("PT9H", .due, 2, "2026-11-25T08:00:00Z"), ("PT22H", .start, 2, "2026-11-24T21:00:00Z"),
      ("P1D", .due, 2, "2026-11-25T23:00:00Z"),
    ] as [(String, ReminderAlarm.Anchor, Int, String)] {
      let alarm = try create(offset(text, from), of: reminder)
      #expect(try alarm.fireAt == RFC3339.parse(expected), "\(text)")
      #expect(alarm.state == .armed && !alarm.isStale)
    }
    try db.execute("UPDATE reminders SET timeZone = 'America/New_York' WHERE id = 2")
    try settle()
    let moved = try ReminderAlarm.where { $0.offset.eq("PT9H") }.fetchOne(db)
    #expect(try moved?.fireAt == RFC3339.parse("2026-11-25T14:00:00Z"))
    #expect(throws: RuleViolation.alarmWithoutAnchor) { try create(offset("PT0S"), of: 3) }
    #expect(throws: RuleViolation.alarmWithoutAnchor) { try create(offset("PT0S", .start)) }
  }

  @Test("What was due more than a minute ago has passed, and does not ring")
  func passed() throws {
    let minute = now.adding(milliseconds: -60_000)
    #expect(try create(.at(minute)).state == .passed)
    let alarm = try create(.at(minute.adding(milliseconds: 1)))
    #expect(alarm.state == .armed)
    #expect(
      try AlarmRepository.fire(at: now, catchUp: .seconds(86_400), db).map(\.alarmID) == [alarm.id])
    #expect(try AlarmRepository.fire(at: now, catchUp: .seconds(86_400), db).isEmpty)
    #expect(try db.integer("SELECT count(*) FROM firings") == 1)
  }

  @Test("A change of a reminder's dates, zone or completion arms its alarms again")
  func again() throws {
    let alarm = try create(offset("PT0S"))
    let fixed = try create(.at(now.adding(seconds: 60)))
    for (change, state, fireAt) in [
      ("dueDate = '2026-11-24 16:00:00.000'", .armed, "2026-11-24T16:00:00Z"),
      ("title = 'x', priority = 1", .armed, "2026-11-24T16:00:00Z"),
      ("status = 2", .armed, "2026-11-24T16:00:00Z"),
      ("status = 1", .acknowledged, nil), ("status = 0", .armed, "2026-11-24T16:00:00Z"),
      ("dueDate = NULL", .armed, nil), ("dueDate = '2026-11-20'", .passed, nil),
      ("dueDate = '2026-11-25'", .armed, "2026-11-24T23:00:00Z"),
    ] as [(String, ReminderAlarm.State, String?)] {
      try shell.execute("UPDATE reminders SET \(change) WHERE id = 1")
      try settle()
      let stored = try self.alarm(alarm.id)
      #expect(stored.state == state, "\(change)")
      #expect(try stored.fireAt == fireAt.map { try RFC3339.parse($0) }, "\(change)")
    }
    #expect(try self.alarm(fixed.id) == fixed)
  }

  @Test("A shell can set, acknowledge and snooze alarms, and each is a change of the reminder")
  func byShell() throws {
    func version() throws -> Int? {
      try db.integer("SELECT version FROM reminders WHERE id = 1")
    }
    let before = try version()
    try shell.execute("INSERT INTO alarms (reminderID, anchor, offset) VALUES (1, 0, '-PT10M')")
    #expect(try alarm(1).isStale)
    #expect(try db.integer("SELECT alarmCount FROM reminders WHERE id = 1") == 1)
    let added = try version()
    #expect(added != before)
    try settle()
    #expect(try version() == added)
    #expect(try alarm(1).fireAt == RFC3339.parse("2026-11-24T14:50:00Z"))
    try shell.execute("UPDATE alarms SET snoozedUntil = '2026-11-24 18:00:00.000'")
    #expect(try alarm(1).state == .snoozed)
    #expect(try alarm(1).fireAt == RFC3339.parse("2026-11-24T18:00:00Z"))
    try shell.execute("UPDATE alarms SET acknowledgedAt = '2026-11-24 18:00:01.000'")
    #expect(try alarm(1).state == .acknowledged && alarm(1).fireAt == nil)
    let acted = try version()
    #expect(acted != added)
    try shell.execute("UPDATE alarms SET offset = '-PT5M'")
    try settle()
    #expect(try alarm(1).state == .armed && alarm(1).acknowledgedAt == nil)
    #expect(try alarm(1).fireAt == RFC3339.parse("2026-11-24T14:55:00Z"))
    // What is no duration sleeps.
    try shell.execute("UPDATE alarms SET offset = '-P5'")
    try settle()
    #expect(try alarm(1).state == .armed && alarm(1).fireAt == nil)
    let told = try version()
    try db.execute("UPDATE alarms SET state = 1, firedAt = '2026-11-24 18:00:00.000', rung = 1")
    #expect(try version() == told)
    for sql in [
      "INSERT INTO alarms (reminderID, anchor, offset) VALUES (9, 0, 'PT0S')",
      "INSERT INTO alarms (reminderID, at) VALUES (1, 'x')",
      "INSERT INTO alarms (reminderID, at, anchor, offset) VALUES (1, '2026-11-24 18:00:00.000', 0, 'PT0S')",
      "INSERT INTO alarms (reminderID) VALUES (1)",
      "INSERT OR REPLACE INTO alarms (id, reminderID, anchor, offset) VALUES (1, 2, 0, 'PT0S')",
      "UPDATE alarms SET reminderID = 2", "UPDATE alarms SET id = 7",
      "UPDATE alarms SET repeatTimes = 3", "UPDATE alarms SET repeatEvery = 'PT5M'",
      "UPDATE alarms SET fireAt = 'x'",
      """
      INSERT INTO alarms (reminderID, at) WITH RECURSIVE n (i) AS (
        SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20) SELECT 1, '2026-11-24 18:00:00.000' FROM n
      """,
    ] { #expect(shell.refusal(of: sql) != nil, "\(sql)") }
    try RulesOracle(db).check("after refusals")
  }

  @Test("Alarms go and come back with their reminder")
  func trash() throws {
    let alarm = try create(offset("-PT10M"))
    let past = try create(.at(now.adding(seconds: 60)))
    try db.execute("UPDATE alarms SET acknowledgedAt = '2026-11-24 11:00:00.000' WHERE id = 1")
    try shell.execute("DELETE FROM reminders WHERE id = 1")
    #expect(try db.integer("SELECT count(*) FROM alarms") == 0)
    let entry = try #require(try db.integer("SELECT id FROM trash"))
    _ = try TrashRepository.restore(entry, in: db)
    // Ten minutes later, the second has passed.
    try AlarmRepository.settle(at: now.adding(seconds: 600), in: zone, db)
    #expect(try self.alarm(alarm.id).state == .acknowledged)
    #expect(try self.alarm(past.id).state == .passed)
    #expect(try db.integer("SELECT alarmCount FROM reminders WHERE id = 1") == 2)
    // Another program has used an ID again meanwhile.
    try shell.execute("DELETE FROM reminders WHERE id = 1")
    try shell.execute(
      "INSERT INTO alarms (id, reminderID, anchor, offset) VALUES (1, 2, 0, 'PT0S')")
    let again = try #require(try db.integer("SELECT id FROM trash"))
    _ = try TrashRepository.restore(again, in: db)
    #expect(
      try db.texts("SELECT reminderID || ' ' || coalesce(offset, 'at') FROM alarms ORDER BY id")
        == ["2 PT0S", "1 at", "1 -PT10M"])
    try shell.execute("DELETE FROM alarms WHERE id = 1")
    #expect(
      shell.refusal(of: "INSERT OR REPLACE INTO reminders (id, remindersListID) VALUES (1, 1)")
        == ValueRule.replaced.rawValue)
    #expect(try db.integers("SELECT reminderID FROM alarms") == [1, 1])
    try RulesOracle(db).check("after a refusal")
  }

  @Test("An alarm without a reminder, written without the triggers, is deleted")
  func orphan() throws {
    try shell.execute("DROP TRIGGER martlet_alarms_onInsert")
    try shell.execute("INSERT INTO alarms (reminderID, at) VALUES (9, '2026-11-24 18:00:00.000')")
    try settle()
    #expect(try db.integer("SELECT count(*) FROM alarms") == 0)
    #expect(try !AlarmRepository.next(db).isStale)
  }

  @Test("Replacing a reminder's alarms keeps those whose trigger stays")
  func replaced() throws {
    var changes = ReminderRepository.Values()
    changes.alarms = [AlarmTrigger(try offset("-PT10M")), AlarmTrigger(try offset("-P1D"))]
    try ReminderRepository.update(1, changes, at: now, zone: zone, in: db)
    #expect(try db.texts("SELECT offset FROM alarms ORDER BY id") == ["-PT10M", "-P1D"])
    let version = try db.integer("SELECT version FROM reminders WHERE id = 1")
    try ReminderRepository.update(1, changes, at: now, zone: zone, in: db)
    #expect(try db.integer("SELECT version FROM reminders WHERE id = 1") == version)
    // Another program's form of the same duration.
    try shell.execute("UPDATE alarms SET offset = '-PT600S' WHERE id = 1")
    try ReminderRepository.update(1, changes, at: now, zone: zone, in: db)
    #expect(try db.texts("SELECT offset FROM alarms ORDER BY id") == ["-PT600S", "-P1D"])
    changes.alarms = [AlarmTrigger(try offset("-P1D")), AlarmTrigger(.at(now))]
    try ReminderRepository.update(1, changes, at: now, zone: zone, in: db)
    #expect(try db.integers("SELECT id FROM alarms ORDER BY id") == [2, 3])
    changes.alarms = []
    try ReminderRepository.update(1, changes, at: now, zone: zone, in: db)
    #expect(try db.integer("SELECT alarmCount FROM reminders WHERE id = 1") == 0)
    changes.alarms = Array(repeating: AlarmTrigger(.at(now)), count: 21)
    #expect(throws: RuleViolation.tooManyAlarms) {
      try ReminderRepository.update(1, changes, at: now, zone: zone, in: db)
    }
  }

  @Test("A change that does not move an alarm leaves what has become of it")
  func unmoved() throws {
    for state in [ReminderAlarm.State.ringing, .snoozed, .acknowledged] {
      let alarm = try create(offset("-P1DT3H"))
      #expect(alarm.state == .passed)
      let due = try create(offset("-PT3H"))
      #expect(try AlarmRepository.fire(at: now, catchUp: .seconds(60), db).count == 1)
      switch state {
      case .snoozed:
        try shell.execute(
          "UPDATE alarms SET snoozedUntil = '2026-11-24 18:00:00.000' WHERE id = \(due.id)")
      case .acknowledged:
        try shell.execute(
          "UPDATE alarms SET acknowledgedAt = '2026-11-24 12:00:01.000' WHERE id = \(due.id)")
      default: break
      }
      let before = try self.alarm(due.id)
      #expect(before.state == state)
      for change in [
        "startDate = '2026-11-01 00:00:00.000'", "startDate = NULL", "timeZone = 'Europe/Vienna'",
        "timeZone = NULL", "status = 2", "status = 0",
      ] {
        try shell.execute("UPDATE reminders SET \(change) WHERE id = 1")
        try AlarmRepository.settle(at: now.adding(seconds: 300), in: zone, db)
        #expect(try self.alarm(due.id) == before, "\(change)")
      }
      try db.execute("DELETE FROM alarms")
    }
  }

  @Test("A moment rings once, also if the date is changed and changed back")
  func backAgain() throws {
    let alarm = try create(offset("-PT3H"))
    #expect(try AlarmRepository.fire(at: now, catchUp: .seconds(60), db).count == 1)
    for change in ["dueDate = '2099-01-01 00:00:00.000'", "dueDate = '2026-11-24 15:00:00.000'"] {
      try shell.execute("UPDATE reminders SET \(change) WHERE id = 1")
      try settle()
    }
    #expect(try self.alarm(alarm.id).fireAt == now)
    #expect(try AlarmRepository.fire(at: now, catchUp: .seconds(60), db).isEmpty)
    #expect(try self.alarm(alarm.id).state == .passed && self.alarm(alarm.id).fireAt == nil)
  }

  @Test("The alarms of a completed reminder do not ring, whether it recurs or not")
  func completed() throws {
    let alarm = try create(offset("PT0S"))
    try shell.execute("UPDATE reminders SET status = 1 WHERE id = 1")
    try settle()
    try shell.execute("UPDATE alarms SET snoozedUntil = '2026-11-24 18:00:00.000'")
    #expect(try self.alarm(alarm.id).state == .acknowledged && self.alarm(alarm.id).fireAt == nil)
    // One that recurs is armed for the next occurrence, in the same transaction.
    try shell.execute("UPDATE reminders SET recurrenceRule = 'FREQ=DAILY' WHERE id = 2")
    let counted = try create(offset("PT9H"), of: 2)
    let fixed = try AlarmRepository.create(
      AlarmTrigger(.at(now), repetition: .init(every: "PT1M", times: 5)), of: 2, among: .all,
      at: now, in: zone, db)
    #expect(try AlarmRepository.fire(at: now, catchUp: .seconds(60), db).count == 1)
    var changes = ReminderRepository.Values()
    changes.status = .completed
    try ReminderRepository.update(2, changes, at: now, zone: zone, in: db)
    #expect(try self.alarm(fixed).state == .armed)
    #expect(try self.alarm(fixed).fireAt == now.adding(seconds: 86_400))
    #expect(try self.alarm(counted.id).fireAt == RFC3339.parse("2026-11-26T08:00:00Z"))
    #expect(try !AlarmRepository.next(db).isStale)
  }

  @Test("A new repetition of a ringing alarm holds from then on")
  func repetitionEnds() throws {
    let id = try AlarmRepository.create(
      AlarmTrigger(.at(now), repetition: .init(every: "PT5M", times: 3)), of: 1, among: .all,
      at: now, in: zone, db)
    #expect(try AlarmRepository.fire(at: now, catchUp: .seconds(60), db).count == 1)
    #expect(try alarm(id).fireAt == now.adding(seconds: 300))
    var changes = AlarmRepository.Values()
    changes.repetition = .some(nil)
    try AlarmRepository.update(id, changes, among: .all, at: now, in: zone, db)
    #expect(try alarm(id).state == .ringing && alarm(id).fireAt == nil)
  }

  @Test("An alarm whose date is gone can be sent back as it is")
  func withoutItsDate() throws {
    let alarm = try create(offset("-PT10M"))
    try db.execute("UPDATE reminders SET dueDate = NULL WHERE id = 1")
    var changes = AlarmRepository.Values()
    changes.moment = try offset("-PT10M")
    try AlarmRepository.update(alarm.id, changes, among: .all, at: now, in: zone, db)
    #expect(try self.alarm(alarm.id).fireAt == nil)
    changes.moment = try offset("-PT20M")
    #expect(throws: RuleViolation.alarmWithoutAnchor) {
      try AlarmRepository.update(alarm.id, changes, among: .all, at: now, in: zone, db)
    }
  }

  /// The moments at which an alarm with repetitions rings, when the service looks only at some
  /// times. Computed here minute by minute.
  @Test("Repetitions that were missed ring once, and none rings twice", arguments: 0..<40)
  func repetitions(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let every = Int64.random(in: 1...4, using: &random) * 300_000
    let times = Int.random(in: 1...8, using: &random)
    var alarm = ReminderAlarm(of: 1, AlarmTrigger(.at(now)))
    alarm.fireAt = now
    alarm.repeatEvery = CivilDuration(milliseconds: every)?.description
    alarm.repeatTimes = times
    let moments = (0...times).map { now.adding(milliseconds: Int64($0) * every) }
    var time = now.adding(milliseconds: -60_000)
    var rung: [Int] = []
    while time < now.adding(milliseconds: every * Int64(times + 3)) {
      let last = time
      time = time.adding(milliseconds: .random(in: 1...2_000_000, using: &random))
      let firing = alarm.fire(at: time, catchUp: .seconds(86_400))
      let due = moments.indices.filter { moments[$0] > last && moments[$0] <= time }
      #expect((firing != nil) == !due.isEmpty)
      if let firing {
        // The oldest one that was missed is the one that rings.
        #expect(firing.rung == due[0] && firing.dueAt == moments[due[0]])
        rung.append(firing.rung)
      }
      #expect(alarm.fireAt == moments.first { $0 > time })
    }
    #expect(Set(rung).count == rung.count)
  }
}
