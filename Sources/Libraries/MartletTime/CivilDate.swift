/// A day of the proleptic Gregorian calendar, without a time zone.
public struct CivilDate: Hashable, Sendable {
  /// The year, 1 to 9999 unless computed.
  public let year: Int
  /// The month, 1 to 12.
  public let month: Int
  /// The day of the month, 1 to 31.
  public let day: Int

  /// Returns `nil` if the day does not exist or the year is not 1 to 9999. RFC 3339 also writes
  /// a year 0, but the dates of many languages begin with the year 1.
  public init?(year: Int, month: Int, day: Int) {
    guard 1...9999 ~= year, 1...12 ~= month, day >= 1,
      day <= CivilDate.days(inMonth: month, of: year)
    else { return nil }
    self.init(unchecked: year, month, day)
  }

  init(unchecked year: Int, _ month: Int, _ day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// The day that is `days` after 1970-01-01.
  ///
  /// Years are counted from 1 March, so that the leap day is the last of its year and the first day
  /// of each month follows from one linear formula. 146,097 days make one cycle of 400 years.
  public init(daysSinceEpoch days: Int) {
    let shifted = days + 719_468
    let cycle = floorQuotient(shifted, 146_097)
    let dayOfCycle = shifted - cycle * 146_097
    let yearOfCycle =
      (dayOfCycle - dayOfCycle / 1460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
    let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    self.init(
      unchecked: yearOfCycle + cycle * 400 + (month <= 2 ? 1 : 0), month,
      dayOfYear - (153 * marchMonth + 2) / 5 + 1)
  }

  /// The date of `instant` in UTC.
  public init(utc instant: Instant) {
    self.init(
      daysSinceEpoch: Int(floorQuotient(instant.milliseconds, Instant.millisecondsPerDay)))
  }

  /// The number of days since 1970-01-01, negative before it.
  public var daysSinceEpoch: Int {
    let marchYear = month <= 2 ? year - 1 : year
    let cycle = floorQuotient(marchYear, 400)
    let yearOfCycle = marchYear - cycle * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfCycle = yearOfCycle * 365 + yearOfCycle / 4 - yearOfCycle / 100 + dayOfYear
    return cycle * 146_097 + dayOfCycle - 719_468
  }

  /// The weekday, from 0 for Sunday to 6 for Saturday, as in POSIX and SQLite's `%w`.
  public var weekday: Int {
    let shifted = (daysSinceEpoch + 4) % 7
    return shifted < 0 ? shifted + 7 : shifted
  }

  /// The date that is `days` later, or earlier if `days` is negative.
  public func adding(days: Int) -> CivilDate {
    CivilDate(daysSinceEpoch: daysSinceEpoch + days)
  }

  /// Whether a year has 366 days.
  public static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  /// The number of days of a month, which is 1 to 12.
  public static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

extension CivilDate: Comparable {
  /// Orders dates by time.
  public static func < (left: CivilDate, right: CivilDate) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }
}

extension CivilDate: LosslessStringConvertible {
  /// Parses `yyyy-MM-dd`. Returns `nil` for other text and for a day that does not exist.
  /// `RFC3339.date` reports what is wrong.
  public init?(_ text: String) {
    guard let date = try? RFC3339.date(text) else { return nil }
    self = date
  }

  /// The length of the text form in bytes.
  public static let length = 10

  /// Writes `yyyy-MM-dd`, ten bytes. Years outside 1 to 9999, which only computed dates have, are
  /// clamped to that range.
  package func write(to bytes: UnsafeMutablePointer<UInt8>) {
    Digits.write(four: min(max(year, 1), 9999), to: bytes)
    bytes[4] = UInt8(ascii: "-")
    Digits.write(two: month, to: bytes + 5)
    bytes[7] = UInt8(ascii: "-")
    Digits.write(two: day, to: bytes + 8)
  }

  /// The date as `yyyy-MM-dd`: RFC 3339's `full-date` and SQLite's `date()`.
  public var description: String {
    String(unsafeUninitializedCapacity: CivilDate.length) {
      write(to: $0.baseAddress!)
      return CivilDate.length
    }
  }
}

/// Division that rounds toward negative infinity, so that days before 1970 are whole days.
@inline(__always)
func floorQuotient<Number: FixedWidthInteger & SignedInteger>(
  _ dividend: Number, _ divisor: Number
) -> Number {
  let quotient = dividend / divisor
  return dividend % divisor < 0 ? quotient - 1 : quotient
}
