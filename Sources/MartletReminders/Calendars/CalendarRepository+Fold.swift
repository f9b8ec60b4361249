import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime

/// The other dialect of to-dos that recur: a master from the first date on, and a part for each
/// occurrence that was changed or completed (RFC 5545 section 3.8.4.4), as Thunderbird writes it.
extension CalendarRepository {
  /// Takes the parts in. Completed ones become completions, and the reminder moves past them; a
  /// part that was only changed becomes a reminder of its own, and an excluded date.
  static func fold(
    _ parts: [Todo], into id: Int, _ place: Placement, _ db: Connection
  ) throws {
    guard !parts.isEmpty else { return }
    var excluded: [DueDate] = []
    var done: [String: Todo] = [:]
    for part in parts {
      guard let occurrence = part.occurrence else { continue }
      if part.isCancelled {
        excluded.append(occurrence)
      } else if part.reminder.values.status == .completed {
        done[occurrence.stored] = part
      } else {
        excluded.append(occurrence)
        try setApart(part, of: id, place, db)
      }
    }
    try exclude(excluded, from: id, db)
    try complete(done, of: id, place, db)
  }

  /// Makes a changed occurrence a reminder of its own.
  private static func setApart(
    _ part: Todo, of id: Int, _ place: Placement, _ db: Connection
  ) throws {
    var values = part.reminder.values
    values.uid = part.uidOfOccurrence
    values.recurrence = .some(nil)
    values.listID = place.list
    if let uid = values.uid,
      let known = try ReminderRepository.withUID(uid, in: place.list).fetchOne(db)
    {
      values.uid = nil
      return try ReminderRepository.update(
        known, values, at: place.now, zone: place.zone, in: db)
    }
    let new = try ReminderRepository.create(values, at: place.now, zone: place.zone, in: db)
    try AlarmRepository.add(part.reminder.alarms, to: new, at: place.now, in: place.zone, db)
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
  private static func complete(
    _ done: [String: Todo], of id: Int, _ place: Placement, _ db: Connection
  ) throws {
    var done = done
    for _ in 0..<ObjectText.mostParts {
      guard let row = try Reminder.find(id).fetchOne(db), row.status != .completed,
        row.recurrenceRule != nil, let due = row.dueDate
      else { break }
      let part = done.removeValue(forKey: due.stored)
      if let part, try !isRecorded(due, of: id, db) {
        let time = part.reminder.completedAt ?? place.now
        try CompletionRepository.completeCurrent(row, at: time, in: place.zone, db)
      } else if part != nil || row.excluded.contains(due) {
        guard let next = NextOccurrence(after: row, in: place.zone) else { break }
        try Reminder.find(id).update {
          $0.dueDate = next.dueDate
          if next.startDate != row.startDate { $0.startDate = next.startDate }
        }.execute(db)
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
            completedAt: part.reminder.completedAt ?? place.now)
        }.execute(db)
      }
      if let due = row.dueDate, stored > due.stored { later.append(date) }
    }
    try exclude(later, from: id, db)
  }
}

extension CompletionRepository {
  /// Completes the current occurrence. The series is not counted from the time of the completion,
  /// and misses nothing: the calendar says which ones are done.
  static func completeCurrent(
    _ reminder: Reminder, at time: Instant, in zone: ZoneInfo, _ db: Connection
  ) throws {
    guard let next = NextOccurrence(after: reminder, in: zone) else {
      return try Reminder.find(reminder.id).update {
        $0.status = .completed
        $0.completedAt = time
      }.execute(db)
    }
    try move(reminder, to: next, .completed, at: time, zone: zone, in: db)
  }
}
