import MartletTime

extension FuzzTarget {
  /// Dates, instants, names of time zones and recurrence rules, as they occur in requests.
  static let time = FuzzTarget(name: "time") {
    { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      if let instant = try? RFC3339.parse(bytes) {
        let again = try RFC3339.parse(RFC3339.string(instant))
        try expect(again == instant, "the instant became \(RFC3339.string(again))")
        let stored = SQLiteTime.string(instant)
        try expect(SQLiteTime.parse(stored) == instant, "\(stored) is stored for another instant")
      }
      if let instant = SQLiteTime.parse(bytes) {
        let again = SQLiteTime.parse(SQLiteTime.string(instant))
        try expect(again == instant, "the stored instant became another")
      }
      if let date = CivilDate(text) {
        try expect(CivilDate(date.description) == date, "\(date) reads as another")
        try expect(date.adding(days: 1).adding(days: -1) == date, "a day and back is another")
      }
      if let rule = try? RecurrenceRule(text) {
        try expect(try RecurrenceRule(rule.description) == rule, "\(rule) reads as another")
        let start = Occurrence.instant(.epoch)
        let series = RecurrenceSeries(start: start, rule: rule, in: .utc)
        for (one, next) in zip(
          series.occurrences.prefix(5), series.occurrences.prefix(6).dropFirst())
        {
          try expect(series.next(after: one) == next, "\(rule) has another next one")
        }
      }
      if ZoneInfo.isIdentifier(text) {
        try expect(!text.contains(".") && !text.hasPrefix("/"), "\(text) leaves its folder")
      }
    }
  }
}
