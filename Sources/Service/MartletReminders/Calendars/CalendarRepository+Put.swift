import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime

extension CalendarRepository {
  /// The result of storing a calendar text.
  package struct Stored: Sendable {
    /// The reminder.
    package let entry: Entry
    /// Whether it is new.
    package let isNew: Bool
    /// Whether a client reads what it has written, byte for byte.
    package let isAsPut: Bool
    /// The parts that were not understood, as sentences.
    package let unread: [String]
  }

  /// Why a text cannot be stored at a path.
  package enum Conflict: Error {
    /// Another reminder of the list, with this name, has the UID.
    case uidExists(name: String)
    /// The reminder at the path has another UID.
    case otherUID
  }

  /// How a text is stored.
  package struct Placement: Sendable {
    /// The list, and the last part of the path.
    package let list: Int
    package let name: String
    package let now: Instant
    /// The zone of times that name none.
    package let zone: ZoneInfo
    /// The alarms of to-dos that name none; `nil`: these get none.
    package let defaults: DefaultAlarms?

    package init(
      list: Int, name: String, at now: Instant, in zone: ZoneInfo, defaults: DefaultAlarms? = nil
    ) {
      self.list = list
      self.name = name
      self.now = now
      self.zone = zone
      self.defaults = defaults
    }
  }

  /// Stores a text at a path. Throws a ``Conflict``.
  ///
  /// Nothing in the text is refused for a rule of the service: what a reminder cannot have stays in
  /// the text alone.
  package static func put(
    _ text: ObjectText, raw: String, _ place: Placement, over old: Entry?, in db: Connection
  ) throws -> Stored {
    var said = text.master.reminder
    if let old {
      let stored = try stored(old.id, in: db)
      guard stored?.reminder.values.uid == said.values.uid else { throw Conflict.otherUID }
      said.setDefaultAlarm(over: stored?.reminder, place.defaults)
    } else if let uid = text.master.reminder.values.uid,
      let other = try entry(uid: uid, in: place.list, db)
    {
      throw Conflict.uidExists(name: other.name)
    } else {
      said.setDefaultAlarm(over: nil, place.defaults)
    }
    let children = try newChildren(said, of: old?.id, db)
    let id: Int
    var isAll = true
    if let old {
      id = old.id
      isAll = try update(id, said, at: place.now, in: place.zone, db)
    } else {
      let name = isReserved(object: place.name) ? nil : place.name
      id = try create(said, name: name, place, db)
    }
    let unread =
      try said.unread + text.parts.flatMap(\.own.unread) + fold(text.parts, said, id, place, db)
    try setParent(of: id, said, db)
    try adopt(children, below: id, db)
    let isMoved = try moved(id, text, place, db)
    let isAsPut = isAll && !isMoved && text.parts.isEmpty && text.isWhole
    try db.run(
      """
      INSERT INTO calendarObjects (reminderID, raw, lines) VALUES (?1, ?2, ?3)
      ON CONFLICT (reminderID) DO UPDATE SET raw = excluded.raw, lines = excluded.lines
      """, .integer(Int64(id)), isAsPut ? .text(raw) : .null,
      said.storedLines.map { .text($0) } ?? .null)
    if old == nil, said.parentUID == nil { try adopt(id, db) }
    guard let entry = try entry(id, db) else { throw DomainError.notFound(.reminder(id)) }
    return Stored(entry: entry, isNew: old == nil, isAsPut: isAsPut, unread: unread)
  }

  /// Whether the dates or the status are not those of the text: a series has moved on.
  private static func moved(
    _ id: Int, _ text: ObjectText, _ place: Placement, _ db: Connection
  ) throws -> Bool {
    guard let now = try stored(id, in: db)?.reminder else { return true }
    let said = text.master.reminder
    return TodoDates(of: now.values, house: place.zone)
      != TodoDates(of: said.values, house: place.zone)
      || (now.values.status == .completed) != (said.values.status == .completed)
  }

  static func create(
    _ new: TransferReminder, name: String?, _ place: Placement, _ db: Connection
  ) throws -> Int {
    var values = new.values
    values.listID = place.list
    // The completion of a series moves it on, from the time at which it was completed.
    let isDone = values.status == .completed && (values.recurrence ?? nil) != nil
    if isDone { values.status = .incomplete }
    let id = try ReminderRepository.create(values, at: place.now, zone: place.zone, in: db)
    // First, so that it never has another name.
    try CalendarObject.insert { CalendarObject(reminderID: id, name: name) }.execute(db)
    try AlarmRepository.add(new.storedAlarms, to: id, at: place.now, in: place.zone, db)
    try Reminder.find(id).update {
      if let created = new.createdAt { $0.createdAt = created }
    }.execute(db)
    if isDone {
      try update(id, new, at: place.now, in: place.zone, db)
    } else {
      try setCompleted(id, new, db)
    }
    return id
  }

  /// The time of a completion that the client says, in whole seconds.
  private static func setCompleted(
    _ id: Int, _ said: TransferReminder, _ db: Connection
  ) throws {
    guard let time = said.completedAt, let row = try Reminder.find(id).fetchOne(db),
      row.status == .completed, row.completedAt?.whole != time
    else { return }
    try Reminder.find(id).update { $0.completedAt = time }.execute(db)
  }

