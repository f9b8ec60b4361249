/// A day of the proleptic Gregorian calendar, in no particular time zone.
public struct CivilDate: Hashable, Sendable {
  public let year: Int
  /// 1…12.
  public let month: Int
  /// 1…31.
  public let day: Int

  /// `nil` unless the calendar has that day and the year is 0…9999, the years that have a text
  /// form.
  public init?(year: Int, month: Int, day: Int) {
    guard 0...9999 ~= year, 1...12 ~= month, day >= 1,
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
  /// Counts years from 1 March, so that the leap day is the last of its year and every month's
  /// first day follows from one linear formula; 146,097 days make one cycle of 400 years.
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

  /// The date in UTC of `instant`.
  public init(utc instant: Instant) {
    self.init(
      daysSinceEpoch: Int(floorQuotient(instant.milliseconds, Instant.millisecondsPerDay)))
  }

  /// Days after 1970-01-01; negative before.
  public var daysSinceEpoch: Int {
    let marchYear = month <= 2 ? year - 1 : year
    let cycle = floorQuotient(marchYear, 400)
    let yearOfCycle = marchYear - cycle * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfCycle = yearOfCycle * 365 + yearOfCycle / 4 - yearOfCycle / 100 + dayOfYear
    return cycle * 146_097 + dayOfCycle - 719_468
  }

  /// 0 Sunday … 6 Saturday, as POSIX and SQLite's `%w` count.
  public var weekday: Int {
    let shifted = (daysSinceEpoch + 4) % 7
    return shifted < 0 ? shifted + 7 : shifted
  }

  public func adding(days: Int) -> CivilDate {
    CivilDate(daysSinceEpoch: daysSinceEpoch + days)
  }

  public static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  /// The number of days in a month, 1…12.
  public static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

extension CivilDate: Comparable {
  public static func < (left: CivilDate, right: CivilDate) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }
}

extension CivilDate: LosslessStringConvertible {
  /// Reads `yyyy-MM-dd`, a day that exists, and nothing else; `nil` otherwise. `RFC3339.date` says
  /// what is wrong.
  public init?(_ text: String) {
    guard let date = try? RFC3339.date(text) else { return nil }
    self = date
  }

  /// The number of bytes that ``write(to:)`` writes.
  public static let length = 10

  /// Writes `yyyy-MM-dd`, ten bytes. Years outside of 0…9999, which only a computed date can have,
  /// are written as the nearest of these.
  package func write(to bytes: UnsafeMutablePointer<UInt8>) {
    Digits.write(four: min(max(year, 0), 9999), to: bytes)
    bytes[4] = UInt8(ascii: "-")
    Digits.write(two: month, to: bytes + 5)
    bytes[7] = UInt8(ascii: "-")
    Digits.write(two: day, to: bytes + 8)
  }

  /// `yyyy-MM-dd`, RFC 3339's `full-date` and SQLite's `date()`.
  public var description: String {
    String(unsafeUninitializedCapacity: CivilDate.length) {
      write(to: $0.baseAddress!)
      return CivilDate.length
    }
  }
}

/// Division that rounds towards the past, so that days before 1970 are whole days too.
@inline(__always)
func floorQuotient<Number: FixedWidthInteger & SignedInteger>(
  _ dividend: Number, _ divisor: Number
) -> Number {
  let quotient = dividend / divisor
  return dividend % divisor < 0 ? quotient - 1 : quotient
}
