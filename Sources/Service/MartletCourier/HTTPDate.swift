import MartletTime

/// The dates of HTTP, in their three formats (RFC 9110 section 5.6.7).
enum HTTPDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` or
  /// `Sun Nov  6 08:49:37 1994`. Returns `nil` for anything else.
  static func parse(_ text: String) -> Instant? {
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
    guard let month = months.firstIndex(of: month), time.count == 3,
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
  static func words(_ text: String) -> [String] {
    text.utf8.split(whereSeparator: { " \t".utf8.contains($0) }).map { String(Substring($0)) }
  }

  /// Whether the text has only digits.
  static func isNumber(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}
