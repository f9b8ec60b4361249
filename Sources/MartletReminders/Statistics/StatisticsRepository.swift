import MartletQueryBuilder
import MartletTime

/// How many reminders there are of which kind.
@Selection
public struct Statistics: Equatable, Sendable {
  public let all: Int
  public let open: Int
  public let today: Int
  public let overdue: Int
  public let scheduled: Int
  public let flagged: Int
  public let completed: Int
}

public enum StatisticsRepository {
  /// One pass over an index that holds all it asks for. `today` and what is overdue are those of
  /// `now` in `zone`; like `scheduled` and `flagged` they count open reminders.
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
