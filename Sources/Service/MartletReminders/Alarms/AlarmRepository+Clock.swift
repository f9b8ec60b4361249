import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime

// What the clock does to alarms.
extension AlarmRepository {
  /// The largest number of alarms that are worked out in one write, and of rows that are written
  /// for alarms that ring: other writes wait for it.
  static let portion = 50

  /// Works out when the stale alarms of a reminder ring, or some of all stale ones.
  static func settle(
    of reminder: Int? = nil, at now: Instant, in zone: ZoneInfo, _ db: Connection
  ) throws {
    let stale = try stale(of: reminder).limit(portion).fetchAll(db)
    var known: Reminder?
    for var alarm in stale {
      if known?.id != alarm.reminderID { known = try Reminder.find(alarm.reminderID).fetchOne(db) }
      guard let known else {
        // Written without the triggers. It would stay stale for ever.
        try ReminderAlarm.find(alarm.id).delete().execute(db)
        continue
      }
      let old = alarm
      alarm.arm(for: known, at: now, in: zone)
      try store(alarm, insteadOf: old, db)
    }
  }

  /// Moves the alarms of fixed times with a reminder that goes to another occurrence.
  static func shift(
    with reminder: Reminder, to new: DueDate?, in zone: ZoneInfo, _ db: Connection
  ) throws {
    guard reminder.alarmCount > 0, let old = reminder.dueDate, let new, old != new else { return }
    let zone = reminder.zone(or: zone)
    for alarm in try ReminderAlarm.where({ $0.reminderID == reminder.id }).fetchAll(db) {
      guard let at = alarm.at else { continue }
      let moved = AlarmTrigger.Moment.at(at).shifted(from: old, to: new, in: zone)
      if case .at(let instant) = moved, instant != at {
        try ReminderAlarm.find(alarm.id).update { $0.at = instant }.execute(db)
      }
    }
  }

  /// Arms the alarms of a reminder that has moved on to its next occurrence. One of a fixed time
  /// that rings, and has not moved with it, is acknowledged.
  static func moveOn(
    with reminder: Reminder, to due: DueDate?, at now: Instant, in zone: ZoneInfo,
    _ db: Connection
  ) throws {
    guard reminder.alarmCount > 0 else { return }
    try shift(with: reminder, to: due, in: zone, db)
    try ReminderAlarm
      .where { $0.reminderID == reminder.id && $0.at.isNot(nil) }
      .where { $0.state.in([.ringing, .snoozed]) && !$0.isStale }
      .update { $0.acknowledgedAt = now }.execute(db)
    try settle(of: reminder.id, at: now, in: zone, db)
  }

  /// The alarms whose next moment is not known; of a reminder, or all.
  static func stale(of reminder: Int? = nil) -> Where<ReminderAlarm> {
    ReminderAlarm.where {
      // A partial index is only used for this text.
      #sql("\($0.isStale) = 1", as: Bool.self)
      if let reminder { $0.reminderID == reminder }
    }
  }

  /// The alarms that are due, the first ones first.
  static func due(at now: Instant, most: Int = portion) -> some Statement<ReminderAlarm> {
    ReminderAlarm.where { $0.fireAt <= now && !$0.isStale }
      .order { ($0.fireAt, $0.id) }.limit(most)
  }

  /// The next instant at which an alarm rings.
  static func first() -> some Statement<Instant?> {
    ReminderAlarm.where { $0.fireAt.isNot(nil) && !$0.isStale }
      .order { ($0.fireAt, $0.id) }.limit(1).select(\.fireAt)
  }

  /// Lets the alarms ring that are due, the first ones first. Returns what has rung.
  static func fire(
    at now: Instant, catchUp: Duration, most: Int = portion, _ db: Connection
  ) throws -> [Firing] {
    let due = try due(at: now, most: most).fetchAll(db)
    var firings: [Firing] = []
    for var alarm in due {
      let old = alarm
      if let firing = alarm.fire(at: now, catchUp: catchUp) {
        // It has rung for this moment if its date was changed and changed back.
        try Firing.insert {
          Firing.Draft(
            alarmID: firing.alarmID, reminderID: firing.reminderID, dueAt: firing.dueAt,
            rung: firing.rung, firedAt: firing.firedAt)
        }.onConflictDoNothing().execute(db)
        if db.changes > 0 {
          firings.append(firing.stored(as: Int(db.lastInsertRowID)))
        } else {
          (alarm.state, alarm.fireAt) = (.passed, nil)
        }
      }
      try store(alarm, insteadOf: old, db)
    }
    return firings
  }

  /// Stores what the clock does. The answers of clients are written only if they go: their triggers
  /// cost more than the rest.
  private static func store(
    _ alarm: ReminderAlarm, insteadOf old: ReminderAlarm, _ db: Connection
  ) throws {
    try ReminderAlarm.find(alarm.id).update {
      $0.state = alarm.state
      $0.fireAt = alarm.fireAt
      $0.isStale = alarm.isStale
      $0.rung = alarm.rung
      $0.firedAt = alarm.firedAt
      $0.armedFor = alarm.armedFor
      if alarm.snoozedUntil != old.snoozedUntil { $0.snoozedUntil = alarm.snoozedUntil }
      if alarm.acknowledgedAt != old.acknowledgedAt { $0.acknowledgedAt = alarm.acknowledgedAt }
    }.execute(db)
  }

  /// The next instant at which an alarm rings, and whether any is stale.
  static func next(_ db: Connection) throws -> (fireAt: Instant?, isStale: Bool) {
    let first = try first().fetchOne(db) ?? nil
    return (first, try stale().limit(1).select(\.id).fetchOne(db) != nil)
  }

  /// Marks the armed alarms whose moment depends on a zone, if the zone of reminders without one or
  /// the zone files have changed since the last time.
  static func followZones(_ zone: ZoneInfo, files: String, _ db: Connection) throws {
    let (name, files) = (Value.text(zone.identifier), Value.text(files))
    let isKnown = try db.value(
      "SELECT 1 FROM alarmClock WHERE zone = ? AND zoneFiles = ?", name, files)
    guard isKnown == nil else { return }
    try db.execute(
      "UPDATE alarms SET isStale = 1 WHERE state = 0 AND anchor IS NOT NULL AND fireAt IS NOT NULL")
    try db.run("INSERT OR REPLACE INTO alarmClock VALUES (1, ?, ?)", name, files)
  }
}
