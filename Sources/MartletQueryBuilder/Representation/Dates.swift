import FoundationEssentials
import MartletTime

/// A `Date` is stored as text, `yyyy-MM-dd HH:mm:ss.SSS` in UTC, as SQLite's own functions write it
/// (https://sqlite.org/lang_datefunc.html).
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

  /// Any of the forms that SQLite's date functions write.
  init?(sqliteText: String) {
    guard let instant = SQLiteTime.parse(sqliteText) else { return nil }
    self.init(timeIntervalSince1970: Double(instant.milliseconds) / 1000)
  }

  /// Rounded to the millisecond, not cut: a millisecond has no exact `Double`.
  public var sqliteText: String {
    SQLiteTime.string(Instant(milliseconds: Int64((timeIntervalSince1970 * 1000).rounded())))
  }
}

/// An ``Instant`` is stored as a `Date` is.
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
  /// Seconds since 1970 as INTEGER.
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

  /// Days since noon in Greenwich on November 24, 4714 B.C. as REAL.
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
  /// `Date` itself: the representation's name in older code.
  public typealias ISO8601Representation = Date
}

extension Date? {
  public typealias ISO8601Representation = Date?
  public typealias UnixTimeRepresentation = Date.UnixTimeRepresentation?
  public typealias JulianDayRepresentation = Date.JulianDayRepresentation?
}
