import MartletQueryBuilder
import MartletTime

/// A filter of reminders. All conditions that are set must hold.
public struct ReminderFilter: Hashable, Sendable {
  /// A condition on the due date.
  public enum Due: String, CaseIterable, Hashable, Sendable {
    /// Due today; overdue; with any due date; without a due date.
    case today, overdue, scheduled, none
  }

  /// Only reminders of this list.
  public var listID: Int?
  /// The lists that the caller may access.
  public var lists = ListExtent.all
  /// Only reminders with this status.
  public var status: Reminder.Status?
  /// Only completed reminders, or only reminders that are not.
  public var isCompleted: Bool?
  /// Only flagged reminders, or only reminders that are not.
  public var isFlagged: Bool?
  /// Only reminders with this priority.
  public var priority: Reminder.Priority?
  /// Only reminders that carry all of these tags.
  public var tags: [String] = []
  /// Only open reminders with this condition on the due date.
  public var due: Due?
  /// Only reminders due before this day or instant.
  public var dueBefore: DueDate?
  /// Only reminders due after this day or instant.
  public var dueAfter: DueDate?
  /// Only reminders that match a full-text search.
  public var text: SearchText?
  /// The time zone that determines the current day and the limits of days.
  public var zone = ZoneInfo.utc

  /// All reminders.
  public init() {}

  /// Whether the result changes as time passes, without a commit.
  public var dependsOnClock: Bool { due == .today || due == .overdue }

  /// The filter without the list's ID, which a statement can take as a parameter. `nil` if there
  /// are conditions whose values seldom occur again.
  var shape: ReminderFilter? {
    guard tags.isEmpty, text == nil, !dependsOnClock, dueBefore == nil, dueAfter == nil,
      lists == .all
    else { return nil }
    var shape = self
    if listID != nil { shape.listID = 0 }
    // The zone only determines the current day, which this filter does not use.
    shape.zone = .utc
    return shape
  }

  /// The conditions at the time `now`, for a page ordered by `key` or for all rows at once. `list`
  /// replaces the list's ID.
  func conditions(
    _ reminder: Reminder.TableColumns, now: Instant, along key: ReminderSort.Key? = nil,
    list: SQLQueryExpression<Int>? = nil
  ) -> [SQLQueryExpression<Bool>] {
    // Without statistics, SQLite assumes that `status = ?` finds few rows. Only the index that has
    // the page's order, or one that certainly finds few rows, should be used. A `+` disables the
    // others (https://sqlite.org/queryplanner-ng.html#howtofix).
    let isCounted = key == nil
    let walks = key.map { !isNarrow(beside: $0) } ?? false
    let usesDue = isCounted || isNarrowInTime || (walks && key == .dueDate)
    let status = reminder.status.found(isCounted || (walks && key == .dueDate))
    let due = DueColumn(dueDate: reminder.dueDate.found(usesDue))
    var conditions: [SQLQueryExpression<Bool>] = []
    if let listID {
      let list = list ?? SQLQueryExpression(listID.queryFragment)
      conditions.append(reminder.remindersListID == list)
    }
    if let extent = lists.condition(reminder.remindersListID.found(isCounted)) {
      conditions.append(extent)
    }
    switch self.status {
    case .completing?: conditions.append(reminder.status == .completing)
    case let other?: conditions.append(status == other)
    case nil: break
    }
    if isCompleted == true { conditions.append(status == .completed) }
    if isCompleted == false || self.due != nil {
      conditions.append(
        isCounted
          ? SQLQueryExpression("\(reminder.isOpen)")
          : reminder.status.found(usesDue).isNotCompleted)
    }
    if let isFlagged { conditions.append(reminder.isFlagged.found(isCounted) == isFlagged) }
    if let priority {
      conditions.append(
        reminder.priority.found(isCounted || (walks && key == .priority)) == priority)
    }
    conditions += tags.map { reminder.carries($0) }
    if let text { conditions += text.conditions(reminder) }
    return conditions + times(due, now: now)
  }

  private func times(_ due: DueColumn, now: Instant) -> [SQLQueryExpression<Bool>] {
    var conditions: [SQLQueryExpression<Bool>] = []
    switch self.due {
    case .today?: conditions.append(due.isDue(on: LocalDay(containing: now, in: zone)))
    case .overdue?: conditions.append(due.isDue(before: .instant(now), in: zone))
    case .scheduled?: conditions.append(due.dueDate.isNot(nil))
    case Due.none?: conditions.append(due.dueDate.is(nil))
    case nil: break
    }
    if let dueBefore { conditions.append(due.isDue(before: dueBefore, in: zone)) }
    if let dueAfter { conditions.append(due.isDue(after: dueAfter, in: zone)) }
    return conditions
  }

  // MARK: How many rows match

  /// Whether few rows match, and are found without the index of the order `key`. Sorting them is
  /// then cheaper than walking that index until the page is full.
  func isNarrow(beside key: ReminderSort.Key) -> Bool {
    let isElsewhere = !tags.isEmpty || text != nil
    return switch key {
    case .list, .position:
      listID == nil && (isElsewhere || status == .completing || isNarrowInTime)
    case .dueDate: listID != nil || isElsewhere
    case .title, .priority, .createdAt, .updatedAt:
      listID != nil || isElsewhere || status == .completing || isNarrowInTime
    }
  }

  private var isNarrowInTime: Bool {
    due == .today || due == .overdue || (dueBefore != nil && dueAfter != nil)
  }
}

extension TableColumn where Root == Reminder {
  /// The column itself, or an expression of it for which no index is used.
  fileprivate func found(_ byIndex: Bool) -> SQLQueryExpression<QueryValue> {
    byIndex ? SQLQueryExpression("\(self)") : SQLQueryExpression("+\(self)")
  }
}

extension SQLQueryExpression<Reminder.Status> {
  /// The condition exactly as in the partial index `reminders_open_due`.
  fileprivate var isNotCompleted: SQLQueryExpression<Bool> {
    SQLQueryExpression<Bool>("(\(self) <> 1)")
  }
}
