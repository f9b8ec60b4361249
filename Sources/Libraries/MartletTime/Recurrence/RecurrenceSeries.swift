/// A series of occurrences by a rule from a start: days, or times of day in a zone.
///
/// Occurrences are civil times: each has the start's time of day on the zone's clocks, whatever its
/// offset from UTC. One that clocks skip is at the instant by the offset before the change, and one
/// that they show twice is the first. The one after it has the start's time of day again.
public struct RecurrenceSeries: Hashable, Sendable {
  /// The first occurrence, whether or not the rule gives it. All others are of the same kind.
  public let start: Occurrence
  /// The rule. What it leaves out is taken from the start.
  public let rule: RecurrenceRule
  /// Occurrences that are left out. They count for `COUNT`. A day leaves out what is on this day.
  public let excluded: Set<Occurrence>
  /// The zone of the times of day, and of `UNTIL`.
  public let zone: ZoneInfo

  /// Makes a series.
  public init(
    start: Occurrence, rule: RecurrenceRule, excluded: Set<Occurrence> = [], in zone: ZoneInfo
  ) {
    self.start = start
    self.rule = rule
    self.excluded = excluded
    self.zone = zone
  }

  /// The first occurrence after `moment`, or `nil` if there is no more.
  ///
  /// A day is compared with times by the day of the time in the zone.
  public func next(after moment: Occurrence) -> Occurrence? {
    var occurrences = self.occurrences(after: moment)
    return occurrences.next()
  }

  /// All occurrences from the start on.
  public var occurrences: Occurrences { Occurrences(self, from: .min, last: nil) }

  /// The occurrences after `moment`, which need not be one itself.
  public func occurrences(after moment: Occurrence) -> Occurrences {
    switch (moment, start) {
    case (.day(let date), _):
      Occurrences(self, from: date.daysSinceEpoch + 1, last: nil)
    case (.instant(let instant), .day):
      Occurrences(self, from: civilTime(at: instant).date.daysSinceEpoch + 1, last: nil)
    case (.instant(let instant), .instant):
      // An occurrence that clocks skip is later on them, by a day at most.
      Occurrences(self, from: civilTime(at: instant).date.daysSinceEpoch - 1, last: instant)
    }
  }

  /// The civil time that the zone's clocks show, in the years that have a text form.
  func civilTime(at instant: Instant) -> CivilTime {
    zone.time(at: min(max(instant, .earliest), .latest))
  }
}

extension RecurrenceSeries {
  /// The occurrences of a series, in order. The work from one to the next is bounded.
  public struct Occurrences: Sequence, IteratorProtocol {
    private let series: RecurrenceSeries
    private let start: Int
    /// Has the time of day of each occurrence; `nil` if occurrences are days.
    private let time: CivilTime?
    private var days: SeriesDays
    /// Occurrences are later than this instant.
    private var last: Instant?
    private var isOver = false

    /// The occurrences on or after a day, and after an instant.
    init(_ series: RecurrenceSeries, from day: Int, last: Instant?) {
      switch series.start {
      case .day(let date):
        self.init(series, start: date, time: nil, from: day, last: last)
      case .instant(let instant):
        let time = series.civilTime(at: instant)
        self.init(series, start: time.date, time: time, from: day, last: last)
      }
    }

    /// The same for a start that clocks may skip.
    init(
      _ series: RecurrenceSeries, start: CivilDate, time: CivilTime?, from day: Int, last: Instant?
    ) {
      self.series = series
      self.start = start.daysSinceEpoch
      self.time = time
      days = SeriesDays(series.rule, start: start, from: day)
      self.last = last
    }

    /// The next occurrence, or `nil` at the end of the series.
    public mutating func next() -> Occurrence? {
      while !isOver, let day = days.next() {
        let date = CivilDate(daysSinceEpoch: day)
        guard let time = time?.on(date) else {
          if day != start, isAfterEnd(date) { break }
          if !series.excluded.contains(.day(date)) { return .day(date) }
          continue
        }
        let instant = series.zone.instant(of: time)
        if day != start, isAfterEnd(time, instant) { break }
        guard instant <= .latest else { break }
        // The occurrence of a day that clocks skip is at the instant of the day after.
        if let last, instant <= last { continue }
        last = instant
        if !series.excluded.contains(.instant(instant)), !series.excluded.contains(.day(date)) {
          return .instant(instant)
        }
      }
      isOver = true
      return nil
    }

    private func isAfterEnd(_ date: CivilDate) -> Bool {
      switch series.rule.end {
      case .never, .count: false
      case .day(let end): date > end
      case .time(let end): date > end.date
      case .instant(let end): LocalDay(date, in: series.zone).start > end
      }
    }

    private func isAfterEnd(_ time: CivilTime, _ instant: Instant) -> Bool {
      switch series.rule.end {
      case .never, .count: false
      case .day(let end): time.date > end
      case .time(let end): time.instant() > end.instant()
      case .instant(let end): instant > end
      }
    }
  }
}

extension CivilTime {
  /// The same time of day on another date.
  public func on(_ date: CivilDate) -> CivilTime {
    CivilTime(date: date, hour: hour, minute: minute, second: second, millisecond: millisecond)!
  }
}

/// When something of a ``RecurrenceSeries`` happens: on a day, or at an instant.
public enum Occurrence: Hashable, Sendable {
  /// On a day, without a time.
  case day(CivilDate)
  /// At an instant.
  case instant(Instant)
}
