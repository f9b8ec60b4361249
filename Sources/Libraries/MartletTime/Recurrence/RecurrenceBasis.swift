/// The date that the next occurrence is counted from when one is completed.
public enum RecurrenceBasis: String, Hashable, Sendable, CaseIterable {
  /// The series: its first occurrence after both the current one and the completion. What was
  /// missed is skipped.
  case due
  /// The series: its first occurrence after the current one, even if it is past.
  case each
  /// The completion: the rule starts anew on its day.
  case completion
}

extension RecurrenceSeries {
  /// The next occurrence after `due`, completed at `now`, and the series from then on. `nil` if
  /// there is no more.
  ///
  /// `due` may have been moved, so that the series does not contain it. With
  /// `RecurrenceBasis.completion` the new series starts with the next occurrence, and its `COUNT`
  /// is lower by one: it is the number of occurrences from that one on.
  public func following(
    _ due: Occurrence, completedAt now: Instant, basis: RecurrenceBasis
  ) -> (next: Occurrence, series: RecurrenceSeries)? {
    switch basis {
    case .each:
      return next(after: due).map { ($0, self) }
    case .due:
      guard let next = next(after: due) else { return nil }
      return (isPast(next, at: now) ? self.next(after: .instant(now)) : next).map { ($0, self) }
    case .completion:
      return restarted(at: now)
    }
  }

  /// Whether an occurrence is not after `now`, or not after the day of `now`.
  private func isPast(_ occurrence: Occurrence, at now: Instant) -> Bool {
    switch occurrence {
    case .day(let date): date <= civilTime(at: now).date
    case .instant(let instant): instant <= now
    }
  }

  /// The next occurrence if the rule starts on the day of `now`, and the series from there on.
  private func restarted(at now: Instant) -> (next: Occurrence, series: RecurrenceSeries)? {
    let day = civilTime(at: now).date
    var time: CivilTime?
    if case .instant(let instant) = start { time = civilTime(at: instant).on(day) }
    // The day itself counts for COUNT in the place of the occurrence that was completed.
    var occurrences = Occurrences(
      self, start: day, time: time, from: day.daysSinceEpoch + 1,
      last: time.map { zone.instant(of: $0) })
    guard let next = occurrences.next() else { return nil }
    // The start has the time of day of the series. If clocks skip it when the next one is due, the
    // day of the completion has it.
    var start = next
    if case .instant(let instant) = next, let time, civilTime(at: instant).on(day) != time {
      start = .instant(zone.instant(of: time))
    }
    return (
      next,
      RecurrenceSeries(start: start, rule: rule.countedDown(), excluded: excluded, in: zone)
    )
  }
}
