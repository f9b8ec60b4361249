/// The dates of HTTP header fields (RFC 9110 section 5.6.7).
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

  // MARK: Reading

  /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` or
  /// `Sun Nov  6 08:49:37 1994`. Returns `nil` for anything else.
  package static func parse(_ text: String) -> Instant? {
    let words = words(text)
    switch words.count {
    case 6 where words[0].hasSuffix(",") && words[5] == "GMT":
      return instant(words[1], words[2], words[3], words[4])
    case 4 where words[0].hasSuffix(",") && words[3] == "GMT":
      let parts = words[1].utf8.split(separator: UInt8(ascii: "-"))
        .map { String(Substring($0)) }
      guard parts.count == 3, parts[2].utf8.count == 2, let year = Int(parts[2]) else { return nil }
      // Two digits are a year of this century up to 69.
      return instant(parts[0], parts[1], "\(year < 70 ? 2000 + year : 1900 + year)", words[2])
    case 5: return instant(words[2], words[1], words[4], words[3])
    default: return nil
    }
  }

  private static func instant(
    _ day: String, _ month: String, _ year: String, _ clock: String
  ) -> Instant? {
    let time = clock.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    guard let month = months.firstIndex(where: { "\($0)" == month }), time.count == 3,
      ([day, year] + time).allSatisfy({ isNumber($0) && $0.utf8.count <= 4 }),
      let day = Int(day), let year = Int(year), let hour = Int(time[0]), let minute = Int(time[1]),
      let second = Int(time[2]),
      let date = CivilDate(year: year, month: month + 1, day: day)
    else { return nil }
    // A leap second is the second before it.
    return CivilTime(date: date, hour: hour, minute: minute, second: second == 60 ? 59 : second)?
      .instant()
  }

  /// The words between blanks.
  private static func words(_ text: String) -> [String] {
    text.utf8.split(whereSeparator: { " \t".utf8.contains($0) }).map { String(Substring($0)) }
  }

  /// Whether the text has only digits.
  private static func isNumber(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}
