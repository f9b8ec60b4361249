import MartletICalendar
import MartletTime

/// The dates of a to-do and how it recurs, in the form in which a reminder has them: `DTSTART`,
/// `DUE`, `DURATION`, `RRULE`, `EXDATE`.
struct TodoDates: Equatable {
  var due: DueDate?
  var start: DueDate?
  /// The name of the zone of a time of day.
  var zone: String?
  /// The rule, with all that it takes from its first date.
  var rule: String?
  var basis = Recurrence.Basis.due
  /// The first date of the series.
  var series: DueDate?
  var excluded: [DueDate] = []

  /// No dates.
  init() {}

  /// Reads the lines of ``TodoGroup/dates``. Of several lines with a name the first is read. What
  /// does not fit, or cannot be evaluated, is left out.
  ///
  /// Throws if `DUE` is no date, or in an unknown zone.
  ///
  /// - Parameter house: The zone of times that name none.
  init(
    _ lines: [ContentLine], _ zones: inout CalendarZones, house: ZoneInfo
  ) throws(CalendarError) {
    func first(_ name: String) -> ContentLine? { lines.first { $0.name == name } }
    var named: String?
    var begin: DueDate?
    if let line = first("DTSTART") {
      begin = try? TodoDates.date(line, line.value, &zones, house)
      named = TodoDates.name(of: line, begin, &zones)
    }
    let nameOfStart = named
    // A series in UTC recurs in UTC.
    let isUTC = (first("DUE") ?? first("DTSTART"))?.value.hasSuffix("Z") == true
    if let line = first("DUE") {
      guard let date = try TodoDates.date(line, line.value, &zones, house) else {
        throw CalendarError(
          "DUE must be a date (20270131), a time (20270131T093000) or a time in UTC (…Z), not \"\(line.value.excerpt)\"."
        )
      }
      due = date
      named = TodoDates.name(of: line, date, &zones)
    } else if let begin, let duration = first("DURATION").flatMap({ CivilDuration($0.value) }) {
      let zone = named.flatMap { try? ZoneDatabase.system.zone(named: $0) } ?? house
      due = TodoDates.moved(begin, by: duration, in: zone)
    }
    if let given = first(TodoName.zone)?.value, ValueRule.isZoneName(given) { named = given }
    if let begin {
      if let due {
        if begin.isTimed == due.isTimed, begin.stored < due.stored { start = begin }
      } else {
        start = begin
      }
    }
    let isTimed = (due ?? start)?.isTimed == true
    zone = isTimed || first(TodoName.zone) != nil ? named : nil
    guard let due, let line = first("RRULE"), let rule = try? RecurrenceRule(line.value) else {
      return
    }
    if let line = first(TodoName.series),
      let date = try? TodoDates.date(line, line.value, &zones, house), date.isTimed == due.isTimed
    {
      series = date
    }
    series = series ?? due
    if due.isTimed, zone == nil { zone = nameOfStart ?? (isUTC ? ZoneInfo.utc.identifier : nil) }
    let own = zone.flatMap { try? ZoneDatabase.system.zone(named: $0) } ?? house
    guard let filled = try? rule.filledIn(from: (series ?? due).day(in: own)) else {
      series = nil
      return
    }
    let label = first(TodoName.basis)?.value.lowercased()
    basis = Recurrence.Basis.allCases.first { $0.label == label } ?? .due
    self.rule = basis == .completion ? rule.description : filled.description
    if due.isTimed { zone = zone ?? house.identifier }
    for line in lines where line.name == "EXDATE" {
      for value in line.value.split(separator: ",").prefix(Recurrence.mostExcluded) {
        guard excluded.count < Recurrence.mostExcluded,
          let date = try? TodoDates.date(line, String(value), &zones, house)
        else { continue }
        excluded.append(date)
      }
    }
  }

  /// The dates of a reminder, in whole seconds, as a calendar has them.
  init(of values: ReminderRepository.Changes, house: ZoneInfo) {
    (due, start) = ((values.dueDate ?? nil)?.whole, (values.startDate ?? nil)?.whole)
    zone = values.timeZone ?? nil
    guard let due, let recurrence = values.recurrence ?? nil, let rule = recurrence.rule else {
      return
    }
    series = (recurrence.start ?? nil)?.whole ?? due
    basis = recurrence.basis ?? .due
    excluded = (recurrence.excluded ?? []).map(\.whole)
    let own = zone.flatMap { try? ZoneDatabase.system.zone(named: $0) } ?? house
    let filled = try? rule.filledIn(from: (series ?? due).day(in: own))
    // What is left of it, as a calendar has it.
    let (rest, first) = (basis == .completion ? rule : filled ?? rule).from(
      due, start: series ?? due, in: own)
    (self.rule, series) = (rest, first)
    if due.isTimed { zone = zone ?? house.identifier }
  }

  /// Sets the fields of a reminder.
  func set(_ values: inout ReminderRepository.Changes) {
    values.dueDate = .some(due)
    values.startDate = .some(start)
    values.timeZone = .some(zone)
    guard let rule, let parsed = try? RecurrenceRule(rule) else {
      values.recurrence = .some(nil)
      return
    }
    var recurrence = Recurrence.Changes()
    recurrence.rule = parsed
    recurrence.basis = basis
    recurrence.start = .some(series)
    recurrence.excluded = excluded
    values.recurrence = recurrence
  }

