import MartletQueryBuilder
import MartletTime

/// How an alarm rings again, as the API returns it.
@Selection
public struct AlarmRepetition: Codable, Equatable, Sendable {
  /// The time from one to the next, an ISO 8601 duration.
  public let every: String
  /// The number.
  public let times: Int
}

/// An alarm as a part of its reminder: what a client or another program has set or done. What the
/// clock does is not part of it, because it is no change of the reminder.
public struct AlarmSummary: Codable, Equatable, Sendable {
  /// The ID of the alarm.
  public let id: Int
  /// When it rings, if that does not depend on the reminder's dates.
  public let at: Instant?
  /// How long after a date of the reminder it rings.
  public let offset: String?
  /// The date that it is counted from.
  public let from: String?
  /// How it rings again.
  public let `repeat`: AlarmRepetition?
  /// Until when it is snoozed, or was if it has rung since.
  public let snoozedUntil: Instant?
  /// When it was acknowledged.
  public let acknowledgedAt: Instant?
}

extension Reminder.TableColumns {
  /// The alarms of the reminder, by ID, which is the order of the index on `(reminderID, id)`. They
  /// are read only if there are any.
  var alarms: SQLQueryExpression<[AlarmSummary].JSONRepresentation> {
    func time(_ column: StaticString) -> QueryFragment {
      "replace(\(raw: "\(column)"), ' ', 'T') || 'Z'"
    }
    return SQLQueryExpression(
      """
      CASE WHEN \(alarmCount) > 0 THEN (SELECT json_group_array(json_object(\
      'id', alarms.id, 'at', \(time("at")), 'offset', offset, \
      'from', CASE anchor WHEN 0 THEN 'due' WHEN 1 THEN 'start' END, \
      'repeat', json(CASE WHEN repeatEvery IS NOT NULL \
      THEN json_object('every', repeatEvery, 'times', repeatTimes) END), \
      'snoozedUntil', \(time("snoozedUntil")), 'acknowledgedAt', \(time("acknowledgedAt")))) \
      FROM alarms WHERE reminderID = \(id)) ELSE '[]' END
      """)
  }
}
