/// The rule for the time after the last stored transition: a POSIX `TZ` string with the extensions
/// of RFC 8536 section 3.3.1 (`CET-1CEST,M3.5.0,M10.5.0/3`, `<+03>-3`, hours from -167 to 167).
struct ZoneRule: Sendable, Equatable {
  /// A day of every year.
  enum Day: Sendable, Equatable {
    /// `Jn`: day 1 to 365, not counting 29 February.
    case julian(Int)
    /// `n`: day 0 to 365, counting 29 February.
    case zeroBased(Int)
    /// `Mm.w.d`: weekday 0 to 6 (0 is Sunday) of week 1 to 5 (5 is the last) of a month.
    case weekday(month: Int, week: Int, weekday: Int)
  }

  struct Transition: Sendable, Equatable {
    var day: Day
    /// Seconds after local midnight, -604,800 to 604,800 exclusive.
    var time: Int
  }

  struct Daylight: Sendable, Equatable {
    /// Seconds east of UTC.
    var offset: Int
    var start: Transition
    var end: Transition
  }

  /// The offset of standard time, in seconds east of UTC.
  var standard: Int
  /// Daylight saving time, or `nil` if clocks never change.
  var daylight: Daylight?

  /// The offset at `second` (since 1970 UTC).
  ///
  /// A change with hours outside 0 to 24 can lie in an adjacent year, so three years are searched.
  /// If the end of one year coincides with the start of the next (daylight saving time all year),
  /// the later change wins.
  func offset(at second: Int64) -> Int {
    guard daylight != nil else { return standard }
    var latest = Int64.min
    var offset = standard
    forEachChange(around: second) { time, newOffset in
      if time <= second, time >= latest {
        latest = time
        offset = newOffset
      }
    }
    return offset
  }

  /// The next change after `second`.
  func nextChange(after second: Int64) -> Int64? {
    guard daylight != nil else { return nil }
    var next: Int64?
    forEachChange(around: second) { time, _ in
      if time > second, time < next ?? .max { next = time }
    }
    return next
  }

  private func forEachChange(around second: Int64, _ body: (Int64, _ newOffset: Int) -> Void) {
    guard let daylight else { return }
    let year = CivilDate(daysSinceEpoch: Int(floorQuotient(second, 86_400))).year
    for year in year - 1...year + 1 {
      body(daylight.start.second(in: year, offset: standard), daylight.offset)
      body(daylight.end.second(in: year, offset: daylight.offset), standard)
    }
  }
}

extension ZoneRule.Transition {
  /// The change in `year`, in seconds since 1970 UTC, given the `offset` before it.
  fileprivate func second(in year: Int, offset: Int) -> Int64 {
    Int64(day.daysSinceEpoch(in: year)) * 86_400 + Int64(time - offset)
  }
}

extension ZoneRule.Day {
  func daysSinceEpoch(in year: Int) -> Int {
    switch self {
    case .julian(let day):
      let newYear = CivilDate(unchecked: year, 1, 1).daysSinceEpoch
      return newYear + day - (CivilDate.isLeap(year) && day >= 60 ? 0 : 1)
    case .zeroBased(let day):
      return CivilDate(unchecked: year, 1, 1).daysSinceEpoch + day
    case .weekday(let month, let week, let weekday):
      let first = CivilDate(unchecked: year, month, 1)
      let firstMatch = (weekday - first.weekday + 7) % 7
      var day = firstMatch + (week - 1) * 7
      if day >= CivilDate.days(inMonth: month, of: year) { day -= 7 }
      return first.daysSinceEpoch + day
    }
  }
}
