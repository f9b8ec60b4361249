import MartletICalendar
import MartletTime

/// A to-do of a calendar (RFC 5545 section 3.6.2), read as a reminder.
///
/// Nothing that a client writes is refused for a rule of the service: what does not fit is cut or
/// left out of the reminder, and whole in the stored lines.
package struct Todo: Sendable {
  /// The reminder, without its list. Its ``TransferReminder/calendar`` has the lines that writing
  /// it would not give back.
  package private(set) var reminder: TransferReminder
  /// The UID as the calendar has it; empty without one.
  package private(set) var uid = ""
  /// The title of the list, if the to-do names it.
  package private(set) var list: String?
  /// The occurrence of a series that this is a change of.
  package private(set) var occurrence: DueDate?
  /// The UID of the reminder that a changed occurrence becomes.
  package var uidOfOccurrence: String? {
    uid.isEmpty ? nil : occurrence.flatMap { UIDRule.stored("\(uid)-\($0)") }
  }
  /// Whether it is canceled.
  package private(set) var isCancelled = false

  /// Reads the lines of a to-do. Throws if they have no meaning at all: a `DUE` that is no date, or
  /// is in an unknown zone.
  ///
  /// - Parameters:
  ///   - lines: All lines of the to-do, without `BEGIN` and `END`.
  ///   - zones: The zones that the calendar defines.
  ///   - house: The zone of times that name none.
  package init(
    _ lines: KeptLines, _ zones: inout CalendarZones, house: ZoneInfo
  ) throws(CalendarError) {
    let groups = TodoGroups(lines)
    var values = ReminderRepository.Changes()
    uid = groups.first(.uid).map { ContentLine.text($0.value) } ?? ""
    values.uid = UIDRule.stored(uid)
    values.title = TodoGroups.title(groups.lines(.title))
    values.notes = TodoGroups.notes(groups.lines(.notes))
    let dates = try TodoDates(groups.lines(.dates), &zones, house: house)
    dates.set(&values)
    values.priority = .some(TodoGroups.priority(groups.lines(.priority)))
    let (isDone, completedAt) = TodoGroups.status(groups.lines(.status))
    values.status = isDone ? .completed : .incomplete
    // Programs drop our own properties. Without one, what it says is left as it is.
    values.isFlagged = groups.first(.flag).map { $0.value.uppercased() == "TRUE" }
    if !groups.lines(.dates).contains(where: { $0.name == TodoName.basis }),
      var recurrence = values.recurrence ?? nil
    {
      recurrence.basis = nil
      values.recurrence = recurrence
    }
    values.tags = TodoGroups.tags(groups.lines(.tags)).tags
    reminder = TransferReminder(values)
    reminder.completedAt = isDone ? completedAt : nil
    reminder.parentUID = TodoGroups.parent(groups.lines(.parent))
    if reminder.parentUID == values.uid { reminder.parentUID = nil }
    let alarms = TodoAlarms(lines.components, groups.lines(.snooze), dates)
    reminder.alarms = alarms.items.map(\.alarm)
    for line in groups.others {
      switch line.name {
      // Some programs omit the Z.
      case "CREATED":
        reminder.createdAt = reminder.createdAt ?? CalendarTime.instant(line.value, in: .utc)
      case "LAST-MODIFIED":
        reminder.updatedAt = reminder.updatedAt ?? CalendarTime.instant(line.value, in: .utc)
      case TodoName.list: list = list ?? ContentLine.text(line.value)
      case "RECURRENCE-ID":
        occurrence = (try? TodoDates.date(line, line.value, &zones, house)) ?? nil
      default: break
      }
    }
    isCancelled =
      groups.lines(.status).first { $0.name == "STATUS" }?.value.uppercased() == "CANCELLED"
    let kept = kept(lines, groups, zones, house).text
    reminder.calendar = kept.isEmpty ? nil : "\(TodoName.form):2\n\(kept)"
  }

  /// The lines that writing the reminder would not give back. A group is kept whole, so that it can
  /// be read again.
  private func kept(
    _ lines: KeptLines, _ groups: TodoGroups, _ zones: CalendarZones, _ house: ZoneInfo
  ) -> KeptLines {
    // As the database returns them.
    var stored = reminder
    stored.values.tags = reminder.values.tags?.sorted {
      Tag.key($0).lexicographicallyPrecedes(Tag.key($1))
    }
    let written = Set(
      TodoText.lines(of: stored, KeptLines(), house: house).map { Array($0.utf8) })
    func isWritten(_ line: String) -> Bool { written.contains(Array(line.utf8)) }
    let left = TodoGroup.allCases.filter { group in
      !groups.lines(group).allSatisfy { isWritten($0.text) }
    }
    var kept = KeptLines()
    for line in lines.properties {
      if let group = TodoGroup(line) {
        if left.contains(group) { kept.add(line) }
      } else if !TodoGroup.isDropped(line) {
        kept.add(line)
      }
    }
    for component in lines.components where !component.allSatisfy(isWritten) {
      kept.add(component: component)
    }
    for name in kept.namedZones().sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      if let definition = zones.definition(name) { kept.add(zone: definition) }
    }
    return kept
  }
}
