import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime

/// The other dialect of to-dos that recur: a master from the first date on, and a part for each
/// occurrence that was changed or completed (RFC 5545 section 3.8.4.4), as Thunderbird writes it.
extension CalendarRepository {
  /// Takes the parts in. Completed ones become completions, and the reminder moves past them; a
  /// part that was changed or added becomes a reminder of its own, and an excluded date. From one
  /// whose change holds for all later ones on, the series is another one.
  ///
  /// - Parameters:
  ///   - parts: By their due dates.
  ///   - said: The to-do of the series, whose alarms are those of the occurrence that it comes to.
  /// - Returns: What was not understood, as sentences.
  static func fold(
    _ parts: [TransferOccurrence], _ said: TransferReminder, _ id: Int, _ place: Placement,
    _ db: Connection
  ) throws -> [String] {
    // Most texts are of no series: nothing can move on.
    guard !parts.isEmpty || (said.values.recurrence ?? nil) != nil else { return [] }
    let before = try Reminder.find(id).select(\.dueDate).fetchOne(db) ?? nil
    var unread: [String] = []
    if parts.isEmpty {
      // The current occurrence may be left out.
      try complete([:], of: id, place, db)
    } else {
      unread = try fold(parts, into: id, place, db)
    }
    let after = try Reminder.find(id).select(\.dueDate).fetchOne(db) ?? nil
    if before != after, let stored = try stored(id, in: db)?.reminder {
      let hidden = hidden(stored, TodoDates(of: stored.values, house: place.zone))
      let dates = TodoDates(of: said.values, house: place.zone)
      try putAlarms(said, dates, hidden, of: id, at: place.now, in: place.zone, db)
    }
    return unread
  }

  private static func fold(
    _ parts: [TransferOccurrence], into id: Int, _ place: Placement, _ db: Connection
  ) throws -> [String] {
    let parts = parts.sorted { $0.date.stored < $1.date.stored }
    let last = parts.last { $0.kind == .following }?.date
    var (id, unread) = (id, [String]())
    var turned: TurnedSeries?
    var single: [TransferOccurrence] = []
    for given in parts {
      var part = given
      part.date = turned?.date(of: given.date) ?? given.date
      if try isRepetition(part, of: id, db) { continue }
      let reach = try reach(of: part, id, isLast: given.date == last, place, db)
      guard reach == .following else {
        if let turned, part.kind == .added { try turned.change(&part, place, db) }
        single.append(part)
        if reach == .unread {
          unread.append(
            "The change from \(given.date) on is one of that occurrence alone: no rule gives the later ones."
          )
        }
        continue
      }
      try foldSingle(single, into: id, place, db)
      single = []
      turned = try turnSeries(id, at: part, from: given.date, place, db)
      id = turned?.id ?? id
    }
    try foldSingle(single, into: id, place, db)
    return unread
  }

  /// Takes in parts that say nothing of later ones.
  static func foldSingle(
    _ parts: [TransferOccurrence], into id: Int, _ place: Placement, _ db: Connection
  ) throws {
    var excluded: [DueDate] = []
    var done: [String: TransferReminder] = [:]
    var apart: [DueDate: Int] = [:]
    // First, so that their changes find them. What has become of one since then is newer.
    for part in parts where part.kind == .added && !part.isCancelled {
      let known = try known(part, place, db)
      // The date of an occurrence that is done comes back if a program has moved the series on.
      guard try known != nil || !isRecorded(part.date, of: id, db) else { continue }
      apart[part.date] = try known ?? setApart(part.own, over: nil, place, db)
    }
    for part in parts where part.kind != .added {
      let known = try apart[part.date] ?? known(part, place, db)
      if part.isCancelled {
        excluded.append(part.date)
        if let known { try ReminderRepository.delete(known, in: db) }
      } else if part.reminder.values.status == .completed, known == nil {
        done[part.date.stored] = part.reminder
      } else {
        excluded.append(part.date)
        try setApart(part.own, over: known, place, db)
      }
    }
    try exclude(excluded, from: id, db)
    try complete(done, of: id, place, db)
  }

  /// The reminder that an occurrence has become before.
  static func known(
    _ part: TransferOccurrence, _ place: Placement, _ db: Connection
  ) throws -> Int? {
    try part.own.values.uid.flatMap {
      try ReminderRepository.withUID($0, in: place.list).fetchOne(db)
    }
  }

