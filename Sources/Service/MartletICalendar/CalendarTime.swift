import MartletTime

/// Dates and times in the formats of calendar files (RFC 5545 sections 3.3.4 and 3.3.5).
package enum CalendarTime {
  private static let longestZone = 200

  /// Parses a date such as `20270131`.
  package static func date(_ text: some StringProtocol) -> CivilDate? {
    let digits = Array(text.utf8)
    guard digits.count == 8, let year = number(digits[..<4]), let month = number(digits[4..<6]),
      let day = number(digits[6...])
    else { return nil }
    return CivilDate(year: year, month: month, day: day)
  }

  /// Parses a date and time such as `20270131T093000`: in UTC with a trailing `Z`, otherwise a
  /// local time in `zone`.
  package static func instant(_ text: String, in zone: ZoneInfo) -> Instant? {
    time(text).map { $0.isUTC ? $0.time.instant() : zone.instant(of: $0.time) }
  }

  /// Parses a date and time: what clocks show, and whether they are those of UTC.
  package static func time(_ text: String) -> (time: CivilTime, isUTC: Bool)? {
    let bytes = Array(text.utf8)
    let isUTC = bytes.last == UInt8(ascii: "Z")
    guard bytes.count == (isUTC ? 16 : 15), bytes[8] == UInt8(ascii: "T"),
      let date = date(String(decoding: bytes[..<8], as: UTF8.self)),
      let hour = number(bytes[9..<11]), let minute = number(bytes[11..<13]),
      let second = number(bytes[13..<15]),
      // A leap second counts as the second before it.
      let time = CivilTime(date: date, hour: hour, minute: minute, second: min(second, 59)),
      second <= 60
    else { return nil }
    return (time, isUTC)
  }

  /// A date, such as `20270131`.
  package static func text(_ date: CivilDate) -> String {
    String(decoding: date.description.utf8.filter { $0 != UInt8(ascii: "-") }, as: UTF8.self)
  }

  /// An instant in UTC without milliseconds, such as `20270131T093000Z`.
  package static func text(_ instant: Instant) -> String {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: SQLiteTime.length) { full in
      // yyyy-MM-dd HH:mm:ss.SSS
      SQLiteTime.write(instant, to: full.baseAddress!)
      return String(unsafeUninitializedCapacity: 16) { text in
        var end = 0
        for place in [0..<4, 5..<7, 8..<11, 11..<13, 14..<16, 17..<20] {
          for byte in full[place] {
            text[end] = byte
            end += 1
          }
        }
        (text[8], text[15]) = (UInt8(ascii: "T"), UInt8(ascii: "Z"))
        return end
      }
    }
  }

  /// A local time without milliseconds, such as `20270131T093000`.
  package static func text(_ time: CivilTime) -> String { String(text(time.instant()).dropLast()) }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    var number = 0
    for byte in digits {
      guard (0x30...0x39).contains(byte) else { return nil }
      number = number * 10 + Int(byte - 0x30)
    }
    return number
  }

  /// The zone that a name means which is none of the system: one in another case, a name of
  /// Windows, or a fixed offset. A file's own definition of it comes first.
  package static func meantZone(_ name: String) -> ZoneInfo? {
    guard name.utf8.count <= longestZone else { return nil }
    if let windows = WindowsZones.name(name) { return zone(windows) }
    return zone(capitalized(name)) ?? zone(name.uppercased()) ?? fixed(name)
  }

  /// `europe/vienna` as `Europe/Vienna`. Short words inside a name are not capitalized there.
  private static func capitalized(_ name: String) -> String {
    var result = ""
    var word = ""
    func written(_ isFirst: Bool) -> String {
      !isFirst && ["of", "es", "au", "da"].contains(word) ? word : word.withCapital
    }
    var isFirst = true
    for character in name.lowercased() {
      guard "/_-".contains(character) else {
        word.append(character)
        continue
      }
      result += written(isFirst) + String(character)
      (word, isFirst) = ("", character == "/")
    }
    return result + written(isFirst)
  }

  /// A zone with a fixed offset of whole hours, such as `GMT+0100` or `UTC-05:00`.
  private static func fixed(_ name: String) -> ZoneInfo? {
    let text = name.uppercased().utf8.filter { $0 != UInt8(ascii: ":") }
    guard text.count == 6 || text.count == 8 && number(text[6..<8]) == 0,
      text.starts(with: "GMT".utf8) || text.starts(with: "UTC".utf8),
      let hours = number(text[4..<6]), hours <= 12
    else { return nil }
    // The names of these zones have the opposite sign (POSIX).
    switch text[3] {
    case UInt8(ascii: "+"): return hours == 0 ? .utc : zone("Etc/GMT-\(hours)")
    case UInt8(ascii: "-"): return hours == 0 ? .utc : zone("Etc/GMT+\(hours)")
    default: return nil
    }
  }

  /// The system's zone with the name that a file uses, with or without a prefix such as
  /// `/freeassociation.sourceforge.net/`. Returns `nil` for an unknown name.
  package static func zone(_ name: String) -> ZoneInfo? {
    guard name.utf8.count <= longestZone else { return nil }
    // The system's names have at most three components.
    var parts = name.utf8.split(separator: UInt8(ascii: "/")).suffix(3).map { Substring($0) }
    while !parts.isEmpty {
      if let zone = try? ZoneDatabase.system.zone(named: parts.joined(separator: "/")) {
        return zone
      }
      parts.removeFirst()
    }
    return nil
  }
}

extension String {
  /// The text with its first letter in uppercase.
  fileprivate var withCapital: String { prefix(1).uppercased() + dropFirst() }
}
