import MartletQueryBuilder
import MartletTime

/// Which reminders are asked for. What is set holds together.
public struct ReminderFilter: Hashable, Sendable {
  public enum Due: String, CaseIterable, Hashable, Sendable {
    case today, overdue, scheduled, none
  }

  public var listID: Int?
  public var lists = ListExtent.all
  public var status: Reminder.Status?
  public var isCompleted: Bool?
  public var isFlagged: Bool?
  public var priority: Reminder.Priority?
  /// All of them are on the reminder.
  public var tags: [String] = []
  /// Open reminders only.
  public var due: Due?
  public var dueBefore: DueDate?
  public var dueAfter: DueDate?
  public var text: SearchText?
  /// Decides what today is.
  public var zone = ZoneInfo.utc

  public init() {}

  /// Whether the answer changes by itself as time passes.
  public var dependsOnClock: Bool { due == .today || due == .overdue }

  /// What filters have in common whose conditions differ in the list's id alone. `nil` where there are others that seldom
  /// come again.
  var shape: ReminderFilter? {
    guard tags.isEmpty, text == nil, !dependsOnClock, dueBefore == nil, dueAfter == nil,
      lists == .all
    else { return nil }
    var shape = self
    if listID != nil { shape.listID = 0 }
    // Decides only what today is.
    shape.zone = .utc
    return shape
  }

  /// The conditions, in terms of `now`: of a page in the order of `key`, or of all rows at once. `list`: what stands for
  /// the list's id.
  func conditions(
    _ reminder: Reminder.TableColumns, now: Instant, along key: ReminderSort.Key? = nil,
    list: SQLQueryExpression<Int>? = nil
  ) -> [SQLQueryExpression<Bool>] {
    // SQLite keeps no statistics here and takes `status = ?` for a handful of rows. Only the index
    // that serves the page's order, or holds few rows for certain, may find them; a `+` hides the
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

  /// Whether the matches are few, and found without the index of the order `key`: sorting them is
  /// then cheaper than walking along the order until a page is full.
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
  /// The column as it is, or such that no index on it is used.
  fileprivate func found(_ byIndex: Bool) -> SQLQueryExpression<QueryValue> {
    byIndex ? SQLQueryExpression("\(self)") : SQLQueryExpression("+\(self)")
  }
}

extension SQLQueryExpression<Reminder.Status> {
  /// Said as the index `reminders_open_due` says it.
  fileprivate var isNotCompleted: SQLQueryExpression<Bool> {
    SQLQueryExpression<Bool>("(\(self) <> 1)")
  }
}
