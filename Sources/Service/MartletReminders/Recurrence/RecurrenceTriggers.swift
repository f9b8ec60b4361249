import MartletQueryBuilder

/// The triggers for start dates and recurrence. They are pure SQL and hold for every program that
/// writes to the file.
enum RecurrenceTriggers {
  /// Checks the dates of a new reminder that has more than a due date. It changes nothing: another
  /// trigger may still have to complete the row.
  static let onInsert = Reminder.createTrigger(
    "martlet_reminders_datesOnInsert",
    after: .insert { new in
      rules(new)
      Refusal(
        (
          unless: """
          CASE WHEN \(new.recurrenceRule) IS NULL THEN \(new.recurrenceStart) IS NULL \
          AND \(new.recurrenceBasis) = 0 AND \(new.recurrenceExcluded) IS NULL \
          ELSE coalesce(length(\(new.recurrenceStart)) = length(\(new.dueDate)), 1) END
          """, ValueRule.series.rawValue
        ))
    } when: { new in
      #sql(
        """
        coalesce(\(new.startDate), \(new.timeZone), \(new.recurrenceRule), \(new.recurrenceStart), \
        \(new.recurrenceExcluded)) IS NOT NULL OR \(new.recurrenceBasis) <> 0
        """, as: Bool.self)
    })

  /// Checks changed dates. An invalid old due date may stay while other columns change.
  static let onUpdate = Reminder.createTrigger(
    "martlet_reminders_dates",
    after: .update(
      of: {
        (
          $0.dueDate, $0.startDate, $0.timeZone, $0.recurrenceRule, $0.recurrenceBasis,
          $0.recurrenceStart, $0.recurrenceExcluded
        )
      }
    ) { old, new in
      Refusal(
        (
          unless: "\(new.dueDate) IS \(old.dueDate) OR \(ValueRule.isDueDate("\(new.dueDate)"))",
          ValueRule.dueDate.rawValue
        ))
      rules(new)
      settle(old, new)
    })

  private static func rules(_ new: Reminder.TableColumns) -> Refusal {
    Refusal(
      (unless: ValueRule.isDueDate("\(new.startDate)"), ValueRule.startDate.rawValue),
      (
        unless: ValueRule.isStart("\(new.startDate)", of: "\(new.dueDate)"),
        RuleViolation.startDate.rawValue
      ),
      (unless: ValueRule.isTimeZone("\(new.timeZone)"), ValueRule.timeZone.rawValue),
      (
        unless: "\(new.recurrenceRule) IS NULL OR \(new.dueDate) IS NOT NULL",
        RuleViolation.recurrenceWithoutDue.rawValue
      ),
      (
        unless: ValueRule.isRecurrence(
          "\(new.recurrenceRule)", excluded: "\(new.recurrenceExcluded)"),
        ValueRule.recurrence.rawValue
      ),
      (
        unless: "\(new.recurrenceRule) IS NULL OR \(ValueRule.isDueDate("\(new.recurrenceStart)"))",
        ValueRule.dueDate.rawValue
      ))
  }

  /// A reminder that recurs has a start of its due date's kind: without one the old due date, or
  /// the new one. A reminder that does not recur has none.
  private static func settle(
    _ old: Reminder.TableColumns, _ new: Reminder.TableColumns
  ) -> PlainStatement {
    PlainStatement(
      sql: """
        UPDATE reminders SET \
        recurrenceStart = CASE WHEN recurrenceRule IS NOT NULL THEN \
        CASE length(dueDate) WHEN length(recurrenceStart) THEN recurrenceStart \
        WHEN length(\(old.dueDate)) THEN \(old.dueDate) ELSE dueDate END END, \
        recurrenceBasis = CASE WHEN recurrenceRule IS NOT NULL THEN recurrenceBasis ELSE 0 END, \
        recurrenceExcluded = CASE WHEN recurrenceRule IS NOT NULL THEN recurrenceExcluded END \
        WHERE id = \(new.id) AND CASE WHEN recurrenceRule IS NULL \
        THEN recurrenceStart IS NOT NULL OR recurrenceBasis <> 0 OR recurrenceExcluded IS NOT NULL \
        ELSE length(recurrenceStart) IS NOT length(dueDate) END
        """)
  }
}
