import MartletQueryBuilder

/// The triggers for recurrence. They are pure SQL and hold for every program that
/// writes to the file.
enum RecurrenceTriggers {
  /// The condition that a new reminder without a rule has nothing else of a recurrence, and one
  /// with a rule has a start like its due date.
  static func isSeries(_ new: Reminder.TableColumns) -> QueryFragment {
    """
    CASE WHEN \(new.recurrenceRule) IS NULL THEN \(new.recurrenceStart) IS NULL \
    AND \(new.recurrenceBasis) = 0 AND \(new.recurrenceExcluded) IS NULL \
    ELSE coalesce(length(\(new.recurrenceStart)) = length(\(new.dueDate)), 1) END
    """
  }

  /// A reminder that recurs has a start of its due date's kind: without one the old due date, or
  /// the new one. A reminder that does not recur has none.
  static let onUpdate = Reminder.createTrigger(
    "martlet_reminders_dates",
    after: .update(
      of: {
        (
          $0.dueDate, $0.recurrenceRule, $0.recurrenceBasis, $0.recurrenceStart,
          $0.recurrenceExcluded
        )
      }
    ) { old, new in
      PlainStatement(
        sql: """
          UPDATE reminders SET \
          recurrenceStart = CASE WHEN recurrenceRule IS NOT NULL THEN \
          CASE length(dueDate) WHEN length(recurrenceStart) THEN recurrenceStart \
          WHEN length(\(old.dueDate)) THEN \(old.dueDate) ELSE dueDate END END, \
          recurrenceBasis = CASE WHEN recurrenceRule IS NOT NULL THEN recurrenceBasis ELSE 0 END, \
          recurrenceExcluded = CASE WHEN recurrenceRule IS NOT NULL THEN recurrenceExcluded END \
          WHERE id = \(new.id)
          """)
    } when: { _, new in
      #sql(
        """
        CASE WHEN \(new.recurrenceRule) IS NULL THEN \(new.recurrenceStart) IS NOT NULL \
        OR \(new.recurrenceBasis) <> 0 OR \(new.recurrenceExcluded) IS NOT NULL \
        ELSE length(\(new.recurrenceStart)) IS NOT length(\(new.dueDate)) END
        """, as: Bool.self)
    })
}
