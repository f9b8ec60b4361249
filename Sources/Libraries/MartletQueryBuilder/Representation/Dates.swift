import FoundationEssentials
import MartletTime

/// A `Date` is stored as text, `yyyy-MM-dd HH:mm:ss.SSS` in UTC, like the results of SQLite's own
/// functions (https://sqlite.org/lang_datefunc.html).
extension Date: ScalarValue {
  public static var kind: ColumnKind { .instant }
  public static func bind(_ value: Date) -> QueryBinding { .date(value) }
  public static func decode(_ row: inout RowReader) throws(DecodingProblem) -> Date {
    let place = row.place
    guard let date = Date(sqliteText: try row.string()) else {
      throw row.problem("Date", at: place)
    }
    return date
  }

  /// Parses any form that SQLite's date functions write.
  init?(sqliteText: String) {
    guard let instant = SQLiteTime.parse(sqliteText) else { return nil }
    self.init(timeIntervalSince1970: Double(instant.milliseconds) / 1000)
  }

  /// The date as text in the form in which it is stored: `yyyy-MM-dd HH:mm:ss.SSS` in UTC.
  ///
  /// It is rounded to the millisecond, not truncated, because a `Double` does not represent
  /// milliseconds exactly.
  public var sqliteText: String {
    SQLiteTime.string(Instant(milliseconds: Int64((timeIntervalSince1970 * 1000).rounded())))
  }
}

/// An ``Instant`` is stored like a `Date`.
extension Instant: ScalarValue {
  public static var kind: ColumnKind { .instant }
  public static func bind(_ value: Instant) -> QueryBinding { .text(SQLiteTime.string(value)) }
  public static func decode(_ row: inout RowReader) throws(DecodingProblem) -> Instant {
    let place = row.place
    guard let instant = SQLiteTime.parse(try row.string()) else {
      throw row.problem("Instant", at: place)
    }
    return instant
  }
}

extension Date {
  /// A date stored as INTEGER, in seconds since 1970. Fractions are rounded down.
  public struct UnixTimeRepresentation: ForeignRepresentation {
    public var queryOutput: Date
    public init(queryOutput: Date) { self.queryOutput = queryOutput }
    public static var kind: ColumnKind { .integer }
    public static func bind(_ value: Date) -> QueryBinding {
      Int64(exactly: value.timeIntervalSince1970.rounded(.down)).map(QueryBinding.int)
        ?? .invalid(reason: "the date \(value.timeIntervalSince1970) s is out of range")
    }
    public static func decode(_ row: inout RowReader) throws(DecodingProblem) -> Date {
      Date(timeIntervalSince1970: Double(try row.int()))
    }
  }

  /// A date stored as REAL, in days since noon in Greenwich on November 24, 4714 B.C.
  public struct JulianDayRepresentation: ForeignRepresentation {
    public var queryOutput: Date
    public init(queryOutput: Date) { self.queryOutput = queryOutput }
    public static var kind: ColumnKind { .real }
    public static func bind(_ value: Date) -> QueryBinding {
      .double(value.timeIntervalSince1970 / 86_400 + 2_440_587.5)
    }
    public static func decode(_ row: inout RowReader) throws(DecodingProblem) -> Date {
      Date(timeIntervalSince1970: (try row.double() - 2_440_587.5) * 86_400)
    }
  }
}

extension Date {
  /// The name of the default representation, `Date` itself, in older code.
  public typealias ISO8601Representation = Date
}

extension Date? {
  /// The name of the default representation, `Date?` itself, in older code.
  public typealias ISO8601Representation = Date?
  /// An optional date stored as INTEGER, in seconds since 1970.
  public typealias UnixTimeRepresentation = Date.UnixTimeRepresentation?
  /// An optional date stored as REAL, as a Julian day.
  public typealias JulianDayRepresentation = Date.JulianDayRepresentation?
}