  /// Changes a reminder to what a to-do says, without its parent: only what differs.
  ///
  /// Returns whether the to-do says all: some programs drop what they do not know, so a flag, a
  /// snooze and the like stay as they are without their lines.
  @discardableResult
  static func update(
    _ id: Int, _ said: TransferReminder, at now: Instant, in zone: ZoneInfo, _ db: Connection
  ) throws -> Bool {
    let old = try Reminder.stored(id, among: .all, in: db)
    guard let before = try stored(id, in: db)?.reminder else { return true }
    var changes = said.values
    (changes.uid, changes.listID, changes.parentID) = (nil, nil, nil)
    let oldDates = TodoDates(of: before.values, house: zone)
    let dates = TodoDates(of: changes, house: zone).completed(by: oldDates, changes, house: zone)
    dates.set(&changes, house: zone)
    let elsewhere = elsewhere(old, oldDates, dates, changes, zone)
    let isKnown = try isPast(dates, of: id, oldDates, db)
    // What has become of it since then is newer.
    if isKnown { changes.status = nil }
    if dates == oldDates || elsewhere != nil || isKnown {
      (changes.dueDate, changes.startDate) = (nil, nil)
      (changes.timeZone, changes.recurrence) = (nil, nil)
    }
    if changes.status == before.values.status { changes.status = nil }
    // The next occurrence of a series can depend on when it was completed.
    let time = changes.status == .completed ? said.completedAt.map { min($0, now) } : nil
    try ReminderRepository.update(id, changes, at: time ?? now, zone: zone, in: db)
    if let elsewhere, let row = try Reminder.find(id).fetchOne(db) {
      let next = NextOccurrence(elsewhere, dates.start, of: row)
      try CompletionRepository.move(
        row, to: next, .elsewhere, at: now, zone: zone, in: db)
    }
    if !isKnown { try setCompleted(id, said, db) }
    let isSaid = try putAlarms(said, dates, hidden(before, oldDates), of: id, at: now, in: zone, db)
    return isSaid && (said.values.isFlagged != nil || before.values.isFlagged != true)
  }

  /// Stores the alarms that a client has said. Returns whether it has said all of them.
  @discardableResult
  static func putAlarms(
    _ said: TransferReminder, _ dates: TodoDates, _ hidden: [TransferAlarm] = [], of id: Int,
    at now: Instant, in zone: ZoneInfo, _ db: Connection
  ) throws -> Bool {
    let alarms = try current(said.alarms, dates, of: id, zone, db)
    let unsaid = hidden + [said.defaultAlarm].compactMap { $0 }
    return try AlarmRepository.put(alarms + unsaid, of: id, at: now, in: zone, db)
  }

  /// The alarms that a client has said for an occurrence, for the one that the reminder has now.
  private static func current(
    _ alarms: [TransferAlarm], _ dates: TodoDates, of id: Int, _ zone: ZoneInfo, _ db: Connection
  ) throws -> [TransferAlarm] {
    guard let row = try Reminder.find(id).fetchOne(db), row.recurrenceRule != nil,
      let said = dates.due, let due = row.dueDate, said != due
    else { return alarms }
    return alarms.map { alarm in
      var alarm = alarm
      alarm.trigger.moment = alarm.trigger.moment.shifted(
        from: said, to: due, in: row.zone(or: zone))
      return alarm
    }
  }

  /// The alarms that a client has not seen.
  static func hidden(_ before: TransferReminder, _ dates: TodoDates) -> [TransferAlarm] {
    let shown = TodoAlarms.shown(before.alarms, dates)
    return before.alarms.filter { !shown.contains($0) }
  }

  /// The later occurrence of the same series to which a client has moved an open reminder. Clients
  /// complete the current occurrence that way.
  private static func elsewhere(
    _ old: Reminder, _ before: TodoDates, _ dates: TodoDates, _ changes: ReminderRepository.Values,
    _ zone: ZoneInfo
  ) -> DueDate? {
    guard changes.status == .incomplete, let was = before.due, let due = dates.due,
      was.isTimed == due.isTimed, was.stored < due.stored, let rule = dates.rule,
      let oldRule = before.rule, TodoDates.uncounted(rule) == TodoDates.uncounted(oldRule),
      // One that is left out from now on is not completed.
      !dates.excluded.contains(was), let series = old.series(in: zone)
    else { return nil }
    for occurrence in series.occurrences(after: Occurrence(was)).prefix(mostMissed) {
      let next = DueDate(occurrence)
      if next == due { return due }
      if next.stored > due.stored { return nil }
    }
    return nil
  }

  /// Whether the text is about an earlier occurrence that is completed, skipped or left out
  /// already: some clients write the same text twice, or an old one.
  private static func isPast(
    _ dates: TodoDates, of id: Int, _ before: TodoDates, _ db: Connection
  ) throws -> Bool {
    guard let was = before.due, let due = dates.due, due.stored < was.stored,
      let rule = dates.rule, let oldRule = before.rule,
      TodoDates.uncounted(rule) == TodoDates.uncounted(oldRule)
    else { return false }
    let isLeftOut =
      before.excluded.contains(due) && dates.excluded.allSatisfy(before.excluded.contains)
    return try isLeftOut || isRecorded(due, of: id, db)
  }

  /// Whether an occurrence was completed or skipped.
  static func isRecorded(_ occurrence: DueDate, of id: Int, _ db: Connection) throws -> Bool {
    try Completion.where { $0.reminderID == id && $0.dueDate.eq(occurrence) }
      .limit(1).select(\.id).fetchOne(db) != nil
  }

  /// How many occurrences a client may move on at once.
  private static let mostMissed = 1_000
}
