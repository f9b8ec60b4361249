import MartletICalendar
import MartletTime

/// Writes a reminder as a to-do.
///
///     BEGIN:VTODO
///     UID:5f0c8f6e-3f7a-4d53-9d53-6c1b7a2e9d10
///     DTSTAMP:20270101T080000Z
///     SUMMARY:Winter tyres
///     DUE;VALUE=DATE:20270115
///     PRIORITY:1
///     STATUS:NEEDS-ACTION
///     CATEGORIES:car
///     END:VTODO
///
/// The stored lines of a group go out as they came if they still mean what the reminder says. Lines
/// of no group always go out.
package enum TodoText {
  /// The lines of a to-do, from `BEGIN` to `END`, not folded.
  ///
  /// - Parameters:
  ///   - kept: The stored lines.
  ///   - house: The zone of times that name none.
  ///   - list: The title of the list, for a file of several lists.
  ///   - isChanged: Whether the to-do has changed here since a client wrote its lines.
  package static func lines(
    of reminder: TransferReminder, _ kept: KeptLines, house: ZoneInfo, list: String? = nil,
    isChanged: Bool = false
  ) -> [String] {
    ofTodo(reminder, kept, house: house, list: list, isChanged: isChanged)
      + occurrences(kept, list: list)
  }

  /// The changes of single occurrences of a series that cannot be evaluated: to-dos of their own.
  private static func occurrences(_ kept: KeptLines, list: String?) -> [String] {
    let lines = list.map { ["\(TodoName.list):\(ContentLine.escaped($0))"] } ?? []
    return kept.components.filter(\.isOccurrence).flatMap { $0.prefix(1) + lines + $0.dropFirst() }
  }

  private static func ofTodo(
    _ reminder: TransferReminder, _ kept: KeptLines, house: ZoneInfo, list: String?,
    isChanged: Bool
  ) -> [String] {
    if OldLines.contains(kept) {
      let (known, others) = OldLines.split(kept, of: reminder)
      var lines = groups(
        of: reminder, known, house: house, list: list, isChanged: isChanged)
      lines.insert(contentsOf: kept.components.joined(), at: lines.count - 1)
      // Properties come before components.
      let end = lines.dropFirst().firstIndex { $0.hasPrefix("BEGIN:") } ?? lines.count - 1
      lines.insert(contentsOf: others, at: end)
      return lines
    }
    return groups(of: reminder, kept, house: house, list: list, isChanged: isChanged)
  }

  private static func groups(
    of reminder: TransferReminder, _ kept: KeptLines, house: ZoneInfo, list: String?,
    isChanged: Bool
  ) -> [String] {
    let values = reminder.values
    let groups = TodoGroups(kept)
    func texts(_ group: TodoGroup, if holds: ([ContentLine]) -> Bool) -> [String]? {
      let lines = groups.lines(group)
      return !lines.isEmpty && holds(lines) ? lines.map(\.text) : nil
    }
    let changed = CalendarTime.text(reminder.updatedAt ?? .epoch)
    var lines = ["BEGIN:VTODO"]
    lines +=
      texts(.uid) { TodoGroups.uid($0) == values.uid }
      ?? ["UID:\(ContentLine.escaped(values.uid ?? ""))"]
    lines.append("DTSTAMP:\(changed)")
    if let created = reminder.createdAt { lines.append("CREATED:\(CalendarTime.text(created))") }
    lines.append("LAST-MODIFIED:\(changed)")
    let title = values.title ?? ""
    lines +=
      texts(.title) { TodoGroups.title($0).utf8.elementsEqual(title.utf8) }
      ?? ["SUMMARY:\(ContentLine.escaped(title))"]
    let notes = values.notes ?? ""
    let escaped = ContentLine.escaped(notes)
    lines +=
      texts(.notes) { TodoGroups.notes($0).utf8.elementsEqual(notes.utf8) }
      ?? (escaped.isEmpty ? [] : ["DESCRIPTION:\(escaped)"])
    var zones = CalendarZones(of: kept, house: house)
    let dates = TodoDates(of: values, house: house)
    let isCancelled =
      values.status == .completed && TodoGroups.isCancelled(groups.lines(.status))
    lines += self.dates(dates, groups, &zones, house, isCancelled: isCancelled)
    let priority = values.priority ?? nil
    lines +=
      texts(.priority) { TodoGroups.priority($0) == priority }
      ?? priority.map { ["PRIORITY:\(number($0))"] } ?? []
    lines += status(of: reminder, groups, &zones, house)
    let tags = values.tags ?? []
    let (known, others) = TodoGroups.tags(groups.lines(.tags))
    if Set(known.map(Tag.key)) == Set(tags.map(Tag.key)), !groups.lines(.tags).isEmpty {
      lines += groups.lines(.tags).map(\.text)
    } else {
      if !tags.isEmpty { lines.append(categories(tags)) }
      if !others.isEmpty { lines.append(categories(others, areKept: true)) }
    }
    if let list { lines.append("\(TodoName.list):\(ContentLine.escaped(list))") }
    lines += parent(of: reminder, groups)
    let isFlagged = values.isFlagged == true
    lines +=
      texts(.flag) { ($0.first?.value.uppercased() == "TRUE") == isFlagged }
      ?? (isFlagged ? ["\(TodoName.flag):TRUE"] : [])
    let isDone = (values.status ?? .incomplete) != .incomplete
    let extra = TodoAlarms.extra(of: reminder.alarms, dates, house)
    lines +=
      texts(.snooze) { said in
        if isDone { return true }
        let read = TodoAlarms(kept.components, said, dates, &zones, house: house)
        return TodoAlarms.extra(of: read.items.map(\.alarm), dates, house) == extra
      } ?? extra
    lines += groups.others.compactMap { other($0, isChanged: isChanged) }
    lines += TodoAlarms.components(of: reminder, dates, kept: kept, &zones, house: house).joined()
    return lines + ["END:VTODO"]
  }

  private static func dates(
    _ dates: TodoDates, _ groups: TodoGroups, _ zones: inout CalendarZones, _ house: ZoneInfo,
    isCancelled: Bool
  ) -> [String] {
    let stored = groups.lines(.dates)
    guard !stored.isEmpty else { return dates.lines(house: house) }
    if var read = try? TodoDates(stored, &zones, house: house) {
      if isCancelled { read.endSeries() }
      if read == dates || read.settled(house: house) == dates { return stored.map(\.text) }
    }
    let lines = dates.lines(house: house)
    // A rule that the service cannot evaluate is not lost, as long as it has a date to count from.
    guard dates.rule == nil, dates.due ?? dates.start != nil,
      let rule = stored.first(where: { $0.name == "RRULE" }),
      (try? TodoDates(stored, &zones, house: house))?.rule == nil
    else { return lines }
    let needsStart = !lines.contains { $0.hasPrefix("DTSTART") }
    let zone = dates.zone.flatMap { try? ZoneDatabase.system.zone(named: $0) }
    let start = needsStart ? dates.due.map { [TodoDates.line("DTSTART", $0, zone)] } ?? [] : []
    return start + lines + [rule.text]
  }

  private static func status(
    of reminder: TransferReminder, _ groups: TodoGroups, _ zones: inout CalendarZones,
    _ house: ZoneInfo
  ) -> [String] {
    let isDone = (reminder.values.status ?? .incomplete) != .incomplete
    let time = CalendarTime.text(reminder.completedAt ?? reminder.updatedAt ?? .epoch)
    let stored = groups.lines(.status)
    let (wasDone, before) = TodoGroups.status(stored, &zones, house: house)
    guard !stored.isEmpty, wasDone == isDone,
      !isDone || before == nil || before.map({ CalendarTime.text($0) }) == time
    else {
      return isDone
        ? ["STATUS:COMPLETED", "COMPLETED:\(time)", "PERCENT-COMPLETE:100"]
        : ["STATUS:NEEDS-ACTION"]
    }
    let hasStatus = stored.contains { $0.name == "STATUS" }
    let status = isDone ? "STATUS:COMPLETED" : "STATUS:NEEDS-ACTION"
    return (hasStatus ? [] : [status])
      + stored.filter { $0.name != "PERCENT-COMPLETE" || isDone || $0.value != "100" }.map(\.text)
  }

  private static func parent(of reminder: TransferReminder, _ groups: TodoGroups) -> [String] {
    let stored = groups.lines(.parent)
    // One that names the to-do itself, or nothing, is no parent, and stays.
    let named = TodoGroups.parents(stored, of: reminder.values.uid)
    let isSame = reminder.parentUID.map(named.contains) ?? named.isEmpty
    if !stored.isEmpty, isSame { return stored.map(\.text) }
    return reminder.parentUID.map { ["RELATED-TO:\(ContentLine.escaped($0))"] } ?? []
  }

  /// A line of no group. The number of changes goes up when the to-do has changed here.
  private static func other(_ line: ContentLine, isChanged: Bool) -> String? {
    guard line.name == "SEQUENCE", isChanged, let number = Int(line.value),
      0..<Int(Int32.max) ~= number
    else { return TodoGroup.isDropped(line) ? nil : line.text }
    return "SEQUENCE:\(number + 1)"
  }

  /// The line `CATEGORIES:car,home`.
  ///
  /// It is marked if a title begins with a space, because readers drop a space there.
  private static func categories(_ titles: [String], areKept: Bool = false) -> String {
    let isExact = titles.contains { $0.utf8.first == UInt8(ascii: " ") }
    return "CATEGORIES" + (areKept ? ";\(TodoName.kept)=TRUE" : "")
      + (isExact ? ";\(TodoName.exact)=TRUE" : "") + ":"
      + titles.map(ContentLine.escaped).joined(separator: ",")
  }

  /// The value of `PRIORITY` for a priority.
  private static func number(_ priority: Reminder.Priority) -> String {
    switch priority {
    case .high: "1"
    case .medium: "5"
    case .low: "9"
    }
  }
}

extension [String] {
  /// Whether these lines are a kept change of an occurrence.
  var isOccurrence: Bool { first == "BEGIN:VTODO" }
}

/// Parts of a to-do that cannot be read. An import takes the to-do in without them, because one
/// to-do does not keep the others out. A `PUT` with such a `DUE` is refused.
package enum TodoUnread {
  /// Removes the alarms and the due date that cannot be read. Returns a sentence for each part.
  package static func remove(from lines: inout KeptLines) -> [String] {
    var left = lines.removeUnread().map {
      "An alarm is left out: “\($0.excerpt)” was not understood."
    }
    guard let line = lines.first("DUE"), !isDate(line) else { return left }
    let recurs = lines.first("RRULE") != nil
    // Another date would take the place of this one, and a rule would be counted from that.
    lines.remove(["DUE", "DURATION", "RRULE", "RDATE", "EXDATE"])
    let text = "“\(line.value.excerpt)” was not understood."
    left.append(
      recurs ? "It has no due date and does not recur: \(text)" : "It has no due date: \(text)")
    return left
  }

  private static func isDate(_ line: ContentLine) -> Bool {
    line.value.isEmpty || CalendarTime.date(line.value) != nil
      || CalendarTime.time(line.value) != nil
  }
}
