/// A duration of days on the calendar and of exact time, both forward or both backward.
///
/// A day is as long as it is in the zone: one day before 09:00 is 09:00, also if the clocks change
/// in between. Hours, minutes and seconds are exact. The text form is an ISO 8601 duration of days
/// and time with a sign: `-P1D`, `PT9H`, `-P1DT2H30M`.
public struct CivilDuration: Hashable, Sendable {
  /// The days.
  public let days: Int
  /// The exact time.
  public let milliseconds: Int64

  /// A duration. `nil` if one part goes forward and the other backward, or if a part is longer than
  /// 9,999 days.
  public init?(days: Int = 0, milliseconds: Int64 = 0) {
    let longest = CivilDuration.longest
    guard (-longest...longest).contains(days),
      (-longest...longest).contains(Int(milliseconds / CivilDuration.day)),
      days.signum() * Int(milliseconds.signum()) >= 0
    else { return nil }
    self.days = days
    self.milliseconds = milliseconds
  }

  /// Parses the text form; `nil` for any other text. Years and months are not allowed, because
  /// their length is not fixed. Weeks (`P2W`) are allowed alone.
  public init?(_ text: String) {
    var bytes = text.utf8[...]
    var sign: Int64 = 1
    if let first = bytes.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
      sign = first == UInt8(ascii: "-") ? -1 : 1
      bytes.removeFirst()
    }
    guard bytes.popFirst() == UInt8(ascii: "P"), !bytes.isEmpty else { return nil }
    var days: Int64 = 0
    var time: Int64 = 0
    // The units that may still follow, the largest first.
    var units: [(letter: UInt8, milliseconds: Int64)] = [
      (UInt8(ascii: "W"), 7 * CivilDuration.day), (UInt8(ascii: "D"), CivilDuration.day),
    ]
    var isTime = false
    while !bytes.isEmpty {
      if bytes.first == UInt8(ascii: "T") {
        guard !isTime, bytes.count > 1 else { return nil }
        bytes.removeFirst()
        isTime = true
        units = [
          (UInt8(ascii: "H"), 3_600_000), (UInt8(ascii: "M"), 60_000), (UInt8(ascii: "S"), 1_000),
        ]
      }
      guard let number = CivilDuration.number(&bytes), let letter = bytes.popFirst(),
        let place = units.firstIndex(where: { $0.letter == letter }),
        // Only seconds may have a fraction.
        number.fraction == nil || letter == UInt8(ascii: "S")
      else { return nil }
      let amount = number.whole * units[place].milliseconds + (number.fraction ?? 0)
      if isTime { time += amount } else { days += amount / CivilDuration.day }
      // Nothing follows weeks.
      if letter == UInt8(ascii: "W"), !bytes.isEmpty { return nil }
      units.removeFirst(place + 1)
    }
    self.init(days: Int(sign * days), milliseconds: sign * time)
  }

  /// A number of up to nine digits, and its fraction in milliseconds if it has one of up to three.
  private static func number(
    _ bytes: inout Substring.UTF8View
  ) -> (whole: Int64, fraction: Int64?)? {
    guard let whole = digits(&bytes, most: 9) else { return nil }
    guard bytes.first == UInt8(ascii: ".") else { return (whole.value, nil) }
    bytes.removeFirst()
    guard var fraction = digits(&bytes, most: 3) else { return nil }
    while fraction.count < 3 {
      fraction.value *= 10
      fraction.count += 1
    }
    return (whole.value, fraction.value)
  }

  private static func digits(
    _ bytes: inout Substring.UTF8View, most: Int
  ) -> (value: Int64, count: Int)? {
    var value: Int64 = 0
    var count = 0
    while let byte = bytes.first, 0x30...0x39 ~= byte {
      guard count < most else { return nil }
      value = value * 10 + Int64(byte - 0x30)
      count += 1
      bytes.removeFirst()
    }
    return count > 0 ? (value, count) : nil
  }

  private static let longest = 9_999
  private static let day: Int64 = 86_400_000

  /// The instant that is this long after another one: first by the days on the zone's calendar, at
  /// the same time of day, then by the exact time.
  public func instant(after start: Instant, in zone: ZoneInfo) -> Instant {
    guard days != 0 else { return start.adding(milliseconds: milliseconds) }
    let time = zone.time(at: start)
    let moved = zone.instant(of: time.on(time.date.adding(days: days)))
    return moved.adding(milliseconds: milliseconds)
  }

  /// The instant at which the zone's clocks show this long after midnight of a date: nine hours
  /// after it is nine in the morning, also on a day on which the clocks change.
  public func instant(afterMidnightOf date: CivilDate, in zone: ZoneInfo) -> Instant {
    let day = Int64(date.adding(days: days).daysSinceEpoch)
    let shown = Instant(seconds: day * 86_400).adding(milliseconds: milliseconds)
    return zone.instant(of: ZoneInfo.utc.time(at: shown))
  }
}

extension CivilDuration: CustomStringConvertible {
  /// The text form: `-P1DT2H`; `PT0S` for no time at all.
  public var description: String {
    guard days != 0 || milliseconds != 0 else { return "PT0S" }
    var text = days < 0 || milliseconds < 0 ? "-P" : "P"
    if days != 0 { text += "\(abs(days))D" }
    guard milliseconds != 0 else { return text }
    text += "T"
    let seconds = milliseconds.magnitude / 1_000
    let rest = milliseconds.magnitude % 1_000
    if seconds >= 3_600 { text += "\(seconds / 3_600)H" }
    if seconds / 60 % 60 != 0 { text += "\(seconds / 60 % 60)M" }
    guard seconds % 60 != 0 || rest != 0 else { return text }
    text += "\(seconds % 60)"
    if rest != 0 {
      var digits = "\(1_000 + rest)".dropFirst()
      while digits.last == "0" { digits.removeLast() }
      text += ".\(digits)"
    }
    return text + "S"
  }
}
