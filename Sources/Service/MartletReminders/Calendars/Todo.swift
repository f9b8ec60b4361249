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
  /// Whether it is canceled. A series is over then.
  package private(set) var isCancelled = false
  /// The dates, and how it recurs.
  private(set) var dates = TodoDates()
  /// From `DTSTART` to the due date.
  var lead: TodoLead? { dates.origin.lead }
  /// The dates of `RDATE`.
  private(set) var added = AddedDates()

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
    var values = ReminderRepository.Values()
    uid = groups.first(.uid).map { ContentLine.text($0.value) } ?? ""
    values.uid = UIDRule.stored(uid)
    values.title = TodoGroups.title(groups.lines(.title))
    values.notes = TodoGroups.notes(groups.lines(.notes))
    isCancelled = TodoGroups.isCancelled(groups.lines(.status))
    dates = try TodoDates(groups.lines(.dates), &zones, house: house)
    if isCancelled { dates.endSeries() }
    dates.set(&values, house: house)
    values.priority = .some(TodoGroups.priority(groups.lines(.priority)))
    let (isDone, completedAt) = TodoGroups.status(
      groups.lines(.status), &zones, house: house)
    values.status = isDone ? .completed : .incomplete
    // Programs drop our own properties. Without one, what it says is left as it is.
    values.isFlagged = groups.first(.flag).map { $0.value.uppercased() == "TRUE" }
    if !groups.lines(.dates).contains(where: { $0.name == TodoName.basis }),
      var recurrence = values.recurrence ?? nil
    {
      recurrence.basis = nil
      values.recurrence = recurrence
    }
    let (tags, otherTags) = TodoGroups.tags(groups.lines(.tags))
    values.tags = tags
    reminder = TransferReminder(values)
    reminder.completedAt = isDone ? completedAt : nil
    let parents = TodoGroups.parents(groups.lines(.parent), of: values.uid)
    (reminder.parentUID, reminder.otherParentUIDs) = (parents.first, Array(parents.dropFirst()))
    reminder.childUIDs = TodoGroups.children(groups.others, of: values.uid)
    let alarms = TodoAlarms(
      lines.components, groups.lines(.snooze), dates, &zones, house: house)
    reminder.alarms = alarms.items.map(\.alarm)
    reminder.namesAlarms = alarms.isNamed
    let isEvaluated =
      dates.rule != nil || !groups.lines(.dates).contains { $0.name == "RRULE" }
    let isSingle = groups.others.contains { $0.name == "RECURRENCE-ID" }
    if isEvaluated, !isSingle, !isCancelled {
      added = AddedDates(lines, of: dates, &zones, house: house)
    }
    note(groups, otherTags.count, alarms.left)
    noteDates(groups.lines(.dates), &zones, house)
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
    let kept = kept(lines, groups, dates, zones, house).text
    reminder.calendar = kept.isEmpty ? nil : "\(TodoName.form):2\n\(kept)"
  }

  /// Notes the dates that could not be read.
  private mutating func noteDates(
    _ lines: [ContentLine], _ zones: inout CalendarZones, _ house: ZoneInfo
  ) {
    for line in lines where !line.value.isEmpty {
      let isRead =
        switch line.name {
        case "DTSTART": ((try? TodoDates.date(line, line.value, &zones, house)) ?? nil) != nil
        case "DURATION": CivilDuration(line.value) != nil
        case "EXDATE":
          line.value.split(separator: ",").allSatisfy {
            ((try? TodoDates.date(line, String($0), &zones, house)) ?? nil) != nil
          }
        default: true
        }
      guard !isRead else { continue }
      let what = line.name == "DTSTART" ? "It has no start date: " : "\(line.name) was not read: "
      reminder.unread.append("\(what)“\(line.value.excerpt)” was not understood.")
    }
  }

  /// Notes what is in the lines only.
  private mutating func note(_ groups: TodoGroups, _ tags: Int, _ alarms: Int) {
    func first(_ name: String) -> ContentLine? {
      (groups.lines(.dates) + groups.others).first { $0.name == name }
    }
    let recurs = (reminder.values.recurrence ?? nil) != nil
    for (name, group, value) in [
      ("title", TodoGroup.title, reminder.values.title), ("notes", .notes, reminder.values.notes),
    ] {
      let said = groups.first(group).map { ContentLine.text($0.value).unicodeScalars.count } ?? 0
      let kept = value?.unicodeScalars.count ?? 0
      if said > kept { reminder.unread.append("The \(name) was cut after \(kept) characters.") }
    }
    if let rule = first("RRULE"), !recurs, !isCancelled {
      reminder.unread.append(
        "It does not recur: the rule \(rule.value.excerpt) was not understood.")
    }
    for line in groups.others where line.name == "RDATE" && !added.has(line) {
      reminder.unread.append("The dates \(line.value.excerpt) of RDATE were not read.")
    }
    if tags > 0 {
      reminder.unread.append("\(Count(tags, "tag")) too many: a reminder has at most five.")
    }
    if alarms > 0 {
      reminder.unread.append("\(Count(alarms, "alarm")) of a kind that reminders do not have.")
    }
  }

  /// The lines that writing the reminder would not give back. A group is kept whole, so that it can
  /// be read again.
  private func kept(
    _ lines: KeptLines, _ groups: TodoGroups, _ dates: TodoDates, _ zones: CalendarZones,
    _ house: ZoneInfo
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
      // A DUE that is not there would be added.
      group == .dates && dates.origin.isStartOnly
        || !groups.lines(group).allSatisfy { isWritten($0.text) }
    }
    var kept = KeptLines()
    for line in lines.properties {
      if let group = TodoGroup(line) {
        if left.contains(group) { kept.add(line) }
      } else if !TodoGroup.isDropped(line), !added.has(line) {
        kept.add(line)
      }
    }
    for component in lines.components where !component.allSatisfy(isWritten) {
      kept.add(component: component)
    }
    kept.define(zones)
    return kept
  }

  /// Keeps the changes of single occurrences, which cannot be told from the series here.
  mutating func keep(_ parts: [KeptLines], _ zones: CalendarZones) {
    guard !parts.isEmpty else { return }
    let known = KeptLines(reminder.calendar ?? "\(TodoName.form):2")
    var kept = KeptLines()
    for line in known.properties { kept.add(line) }
    for component in known.components { kept.add(component: component) }
    for part in parts {
      let lines = part.properties.map(\.text) + part.components.joined()
      kept.add(component: ["BEGIN:VTODO"] + lines + ["END:VTODO"])
    }
    kept.define(zones)
    reminder.calendar = kept.text
  }
}

extension KeptLines {
  /// Adds the definitions of the zones that the lines name.
  mutating func define(_ known: CalendarZones) {
    for name in namedZones().sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      if let definition = known.definition(name) { add(zone: definition) }
    }
  }
}
