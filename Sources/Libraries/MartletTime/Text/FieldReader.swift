/// Reads fixed-width fields from text, and reports what was expected at which byte.
struct FieldReader {
  let bytes: UnsafeBufferPointer<UInt8>
  private(set) var offset = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  var isAtEnd: Bool { offset == bytes.count }
  /// The next byte, or `nil` at the end.
  var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  func problem(_ expected: String, at place: Int? = nil) -> RFC3339.Problem {
    RFC3339.Problem(expected: expected, offset: place ?? offset)
  }

  /// Reads exactly `count` decimal digits whose value is in `range`. A value out of range is
  /// reported at its first digit, a missing digit at its position.
  mutating func number(
    _ count: Int, in range: ClosedRange<Int>, _ expected: String
  ) throws(RFC3339.Problem) -> Int {
    let start = offset
    var value = 0
    for _ in 0..<count {
      guard let digit = next, digit &- 0x30 < 10 else { throw problem(expected) }
      value = value * 10 + Int(digit &- 0x30)
      offset += 1
    }
    guard range.contains(value) else { throw problem(expected, at: start) }
    return value
  }

  mutating func skip(_ byte: UInt8, _ expected: String) throws(RFC3339.Problem) {
    guard next == byte else { throw problem(expected) }
    offset += 1
  }

  /// Skips a letter in upper or lower case. `byte` is the letter in lower case.
  mutating func skip(letter byte: UInt8, _ expected: String) throws(RFC3339.Problem) {
    guard let found = next, found | 0x20 == byte else { throw problem(expected) }
    offset += 1
  }

  mutating func advance() { offset += 1 }

  func end(_ expected: String) throws(RFC3339.Problem) {
    guard isAtEnd else { throw problem(expected) }
  }

  /// Reads `yyyy-MM-dd`, a day that exists.
  mutating func date() throws(RFC3339.Problem) -> CivilDate {
    let year = try number(4, in: 1...9999, "a year from 0001 to 9999")
    try skip(UInt8(ascii: "-"), "'-' after the year")
    let month = try number(2, in: 1...12, "a month from 01 to 12")
    try skip(UInt8(ascii: "-"), "'-' after the month")
    let dayOffset = offset
    let day = try number(2, in: 1...31, "a day from 01 to 31")
    guard let date = CivilDate(year: year, month: month, day: day) else {
      throw problem("a day that exists in the month", at: dayOffset)
    }
    return date
  }

  /// Reads `HH:mm:ss` on a given date.
  mutating func time(on date: CivilDate) throws(RFC3339.Problem) -> CivilTime {
    let hour = try number(2, in: 0...23, "an hour from 00 to 23")
    try skip(UInt8(ascii: ":"), "':' after the hour")
    let minute = try number(2, in: 0...59, "a minute from 00 to 59")
    try skip(UInt8(ascii: ":"), "':' after the minute")
    let secondOffset = offset
    let second = try number(2, in: 0...60, "a second from 00 to 59")
    guard
      let time = CivilTime(date: date, hour: hour, minute: minute, second: second)
    else {
      throw problem("a second from 00 to 59 (leap seconds have no instant)", at: secondOffset)
    }
    return time
  }

  /// Reads one to nine digits after a point, as whole milliseconds, rounded down.
  mutating func fraction() throws(RFC3339.Problem) -> Int64 {
    var milliseconds: Int64 = 0
    var digits = 0
    while let digit = next, digit &- 0x30 < 10 {
      guard digits < 9 else { throw problem("at most nine digits of a second") }
      if digits < 3 { milliseconds = milliseconds * 10 + Int64(digit &- 0x30) }
      digits += 1
      offset += 1
    }
    guard digits > 0 else { throw problem("a digit after the point") }
    for _ in min(digits, 3)..<3 { milliseconds *= 10 }
    return milliseconds
  }
}
