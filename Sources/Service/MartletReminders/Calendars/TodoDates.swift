import MartletICalendar
import MartletTime

/// The dates of a to-do and how it recurs, in the form in which a reminder has them: `DTSTART`,
/// `DUE`, `DURATION`, `RRULE`, `EXDATE`.
///
/// A calendar counts a series from `DTSTART`, a reminder from its due date: ``TodoLead`` leads from
/// one to the other.
struct TodoDates: Equatable {
  var due: DueDate?
  var start: DueDate?
  /// The name of the zone of a time of day.
  var zone: String?
  /// The rule in full: parts that the text leaves out come from the first date.
  var rule: String?
  var basis = Recurrence.Basis.due
  /// The first date of the series.
  var series: DueDate?
  var excluded: [DueDate] = []
  /// The due date by the time of day of the series, if clocks skip it.
  private(set) var skipped: CivilTime?
  /// The lines that the dates were read from.
  private(set) var origin = Origin()

  /// The lines of dates. They are excluded from `==`.
  struct Origin: Equatable {
    /// From `DTSTART` to the due date.
    var lead: TodoLead?
    /// Whether the series has `DTSTART` alone, which is its due date then.
    var isStartOnly = false

    static func == (left: Origin, right: Origin) -> Bool { true }
  }

  /// No dates.
  init() {}

  /// Reads the lines of ``TodoGroup/dates``. Of several lines with a name the first is read. What
  /// does not fit, or cannot be evaluated, is left out.
  ///
  /// Throws if `DUE` is no date, or in an unknown zone.
  ///
  /// - Parameter house: The zone of times that name none.
  init(
    _ all: [ContentLine], _ zones: inout CalendarZones, house: ZoneInfo
  ) throws(CalendarError) {
    // Some programs write a property without a value for none.
    let lines = all.filter { !$0.value.isEmpty }
    func first(_ name: String) -> ContentLine? { lines.first { $0.name == name } }
    var named: String?
    var begin: DueDate?
    var clocks: CivilTime?
    if let line = first("DTSTART") {
      clocks = TodoDates.clocks(of: line)
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
      clocks = TodoDates.clocks(of: line)
      named = TodoDates.name(of: line, date, &zones)
    } else if let begin, let duration = first("DURATION").flatMap({ CivilDuration($0.value) }) {
      let own = named.flatMap { try? ZoneDatabase.system.zone(named: $0) }
      let zone = own ?? (isUTC ? .utc : house)
      due = TodoDates.moved(begin, by: duration, in: zone)
      clocks = clocks.flatMap { time in
        duration.milliseconds == 0 ? time.on(time.date.adding(days: duration.days)) : nil
      }
    }
    if let given = first(TodoName.zone)?.value, ValueRule.isZoneName(given) { named = given }
    let line = first("RRULE")
    let rule = line.flatMap {
      RecurrenceRule.read($0.value, from: begin ?? due, in: own(or: house))
    }
    origin.isStartOnly = due == nil && begin != nil && rule != nil
    if origin.isStartOnly { due = begin }
    start = TodoDates.start(begin, due)
    let isTimed = (due ?? start)?.isTimed == true
    let isUnzoned = !isTimed && first(TodoName.zone) == nil
    zone = isUnzoned ? nil : named
    if let rule, let due {
      if due.isTimed {
        zone = zone ?? nameOfStart ?? (isUTC ? ZoneInfo.utc.identifier : house.identifier)
      }
      readSeries(rule, begin, clocks, lines, &zones, house)
    }
    guard self.rule == nil else { return }
    if due?.isTimed == true { zone = named }
    if origin.isStartOnly { (due, start, origin.isStartOnly) = (nil, begin, false) }
    if let begin, let due { origin.lead = TodoLead(from: begin, to: due, in: own(or: house)) }
    setHiddenStart(lines, house)
  }

