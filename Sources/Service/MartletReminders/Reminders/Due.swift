import MartletQueryBuilder
import MartletSQLite
import MartletStore
import MartletTime

/// The instants at which the clock changes which reminders are due or available.
public enum DueClock {
  /// The next instant at which the reminders of a filter may change without a commit.
  public static func nextChange(
    of filter: ReminderFilter, after now: Instant, _ db: Connection
  ) throws -> Instant {
    var next = try nextChange(after: now, in: filter.zone, db)
    guard filter.isAvailable != nil else { return next }
    let first =
      try Reminder
      .where {
        $0.startDate > DueDate.instant(now)
        $0.startDate < DueDate.instant(next)
        DueColumn(dueDate: SQLQueryExpression("\($0.startDate)")).isTimed
      }
      .select { $0.startDate.min() }
      .fetchOne(db) ?? nil
    if case .instant(let instant)? = first { next = min(next, instant) }
    return next
  }

  /// The next instant at which the reminders due today or overdue may change without a commit: the
  /// end of the local day, or the due time of an open reminder before that.
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
    // A reminder due at an instant is overdue from the next millisecond on.
    return min(end, first?.end(in: zone) ?? end)
  }
}

// A due date without a time is compared as a date, one with a time as an instant. Both are stored
// as text, and a bare date sorts before every instant of its day; the length tells them apart.
struct DueColumn {
  /// The column, or an expression of it that prevents the use of an index.
  let dueDate: SQLQueryExpression<DueDate?>

  /// The condition that the reminder is due on a local day: on that date, or at an instant within
  /// it.
  func isDue(on day: LocalDay) -> SQLQueryExpression<Bool> {
    let date = day.date.description
    let start = SQLiteTime.string(day.start)
    let end = SQLiteTime.string(day.end)
    // An index can be searched by the first condition; the others are exact.
    return SQLQueryExpression(
      """
      (\(dueDate) BETWEEN \(bind: min(date, start)) AND \(bind: max(date, end)) AND \
      (\(dueDate) = \(bind: date) OR (\(isTimed) AND \(dueDate) >= \(bind: start) \
      AND \(dueDate) < \(bind: end))))
      """)
  }

  /// The condition that an instant is before the start of `other`, or a day before its day.
  func isDue(before other: DueDate, in zone: ZoneInfo) -> SQLQueryExpression<Bool> {
    let start = SQLiteTime.string(other.start(in: zone))
    let day = other.day(in: zone).description
    return SQLQueryExpression(
      """
      (\(dueDate) < \(bind: max(start, day)) AND ((\(isTimed) AND \(dueDate) < \(bind: start)) \
      OR (NOT \(isTimed) AND \(dueDate) < \(bind: day))))
      """)
  }

  /// The condition that an instant is not before the end of `other`, or a day after its day.
  func isDue(after other: DueDate, in zone: ZoneInfo) -> SQLQueryExpression<Bool> {
    let end = SQLiteTime.string(other.end(in: zone))
    let day = other.day(in: zone).description
    return SQLQueryExpression(
      """
      (\(dueDate) >= \(bind: min(end, day)) AND ((\(isTimed) AND \(dueDate) >= \(bind: end)) \
      OR (NOT \(isTimed) AND \(dueDate) > \(bind: day))))
      """)
  }

  /// The condition that the due date has a time.
  var isTimed: SQLQueryExpression<Bool> {
    SQLQueryExpression("(length(\(dueDate)) > 10)")
  }
}