  /// A date or a time. Throws if its zone is not known.
  static func date(
    _ line: ContentLine, _ value: String, _ zones: inout CalendarZones, _ house: ZoneInfo
  ) throws(CalendarError) -> DueDate? {
    if let date = CalendarTime.date(value) { return .day(date) }
    guard let (time, isUTC) = CalendarTime.time(value) else { return nil }
    if isUTC { return .instant(time.instant()) }
    guard let name = line.parameter("TZID") else { return .instant(house.instant(of: time)) }
    return .instant(try zones.zone(name).instant(of: time))
  }

  private static func name(
    of line: ContentLine, _ date: DueDate?, _ zones: inout CalendarZones
  ) -> String? {
    guard date?.isTimed == true, !line.value.hasSuffix("Z"), let name = line.parameter("TZID")
    else { return nil }
    return (try? zones.zone(name))?.system?.identifier
  }

  private static func moved(
    _ date: DueDate, by duration: CivilDuration, in zone: ZoneInfo
  ) -> DueDate {
    switch date {
    case .day(let day):
      let days = duration.days + Int(duration.milliseconds / 86_400_000)
      return .day(day.adding(days: days))
    case .instant(let instant): return .instant(duration.instant(after: instant, in: zone))
    }
  }

  // MARK: What a client leaves out

  /// What a client has written over older dates, with what it does not know: our own properties of
  /// the older ones, as long as the others mean the same.
  ///
  /// - Parameter values: What it has written, as fields.
  func completed(
    by old: TodoDates, _ values: ReminderRepository.Changes, house: ZoneInfo
  ) -> TodoDates {
    guard self != old else { return old }
    let seen = old.seen(house: house)
    if self == seen { return old }
    var dates = self
    let saysBasis = (values.recurrence ?? nil)?.basis != nil
    if !saysBasis, let rule, let seenRule = seen.rule,
      TodoDates.uncounted(rule) == TodoDates.uncounted(seenRule)
    {
      dates.basis = old.basis
      if old.basis == .completion { dates.rule = old.rule }
    }
    return dates
  }

  /// The dates as a client reads them that drops our own properties.
  private func seen(house: ZoneInfo) -> TodoDates {
    let own = [TodoName.zone, TodoName.series, TodoName.basis]
    let known = lines(house: house).compactMap { try? ContentLine($0) }
      .filter { !own.contains($0.name) }
    var zones = CalendarZones(house: house)
    guard let read = try? TodoDates(known, &zones, house: house) else { return self }
    var values = ReminderRepository.Changes()
    read.set(&values)
    return TodoDates(of: values, house: house)
  }

  /// The parts of a rule except COUNT.
  static func uncounted(_ rule: String) -> Set<Substring> {
    Set(rule.split(separator: ";").filter { !$0.hasPrefix("COUNT=") })
  }

  // MARK: Writing

  /// The lines of a reminder's dates.
  func lines(house: ZoneInfo) -> [String] {
    let known = zone.flatMap { try? ZoneDatabase.system.zone(named: $0) }
    var lines: [String] = []
    // A rule needs a start (RFC 5545 section 3.8.5.3).
    if let begin = start ?? (rule != nil ? due : nil) {
      lines.append(TodoDates.line("DTSTART", begin, known))
    }
    var isZoneWritten = false
    if let due {
      let line = TodoDates.line("DUE", due, known)
      isZoneWritten = line.hasPrefix("DUE;TZID")
      lines.append(line)
    }
    let isPlain = rule != nil && due?.isTimed == true && zone == ZoneInfo.utc.identifier
    if let zone, !isZoneWritten, !isPlain { lines.append("\(TodoName.zone):\(zone)") }
    guard let rule, let due else { return lines }
    lines.append("RRULE:\(rule)")
    if let series, series != due { lines.append(TodoDates.line(TodoName.series, series, known)) }
    for date in excluded { lines.append(TodoDates.line("EXDATE", date, known)) }
    if basis != .due { lines.append("\(TodoName.basis):\(basis.label)") }
    return lines
  }

  static func line(_ name: String, _ date: DueDate, _ zone: ZoneInfo?) -> String {
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

extension Instant {
  /// The second in which it is: calendars have no fractions (RFC 5545 section 3.3.5).
  var whole: Instant {
    let rest = milliseconds % 1_000
    return adding(milliseconds: rest < 0 ? -rest - 1_000 : -rest)
  }
}

extension DueDate {
  /// The date in whole seconds.
  fileprivate var whole: DueDate {
    guard case .instant(let instant) = self else { return self }
    return .instant(instant.whole)
  }

  /// The last date of the same kind before it.
  fileprivate var before: DueDate {
    switch self {
    case .day(let day): .day(CivilDate(daysSinceEpoch: day.daysSinceEpoch - 1))
    case .instant(let instant): .instant(instant.adding(milliseconds: -1))
    }
  }
}
