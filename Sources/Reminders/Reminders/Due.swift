import QueryBuilder
import SQLite
import Store
import Time

/// When the clock changes what is due.
public enum DueClock {
  /// The next instant at which what is due today or overdue may change without a commit: the local
  /// day's end, or before it the moment of an open reminder.
  public static func nextChange(
    after now: Instant, in zone: TimeZone, _ db: Connection
  ) throws -> Instant {
    let end = LocalDay(containing: now, in: zone).end
    let first =
      try Reminder
      .where {
        $0.isOpen
        $0.dueDate >= SQLiteTime.string(now)
        $0.dueDate < SQLiteTime.string(end)
        SQLQueryExpression<Bool>("(length(\($0.dueDate)) > 10)")
      }
      .select { $0.dueDate.min() }
      .fetchOne(db) ?? nil
    // Overdue is what was due before now: one that is due at an instant, from the next one on.
    return min(end, first.flatMap { SQLiteTime.parse($0) }?.adding(milliseconds: 1) ?? end)
  }
}

// A due date without time is compared as a date, one with time as an instant. In the column both
// are text, and a bare date sorts before every instant of its day; the length tells them apart.
struct DueColumn {
  /// The column, or what keeps an index on it from being used.
  let dueDate: SQLQueryExpression<String?>

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

  /// Due before `instant`, a bare date before `date`.
  func isDue(before instant: Instant, orDate date: CivilDate) -> SQLQueryExpression<Bool> {
    let instant = SQLiteTime.string(instant)
    return SQLQueryExpression(
      """
      (\(dueDate) < \(bind: max(instant, date.description)) AND \
      ((\(isTimed) AND \(dueDate) < \(bind: instant)) \
      OR (NOT \(isTimed) AND \(dueDate) < \(bind: date.description))))
      """)
  }

  /// Due at `instant` or later, a bare date after `date`.
  func isDue(from instant: Instant, orAfter date: CivilDate) -> SQLQueryExpression<Bool> {
    let instant = SQLiteTime.string(instant)
    return SQLQueryExpression(
      """
      (\(dueDate) >= \(bind: min(instant, date.description)) AND \
      ((\(isTimed) AND \(dueDate) >= \(bind: instant)) \
      OR (NOT \(isTimed) AND \(dueDate) > \(bind: date.description))))
      """)
  }

  private var isTimed: SQLQueryExpression<Bool> {
    SQLQueryExpression("(length(\(dueDate)) > 10)")
  }
}
