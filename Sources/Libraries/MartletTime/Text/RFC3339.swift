/// Reads and writes dates and times strictly according to RFC 3339 section 5.6.
///
/// It accepts any offset, fractions of one to nine digits (rounded **down** to milliseconds, also
/// before 1970), `T` and `Z` in either case, and `-00:00` as UTC. It rejects a space in place of
/// `T`, days that do not exist, a missing offset, and second 60, because an ``Instant`` cannot
/// represent leap seconds. It always writes `yyyy-MM-ddTHH:mm:ss.SSSZ`.
public enum RFC3339 {
  /// The length of an instant's text in bytes.
  public static let length = 24

  /// Parses a `date-time`.
  package static func parse(
    _ bytes: UnsafeBufferPointer<UInt8>
  ) throws(Problem) -> Instant {
    var reader = FieldReader(bytes)
    let date = try reader.date()
    try reader.skip(letter: UInt8(ascii: "t"), "'T' between date and time")
    let time = try reader.time(on: date)
    var fraction: Int64 = 0
    if reader.next == UInt8(ascii: ".") {
      reader.advance()
      fraction = try reader.fraction()
    }
    let offset = try readOffset(&reader)
    try reader.end("nothing after the offset")
    let instant = time.instant(offset: offset).adding(milliseconds: fraction)
    guard instant >= .earliest, instant <= .latest else {
      throw reader.problem("an instant in the years 0001 to 9999 UTC", at: 0)
    }
    return instant
  }

  /// Parses a `date-time`, such as `2026-11-20T15:36:00Z`.
  public static func parse(_ text: some StringProtocol) throws(Problem) -> Instant {
    try withBytes(of: text) { bytes throws(Problem) in try parse(bytes) }
  }

  /// Parses a `full-date`, `yyyy-MM-dd`.
  package static func date(
    _ bytes: UnsafeBufferPointer<UInt8>
  ) throws(Problem) -> CivilDate {
    var reader = FieldReader(bytes)
    let date = try reader.date()
    try reader.end("nothing after the date")
    return date
  }

  /// Parses a `full-date`, such as `2026-11-20`.
  public static func date(_ text: some StringProtocol) throws(Problem) -> CivilDate {
    try withBytes(of: text) { bytes throws(Problem) in try date(bytes) }
  }

  /// Writes `yyyy-MM-ddTHH:mm:ss.SSSZ`, 24 bytes. Instants before ``Instant/earliest`` and after
  /// ``Instant/latest`` are clamped.
  package static func write(_ instant: Instant, to bytes: UnsafeMutablePointer<UInt8>) {
    Digits.write(instant, separator: UInt8(ascii: "T"), to: bytes)
    bytes[23] = UInt8(ascii: "Z")
  }

  /// The instant as `yyyy-MM-ddTHH:mm:ss.SSSZ`, clamped to the years 0001 to 9999.
  public static func string(_ instant: Instant) -> String {
    String(unsafeUninitializedCapacity: length) {
      write(instant, to: $0.baseAddress!)
      return length
    }
  }

  /// Reads `Z` or `±HH:mm`, as seconds east of UTC.
  private static func readOffset(_ reader: inout FieldReader) throws(Problem) -> Int {
    switch reader.next {
    case UInt8(ascii: "Z"), UInt8(ascii: "z"):
      reader.advance()
      return 0
    case UInt8(ascii: "+"), UInt8(ascii: "-"):
      let sign = reader.next == UInt8(ascii: "-") ? -1 : 1
      reader.advance()
      let hours = try reader.number(2, in: 0...23, "offset hours from 00 to 23")
      try reader.skip(UInt8(ascii: ":"), "':' between offset hours and minutes")
      let minutes = try reader.number(2, in: 0...59, "offset minutes from 00 to 59")
      return sign * (hours * 60 + minutes) * 60
    default:
      throw reader.problem("'Z' or an offset such as +01:00")
    }
  }
}

/// Calls `body` with the UTF-8 bytes of `text`.
func withBytes<Result, Failure: Error>(
  of text: some StringProtocol,
  _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
) throws(Failure) -> Result {
  var copy = String(text)
  let result: Swift.Result<Result, Failure> = copy.withUTF8 { bytes in
    do throws(Failure) {
      return .success(try body(bytes))
    } catch {
      return .failure(error)
    }
  }
  return try result.get()
}

extension RFC3339 {
  /// Why a text is not a valid RFC 3339 date or time.
  public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The expected text, such as `a month from 01 to 12`.
    public let expected: String
    /// The position of the fault in bytes, from 0.
    public let offset: Int

    /// Makes an error.
    public init(expected: String, offset: Int) {
      self.expected = expected
      self.offset = offset
    }

    public var description: String { "expected \(expected) at byte \(offset)" }
  }
}

/// Encoded as RFC 3339 text, such as `2026-11-20T15:36:00.000Z`.
extension Instant: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    do throws(RFC3339.Problem) {
      self = try RFC3339.parse(text)
    } catch {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "expected an instant (2026-11-20T15:36:00Z): \(error)")
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(RFC3339.string(self))
  }
}
