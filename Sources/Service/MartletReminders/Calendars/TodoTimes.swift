import MartletICalendar
import MartletTime

/// When a to-do is, for questions about a span of time (RFC 4791 section 9.9).
package struct TodoTimes {
  private let dates: TodoDates
  private let zone: ZoneInfo
  /// The zone of times that name none.
  private let house: ZoneInfo
  private let completed: Instant?
  private let created: Instant?
  private let isDuration: Bool
  /// `DTSTART` also where it is no start of a reminder.
  private let begin: DueDate?
  private let known: Known

  /// The occurrences that were worked out before, and what gives the next one.
  private final class Known {
    /// Each with its first instant.
    var found: [(date: DueDate, start: Instant)]
    let rest: AnyIterator<DueDate>
    var isWhole = false

    init(_ found: [(date: DueDate, start: Instant)], _ rest: AnyIterator<DueDate>) {
      self.found = found
      self.rest = rest
    }
  }

  private static let day: Int64 = 86_400_000

  /// How many occurrences are checked.
  package static let mostOccurrences = 1_000

  /// Reads a VTODO of a calendar with these zones. `nil` if its dates cannot be read.
  package init?(_ todo: CalendarComponent, in zones: inout CalendarZones, house: ZoneInfo) {
    let lines = todo.properties.filter { TodoGroup($0) == .dates }
    guard let dates = try? TodoDates(lines, &zones, house: house) else { return nil }
    self.dates = dates
    zone = dates.zone.flatMap { try? ZoneDatabase.system.zone(named: $0) } ?? house
    self.house = house
    completed = todo.first("COMPLETED").flatMap {
      TodoTimes.instant(of: $0, in: &zones, house: house)
    }
    // Some programs omit the Z.
    created = todo.first("CREATED").flatMap { CalendarTime.instant($0.value, in: .utc) }
    func isSaid(_ name: String) -> Bool { todo.first(name)?.value.isEmpty == false }
    isDuration = !isSaid("DUE") && isSaid("DURATION")
    begin = todo.first("DTSTART").flatMap {
      (try? TodoDates.date($0, $0.value, &zones, house)) ?? nil
    }
    known = TodoTimes.known(dates, zone)
  }

  private static func known(_ dates: TodoDates, _ zone: ZoneInfo) -> Known {
    guard let due = dates.due else { return Known([], AnyIterator { nil }) }
    guard let (rule, start) = dates.counted(zone) else {
      return Known([(due, due.start(in: zone))], AnyIterator { nil })
    }
    let series = RecurrenceSeries(
      start: Occurrence(start), rule: rule,
      excluded: Set(dates.excluded.map { Occurrence($0) }), in: zone)
    let next = series.occurrences(after: Occurrence(due)).lazy.map { DueDate($0) }
    return Known([(due, due.start(in: zone))], AnyIterator(next.makeIterator()))
  }

  /// Works out the occurrences before an instant.
  private func find(before end: Instant) {
    while !known.isWhole, known.found.count < TodoTimes.mostOccurrences,
      known.found.count < 2 || known.found[known.found.count - 1].start < end
    {
      if let next = known.rest.next() {
        known.found.append((next, next.start(in: zone)))
      } else {
        known.isWhole = true
      }
    }
  }

  /// The place of the first occurrence that is not before an instant.
  private func place(of instant: Instant) -> Int {
    var (low, high) = (0, known.found.count)
    while low < high {
      let middle = (low + high) / 2
      if known.found[middle].start < instant { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The occurrences that are at most some days from a span of time.
  private func occurrences(_ from: Instant, _ to: Instant, within days: Int) -> [DueDate] {
    // A to-do can begin long before it is due.
    let days = Int64(days + abs(dates.origin.lead?.days ?? 0) + 1)
    let begin = from.adding(milliseconds: -days * TodoTimes.day)
    let end = to.adding(milliseconds: days * TodoTimes.day)
    find(before: end)
    let first = place(of: begin)
    return known.found[first..<max(first, place(of: end))].map(\.date)
  }

  /// The start that belongs to an occurrence.
  package func start(of occurrence: DueDate) -> DueDate? {
    guard begin != nil, let lead = dates.origin.lead else { return begin }
    return lead.start(of: occurrence)
  }

  /// Whether the to-do is in a span of time, by the eight rows of the table.
  package func overlaps(_ from: Instant, _ to: Instant) -> Bool {
    guard dates.due != nil else {
      return overlaps(from, to, start: begin?.start(in: zone), due: nil)
    }
    return occurrences(from, to, within: 1).contains { overlaps(from, to, $0) }
  }

  /// The occurrences of a series that are in a span of time.
  package func occurrences(overlapping from: Instant, _ to: Instant) -> [DueDate] {
    occurrences(from, to, within: 1).filter { overlaps(from, to, $0) }
  }

  private func overlaps(_ from: Instant, _ to: Instant, _ occurrence: DueDate) -> Bool {
    let due = dates.origin.isStartOnly ? nil : occurrence.start(in: zone)
    return overlaps(from, to, start: start(of: occurrence)?.start(in: zone), due: due)
  }

  private func overlaps(
    _ from: Instant, _ to: Instant, start: Instant?, due: Instant?
  ) -> Bool {
    switch (start, due) {
    case (let start?, let due?) where isDuration:
      from <= due && (to > start || to >= due)
    case (let start?, let due?): (from < due || from <= start) && (to > start || to >= due)
    case (let start?, nil): from <= start && to > start
    case (nil, let due?): from < due && to >= due
    case (nil, nil):
      switch (completed, created) {
      case (let completed?, let created?):
        (from <= created || from <= completed) && (to >= created || to >= completed)
      case (let completed?, nil): from <= completed && to >= completed
      case (nil, let created?): to > created
      case (nil, nil): true
      }
    }
  }

  /// Whether a VALARM with these properties rings in a span of time.
  package func rings(_ alarm: [ContentLine], _ from: Instant, _ to: Instant) -> Bool {
    var zones = CalendarZones(house: house)
    guard let trigger = TodoAlarms.trigger(alarm, dates, &zones, house) else { return false }
    switch trigger.moment {
    case .at(let instant): return trigger.rings(from, to, first: instant)
    case .offset(let offset, let anchor):
      let after = Int64(offset.days) * TodoTimes.day + offset.milliseconds
      let last = after + Int64(trigger.daysOfRepetition) * TodoTimes.day
      return occurrences(
        from.adding(milliseconds: -last), to.adding(milliseconds: -after), within: 1
      ).contains { occurrence in
        let date = anchor == .start ? start(of: occurrence) : occurrence
        guard let moment = date.map({ moment(offset, after: $0) }) else { return false }
        return trigger.rings(from, to, first: moment)
      }
    }
  }

  private func moment(_ offset: CivilDuration, after date: DueDate) -> Instant {
    switch date {
    case .day(let day): offset.instant(afterMidnightOf: day, in: zone)
    case .instant(let instant): offset.instant(after: instant, in: zone)
    }
  }

  /// The dates of an occurrence as properties: in UTC, or days.
  package func lines(of occurrence: DueDate) -> [String] {
    let start = start(of: occurrence)
    var lines = [TodoDates.line("RECURRENCE-ID", start ?? occurrence, nil)]
    if let start { lines.append(TodoDates.line("DTSTART", start, nil)) }
    if !dates.origin.isStartOnly { lines.append(TodoDates.line("DUE", occurrence, nil)) }
    return lines
  }

  /// Whether it recurs.
  package var recurs: Bool { dates.rule != nil }

  /// The time that a property says, the first one of a date; `nil` if it says none, or in a zone
  /// that is not known.
  package static func instant(
    of line: ContentLine, in zones: inout CalendarZones, house: ZoneInfo
  ) -> Instant? {
    let date = (try? TodoDates.date(line, line.value, &zones, house)) ?? nil
    return date?.start(in: house)
  }
}

extension CalendarZones {
  /// The zones that a calendar defines.
  package init(of calendar: CalendarComponent, house: ZoneInfo) {
    self.init(house: house)
    for component in calendar.components where component.name == "VTIMEZONE" {
      try? define(component.allLines)
    }
  }
}

extension AlarmTrigger {
  /// How many days after the first time it can ring last.
  fileprivate var daysOfRepetition: Int {
    guard let repetition else { return 0 }
    return Int(repetition.every.milliseconds * Int64(repetition.times) / 86_400_000) + 1
  }

  /// Whether one that rings first at a moment rings in a span of time.
  fileprivate func rings(_ from: Instant, _ to: Instant, first: Instant) -> Bool {
    var moment = first
    if moment < from, let repetition, repetition.every.milliseconds > 0 {
      let step = repetition.every.milliseconds
      let missed = (from.milliseconds - first.milliseconds + step - 1) / step
      guard missed <= Int64(repetition.times) else { return false }
      moment = first.adding(milliseconds: missed * step)
    }
    return from <= moment && moment < to
  }
}
