import MartletICalendar
import MartletJSON
import MartletLiveAPI
import MartletReminders
import MartletTime

/// The dates and the recurrence of a to-do: `DTSTART`, `DUE`, `RRULE`, `EXDATE`, in any order.
///
/// A line that does not fit the others, or that this program cannot evaluate, is stored unchanged.
struct TodoDates {
  private var due: DueDate?
  /// The first is used, if it fits.
  private var starts: [(line: ContentLine, date: DueDate)] = []
  private var zone: String?
  /// The first is used, if it can be evaluated.
  private var rules: [ContentLine] = []
  private var excluded: [(line: ContentLine, dates: [DueDate])] = []
  private var basis: String?
  private var series: DueDate?

  /// Reads a line. Returns false if it is to be stored unchanged.
  mutating func read(
    _ line: ContentLine, zone: (String?) throws(APIProblem) -> ZoneInfo
  ) throws(APIProblem) -> Bool {
    switch line.name {
    case "DUE":
      guard let date = try date(line, line.value, zone) else {
        throw APIProblem(
          .invalidBody,
          "DUE must be a date (20270131), a time (20270131T093000) or a time in UTC (…Z), not \"\(line.value.excerpt)\"."
        )
      }
      due = date
      if date.isTimed, let name = line.parameter("TZID") { self.zone = try zone(name).identifier }
    case "DTSTART":
      guard let date = try? date(line, line.value, zone) else { return false }
      starts.append((line, date))
    case "RRULE":
      rules.append(line)
    case "EXDATE":
      var dates: [DueDate] = []
      for value in line.value.split(separator: ",", omittingEmptySubsequences: false) {
        guard let date = try? date(line, String(value), zone) else { return false }
        dates.append(date)
      }
      excluded.append((line, dates))
    case ICalendar.Name.zone:
      if ValueRule.isZoneName(line.value) { self.zone = line.value }
    case ICalendar.Name.series: series = (try? date(line, line.value, zone)) ?? nil
    case ICalendar.Name.basis: basis = line.value.lowercased()
    default: return false
    }
    return true
  }

  private func date(
    _ line: ContentLine, _ value: String, _ zone: (String?) throws(APIProblem) -> ZoneInfo
  ) throws(APIProblem) -> DueDate? {
    if let date = CalendarTime.date(value) { return .day(date) }
    return CalendarTime.instant(value, in: try zone(line.parameter("TZID"))).map { .instant($0) }
  }

  /// The members of the reminder, and the lines that have no place in it, in their order: when they
  /// are written and read again, the same line is the first.
  func members() -> (members: [JSONObject.Member], others: [ContentLine]) {
    var members: [JSONObject.Member] = []
    var others: [ContentLine] = []
    if let due { members.append(.init(name: "dueDate", value: .string("\(due)"))) }
    if let zone { members.append(.init(name: "timeZone", value: .string(zone))) }
    if let start = starts.first {
      let isStart = due.map { $0.isTimed == start.date.isTimed && start.date.stored < $0.stored }
      switch isStart {
      case nil, true?: members.append(.init(name: "startDate", value: .string("\(start.date)")))
      // A start that is the due date is what a rule needs, and no start for people.
      case false? where start.date == due: break
      case false?: others.append(start.line)
      }
    }
    others += starts.dropFirst().map(\.line)
    guard let due, let rule = rules.first, isEvaluated(rule.value, from: due) else {
      return (members, others + rules + excluded.map(\.line))
    }
    var recurrence: [JSONObject.Member] = [.init(name: "rule", value: .string(rule.value))]
    if let basis = Recurrence.Basis.allCases.first(where: { $0.label == basis }) {
      recurrence.append(.init(name: "basis", value: .string(basis.label)))
    }
    if let series, series.isTimed == due.isTimed {
      recurrence.append(.init(name: "start", value: .string("\(series)")))
    }
    var dates: [JSONValue] = []
    for line in excluded {
      if dates.count + line.dates.count <= Recurrence.mostExcluded {
        dates += line.dates.map { .string("\($0)") }
      } else {
        others.append(line.line)
      }
    }
    recurrence.append(.init(name: "excluded", value: .array(dates)))
    members.append(.init(name: "recurrence", value: .object(JSONObject(members: recurrence))))
    others += rules.dropFirst()
    return (members, others)
  }

