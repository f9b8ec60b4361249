import MartletTime

/// How long before it is due a to-do begins, on the clocks.
///
/// Calendars count a series from `DTSTART`: the dates of `RRULE`, `EXDATE` and `RECURRENCE-ID` are
/// those on which occurrences begin (RFC 5545 sections 3.8.4.4, 3.8.5.1 and 3.8.5.3). A reminder
/// counts it from its due date. This leads from one to the other.
struct TodoLead {
  private let begin: DueDate
  private let due: DueDate
  let zone: ZoneInfo
  /// The days between the two.
  let days: Int

  /// - Parameters:
  ///   - begin: `DTSTART`, which may be of another kind than the due date.
  ///   - zone: The zone of the series.
  init(from begin: DueDate, to due: DueDate, in zone: ZoneInfo) {
    (self.begin, self.due, self.zone) = (begin, due, zone)
    days = due.day(in: zone).daysSinceEpoch - begin.day(in: zone).daysSinceEpoch
  }

  // MARK: Occurrences

  /// The due date of the occurrence that begins at a date.
  func due(of start: DueDate) -> DueDate { moved(start, from: begin, to: due, by: days) }

  /// When the occurrence with a due date begins.
  func start(of date: DueDate) -> DueDate { moved(date, from: due, to: begin, by: -days) }

  /// The same for a date that is left out, which can be a day of a series of times.
  func excluded(fromStart date: DueDate) -> DueDate {
    if case .day(let day) = date { .day(clamped(day, by: days)) } else { due(of: date) }
  }

  /// The date that a calendar leaves out, for one that the reminder leaves out.
  func excluded(fromDue date: DueDate) -> DueDate {
    if case .day(let day) = date { .day(clamped(day, by: -days)) } else { start(of: date) }
  }

  private func moved(
    _ date: DueDate, from old: DueDate, to new: DueDate, by days: Int
  ) -> DueDate {
    let day = clamped(date.day(in: zone), by: days)
    guard case .instant(let instant) = new else { return .day(day) }
    let time = zone.time(at: instant)
    // What is not at the time of the series stays apart from it.
    if case .instant(let given) = date, case .instant(let first) = old,
      zone.instant(of: zone.time(at: first).on(date.day(in: zone))) != given
    {
      let far = time.instant().milliseconds(since: zone.time(at: first).instant())
      let moved = zone.time(at: given).instant().adding(milliseconds: far)
      return .instant(zone.instant(of: CivilTime(min(max(moved, .earliest), .latest))))
    }
    return .instant(min(max(zone.instant(of: time.on(day)), .earliest), .latest))
  }

  private func clamped(_ day: CivilDate, by days: Int) -> CivilDate {
    let moved = day.adding(days: days)
    return min(max(moved, CivilTime(.earliest).date), CivilTime(.latest).date)
  }

  // MARK: Rules

  /// The start as a time before the due date.
  var duration: CivilDuration? {
    let day: Int64 = 86_400_000
    return CivilDuration(
      days: -Int(milliseconds / day), milliseconds: -(milliseconds % day))
  }

  /// The time between the two on the clocks.
  private var milliseconds: Int64 {
    func time(_ date: DueDate) -> Instant {
      switch date {
      case .day(let day): Instant(startOf: day)
      case .instant(let instant): zone.time(at: instant).instant()
      }
    }
    return time(due).milliseconds(since: time(begin))
  }

  /// The rule for due dates, for a rule that is counted from `DTSTART`; `nil` if no rule gives
  /// them.
  ///
  /// Some programs count from `DUE`. A rule that gives the due date but not the start is theirs.
  ///
  /// - Parameter first: The first due date of the series.
  func ruleOfDue(_ rule: RecurrenceRule, from first: DueDate) -> RecurrenceRule? {
    if isOfDue(rule, first) { return rule }
    return rule.moved(by: days, from: start(of: first).day(in: zone))?
      .movingEnd(days: days, milliseconds: milliseconds, in: zone)
  }

  /// The rule for `DTSTART` that ``ruleOfDue(_:from:)`` leads back from; `nil` if no rule
  /// gives the starts.
  func ruleOfStart(_ rule: RecurrenceRule, from first: DueDate) -> RecurrenceRule? {
    let moved = rule.moved(by: -days, from: first.day(in: zone))?
      .movingEnd(days: -days, milliseconds: -milliseconds, in: zone)
    guard let moved, !isOfDue(moved, first) else { return nil }
    return moved
  }

  private func isOfDue(_ rule: RecurrenceRule, _ first: DueDate) -> Bool {
    guard days != 0 else { return false }
    return !rule.fits(start(of: first).day(in: zone)) && rule.fits(first.day(in: zone))
  }
}
