/// A date and a time of day: the fields of an instant at one offset from UTC.
public struct CivilTime: Hashable, Sendable {
  /// The date.
  public let date: CivilDate
  /// The hour, 0 to 23.
  public let hour: Int
  /// The minute, 0 to 59.
  public let minute: Int
  /// The second, 0 to 59.
  public let second: Int
  /// The millisecond, 0 to 999.
  public let millisecond: Int

  /// The fields of `instant` at `offset` seconds east of UTC.
  public init(_ instant: Instant, offset: Int = 0) {
    let local = instant.adding(seconds: Int64(offset)).milliseconds
    let days = floorQuotient(local, Instant.millisecondsPerDay)
    let rest = Int(local - days * Instant.millisecondsPerDay)
    date = CivilDate(daysSinceEpoch: Int(days))
    hour = rest / 3_600_000
    minute = rest / 60_000 % 60
    second = rest / 1000 % 60
    millisecond = rest % 1000
  }

  /// Returns `nil` if a field is out of range. There is no second 60, because instants have no leap
  /// seconds.
  public init?(date: CivilDate, hour: Int, minute: Int, second: Int, millisecond: Int = 0) {
    guard 0...23 ~= hour, 0...59 ~= minute, 0...59 ~= second, 0...999 ~= millisecond else {
      return nil
    }
    self.date = date
    self.hour = hour
    self.minute = minute
    self.second = second
    self.millisecond = millisecond
  }

  /// The instant at which a clock `offset` seconds east of UTC shows these fields.
  public func instant(offset: Int = 0) -> Instant {
    let seconds = (hour * 60 + minute) * 60 + second - offset
    return Instant(startOf: date)
      .adding(milliseconds: Int64(seconds) * 1000 + Int64(millisecond))
  }
}
