import MartletICalendar
import MartletTime

/// The dates of `RDATE` (RFC 5545 section 3.8.5.2): occurrences that the rule of a series does not
/// give.
///
/// A reminder recurs by its rule alone, so each of them becomes a reminder of its own, as a changed
/// occurrence does, and leaves the text of the series.
struct AddedDates {
  /// The dates on which they begin.
  private(set) var dates: [DueDate] = []
  /// The lines that are read. The others stay in the text.
  private var lines: Set<String> = []

  /// The most dates of a to-do. The reminders together also have at most the bytes that one to-do
  /// may have, because each has all of its lines.
  private static let most = 100

  /// No dates.
  init() {}

  /// Reads lines. A line with an invalid date, or with too many dates, is left out as a whole.
  ///
  /// - Parameters:
  ///   - all: All lines of the to-do.
  ///   - todo: Its other dates.
  init(
    _ all: KeptLines, of todo: TodoDates, _ zones: inout CalendarZones, house: ZoneInfo
  ) {
    let added = all.properties.filter { $0.name == "RDATE" }
    guard let due = todo.due, !added.isEmpty else { return }
    let most = min(AddedDates.most, KeptLines.longest / max(all.text.utf8.count, 1))
    let zone = todo.own(or: house)
    let lead = todo.origin.lead ?? TodoLead(from: due, to: due, in: zone)
    let counted = todo.counted(zone)
    var known: Set<DueDate> = [due]
    known.formUnion(todo.excluded)
    for line in added {
      let values = line.value.split(separator: ",")
      guard dates.count + values.count <= most else { continue }
      let read = values.compactMap { value in
        // Of a period the start.
        let start = value.split(separator: "/").first ?? value
        return (try? TodoDates.date(line, String(start), &zones, house)) ?? nil
      }
      guard read.count == values.count else { continue }
      lines.insert(line.text)
      for date in read.map(lead.due(of:)) where known.insert(date).inserted {
        let isLeftOut = todo.excluded.contains(.day(date.day(in: zone)))
        let isGiven = counted?.rule.gives(date, from: counted?.start ?? due, in: zone) == true
        if !isLeftOut, !isGiven { dates.append(lead.start(of: date)) }
      }
    }
  }

  /// Whether a line was read.
  func has(_ line: ContentLine) -> Bool { lines.contains(line.text) }
}

extension Todo {
  /// The occurrences that this to-do tells apart from its rule: itself if it is the change of one,
  /// or those of `RDATE`.
  ///
  /// - Parameter lines: The lines that the to-do was read from.
  package func occurrences(
    _ lines: KeptLines, _ zones: inout CalendarZones, house: ZoneInfo
  ) -> [TransferOccurrence] {
    guard let date = occurrence else {
      return added.dates.compactMap { date in
        let copy = self.lines(ofAdded: date, lines, house)
        guard var new = made(of: copy, at: date, &zones, house) else { return nil }
        new.kind = .added
        new.own.alarms += alarms(ofAdded: date, house)
        return new
      }
    }
    guard var changed = made(of: lines, at: date, &zones, house) else { return [] }
    let id = lines.properties.first { $0.name == "RECURRENCE-ID" }
    if id?.parameter("RANGE")?.uppercased() == "THISANDFUTURE" { changed.kind = .following }
    changed.isCancelled = isCancelled
    changed.reminder = reminder
    return [changed]
  }

  /// Divides occurrences: the reminder takes in the parts, by their due dates; of a series that is
  /// not evaluated, the lines are kept.
  func divide(_ all: [TransferOccurrence]) -> (parts: [TransferOccurrence], others: [KeptLines]) {
    let recurs = (reminder.values.recurrence ?? nil) != nil
    let added = Set(all.filter { $0.kind == .added }.map(\.date))
    var parts: [TransferOccurrence] = []
    var others: [KeptLines] = []
    for var part in all {
      guard recurs || added.contains(part.date) else {
        others.append(KeptLines(part.lines))
        continue
      }
      part.date = lead?.due(of: part.date) ?? part.date
      parts.append(part)
    }
    return (parts, others)
  }

  private func made(
    of lines: KeptLines, at date: DueDate, _ zones: inout CalendarZones, _ house: ZoneInfo
  ) -> TransferOccurrence? {
    let name = uid.isEmpty ? nil : UIDRule.stored("\(uid)-\(date)")
    let own = try? Todo(Todo.lines(ofOccurrence: lines, uid: name), &zones, house: house).reminder
    guard let own else { return nil }
    var all = lines
    all.define(zones)
    return TransferOccurrence(
      uid: UIDRule.stored(uid) ?? uid, date: date, isCancelled: false, reminder: own, own: own,
      lines: all.text)
  }

  /// The lines of the reminder that an occurrence becomes, with all that no column stands for.
  private static func lines(ofOccurrence lines: KeptLines, uid: String?) -> KeptLines {
    let left: Set = [
      "UID", "RECURRENCE-ID", "RRULE", "RDATE", "EXDATE", "EXRULE", TodoName.series,
      TodoName.basis, TodoName.lead, TodoName.current,
    ]
    var own = KeptLines()
    for line in lines.properties where !left.contains(line.name) { own.add(line) }
    if let uid, let line = try? ContentLine("UID:\(ContentLine.escaped(uid))") { own.add(line) }
    for component in lines.components { own.add(component: component) }
    return own
  }

  /// The lines of an occurrence of `RDATE`: those of the series with other dates, and open.
  private func lines(
    ofAdded date: DueDate, _ lines: KeptLines, _ house: ZoneInfo
  ) -> KeptLines {
    var own = KeptLines()
    for line in lines.properties {
      switch TodoGroup(line) {
      case .dates, .status, .snooze: continue
      default: own.add(line)
      }
    }
    var values = TodoDates()
    values.due = lead?.due(of: date) ?? date
    values.zone = dates.zone
    if dates.start != nil { values.start = date }
    for text in values.lines(house: house) {
      if let line = try? ContentLine(text) { own.add(line) }
    }
    for component in lines.components where !TodoAlarms.isFixed(component) {
      own.add(component: component)
    }
    return own
  }

  /// The alarms at fixed times, as far from the occurrence of `RDATE` as from that of the series.
  private func alarms(ofAdded date: DueDate, _ house: ZoneInfo) -> [TransferAlarm] {
    guard let due = dates.due else { return [] }
    return reminder.alarms.compactMap { alarm in
      guard case .at = alarm.trigger.moment else { return nil }
      let moment = alarm.trigger.moment.shifted(
        from: due, to: lead?.due(of: date) ?? date, in: dates.own(or: house))
      return TransferAlarm(AlarmTrigger(moment, repetition: alarm.trigger.repetition))
    }
  }
}
