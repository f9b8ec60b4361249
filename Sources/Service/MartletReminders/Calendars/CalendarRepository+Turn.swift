import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime

/// A series that goes on differently from one occurrence on: `RECURRENCE-ID` with
/// `RANGE=THISANDFUTURE` (RFC 5545 section 3.2.13).
extension CalendarRepository {
  /// The occurrences that a part changes.
  enum Reach {
    /// The one at its date.
    case one
    /// The one and all later ones.
    case following
    /// The same, but no rule gives the later ones. Only the one is changed.
    case unread
  }

  /// Whether a change of this and all later occurrences changes nothing.
  static func isRepetition(
    _ part: TransferOccurrence, of id: Int, _ db: Connection
  ) throws -> Bool {
    guard part.kind == .following, let series = try stored(id, in: db)?.reminder else {
      return false
    }
    if part.isCancelled { return series.values.status == .completed }
    return part.reminder.values.status != .completed
      && part.own.isSame(as: series, at: part.date)
  }

  /// The occurrences that a part changes.
  ///
  /// Some programs complete an occurrence with a part for all later ones, and add another one for
  /// the next: only the last of them can end the series.
  ///
  /// - Parameter isLast: Whether no later part holds for all that follow.
  static func reach(
    of part: TransferOccurrence, _ id: Int, isLast: Bool, _ place: Placement, _ db: Connection
  ) throws -> Reach {
    guard part.kind == .following, let row = try Reminder.find(id).fetchOne(db),
      row.status != .completed, row.recurrenceRule != nil
    else { return .one }
    if part.isCancelled { return .following }
    if part.reminder.values.status == .completed { return isLast ? .following : .one }
    return following(part, row, place.zone) == nil ? .unread : .following
  }

  /// Ends the series before a part, and begins the other one.
  ///
  /// - Parameter date: The date of the part in its text.
  static func turnSeries(
    _ id: Int, at part: TransferOccurrence, from date: DueDate, _ place: Placement,
    _ db: Connection
  ) throws -> TurnedSeries {
    let turned = TurnedSeries(id: id, part: part)
    guard let row = try Reminder.find(id).fetchOne(db), let due = row.dueDate else {
      return turned
    }
    if part.reminder.values.status == .completed, !part.isCancelled {
      try end(row, with: part.date, db)
      try foldSingle([part], into: id, place, db)
      return turned
    }
    if part.isCancelled {
      if due.stored < part.date.stored {
        try end(row, with: part.date.before, db)
      } else {
        var over = ReminderRepository.Values()
        (over.recurrence, over.status) = (.some(nil), .completed)
        try ReminderRepository.update(id, over, at: place.now, zone: place.zone, in: db)
      }
      return turned
    }
    guard let recurrence = following(part, row, place.zone) else { return turned }
    var own = part.own
    own.values.recurrence = recurrence
    if let due = Self.due(of: part, row) {
      if own.values.dueDate ?? nil == nil { own.values.startDate = .some(nil) }
      own.values.dueDate = .some(due)
      // A time in UTC names no zone: the series keeps its own.
      if due.isTimed, own.values.timeZone ?? nil == nil { own.values.timeZone = row.timeZone }
    }
    if let next = own.values.dueDate ?? nil {
      turned.lead = TodoLead(from: date, to: next, in: row.zone(or: place.zone))
      turned.part.own = own
    }
    guard due.stored < part.date.stored else {
      // All that is left of it is different.
      let before = try stored(id, in: db)?.reminder
      (own.values.uid, own.values.listID, own.values.parentID) = (nil, nil, nil)
      try ReminderRepository.update(id, own.values, at: place.now, zone: place.zone, in: db)
      own.setDefaultAlarm(over: before, place.defaults)
      _ = try AlarmRepository.put(own.storedAlarms, of: id, at: place.now, in: place.zone, db)
      return turned
    }
    turned.id = try setApart(own, over: known(part, place, db), place, db)
    try end(row, with: part.date.before, db)
    return turned
  }

  /// How the series recurs from a part on; `nil` if no rule gives the dates.
  private static func following(
    _ part: TransferOccurrence, _ row: Reminder, _ house: ZoneInfo
  ) -> Recurrence.Values? {
    // Its own rule if it has one.
    if let said = part.reminder.values.recurrence ?? nil { return said }
    guard let due = due(of: part, row), let text = row.recurrenceRule,
      let rule = try? RecurrenceRule(text), let start = row.recurrenceStart ?? row.dueDate
    else { return nil }
    let zone = row.zone(or: house)
    guard let rest = try? RecurrenceRule(rule.from(part.date, start: start, in: zone).rest),
      let moved = TodoLead(from: part.date, to: due, in: zone).ruleOfDue(rest, from: due)
    else { return nil }
    var values = Recurrence.Values()
    (values.rule, values.start) = (moved, .some(due))
    if case .instant(let first) = start, case .instant(let next) = due,
      let time = zone.time(at: first).skipped(by: next, in: zone),
      let begun = moved.begun(before: time, in: zone)
    {
      (values.rule, values.start) = (begun.rule, .some(.instant(begun.start)))
    }
    values.basis = row.recurrenceBasis
    let lead = TodoLead(from: part.date, to: due, in: zone)
    values.excluded = row.excluded.filter { $0.stored >= part.date.stored }
      .map { lead.excluded(fromStart: $0) }
    return values
  }

  /// When a part is due: at its `DTSTART` if the series has no other date.
  private static func due(of part: TransferOccurrence, _ row: Reminder) -> DueDate? {
    if let due = part.own.values.dueDate ?? nil { return due }
    return row.startDate == nil ? part.own.values.startDate ?? nil : nil
  }

  /// Ends a series with its occurrence at a date, or the last one before it.
  private static func end(_ row: Reminder, with date: DueDate, _ db: Connection) throws {
    guard let text = row.recurrenceRule, let rule = try? RecurrenceRule(text) else { return }
    let ended = rule.ending(with: Occurrence(date))
    try Reminder.find(row.id).update { $0.recurrenceRule = ended.description }.execute(db)
  }
}

extension TransferReminder {
  /// Whether it says the same as the series of which it is the occurrence at a date.
  func isSame(as series: TransferReminder, at date: DueDate?) -> Bool {
    func compared(_ reminder: TransferReminder) -> ReminderRepository.Values {
      var values = reminder.values
      (values.uid, values.listID, values.parentID, values.status) = (nil, nil, nil, nil)
      (values.dueDate, values.startDate, values.recurrence, values.timeZone) = (nil, nil, nil, nil)
      values.isFlagged = values.isFlagged ?? false
      return values
    }
    let isDue = (values.dueDate ?? nil).map { $0 == date } ?? true
    return isDue && compared(self) == compared(series)
      && alarms.map(\.trigger) == series.alarms.map(\.trigger)
  }
}
