/// Formats dates for HTTP header fields (RFC 9110 section 5.6.7).
public enum HTTPDate {
  /// The length of an instant's text in bytes.
  public static let length = 29

  private static let weekdays: [StaticString] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months: [StaticString] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Writes IMF-fixdate, `Sun, 06 Nov 1994 08:49:37 GMT`: 29 bytes, without milliseconds.
  package static func write(_ instant: Instant, to bytes: UnsafeMutablePointer<UInt8>) {
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

  /// The instant as IMF-fixdate, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
  public static func string(_ instant: Instant) -> String {
    String(unsafeUninitializedCapacity: length) {
      write(instant, to: $0.baseAddress!)
      return length
    }
  }
}