  private func isEvaluated(_ text: String, from due: DueDate) -> Bool {
    let zone = zone.flatMap { try? ZoneDatabase.system.zone(named: $0) } ?? .utc
    guard let rule = try? RecurrenceRule(text) else { return false }
    return (try? rule.filledIn(from: due.day(in: zone))) != nil
  }

  // MARK: Writing

  /// The lines for the dates of a reminder.
  static func lines(of values: ReminderRepository.Changes) -> [String] {
    let (due, start) = (values.dueDate ?? nil, values.startDate ?? nil)
    let name = values.timeZone ?? nil
    let zone = name.flatMap { try? ZoneDatabase.system.zone(named: $0) }
    var lines: [String] = []
    // A rule needs a start (RFC 5545 section 3.8.5.3).
    let recurrence = values.recurrence ?? nil
    if let start = start ?? (recurrence != nil ? due : nil) {
      lines.append(line("DTSTART", start, zone))
    }
    var isZoneWritten = false
    if let due {
      let line = line("DUE", due, zone)
      isZoneWritten = line.hasPrefix("DUE;TZID")
      lines.append(line)
    }
    if let name, !isZoneWritten { lines.append("\(ICalendar.Name.zone):\(name)") }
    guard let recurrence, let due, let rule = recurrence.rule else { return lines }
    let first = (recurrence.start ?? nil) ?? due
    let (rest, series) = rule.from(due, start: first, in: zone ?? .utc)
    lines.append("RRULE:\(rest)")
    if series != due { lines.append(line(ICalendar.Name.series, series, zone)) }
    for date in recurrence.excluded ?? [] { lines.append(line("EXDATE", date, zone)) }
    if let basis = recurrence.basis, basis != .due {
      lines.append("\(ICalendar.Name.basis):\(basis.label)")
    }
    return lines
  }

  private static func line(_ name: String, _ date: DueDate, _ zone: ZoneInfo?) -> String {
    switch date {
    case .day(let day): return "\(name);VALUE=DATE:\(CalendarTime.text(day))"
    case .instant(let instant):
      // Of a time that the clocks show twice, only UTC can say which one is meant.
      guard let zone, zone != .utc, zone.instant(of: zone.time(at: instant)) == instant else {
        return "\(name):\(CalendarTime.text(instant))"
      }
      return "\(name);TZID=\(zone.identifier):\(CalendarTime.text(zone.time(at: instant)))"
    }
  }
}

extension RecurrenceRule {
  /// The rule for what is left of a series, and the start of that: the due date, or an occurrence
  /// before it if the due date was moved.
  fileprivate func from(
    _ due: DueDate, start: DueDate, in zone: ZoneInfo
  ) -> (rest: String, start: DueDate) {
    let series = RecurrenceSeries(start: Occurrence(start), rule: self, in: zone)
    guard count != nil else {
      let isOccurrence = series.next(after: Occurrence(due.before)) == Occurrence(due)
      return (description, isOccurrence ? due : start)
    }
    var (rule, last) = (self, start)
    for occurrence in series.occurrences(after: Occurrence(start)) {
      let next = DueDate(occurrence)
      guard next.stored <= due.stored else { break }
      (rule, last) = (rule.countedDown(), next)
    }
    return (rule.description, last)
  }
}

extension DueDate {
  /// The last date of the same kind before it.
  fileprivate var before: DueDate {
    switch self {
    case .day(let day): .day(CivilDate(daysSinceEpoch: day.daysSinceEpoch - 1))
    case .instant(let instant): .instant(instant.adding(milliseconds: -1))
    }
  }
}
