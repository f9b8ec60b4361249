extension ZoneRule {
  /// Parses a `TZ` string. Returns `nil` if it is invalid, or if it has daylight saving time
  /// without both dates, whose meaning POSIX does not define.
  init?(_ text: some Collection<UInt8>) {
    var reader = Reader(Array(text))
    guard reader.skipName(), let west = reader.duration(hours: 167) else { return nil }
    standard = -west
    guard !reader.isAtEnd else { return }
    guard reader.skipName() else { return nil }
    var offset = standard + 3600
    if reader.next != UInt8(ascii: ",") {
      guard let west = reader.duration(hours: 167) else { return nil }
      offset = -west
    }
    guard let start = reader.change(), let end = reader.change(), reader.isAtEnd else {
      return nil
    }
    daylight = Daylight(offset: offset, start: start, end: end)
  }

  private struct Reader {
    let bytes: [UInt8]
    var at = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { at == bytes.count }
    var next: UInt8? { at < bytes.count ? bytes[at] : nil }

    mutating func skip(_ byte: Unicode.Scalar) -> Bool {
      guard next == UInt8(ascii: byte) else { return false }
      at += 1
      return true
    }

    /// Skips three or more letters, or letters, digits and signs between `<` and `>`.
    mutating func skipName() -> Bool {
      let quoted = skip("<")
      let start = at
      while let byte = next, byte.isLetter || (quoted && (byte.isDigit || byte.isSign)) { at += 1 }
      guard at - start >= 3 else { return false }
      return quoted ? skip(">") : true
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int? {
      let start = at
      var value = 0
      while let byte = next, byte.isDigit, at - start < 3 {
        value = value * 10 + Int(byte &- 0x30)
        at += 1
      }
      return at > start && range.contains(value) ? value : nil
    }

    /// Reads `[+-]hh[:mm[:ss]]`, as seconds.
    mutating func duration(hours limit: Int) -> Int? {
      var sign = 1
      if skip("-") { sign = -1 } else { _ = skip("+") }
      guard let hours = number(0...limit) else { return nil }
      var seconds = hours * 3600
      for unit in [60, 1] where skip(":") {
        guard let value = number(0...59) else { return nil }
        seconds += value * unit
      }
      return sign * seconds
    }

    /// Reads `,date[/time]`. The default time is 02:00.
    mutating func change() -> Transition? {
      guard skip(","), let day = day() else { return nil }
      guard skip("/") else { return Transition(day: day, time: 7200) }
      return duration(hours: 167).map { Transition(day: day, time: $0) }
    }

    mutating func day() -> Day? {
      if skip("J") { return number(1...365).map(Day.julian) }
      guard skip("M") else { return number(0...365).map(Day.zeroBased) }
      guard let month = number(1...12), skip("."), let week = number(1...5), skip("."),
        let weekday = number(0...6)
      else { return nil }
      return .weekday(month: month, week: week, weekday: weekday)
    }
  }
}

extension UInt8 {
  fileprivate var isLetter: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 }
  fileprivate var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }
  fileprivate var isSign: Bool { self == UInt8(ascii: "+") || self == UInt8(ascii: "-") }
}
