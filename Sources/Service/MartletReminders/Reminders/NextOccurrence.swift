import MartletTime

/// The columns of a reminder after its current occurrence is completed or skipped.
struct NextOccurrence {
  let dueDate: DueDate
  let startDate: DueDate?
  /// The rule and the start of the series from then on. They only change if the series is counted
  /// from completions.
  let rule: String?
  let start: DueDate?

  /// An occurrence of the same series that another program has moved a reminder to.
  init(_ dueDate: DueDate, _ startDate: DueDate?, of reminder: Reminder) {
    self.dueDate = dueDate
    self.startDate = startDate
    rule = reminder.recurrenceRule
    start = reminder.recurrenceStart
  }

  /// The occurrence of the series that comes after the current one, whatever has been missed; `nil`
  /// after the last one.
  init?(after reminder: Reminder, in zone: ZoneInfo) {
    guard let due = reminder.dueDate, let series = reminder.series(in: zone),
      let next = series.next(after: Occurrence(due))
    else { return nil }
    let start = reminder.startDate.map {
      Self.moved($0, from: due, to: DueDate(next), in: series.zone)
    }
    self.init(DueDate(next), start, of: reminder)
  }

  /// The next occurrence of a reminder, or `nil` after the last one.
  ///
  /// - Parameters:
  ///   - reminder: The reminder, with its current occurrence.
  ///   - now: The time of the completion.
  ///   - isSkipped: Whether the current one is skipped. Then the series is not counted from now.
  ///   - zone: The zone of a reminder without one.
  init?(of reminder: Reminder, at now: Instant, isSkipped: Bool, in zone: ZoneInfo) {
    guard let due = reminder.dueDate, let series = reminder.series(in: zone) else { return nil }
    let basis = reminder.recurrenceBasis
    let found = series.following(
      Occurrence(due), completedAt: now,
      basis: isSkipped && basis == .completion ? .due : basis.value)
    guard let found else { return nil }
    dueDate = DueDate(found.next)
    startDate = reminder.startDate.map {
      Self.moved($0, from: due, to: DueDate(found.next), in: series.zone)
    }
    let isMoved = found.series.start != series.start || found.series.rule != series.rule
    rule = isMoved ? found.series.rule.description : reminder.recurrenceRule
    start = isMoved ? DueDate(found.series.start) : reminder.recurrenceStart ?? due
  }

  /// A start date that is as many days before the new due date as before the old one, at the same
  /// time of day.
  private static func moved(
    _ start: DueDate, from old: DueDate, to new: DueDate, in zone: ZoneInfo
  ) -> DueDate {
    let days = old.day(in: zone).daysSinceEpoch - start.day(in: zone).daysSinceEpoch
    let day = CivilDate(daysSinceEpoch: new.day(in: zone).daysSinceEpoch - days)
    switch (start, new) {
    case (.instant(let instant), .instant(let due)):
      let moved = zone.instant(of: zone.time(at: instant).on(day))
      return .instant(min(moved, due))
    default: return .day(day)
    }
  }
}
