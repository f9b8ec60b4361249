/// Reads and writes instants in the format of SQLite's date functions: `yyyy-MM-dd HH:mm:ss.SSS` in
/// UTC (<https://sqlite.org/lang_datefunc.html>).
///
/// The texts sort like the instants, and a plain `yyyy-MM-dd` (a ``CivilDate``) sorts before every
/// instant of its day.
public enum SQLiteTime {
  /// The length of an instant's text in bytes.
  public static let length = 23

  /// Parses `yyyy-MM-dd HH:mm:ss`, with or without a fraction of one to nine digits, which is
  /// rounded down. Returns `nil` for any other text, including a date without a time.
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

  /// Parses `yyyy-MM-dd HH:mm:ss`, with or without a fraction. Returns `nil` for any other text.
  public static func parse(_ text: some StringProtocol) -> Instant? {
    withBytes(of: text) { parse($0) }
  }

  /// Writes `yyyy-MM-dd HH:mm:ss.SSS`, 23 bytes. Instants before ``Instant/earliest`` and after
  /// ``Instant/latest`` are clamped.
  package static func write(_ instant: Instant, to bytes: UnsafeMutablePointer<UInt8>) {
    Digits.write(instant, separator: UInt8(ascii: " "), to: bytes)
  }

  /// The instant as `yyyy-MM-dd HH:mm:ss.SSS`, clamped to the years 0001 to 9999.
  public static func string(_ instant: Instant) -> String {
    String(unsafeUninitializedCapacity: length) {
      write(instant, to: $0.baseAddress!)
      return length
    }
  }
}
