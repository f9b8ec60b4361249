import MartletQueryBuilder
import MartletTime

/// When a reminder is due: on a calendar day, in the time zone of the request, or at an instant.
///
/// Stored as text, `yyyy-MM-dd` or `yyyy-MM-dd HH:mm:ss.SSS` in UTC, so that a bare day sorts
/// before every instant of that day in UTC.
public enum DueDate: Hashable, Sendable {
  /// On a day, without a time.
  case day(CivilDate)
  /// At an instant.
  case instant(Instant)

  /// Parses the form that clients send: a date such as `2026-11-20`, or an instant (RFC 3339,
  /// section 5.6).
  public init(_ text: String) throws(RFC3339.Problem) {
    if let day = CivilDate(text) {
      self = .day(day)
    } else {
      self = .instant(try RFC3339.parse(text))
    }
  }

  /// Parses the form stored in the database; `nil` for any other text.
  public init?(stored text: String) {
    if let day = CivilDate(text) {
      self = .day(day)
    } else if let instant = SQLiteTime.parse(text) {
      self = .instant(instant)
    } else {
      return nil
    }
  }

  /// The form stored in the database.
  public var stored: String {
    switch self {
    case .day(let day): day.description
    case .instant(let instant): SQLiteTime.string(instant)
    }
  }
}

/// The form that clients receive: a date such as `2026-11-20`, or an instant in UTC (RFC 3339).
extension DueDate: CustomStringConvertible {
  public var description: String {
    switch self {
    case .day(let day): day.description
    case .instant(let instant): RFC3339.string(instant)
    }
  }
}

extension DueDate: ScalarValue {
  public static var kind: ColumnKind { .instant }
  public static func bind(_ value: DueDate) -> QueryBinding { .text(value.stored) }
  public static func decode(_ row: inout RowReader) throws(DecodingProblem) -> DueDate {
    let place = row.place
    guard let due = DueDate(stored: try row.string()) else {
      throw row.problem("due date", at: place)
    }
    return due
  }
}

// Conversions of a due date to a day or an instant of a time zone.
extension DueDate {
  /// The day itself, or the local day of the instant.
  public func day(in zone: ZoneInfo) -> CivilDate {
    switch self {
    case .day(let day): day
    case .instant(let instant): LocalDay(containing: instant, in: zone).date
    }
  }

  /// The instant itself, or the first instant of the day.
  func start(in zone: ZoneInfo) -> Instant {
    switch self {
    case .day(let day): LocalDay(day, in: zone).start
    case .instant(let instant): instant
    }
  }

  /// The first instant after the due date.
  func end(in zone: ZoneInfo) -> Instant {
    switch self {
    case .day(let day): LocalDay(day, in: zone).end
    // Instants are whole milliseconds.
    case .instant(let instant): instant.adding(milliseconds: 1)
    }
  }
}