  /// Makes an occurrence a reminder of its own, with all that its text says.
  @discardableResult
  static func setApart(
    _ reminder: TransferReminder, over known: Int?, _ place: Placement, _ db: Connection
  ) throws -> Int {
    var said = reminder
    said.setDefaultAlarm(
      over: try known.flatMap { try stored($0, in: db)?.reminder }, place.defaults)
    if let known { try update(known, said, at: place.now, in: place.zone, db) }
    let id = try known ?? create(said, name: nil, place, db)
    try keep(said.storedLines, of: id, in: db)
    try setParent(of: id, said, db)
    return id
  }

  private static func exclude(
    _ dates: [DueDate], from id: Int, _ db: Connection
  ) throws {
    guard !dates.isEmpty, let row = try Reminder.find(id).fetchOne(db), row.recurrenceRule != nil
    else { return }
    let known = row.excluded
    var all = known + dates.filter { !known.contains($0) }.sorted { $0.stored < $1.stored }
    // The series is past the earlier ones.
    if all.count > Recurrence.mostExcluded, let due = row.dueDate {
      all.removeAll { $0.stored < due.stored }
    }
    let texts = Recurrence.text(ofExcluded: Array(all.prefix(Recurrence.mostExcluded)))
    try Reminder.find(id).update { $0.recurrenceExcluded = texts }.execute(db)
  }

  /// Records the completed occurrences, and moves the reminder past them and past excluded ones.
  /// If no other one is left, it is completed.
  private static func complete(
    _ done: [String: TransferReminder], of id: Int, _ place: Placement, _ db: Connection
  ) throws {
    var done = done
    var isBehind = false
    for _ in 0..<ObjectText.mostParts {
      guard let row = try Reminder.find(id).fetchOne(db), row.status != .completed,
        row.recurrenceRule != nil, let due = row.dueDate
      else { break }
      let part = done.removeValue(forKey: due.stored)
      if let part, try !isRecorded(due, of: id, db) {
        let time = part.completedAt ?? place.now
        try CompletionRepository.completeCurrent(row, at: time, in: place.zone, db)
      } else if try part != nil || row.leavesOut(due, in: place.zone)
        || isBehind && isRecorded(due, of: id, db)
      {
        guard let next = NextOccurrence(after: row, in: place.zone) else {
          if part == nil { try CompletionRepository.finish(id, at: place.now, in: db) }
          break
        }
        try Reminder.find(id).update {
          $0.dueDate = next.dueDate
          if next.startDate != row.startDate { $0.startDate = next.startDate }
        }.execute(db)
        isBehind = true
        try AlarmRepository.moveOn(
          with: row, to: next.dueDate, at: place.now, in: place.zone, db)
      } else {
        break
      }
    }
    guard let row = try Reminder.find(id).fetchOne(db) else { return }
    var later: [DueDate] = []
    for (stored, part) in done.sorted(by: { $0.key < $1.key }) {
      guard let date = DueDate(stored: stored) else { continue }
      if try !isRecorded(date, of: id, db) {
        try Completion.insert {
          Completion.Draft(
            reminderID: id, title: row.title, dueDate: date,
            completedAt: part.completedAt ?? place.now)
        }.execute(db)
      }
      if let due = row.dueDate, stored > due.stored { later.append(date) }
    }
    try exclude(later, from: id, db)
  }
}

extension Reminder {
  /// Whether an occurrence is left out, or its day.
  fileprivate func leavesOut(_ occurrence: DueDate, in zone: ZoneInfo) -> Bool {
    let day = DueDate.day(occurrence.day(in: self.zone(or: zone)))
    return excluded.contains { $0 == occurrence || $0 == day }
  }
}

extension CompletionRepository {
  /// Completes the current occurrence. The next one is the next of the series, also for a basis
  /// that counts from the completion: the calendar says which occurrences are done.
  static func completeCurrent(
    _ reminder: Reminder, at time: Instant, in zone: ZoneInfo, _ db: Connection
  ) throws {
    guard let next = NextOccurrence(after: reminder, in: zone) else {
      return try finish(reminder.id, at: time, in: db)
    }
    try move(reminder, to: next, .completed, at: time, zone: zone, in: db)
  }
}
