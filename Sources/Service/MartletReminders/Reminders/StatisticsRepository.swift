import MartletQueryBuilder
import MartletTime

/// The numbers of reminders by kind.
@Selection
public struct Statistics: Equatable, Sendable {
  /// All reminders.
  public let all: Int
  /// The reminders that are not completed. `completing` counts as open.
  public let open: Int
  /// The open reminders due today.
  public let today: Int
  /// The open reminders that are overdue.
  public let overdue: Int
  /// The open reminders with a due date.
  public let scheduled: Int
  /// The open flagged reminders.
  public let flagged: Int
  /// The completed reminders.
  public let completed: Int
}

/// Reads statistics.
public enum StatisticsRepository {
  /// The query of the ``Statistics`` at `now`. `zone` determines which reminders are due today or
  /// overdue. It is one pass over a covering index.
  public static func statistics(
    now: Instant, in zone: ZoneInfo, among lists: ListExtent = .all
  ) -> Query {
    let day = LocalDay(containing: now, in: zone)
    let due = DueColumn(dueDate: SQLQueryExpression("\(Reminder.columns.dueDate)"))
    return Reminder.where { if let extent = lists.condition($0) { extent } }.select { reminder in
      Statistics.Columns(
        all: MartletQueryBuilder.count(),
        open: MartletQueryBuilder.count(filter: reminder.isOpen),
        today: MartletQueryBuilder.count(filter: reminder.isOpen && due.isDue(on: day)),
        overdue: MartletQueryBuilder.count(
          filter: reminder.isOpen && due.isDue(before: .instant(now), in: day.zone)),
        scheduled: MartletQueryBuilder.count(
          filter: reminder.isOpen && reminder.dueDate.isNot(nil)),
        flagged: MartletQueryBuilder.count(filter: reminder.isOpen && reminder.isFlagged),
        completed: MartletQueryBuilder.count(filter: reminder.status == .completed))
    }.query
  }
}
