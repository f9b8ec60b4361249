import MartletSQLite
import MartletStore
import MartletTime
import Testing

@testable import MartletReminders

/// A database with one list, into which calendar programs and imports write at given times.
struct Calendar {
  let db: Connection
  let zone: ZoneInfo
  /// The alarms of to-dos that name none.
  var defaults: DefaultAlarms?

  init() throws {
    db = try RemindersFile().connect(as: .service)
    zone = try ZoneDatabase.system.zone(named: "Europe/Vienna")
  }

  static func text(_ todos: [[String]]) -> String {
    (["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//EN"]
      + todos.flatMap { ["BEGIN:VTODO", "UID:t"] + $0 + ["END:VTODO"] }
      + ["END:VCALENDAR", ""]).joined(separator: "\r\n")
  }

  /// Stores an object at a time of RFC 3339.
  @discardableResult
  func put(_ todos: [String]..., at now: String) throws -> Int {
    try put(todos: todos, at: now)
  }

  @discardableResult
  func put(todos: [[String]], at now: String) throws -> Int {
    try store(todos: todos, at: now).entry.id
  }

  func store(_ todos: [String]..., at now: String) throws -> CalendarRepository.Stored {
    try store(todos: todos, at: now)
  }

  private func store(todos: [[String]], at now: String) throws -> CalendarRepository.Stored {
    let raw = Calendar.text(todos)
    let text = try Array(raw.utf8).withUnsafeBufferPointer { bytes throws(ObjectText.Fault) in
      try ObjectText(bytes, house: zone)
    }
    let old = try CalendarRepository.entry("t.ics", in: 1, db)
    let place = CalendarRepository.Placement(
      list: 1, name: "t.ics", at: try RFC3339.parse(now), in: zone, defaults: defaults)
    return try CalendarRepository.put(text, raw: raw, place, over: old, in: db)
  }

  /// The text of a reminder as a calendar program reads it, unfolded.
  func lines(_ id: Int) throws -> [String] {
    let text = try CalendarRepository.text(of: id, house: zone, in: db) ?? ""
    return text.replacing("\r\n ", with: "").split(separator: "\r\n").map(String.init)
  }

  func complete(_ id: Int, at now: String) throws {
    var values = ReminderRepository.Values()
    values.status = .completed
    try ReminderRepository.update(id, values, at: RFC3339.parse(now), zone: zone, in: db)
  }

  func due() throws -> String? { try db.text("SELECT dueDate FROM reminders WHERE uid = 't'") }

  /// The alarms as state and next moment.
  func alarms() throws -> [String] {
    try db.texts(
      """
      SELECT CASE state WHEN 0 THEN 'armed' WHEN 1 THEN 'ringing' WHEN 2 THEN 'snoozed' \
      WHEN 3 THEN 'acknowledged' ELSE 'passed' END || coalesce(' ' || substr(fireAt, 1, 16), '') \
      FROM alarms ORDER BY id
      """
    ).compactMap { $0 }
  }

  /// Lets the alarms ring that are due; returns how many have rung.
  func ring(at now: String) throws -> Int {
    try AlarmScheduler.ring(at: RFC3339.parse(now), catchUp: .seconds(86_400), db).count
  }
}
