import MartletSQLite
import MartletStore
import MartletTime

/// A series that has gone on differently since an occurrence, or ends with it. It is an object,
/// because occurrences are large, and the stack of a thread is not.
final class TurnedSeries {
  /// The reminder that has the later occurrences.
  var id: Int
  /// The change from the occurrence on.
  var part: TransferOccurrence
  /// Leads from the due dates of the text to those of the series; `nil` if it ends.
  var lead: TodoLead?

  init(id: Int, part: TransferOccurrence) { (self.id, self.part) = (id, part) }

  /// The due date of an occurrence, for the one that the text says.
  func date(of date: DueDate) -> DueDate { lead?.due(of: date) ?? date }

  /// Changes an occurrence of `RDATE` as the rule's are changed. What has become of its reminder
  /// since then is newer.
  func change(
    _ added: inout TransferOccurrence, _ place: CalendarRepository.Placement, _ db: Connection
  ) throws {
    let id = try CalendarRepository.known(added, place, db)
    let stored = try id.flatMap { try CalendarRepository.stored($0, in: db)?.reminder }
    let isAsAdded = stored.map {
      $0.values.status != .completed && added.own.isSame(as: $0, at: $0.values.dueDate ?? nil)
    }
    if part.isCancelled {
      added.isCancelled = true
      if let id, isAsAdded == true { try ReminderRepository.delete(id, in: db) }
      return
    }
    if let lead {
      added.own = own(added, lead)
    } else {
      added.own.values.status = .completed
      added.own.completedAt = part.reminder.completedAt
    }
    if let id, isAsAdded == true { try CalendarRepository.setApart(added.own, over: id, place, db) }
  }

  /// The reminder of an occurrence of `RDATE`: as the changed one, at its own date.
  private func own(_ added: TransferOccurrence, _ lead: TodoLead) -> TransferReminder {
    var own = part.own
    own.values.uid = added.own.values.uid
    own.values.recurrence = .some(nil)
    guard let due = part.own.values.dueDate ?? nil else { return own }
    own.values.dueDate = .some(added.date)
    if let start = part.own.values.startDate ?? nil {
      let start = TodoLead(from: due, to: start, in: lead.zone).due(of: added.date)
      own.values.startDate = .some(start)
    }
    for index in own.alarms.indices {
      own.alarms[index].trigger.moment = own.alarms[index].trigger.moment.shifted(
        from: due, to: added.date, in: lead.zone)
    }
    return own
  }
}
