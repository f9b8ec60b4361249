import MartletICalendar
import MartletTime

extension TodoDates {
  /// The lines of a reminder's dates.
  func lines(house: ZoneInfo) -> [String] {
    let known = zone.flatMap { try? ZoneDatabase.system.zone(named: $0) }
    let written = writtenSeries(known ?? house)
    var lines: [String] = []
    // A rule needs a start (RFC 5545 section 3.8.5.3).
    if let begin = written.begin {
      lines.append(TodoDates.line("DTSTART", begin, known, begin == due ? skipped : nil))
    }
    var isZoneWritten = false
    if let due {
      let line = TodoDates.line("DUE", due, known, skipped)
      isZoneWritten = line.hasPrefix("DUE;TZID")
      lines.append(line)
    }
    let isPlain = rule != nil && due?.isTimed == true && zone == ZoneInfo.utc.identifier
    if let zone, !isZoneWritten, !isPlain { lines.append("\(TodoName.zone):\(zone)") }
    guard let rule = written.rule, let due else { return lines }
    lines.append("RRULE:\(rule)")
    if let series, series != due { lines.append(TodoDates.line(TodoName.series, series, known)) }
    for date in written.excluded { lines.append(TodoDates.line("EXDATE", date, known)) }
    if basis != .due { lines.append("\(TodoName.basis):\(basis.label)") }
    if let lead = written.lead { lines.append("\(TodoName.lead):\(lead)") }
    return lines
  }

  /// A series as a calendar has it, counted from `DTSTART`.
  struct WrittenSeries {
    var begin: DueDate?
    var rule: String?
    var excluded: [DueDate] = []
    /// The start, before the due date. It is said so if no rule gives the starts that belong to the
    /// due dates: then `DTSTART` is the due date.
    var lead: CivilDuration?
  }

  func writtenSeries(_ zone: ZoneInfo) -> WrittenSeries {
    guard let rule, let due else { return WrittenSeries(begin: start) }
    var written = WrittenSeries(begin: due, rule: rule, excluded: excluded)
    guard let start else { return written }
    let lead = TodoLead(from: start, to: due, in: zone)
    if let parsed = try? RecurrenceRule(rule),
      let moved = lead.ruleOfStart(parsed, from: series ?? due)
    {
      written.begin = start
      written.rule = moved.description
      written.excluded = excluded.map { lead.excluded(fromDue: $0) }
    } else {
      written.lead = lead.duration
    }
    return written
  }

  /// - Parameter skipped: The date on the clocks, if they skip it.
  static func line(
    _ name: String, _ date: DueDate, _ zone: ZoneInfo?, _ skipped: CivilTime? = nil
  ) -> String {
    switch date {
    case .day(let day): return "\(name);VALUE=DATE:\(CalendarTime.text(day))"
    case .instant(let instant):
      // Of a time that the clocks show twice, only UTC can say which one is meant.
      guard let zone, zone != .utc, zone.instant(of: zone.time(at: instant)) == instant else {
        return "\(name):\(CalendarTime.text(instant))"
      }
      let time = skipped ?? zone.time(at: instant)
      return "\(name);TZID=\(zone.identifier):\(CalendarTime.text(time))"
    }
  }
}
