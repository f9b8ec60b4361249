import MartletTime

extension RecurrenceRule {
  /// A rule, also with blemishes that have one meaning: parts without content, an interval of 0. Of
  /// COUNT and UNTIL, which must not be in one rule, the one holds that ends the series first.
  static func read(_ value: String, from start: DueDate?, in zone: ZoneInfo) -> RecurrenceRule? {
    if let rule = try? RecurrenceRule(value) { return rule }
    let parts = value.filter { $0 != " " }.split(separator: ";").filter {
      $0.uppercased() != "INTERVAL=0"
    }
    func rule(without name: String?) -> RecurrenceRule? {
      let kept = parts.filter { part in
        name.map { !part.uppercased().hasPrefix("\($0)=") } ?? true
      }
      return try? RecurrenceRule(kept.joined(separator: ";"))
    }
    if let rule = rule(without: nil) { return rule }
    guard let counted = rule(without: "UNTIL"), let bounded = rule(without: "COUNT"),
      let count = counted.count, let start
    else { return nil }
    // An object can have 1,000 such rules, so only a year of days is counted.
    guard count <= 366 else { return bounded }
    let series = RecurrenceSeries(start: Occurrence(start), rule: bounded, in: zone)
    let later = series.occurrences(after: Occurrence(start)).prefix(count)
    return later.count(where: { _ in true }) >= count ? counted : bounded
  }
}

extension RecurrenceRule {
  /// Whether a series that begins with `start` has an occurrence at a date.
  func gives(_ date: DueDate, from start: DueDate, in zone: ZoneInfo) -> Bool {
    let series = RecurrenceSeries(start: Occurrence(start), rule: self, in: zone)
    return series.next(after: Occurrence(date.before)) == Occurrence(date)
  }

  /// The rule for what is left of a series, and the start of that: the due date, or an occurrence
  /// before it if the due date was moved.
  func from(
    _ due: DueDate, start: DueDate, in zone: ZoneInfo
  ) -> (rest: String, start: DueDate) {
    let series = RecurrenceSeries(start: Occurrence(start), rule: self, in: zone)
    guard count != nil else {
      return (description, gives(due, from: start, in: zone) ? due : start)
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

extension CivilTime {
  /// The same time of day on the day of an instant, if clocks skip it there and show the instant
  /// instead.
  func skipped(by instant: Instant, in zone: ZoneInfo) -> CivilTime? {
    let shown = zone.time(at: instant)
    let time = on(shown.date)
    return time != shown && zone.instant(of: time) == instant ? time : nil
  }
}
