import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime

/// When the clock changes what is due.
public enum DueClock {
  /// The next instant at which what is due today or overdue may change without a commit: the local
  /// day's end, or before it the moment of an open reminder.
  public static func nextChange(
    after now: Instant, in zone: ZoneInfo, _ db: Connection
  ) throws -> Instant {
    let end = LocalDay(containing: now, in: zone).end
    let first =
      try Reminder
      .where {
        $0.isOpen
        $0.dueDate >= DueDate.instant(now)
        $0.dueDate < DueDate.instant(end)
        DueColumn(dueDate: SQLQueryExpression("\($0.dueDate)")).isTimed
      }
      .select { $0.dueDate.min() }
      .fetchOne(db) ?? nil
    // Overdue is what was due before now: one that is due at an instant, from the next one on.
    return min(end, first?.end(in: zone) ?? end)
  }
}

// A due date without time is compared as a date, one with time as an instant. In the column both
// are text, and a bare date sorts before every instant of its day; the length tells them apart.
struct DueColumn {
  /// The column, or what keeps an index on it from being used.
  let dueDate: SQLQueryExpression<DueDate?>

  /// Due on the local day: a bare date that is the day, or an instant within it.
  func isDue(on day: LocalDay) -> SQLQueryExpression<Bool> {
    let date = day.date.description
    let start = SQLiteTime.string(day.start)
    let end = SQLiteTime.string(day.end)
    // The first conjunct is what an index can search; the others say it exactly.
    return SQLQueryExpression(
      """
      (\(dueDate) BETWEEN \(bind: min(date, start)) AND \(bind: max(date, end)) AND \
      (\(dueDate) = \(bind: date) OR (\(isTimed) AND \(dueDate) >= \(bind: start) \
      AND \(dueDate) < \(bind: end))))
      """)
  }

  /// An instant before the other's start, or a day before the other's day.
  func isDue(before other: DueDate, in zone: ZoneInfo) -> SQLQueryExpression<Bool> {
    let start = SQLiteTime.string(other.start(in: zone))
    let day = other.day(in: zone).description
    return SQLQueryExpression(
      """
      (\(dueDate) < \(bind: max(start, day)) AND ((\(isTimed) AND \(dueDate) < \(bind: start)) \
      OR (NOT \(isTimed) AND \(dueDate) < \(bind: day))))
      """)
  }

  /// An instant from the other's end on, or a day after the other's day.
  func isDue(after other: DueDate, in zone: ZoneInfo) -> SQLQueryExpression<Bool> {
    let end = SQLiteTime.string(other.end(in: zone))
    let day = other.day(in: zone).description
    return SQLQueryExpression(
      """
      (\(dueDate) >= \(bind: min(end, day)) AND ((\(isTimed) AND \(dueDate) >= \(bind: end)) \
      OR (NOT \(isTimed) AND \(dueDate) > \(bind: day))))
      """)
  }

  var isTimed: SQLQueryExpression<Bool> {
    SQLQueryExpression("(length(\(dueDate)) > 10)")
  }
}
