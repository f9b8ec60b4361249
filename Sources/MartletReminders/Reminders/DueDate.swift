import MartletQueryBuilder
import MartletTime

/// When a reminder is due: on a day, whatever zone it is read in, or at an instant.
///
/// Stored as text, `yyyy-MM-dd` or `yyyy-MM-dd HH:mm:ss.SSS` in UTC, so that a bare day sorts before
/// every instant of that day in UTC.
public enum DueDate: Hashable, Sendable {
  case day(CivilDate)
  case instant(Instant)

  /// Reads what clients write: `2026-11-20`, or an instant by RFC 3339 section 5.6.
  public init(_ text: String) throws(RFC3339.Problem) {
    if let day = CivilDate(text) {
      self = .day(day)
    } else {
      self = .instant(try RFC3339.parse(text))
    }
  }

  /// Reads what a file holds; `nil` for anything else.
  public init?(stored text: String) {
    if let day = CivilDate(text) {
      self = .day(day)
    } else if let instant = SQLiteTime.parse(text) {
      self = .instant(instant)
    } else {
      return nil
    }
  }

  /// As a file holds it.
  public var stored: String {
    switch self {
    case .day(let day): day.description
    case .instant(let instant): SQLiteTime.string(instant)
    }
  }
}

/// As clients read it: `2026-11-20`, or an instant by RFC 3339 in UTC.
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

// What a due date stands for in a zone. Days are compared with days, instants with instants.
extension DueDate {
  /// Itself, or the day on which the instant is.
  func day(in zone: ZoneInfo) -> CivilDate {
    switch self {
    case .day(let day): day
    case .instant(let instant): LocalDay(containing: instant, in: zone).date
    }
  }

  /// Itself, or the day's first instant.
  func start(in zone: ZoneInfo) -> Instant {
    switch self {
    case .day(let day): LocalDay(day, in: zone).start
    case .instant(let instant): instant
    }
  }

  /// The first instant after it.
  func end(in zone: ZoneInfo) -> Instant {
    switch self {
    case .day(let day): LocalDay(day, in: zone).end
    // Instants are whole milliseconds.
    case .instant(let instant): instant.adding(milliseconds: 1)
    }
  }
}
