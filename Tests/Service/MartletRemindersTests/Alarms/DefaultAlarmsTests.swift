import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime
import TestSupport
import Testing

@testable import MartletReminders

@Suite("The default alarms") struct DefaultAlarmsTests {
  /// A change of a due date: the alarms before and after it, as offsets.
  struct Case: Sendable {
    let from: String?
    let to: String?
    var alarms: [String] = []
    var expected: [String] = []
    /// Whether the defaults are `none`.
    var isOff = false
  }

  private static let day = "2026-12-01"
  private static let other = "2026-12-02"
  private static let time = "2026-12-01 09:00:00.000"
  private static let later = "2026-12-02 09:00:00.000"

  static let cases = [
    // The first date, and the first time of day.
    Case(from: nil, to: time, expected: ["PT0S"]),
    Case(from: nil, to: day, expected: ["PT9H"]),
    Case(from: day, to: time, expected: ["PT0S"]),
    Case(from: nil, to: time, alarms: ["at"], expected: ["at"]),
    // The default of the old kind becomes that of the new one.
    Case(from: day, to: time, alarms: ["PT9H"], expected: ["PT0S"]),
    Case(from: time, to: day, alarms: ["PT0S"], expected: ["PT9H"]),
    Case(from: time, to: day, alarms: ["-PT1H", "PT0S"], expected: ["-PT1H", "PT9H"]),
    Case(from: time, to: day, alarms: ["PT0S", "PT9H"], expected: ["PT9H"]),
    Case(from: time, to: day, alarms: ["-PT1H"], expected: ["-PT1H"]),
    // The alarm was removed.
    Case(from: time, to: day),
    Case(from: time, to: later),
    Case(from: day, to: other),
    // The kind stays, or the date goes.
    Case(from: time, to: later, alarms: ["PT0S"], expected: ["PT0S"]),
    Case(from: day, to: other, alarms: ["-P1D"], expected: ["-P1D"]),
    Case(from: time, to: nil, alarms: ["PT0S"], expected: ["PT0S"]),
    // Without defaults.
    Case(from: nil, to: time, isOff: true),
    Case(from: day, to: time, alarms: ["PT9H"], expected: ["PT9H"], isOff: true),
  ]

  @Test("Each change of a due date", arguments: cases)
  func changes(_ given: Case) throws {
    let file = try RemindersFile()
    let db = try file.connect(as: .service)
    let now = try RFC3339.parse("2026-11-24T12:00:00Z")
    try DefaultAlarms.store(given.isOff ? .none : try Self.values("PT0S", "PT9H"), in: db)
    var values = ReminderRepository.Values()
    (values.listID, values.title) = (1, "r")
    values.dueDate = given.from.map { DueDate(stored: $0) }
    values.alarms = try given.alarms.map { text in
      if text == "at" { return AlarmTrigger(.at(now.adding(seconds: 60))) }
      return AlarmTrigger(.offset(try #require(CivilDuration(text)), from: .due))
    }
    let id = try ReminderRepository.create(values, at: now, in: db)
    func alarms() throws -> [String] {
      try ReminderAlarm.where { $0.reminderID == id }.order { $0.id }.fetchAll(db)
        .map { $0.offset ?? "at" }
    }
    func update(_ change: (inout ReminderRepository.Values) -> Void) throws {
      var values = ReminderRepository.Values()
      change(&values)
      try ReminderRepository.update(
        id, values, at: now, fixed: DefaultAlarms.Values(), in: db)
    }
    // Another field changes nothing, nor does the same date.
    try update { $0.title = "s" }
    try update { $0.dueDate = .some(given.from.flatMap { DueDate(stored: $0) }) }
    #expect(try alarms() == given.alarms)
    try update { $0.dueDate = .some(given.to.flatMap { DueDate(stored: $0) }) }
    #expect(try Set(alarms()) == Set(given.expected), "\(given)")
    #expect(try db.value("SELECT count(*) FROM alarms WHERE isStale")?.integer == 0)
    // Alarms of the body win, also none.
    try update { $0.dueDate = .some(nil) }
    try update {
      $0.dueDate = .some(DueDate(stored: Self.time))
      $0.alarms = []
    }
    #expect(try alarms().isEmpty)
    #expect(
      try db.value("SELECT alarmCount FROM reminders WHERE id = \(id)")?.integer == 0)
  }

  private static func values(_ timed: String?, _ day: String?) throws -> DefaultAlarms.Values {
    var values = DefaultAlarms.Values()
    values.timed = .some(try timed.map { try #require(CivilDuration($0)) })
    values.day = .some(try day.map { try #require(CivilDuration($0)) })
    return values
  }

  @Test("A new file has an alarm for days, and an older one keeps having none")
  func migrated() throws {
    let file = try RemindersFile()
    let db = try file.connect(as: .service)
    let new = try DefaultAlarms.stored(fixed: DefaultAlarms.Values(), in: db)
    #expect(new.timed == CivilDuration("PT0S") && new.day == CivilDuration("PT9H"))
    // As the migration finds a file that is in use.
    try db.execute(
      """
      DROP TABLE settings; INSERT INTO reminders (remindersListID, title) VALUES (1, 'a');
      \(try Repository.text("Migrations/0023_settings.sql"))
      ALTER TABLE settings ADD COLUMN cannotSendSince TEXT;
      \(try Repository.text("Migrations/0028_calendar_alarms.sql"))
      """)
    let old = try DefaultAlarms.stored(fixed: DefaultAlarms.Values(), in: db)
    #expect(old.timed == CivilDuration("PT0S") && old.day == nil)
  }

  @Test("What the operator has set wins, and an unreadable text of another program is no alarm")
  func fixed() throws {
    let file = try RemindersFile()
    let db = try file.connect(as: .service)
    var fixed = DefaultAlarms.Values()
    fixed.day = .some(nil)
    try DefaultAlarms.store(Self.values("-PT10M", "PT8H"), in: db)
    var found = try DefaultAlarms.stored(fixed: fixed, in: db)
    #expect(found.timed == CivilDuration("-PT10M") && found.day == nil)
    try db.execute("UPDATE settings SET defaultAlarm = 'soon'")
    found = try DefaultAlarms.stored(fixed: DefaultAlarms.Values(), in: db)
    #expect(found.timed == nil && found.day == CivilDuration("PT8H"))
    // Without the row there is no alarm, and it comes back.
    try db.execute("DELETE FROM settings")
    #expect(try DefaultAlarms.stored(fixed: DefaultAlarms.Values(), in: db) == DefaultAlarms())
    try DefaultAlarms.store(Self.values("PT0S", nil), in: db)
    #expect(try db.value("SELECT defaultAlarm FROM settings")?.text == "PT0S")
  }

  @Test("A completed reminder gets no alarm")
  func completed() throws {
    let file = try RemindersFile()
    let db = try file.connect(as: .service)
    let now = try RFC3339.parse("2026-11-24T12:00:00Z")
    var values = ReminderRepository.Values()
    (values.listID, values.title, values.status) = (1, "r", .completed)
    let id = try ReminderRepository.create(values, at: now, in: db)
    values = ReminderRepository.Values()
    values.dueDate = .some(DueDate(stored: Self.time))
    try ReminderRepository.update(id, values, at: now, fixed: DefaultAlarms.Values(), in: db)
    #expect(try db.value("SELECT count(*) FROM alarms")?.integer == 0)
  }
}
