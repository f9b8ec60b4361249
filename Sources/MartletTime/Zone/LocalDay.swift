/// A day in a time zone: what "today" is there, when it begins, when it is over.
///
/// Days are not 24 hours long, need not begin at midnight (in São Paulo, 4 November 2018 began at
/// 01:00), and some never were (Samoa had no 30 December 2011).
public struct LocalDay: Hashable, Sendable {
  public let date: CivilDate
  public let zone: ZoneInfo

  public init(_ date: CivilDate, in zone: ZoneInfo) {
    self.date = date
    self.zone = zone
  }

  /// The day that it is in `zone` at `instant`.
  public init(containing instant: Instant, in zone: ZoneInfo) {
    self.init(zone.time(at: instant).date, in: zone)
  }

  public var next: LocalDay { LocalDay(date.adding(days: 1), in: zone) }

  /// The first instant at which the zone's calendar shows this date, or a later one where it skips
  /// this date.
  public var start: Instant {
    let midnight = Int64(date.daysSinceEpoch) * LocalDay.secondsPerDay
    // No zone is further from UTC than 26 hours: before this, the date is always an earlier one.
    var from = midnight - 26 * 3600
    while true {
      let offset = Int64(zone.offset(at: Instant(seconds: from)))
      let begins = max(from, midnight - offset)
      guard let change = zone.nextTransition(after: Instant(seconds: from))?.seconds,
        begins >= change
      else { return Instant(seconds: begins) }
      from = change
    }
  }

  /// The first instant of the next day that the zone has: where this day is over.
  public var end: Instant { next.start }

  private static let secondsPerDay: Int64 = 86_400
}
