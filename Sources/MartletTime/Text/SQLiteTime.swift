/// Instants as SQLite's own functions write them: `yyyy-MM-dd HH:mm:ss.SSS` in UTC
/// (<https://sqlite.org/lang_datefunc.html>). Such texts sort as the instants do, and a bare
/// `yyyy-MM-dd` (a ``CivilDate``) sorts before every instant of its day.
public enum SQLiteTime {
  /// The number of bytes that ``write(_:to:)`` writes.
  public static let length = 23

  /// Reads `yyyy-MM-dd HH:mm:ss` with or without a fraction of one to nine digits, rounded down;
  /// `nil` for anything else, a bare date included.
  package static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> Instant? {
    do throws(RFC3339.Problem) {
      var reader = FieldReader(bytes)
      let date = try reader.date()
      try reader.skip(UInt8(ascii: " "), "' ' between date and time")
      let time = try reader.time(on: date)
      guard reader.next == UInt8(ascii: ".") else {
        try reader.end("nothing after the seconds")
        return time.instant()
      }
      reader.advance()
      let fraction = try reader.fraction()
      try reader.end("nothing after the fraction")
      return time.instant().adding(milliseconds: fraction)
    } catch {
      return nil
    }
  }

  public static func parse(_ text: some StringProtocol) -> Instant? {
    withBytes(of: text) { parse($0) }
  }

  /// Writes `yyyy-MM-dd HH:mm:ss.SSS`, 23 bytes. An instant before ``Instant/earliest`` or after
  /// ``Instant/latest`` is written as that.
  package static func write(_ instant: Instant, to bytes: UnsafeMutablePointer<UInt8>) {
    Digits.write(instant, separator: UInt8(ascii: " "), to: bytes)
  }

  /// `yyyy-MM-dd HH:mm:ss.SSS`, as ``write(_:to:)`` writes it.
  public static func string(_ instant: Instant) -> String {
    String(unsafeUninitializedCapacity: length) {
      write(instant, to: $0.baseAddress!)
      return length
    }
  }
}
