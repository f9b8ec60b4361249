/// A day in a time zone, with the instants at which it starts and ends.
///
/// A day need not have 24 hours or start at midnight (in São Paulo, 4 November 2018 started at
/// 01:00), and some days do not exist (Samoa had no 30 December 2011).
public struct LocalDay: Hashable, Sendable {
  /// The day's date.
  public let date: CivilDate
  /// The time zone.
  public let zone: ZoneInfo

  /// The day with that date in a zone.
  public init(_ date: CivilDate, in zone: ZoneInfo) {
    self.date = date
    self.zone = zone
  }

  /// The day in `zone` that contains `instant`.
  public init(containing instant: Instant, in zone: ZoneInfo) {
    self.init(zone.time(at: instant).date, in: zone)
  }

  /// The day after this one.
  public var next: LocalDay { LocalDay(date.adding(days: 1), in: zone) }

  /// The first instant at which the zone's calendar shows this date, or a later date if the zone
  /// skips this one.
  public var start: Instant {
    let midnight = Int64(date.daysSinceEpoch) * LocalDay.secondsPerDay
    // No zone is further from UTC than 26 hours, so before this instant the date is always earlier.
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

  /// The instant at which the day ends: the start of the next one.
  public var end: Instant { next.start }

  private static let secondsPerDay: Int64 = 86_400
}
