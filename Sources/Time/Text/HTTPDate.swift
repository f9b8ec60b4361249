/// The dates of HTTP's fields (RFC 9110 section 5.6.7).
public enum HTTPDate {
  /// The number of bytes that ``write(_:to:)`` writes.
  public static let length = 29

  private static let weekdays: [StaticString] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let longWeekdays: [StaticString] = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]
  private static let months: [StaticString] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Writes IMF-fixdate, `Sun, 06 Nov 1994 08:49:37 GMT`: 29 bytes, milliseconds left out.
  public static func write(_ instant: Instant, to bytes: UnsafeMutablePointer<UInt8>) {
    let time = CivilTime(min(max(instant, .earliest), .latest))
    bytes.update(from: weekdays[time.date.weekday].utf8Start, count: 3)
    bytes[3] = UInt8(ascii: ",")
    bytes[4] = UInt8(ascii: " ")
    Digits.write(two: time.date.day, to: bytes + 5)
    bytes[7] = UInt8(ascii: " ")
    (bytes + 8).update(from: months[time.date.month - 1].utf8Start, count: 3)
    bytes[11] = UInt8(ascii: " ")
    Digits.write(four: time.date.year, to: bytes + 12)
    bytes[16] = UInt8(ascii: " ")
    Digits.write(clock: time, to: bytes + 17)
    let suffix: StaticString = " GMT"
    (bytes + 25).update(from: suffix.utf8Start, count: 4)
  }

  public static func string(_ instant: Instant) -> String {
    String(unsafeUninitializedCapacity: length) {
      write(instant, to: $0.baseAddress!)
      return length
    }
  }

  /// Reads the three forms that a recipient has to accept: IMF-fixdate, RFC 850's
  /// (`Sunday, 06-Nov-94 08:49:37 GMT`) and `asctime`'s (`Sun Nov  6 08:49:37 1994`). `nil` for
  /// anything else, for a weekday that is not the date's, and for second 60.
  ///
  /// A year of two digits means the last one that is not more than 50 years after `now`.
  public static func parse(_ bytes: UnsafeBufferPointer<UInt8>, now: Instant) -> Instant? {
    do throws(RFC3339.Problem) {
      let comma = bytes.prefix(10).firstIndex(of: UInt8(ascii: ","))
      var reader = FieldReader(bytes)
      switch comma {
      case 3: return try readFixdate(&reader)
      case nil: return try readAsctime(&reader)
      default: return try readRFC850(&reader, now: now)
      }
    } catch {
      return nil
    }
  }

  public static func parse(_ text: some StringProtocol, now: Instant) -> Instant? {
    withBytes(of: text) { parse($0, now: now) }
  }

  private static func readFixdate(
    _ reader: inout FieldReader
  ) throws(RFC3339.Problem) -> Instant {
    let weekday = try name(&reader, in: weekdays)
    try skip(&reader, ", ")
    let day = try reader.number(2, in: 1...31, "a day")
    try skip(&reader, " ")
    let month = try name(&reader, in: months) + 1
    try skip(&reader, " ")
    let year = try reader.number(4, in: 0...9999, "a year")
    try skip(&reader, " ")
    let date = try check(&reader, year, month, day, weekday)
    let time = try reader.time(on: date)
    try skip(&reader, " GMT")
    try reader.end("the end")
    return time.instant()
  }

  private static func readRFC850(
    _ reader: inout FieldReader, now: Instant
  ) throws(RFC3339.Problem) -> Instant {
    let weekday = try name(&reader, in: longWeekdays)
    try skip(&reader, ", ")
    let day = try reader.number(2, in: 1...31, "a day")
    try skip(&reader, "-")
    let month = try name(&reader, in: months) + 1
    try skip(&reader, "-")
    let digits = try reader.number(2, in: 0...99, "a year")
    try skip(&reader, " ")
    let latest = CivilDate(utc: now).year + 50
    let year = latest - (((latest - digits) % 100) + 100) % 100
    let date = try check(&reader, year, month, day, weekday)
    let time = try reader.time(on: date)
    try skip(&reader, " GMT")
    try reader.end("the end")
    return time.instant()
  }

  private static func readAsctime(
    _ reader: inout FieldReader
  ) throws(RFC3339.Problem) -> Instant {
    let weekday = try name(&reader, in: weekdays)
    try skip(&reader, " ")
    let month = try name(&reader, in: months) + 1
    try skip(&reader, " ")
    let isPadded = reader.next == UInt8(ascii: " ")
    if isPadded { reader.advance() }
    let day = try reader.number(isPadded ? 1 : 2, in: 1...31, "a day")
    try skip(&reader, " ")
    // The year stands behind the time: read the time as of some day first.
    let clock = try reader.time(on: CivilDate(daysSinceEpoch: 0))
    try skip(&reader, " ")
    let year = try reader.number(4, in: 0...9999, "a year")
    try reader.end("the end")
    let date = try check(&reader, year, month, day, weekday)
    return Instant(startOf: date).adding(milliseconds: clock.instant().milliseconds)
  }

  private static func check(
    _ reader: inout FieldReader, _ year: Int, _ month: Int, _ day: Int, _ weekday: Int
  ) throws(RFC3339.Problem) -> CivilDate {
    guard let date = CivilDate(year: year, month: month, day: day), date.weekday == weekday else {
      throw reader.problem("a day of the calendar")
    }
    return date
  }

  private static func skip(
    _ reader: inout FieldReader, _ text: StaticString
  ) throws(RFC3339.Problem) {
    for place in 0..<text.utf8CodeUnitCount {
      try reader.skip(text.utf8Start[place], "a separator")
    }
  }

  /// The index of the name that comes next. Names are case-sensitive (RFC 9110 section 5.6.7).
  private static func name(
    _ reader: inout FieldReader, in names: [StaticString]
  ) throws(RFC3339.Problem) -> Int {
    for (index, name) in names.enumerated() where reader.starts(with: name) {
      for _ in 0..<name.utf8CodeUnitCount { reader.advance() }
      return index
    }
    throw reader.problem("a name")
  }
}

extension FieldReader {
  fileprivate func starts(with text: StaticString) -> Bool {
    guard bytes.count - offset >= text.utf8CodeUnitCount else { return false }
    for place in 0..<text.utf8CodeUnitCount
    where bytes[offset + place] != text.utf8Start[place] {
      return false
    }
    return true
  }
}
