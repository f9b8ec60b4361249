import MartletQueryBuilder
import MartletTime

/// A filter of reminders. All conditions that are set must hold.
public struct ReminderFilter: Hashable, Sendable {
  /// A condition on the due date.
  public enum Due: String, CaseIterable, Hashable, Sendable {
    /// Due today; overdue; with any due date; without a due date.
    case today, overdue, scheduled, none
  }

  /// A condition on the parent.
  public enum Parent: Hashable, Sendable {
    /// The parent is this reminder; there is no parent.
    case reminder(Int), none
  }

  /// Only reminders of this list.
  public var listID: Int?
  /// Only reminders of one of these lists; of any list if it is empty.
  public var listIDs: Set<Int> = []
  /// Only the direct subtasks of a reminder, or only reminders without a parent.
  public var parent: Parent?
  /// The lists that the caller may access.
  public var lists = ListExtent.all
  /// Only reminders with this status.
  public var status: Reminder.Status?
  /// Only completed reminders, or only reminders that are not.
  public var isCompleted: Bool?
  /// Only flagged reminders, or only reminders that are not.
  public var isFlagged: Bool?
  /// Only reminders with one of these priorities; with any or none if it is empty.
  public var priorities: Set<Reminder.Priority> = []
  /// Only reminders that recur, or only reminders that do not.
  public var isRecurring: Bool?
  /// Only reminders whose start date has come or that have none, or only the others.
  public var isAvailable: Bool?
  /// Only reminders that carry all of these tags.
  public var tags: [String] = []
  /// Only open reminders with this condition on the due date.
  public var due: Due?
  /// Only open reminders due by the end of the local day this many days from today. Overdue ones
  /// are among them.
  public var dueWithin: Int?
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
  public var dependsOnClock: Bool {
    due == .today || due == .overdue || dueWithin != nil || isAvailable != nil
  }

  /// The filter without the list's ID, which a statement can take as a parameter. `nil` if there
  /// are conditions whose values seldom occur again.
  var shape: ReminderFilter? {
    guard tags.isEmpty, text == nil, !dependsOnClock, dueBefore == nil, dueAfter == nil,
      lists == .all, listIDs.isEmpty, parent == nil
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
    if !listIDs.isEmpty {
      let list = reminder.remindersListID.found(isCounted || !walks)
      conditions.append(SQLQueryExpression("\(list.in(listIDs.sorted()))"))
    }
    switch self.status {
    case .completing?: conditions.append(reminder.status == .completing)
    case let other?: conditions.append(status == other)
    case nil: break
    }
    if isCompleted == true { conditions.append(status == .completed) }
    if isCompleted == false || self.due != nil || dueWithin != nil {
      conditions.append(
        isCounted
          ? SQLQueryExpression("\(reminder.isOpen)")
          : reminder.status.found(usesDue).isNotCompleted)
    }
    if let isFlagged { conditions.append(reminder.isFlagged.found(isCounted) == isFlagged) }
    let priority = reminder.priority.found(isCounted || (walks && key == .priority))
    switch priorities.count {
    case 0: break
    case 1: conditions += priorities.map { priority == $0 }
    default:
      let values = priorities.map(\.rawValue).sorted().map(String.init).joined(separator: ", ")
      conditions.append(SQLQueryExpression("(\(priority) IN (\(raw: values)))"))
    }
    // An index of the rows that recur is only used for this text.
    switch isRecurring {
    case true?: conditions.append(SQLQueryExpression("(\(reminder.recurrenceRule) IS NOT NULL)"))
    case false?: conditions.append(SQLQueryExpression("(\(reminder.recurrenceRule) IS NULL)"))
    case nil: break
    }
    switch parent {
    case .reminder(let id)?:
      conditions.append(SQLQueryExpression("(\(reminder.parentID) = \(bind: id))"))
    case Parent.none?: conditions.append(SQLQueryExpression("(\(reminder.parentID) IS NULL)"))
    case nil: break
    }
    if let isAvailable {
      let start = DueColumn(dueDate: reminder.startDate.found(isCounted))
      let isLater = start.isDue(after: .instant(now), in: zone)
      conditions.append(
        isAvailable
          ? SQLQueryExpression("(\(start.dueDate) IS NULL OR NOT \(isLater))") : isLater)
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
    if let dueWithin {
      let today = LocalDay(containing: now, in: zone).date.daysSinceEpoch
      let end = CivilDate(daysSinceEpoch: today + dueWithin + 1)
      conditions.append(due.isDue(before: .day(end), in: zone))
    }
    if let dueBefore { conditions.append(due.isDue(before: dueBefore, in: zone)) }
    if let dueAfter { conditions.append(due.isDue(after: dueAfter, in: zone)) }
    return conditions
  }

  // MARK: How many rows match

  /// Whether few rows match, and are found without the index of the order `key`. Sorting them is
  /// then cheaper than walking that index until the page is full.
  func isNarrow(beside key: ReminderSort.Key) -> Bool {
    let isElsewhere = !tags.isEmpty || text != nil || isRecurring == true || isSubtask
    return switch key {
    case .list, .position:
      listID == nil && (isElsewhere || status == .completing || isNarrowInTime)
    case .dueDate: listID != nil || isElsewhere
    case .title, .priority, .createdAt, .updatedAt, .startDate, .completedAt:
      listID != nil || isElsewhere || status == .completing || isNarrowInTime
    }
  }

  private var isSubtask: Bool { if case .reminder? = parent { true } else { false } }

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
