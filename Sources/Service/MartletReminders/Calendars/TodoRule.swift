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
