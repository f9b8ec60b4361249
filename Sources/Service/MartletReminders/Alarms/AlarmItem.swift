import MartletQueryBuilder
import MartletTime

/// An alarm as the API returns it.
@Selection
public struct AlarmItem: Equatable, Sendable {
  /// The ID of the alarm.
  public let id: Int
  /// The reminder.
  public let reminderID: Int
  /// The list of the reminder.
  public let listID: Int
  /// The title of the reminder.
  public let title: String
  /// The due date of the reminder.
  public let dueDate: DueDate?
  /// When it rings, if that does not depend on the reminder's dates.
  public let at: Instant?
  /// How long after a date of the reminder it rings.
  public let offset: String?
  /// The date that it is counted from.
  public let from: ReminderAlarm.Anchor?
  /// How it rings again.
  public let `repeat`: AlarmRepetition?
  /// The state of the alarm.
  public let state: ReminderAlarm.State
  /// When it rings next.
  public let fireAt: Instant?
  /// When it rang last.
  public let firedAt: Instant?
  /// Until when it is snoozed, or was if it has rung since.
  public let snoozedUntil: Instant?
  /// When it was acknowledged.
  public let acknowledgedAt: Instant?
}

extension ReminderAlarm.TableColumns {
  /// The columns of an ``AlarmItem``.
  func item(_ reminder: Reminder.TableColumns) -> AlarmItem.Columns {
    let repetition: AlarmRepetition.Columns? = AlarmRepetition.Columns(
      every: SQLQueryExpression("\(repeatEvery)"),
      times: SQLQueryExpression("CASE WHEN \(repeatEvery) IS NOT NULL THEN \(repeatTimes) END"))
    return AlarmItem.Columns(
      id: id, reminderID: reminderID, listID: reminder.remindersListID, title: reminder.title,
      dueDate: reminder.dueDate, at: at, offset: offset, from: anchor, repeat: repetition,
      state: state, fireAt: fireAt, firedAt: firedAt, snoozedUntil: snoozedUntil,
      acknowledgedAt: acknowledgedAt)
  }
}