  /// The time that a line says by the clocks of a zone; `nil` for a day and a time in UTC.
  private static func clocks(of line: ContentLine) -> CivilTime? {
    CalendarTime.time(line.value).flatMap { $0.isUTC ? nil : $0.time }
  }

  /// `DTSTART` as the start of a reminder, unless it is equal to the due date (iOS writes it so).
  private static func start(_ begin: DueDate?, _ due: DueDate?) -> DueDate? {
    guard let begin, let due else { return begin }
    return begin.isTimed == due.isTimed && begin.stored < due.stored ? begin : nil
  }

  /// The zone of the times of day.
  func own(or house: ZoneInfo) -> ZoneInfo {
    zone.flatMap { try? ZoneDatabase.system.zone(named: $0) } ?? house
  }

  /// Reads how the to-do recurs, unless the rule cannot be evaluated: it never happens, or no rule
  /// gives the due dates that belong to it.
  private mutating func readSeries(
    _ rule: RecurrenceRule, _ begin: DueDate?, _ clocks: CivilTime?, _ lines: [ContentLine],
    _ zones: inout CalendarZones, _ house: ZoneInfo
  ) {
    guard let due else { return }
    func first(_ name: String) -> ContentLine? { lines.first { $0.name == name } }
    let label = first(TodoName.basis)?.value.lowercased()
    let basis = Recurrence.Basis.allCases.first { $0.label == label } ?? .due
    let known = first(TodoName.series).flatMap {
      (try? TodoDates.date($0, $0.value, &zones, house)) ?? nil
    }
    let series = known?.isTimed == due.isTimed ? known ?? due : due
    let own = own(or: house)
    let lead = TodoLead(from: begin ?? due, to: due, in: own)
    let begun = lead.start(of: series).day(in: own)
    guard let whole = try? rule.filledIn(from: begun),
      let moved = lead.ruleOfDue(basis == .completion ? rule : whole, from: series),
      let filled = try? moved.filledIn(from: series.day(in: own))
    else { return }
    (self.basis, self.series, origin.lead) = (basis, series, lead)
    self.rule = basis == .completion ? moved.description : filled.description
    if known == nil { setSkipped(clocks, own) }
    for line in lines where line.name == "EXDATE" {
      for value in line.value.split(separator: ",").prefix(Recurrence.mostExcluded) {
        guard excluded.count < Recurrence.mostExcluded,
          let date = try? TodoDates.date(line, String(value), &zones, house)
        else { continue }
        excluded.append(lead.excluded(fromStart: date))
      }
    }
    setHiddenStart(lines, house)
    if let line = first(TodoName.current),
      let date = (try? TodoDates.date(line, line.value, &zones, house)) ?? nil
    {
      // KDE counts from DTSTART, and takes the result for the due date.
      _ = move(to: lead.due(of: date), lead, own) || move(to: date, lead, own)
    }
  }

  /// The rule and the first date that give the occurrences; `nil` if it does not recur.
  func counted(_ zone: ZoneInfo) -> (rule: RecurrenceRule, start: DueDate)? {
    guard let series = series ?? due, let rule = rule.flatMap({ try? RecurrenceRule($0) }) else {
      return nil
    }
    guard let begun = skipped.flatMap({ rule.begun(before: $0, in: zone) }) else {
      return (rule, series)
    }
    return (begun.rule, .instant(begun.start))
  }

  /// - Parameter time: A time with the time of day of the series.
  private mutating func setSkipped(_ time: CivilTime?, _ zone: ZoneInfo) {
    guard let time, case .instant(let instant) = due else { return skipped = nil }
    skipped = time.skipped(by: instant, in: zone)
  }

  /// Moves the dates to a later occurrence of the series. Returns whether it is one.
  private mutating func move(to date: DueDate, _ lead: TodoLead, _ zone: ZoneInfo) -> Bool {
    guard let due, let counted = counted(zone), date.isTimed == due.isTimed,
      date.stored > due.stored, counted.rule.gives(date, from: counted.start, in: zone)
    else { return false }
    (self.due, skipped) = (date, nil)
    (rule, series) = (counted.rule.description, counted.start)
    if start != nil { start = TodoDates.start(lead.start(of: date), date) }
    return true
  }

