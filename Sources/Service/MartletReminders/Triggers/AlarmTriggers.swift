import MartletQueryBuilder

/// The triggers for alarms. They are pure SQL and hold for every program that writes to the file.
///
/// Setting, changing, acknowledging and snoozing an alarm is a change of its reminder. That it
/// rings is not a change. When it rings next is worked out by the service, because that needs the
/// files of the time zones: triggers only mark the alarms that are stale.
enum AlarmTriggers {
  /// The columns that say when an alarm rings.
  private static let times = ReminderAlarm.clientColumns

  /// Checks a new alarm. Without this, REPLACE could take an alarm from another reminder, which
  /// would run no delete trigger.
  static let onInsert = ReminderAlarm.createTrigger(
    "martlet_alarms_onInsert",
    before: .insert { new in
      Refusal(
        (
          unless: "EXISTS (SELECT 1 FROM reminders WHERE id = \(new.reminderID))",
          RuleViolation.alarmWithoutReminder.rawValue
        ),
        (
          unless: """
          NOT EXISTS (SELECT 1 FROM alarms AS other \
          WHERE other.id = \(new.id) AND other.reminderID <> \(new.reminderID))
          """, RuleViolation.alarmOfAnother.rawValue
        ))
    })

  static let added = ReminderAlarm.createTrigger(
    "martlet_alarms_added",
    after: .insert { new in
      Refusal(
        (
          unless: """
          (SELECT count(*) FROM alarms WHERE reminderID = \(new.reminderID)) \
          <= \(raw: "\(ReminderAlarm.most)")
          """, RuleViolation.tooManyAlarms.rawValue
        ))
      PlainStatement.reminderLine("\(new.reminderID)")
      touch("\(new.reminderID)")
      CalendarTriggers.forget("\(new.reminderID)")
      PlainStatement.count(ReminderAlarm.self)
    })

  static let deleted = ReminderAlarm.createTrigger(
    "martlet_alarms_deleted",
    after: .delete { old in
      PlainStatement.reminderLine("\(old.reminderID)")
      touch("\(old.reminderID)")
      CalendarTriggers.forget("\(old.reminderID)")
      PlainStatement.count(ReminderAlarm.self)
    })

  /// An alarm stays with its reminder.
  static let moved = ReminderAlarm.createTrigger(
    "martlet_alarms_moved",
    before: .update(of: { _ in return RowID.names() + ["reminderID"] }) { old, new in
      Refusal(
        (
          unless: "\(old.id) = \(new.id) AND \(old.reminderID) = \(new.reminderID)",
          RuleViolation.alarmOfAnother.rawValue
        ))
    })

  /// A changed time is worked out again. An alarm that was acknowledged rings no more, and one that
  /// is snoozed rings then, unless its reminder is completed.
  static let changed = ReminderAlarm.createTrigger(
    "martlet_alarms_changed",
    after: .update(
      of: { _ in return (times + ReminderAlarm.answerColumns).names }
    ) { old, new in
      PlainStatement(
        sql: """
          UPDATE alarms SET isStale = 1 WHERE id = \(new.id) \
          AND (\(times.values(of: "old"))) IS NOT (\(times.values(of: "new")))
          """)
      PlainStatement(
        sql: """
          UPDATE alarms SET state = 2, fireAt = \(new.snoozedUntil), rung = 0 \
          WHERE id = \(new.id) AND \(new.snoozedUntil) IS NOT NULL \
          AND \(new.snoozedUntil) IS NOT \(old.snoozedUntil) \
          AND NOT EXISTS (SELECT 1 FROM reminders WHERE id = \(new.reminderID) AND status = 1)
          """)
      PlainStatement(
        sql: """
          UPDATE alarms SET state = 3, fireAt = NULL, \
          snoozedUntil = nullif(snoozedUntil, \(old.snoozedUntil)) \
          WHERE id = \(new.id) AND \(new.acknowledgedAt) IS NOT NULL \
          AND \(new.acknowledgedAt) IS NOT \(old.acknowledgedAt)
          """)
      PlainStatement.reminderLine("\(new.reminderID)")
      touch("\(new.reminderID)")
      CalendarTriggers.forget("\(new.reminderID)")
    } when: { old, new in
      #sql(
        """
        (\((times + ReminderAlarm.answerColumns).values(of: "old"))) \
        IS NOT (\((times + ReminderAlarm.answerColumns).values(of: "new")))
        """, as: Bool.self)
    })

  static let updated = ReminderAlarm.createTrigger(
    "martlet_alarms_updated", after: .update { _, _ in PlainStatement.count(ReminderAlarm.self) })

  /// Marks the alarms of a reminder whose dates, zone or completion have changed.
  static let stale = Reminder.createTrigger(
    "martlet_reminders_alarms",
    after: .update(of: { ($0.dueDate, $0.startDate, $0.timeZone, $0.status) }) { old, new in
      PlainStatement(
        sql: """
          UPDATE alarms SET isStale = 1 WHERE reminderID = \(new.id) \
          AND (anchor IS NOT NULL OR (\(old.status) = 1) <> (\(new.status) = 1))
          """)
    } when: { old, new in
      #sql(
        """
        \(new.alarmCount) > 0 AND \
        (\(old.dueDate), \(old.startDate), \(old.timeZone), \(old.status) = 1) \
        IS NOT (\(new.dueDate), \(new.startDate), \(new.timeZone), \(new.status) = 1)
        """, as: Bool.self)
    })

  /// Counts the alarms of a reminder whose line was just added, and sets its time and version.
  private static func touch(_ reminder: QueryFragment) -> PlainStatement {
    PlainStatement(
      sql: """
        UPDATE reminders SET alarmCount = (\
        SELECT count(*) FROM alarms WHERE reminderID = reminders.id), \
        updatedAt = \(PlacedRow.touched()), version = last_insert_rowid(), \
        calendarVersion = last_insert_rowid() \
        WHERE id = \(reminder)
        """)
  }
}
