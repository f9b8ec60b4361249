import QueryBuilder
import Time

/// Which reminders are asked for. What is set holds together.
public struct ReminderFilter: Hashable, Sendable {
  public enum Due: String, CaseIterable, Hashable, Sendable {
    case today, overdue, scheduled, none
  }

  /// One end of a span of time: an instant, or a whole local day.
  public enum Moment: Hashable, Sendable {
    case instant(Instant)
    case date(CivilDate)
  }

  public var listID: Int?
  public var status: Reminder.Status?
  public var isCompleted: Bool?
  public var isFlagged: Bool?
  public var priority: Reminder.Priority?
  /// All of them are on the reminder.
  public var tags: [String] = []
  /// Open reminders only.
  public var due: Due?
  public var dueBefore: Moment?
  public var dueAfter: Moment?
  public var text: SearchText?
  /// Decides what today is.
  public var zone = TimeZone.utc

  public init() {}

  /// Whether the answer changes by itself as time passes.
  public var dependsOnClock: Bool { due == .today || due == .overdue }

  /// The conditions, in terms of `now`.
  func condition(_ reminder: Reminder.TableColumns, now: Instant) -> [SQLQueryExpression<Bool>] {
    var conditions: [SQLQueryExpression<Bool>] = []
    if let listID { conditions.append(reminder.remindersListID == listID) }
    if let status { conditions.append(reminder.status == status) }
    if let isCompleted {
      conditions.append(
        isCompleted ? reminder.status == .completed : SQLQueryExpression("\(reminder.isOpen)"))
    }
    if let isFlagged { conditions.append(reminder.isFlagged == isFlagged) }
    if let priority { conditions.append(reminder.priority == priority) }
    for tag in tags {
      conditions.append(
        ReminderTag.where { $0.reminderID == reminder.id && $0.tagID == tag }.exists())
    }
    if let text {
      conditions += text.conditions(reminder)
    }
    if due != nil { conditions.append(SQLQueryExpression("\(reminder.isOpen)")) }
    switch due {
    case .today?:
      conditions.append(reminder.isDue(on: LocalDay(containing: now, in: zone)))
    case .overdue?:
      conditions.append(
        reminder.isDue(before: now, orDate: LocalDay(containing: now, in: zone).date))
    case .scheduled?: conditions.append(reminder.dueDate.isNot(nil))
    case Due.none?: conditions.append(reminder.dueDate.is(nil))
    case nil: break
    }
    switch dueBefore {
    case .instant(let instant)?:
      conditions.append(
        reminder.isDue(before: instant, orDate: LocalDay(containing: instant, in: zone).date))
    case .date(let date)?:
      conditions.append(reminder.isDue(before: LocalDay(date, in: zone).start, orDate: date))
    case nil: break
    }
    switch dueAfter {
    case .instant(let instant)?:
      // Strictly after: instants are whole milliseconds.
      conditions.append(
        reminder.isDue(
          from: instant.adding(milliseconds: 1),
          orAfter: LocalDay(containing: instant, in: zone).date))
    case .date(let date)?:
      conditions.append(reminder.isDue(from: LocalDay(date, in: zone).end, orAfter: date))
    case nil: break
    }
    return conditions
  }
}