  /// Ends the series, with its current occurrence as its last one.
  mutating func endSeries() {
    (rule, basis, series, excluded, skipped) = (nil, .due, nil, [], nil)
  }

  /// A start that ``lines(house:)`` has written as a time before the due date.
  private mutating func setHiddenStart(_ lines: [ContentLine], _ house: ZoneInfo) {
    guard start == nil, let due, let line = lines.first(where: { $0.name == TodoName.lead }),
      let before = CivilDuration(line.value)
    else { return }
    start = TodoDates.start(TodoDates.moved(due, by: before, in: own(or: house)), due)
  }

  /// The dates of a reminder, in whole seconds, as a calendar has them.
  init(of values: ReminderRepository.Values, house: ZoneInfo) {
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
    if due.isTimed { zone = zone ?? house.identifier }
    if first == due, case .instant(let start) = series { setSkipped(own.time(at: start), own) }
    (self.rule, series) = (rest, first)
  }

  /// Sets the fields of a reminder.
  func set(_ values: inout ReminderRepository.Values, house: ZoneInfo) {
    values.dueDate = .some(due)
    values.startDate = .some(start)
    values.timeZone = .some(zone)
    guard let counted = counted(own(or: house)) else {
      values.recurrence = .some(nil)
      return
    }
    var recurrence = Recurrence.Values()
    recurrence.rule = counted.rule
    recurrence.basis = basis
    recurrence.start = .some(counted.start)
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
      let (first, last) = (CivilTime(.earliest).date, CivilTime(.latest).date)
      return .day(min(max(day.adding(days: days), first), last))
    case .instant(let instant): return .instant(duration.instant(after: instant, in: zone))
    }
  }

  // MARK: What a client leaves out

  /// The dates that a client has put in place of older ones, with the service's own properties of
  /// the older ones, which clients leave out. These are taken over if the other properties still
  /// mean the same.
  ///
  /// - Parameter values: The new dates as fields.
  func completed(
    by old: TodoDates, _ values: ReminderRepository.Values, house: ZoneInfo
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
    if rule != nil, start == nil, let due, let lead = old.hiddenLead(house) {
      dates.start = TodoDates.start(lead.start(of: due), due)
    }
    return dates
  }

  /// From the start to the due date, if only a property of our own says it.
  private func hiddenLead(_ house: ZoneInfo) -> TodoLead? {
    guard let start, let due, writtenSeries(own(or: house)).lead != nil else { return nil }
    return TodoLead(from: start, to: due, in: own(or: house))
  }

  /// The dates of the reminder that these lines make: of a counted series, what is left of it.
  func settled(house: ZoneInfo) -> TodoDates {
    var values = ReminderRepository.Values()
    set(&values, house: house)
    return TodoDates(of: values, house: house)
  }

  /// The dates as a client reads them that drops our own properties.
  private func seen(house: ZoneInfo) -> TodoDates {
    let own = [TodoName.zone, TodoName.series, TodoName.basis, TodoName.lead]
    let known = lines(house: house).compactMap { try? ContentLine($0) }
      .filter { !own.contains($0.name) }
    var zones = CalendarZones(house: house)
    guard let read = try? TodoDates(known, &zones, house: house) else { return self }
    return read.settled(house: house)
  }

  /// The parts of a rule except COUNT.
  static func uncounted(_ rule: String) -> Set<Substring> {
    Set(rule.split(separator: ";").filter { !$0.hasPrefix("COUNT=") })
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
  var before: DueDate {
    switch self {
    case .day(let day): .day(CivilDate(daysSinceEpoch: day.daysSinceEpoch - 1))
    case .instant(let instant): .instant(instant.adding(milliseconds: -1))
    }
  }
}
