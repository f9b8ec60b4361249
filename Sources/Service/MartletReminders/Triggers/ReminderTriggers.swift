import MartletQueryBuilder

/// The triggers that enforce the invariants of reminders. They are pure SQL and hold for every
/// program that writes to the file.
enum ReminderTriggers {
  /// Refuses an explicit ID above the largest allowed one.
  ///
  /// It runs before the insert, when an ID that SQLite assigns is not known yet: assigned IDs may
  /// exceed the limit.
  static let idOnInsert = Reminder.createTrigger(
    "martlet_reminders_idOnInsert",
    before: .insert { _ in
      Raise(.abort, ValueRule.id.rawValue)
    } when: { new in
      new.id > ValueRule.largest
    })

  static let knownListOnUpdate = Reminder.createTrigger(
    "martlet_reminders_listOnUpdate",
    before: .update(of: { $0.remindersListID }) { _, _ in
      Raise(.abort, RuleViolation.unknownList.rawValue)
    } when: { _, new in
      !RemindersList.find(new.remindersListID).select(\.id).exists()
    })

  static let keepID = Reminder.keepsID

  /// Checks the list of a new reminder, even with foreign keys disabled, its recurrence, its ID and
  /// its UID. Places it last in its list unless it has a position, sets its times and its UID, and
  /// adds its row to the search index. The service inserts rows that have all of these already:
  /// their index entries are written once.
  ///
  /// The search index has a row of each reminder. If it has one of a new reminder, REPLACE has
  /// deleted another one with this ID, for which no delete trigger ran
  /// (https://sqlite.org/lang_conflict.html).
  static let complete = Reminder.createTrigger(
    "martlet_reminders_complete",
    after: .insert { new in
      Refusal(
        (
          unless: "EXISTS (SELECT 1 FROM remindersLists WHERE id = \(new.remindersListID))",
          RuleViolation.unknownList.rawValue
        ),
        (unless: SearchTriggers.hasNoRow("\(new.id)"), ValueRule.replaced.rawValue),
        (unless: "\(new.id) >= 1", ValueRule.id.rawValue),
        (unless: RecurrenceTriggers.isSeries(new), ValueRule.series.rawValue),
        UID.isUnique(
          "\(new.uid)", among: Reminder.self, "\(new.id)", "\(new.remindersListID)"))
      PlainStatement.line(.reminder, "\(new.id)", inList: "\(new.remindersListID)")
      Reminder.find(new.id).where { _ in !isIncomplete(new) }.update {
        $0.version = #sql("last_insert_rowid()")
        $0.calendarVersion = #sql("last_insert_rowid()")
      }
      Reminder.find(new.id).where { _ in isIncomplete(new) }.update {
        $0.uid = UID.given
        $0.position = #sql("coalesce(position, \(Reminder.nextPosition(in: new.remindersListID)))")
        $0.createdAt = #sql("strftime('%Y-%m-%d %H:%M:%f', 'now')")
        $0.updatedAt = #sql("strftime('%Y-%m-%d %H:%M:%f', 'now')")
        $0.version = #sql("last_insert_rowid()")
        $0.calendarVersion = #sql("last_insert_rowid()")
      }
      SearchTriggers.insert(new.id, title: new.title, notes: new.notes)
    })

  private static func isIncomplete(_ new: Reminder.TableColumns) -> SQLQueryExpression<Bool> {
    #sql(
      """
      (\(new.position) IS NULL OR \(new.createdAt) IS NULL OR \(new.updatedAt) IS NULL \
      OR \(new.uid) IS NULL OR \(new.updatedAt) < \(new.createdAt))
      """, as: Bool.self)
  }

  /// Corrects the numbers that an insert gives: the triggers of an update count again.
  static let recountOnInsert = Reminder.createTrigger(
    "martlet_reminders_recountOnInsert",
    after: .insert { new in
      Reminder.find(new.id).update {
        $0.allSubtasks = new.allSubtasks
        $0.openSubtasks = new.openSubtasks
        $0.alarmCount = new.alarmCount
      }
    } when: { new in
      new.allSubtasks != 0 || new.openSubtasks != 0 || new.alarmCount != 0
    })

  /// Sets `updatedAt`. Reordering does not: `position` is not among the columns.
  static let touch = Reminder.createTrigger(
    "martlet_reminders_touch",
    after: .update(
      of: { _ in return ["\"remindersListID\"", "\"parentID\""] + Reminder.clientColumns.names }
    ) { old, new in
      // In its list: another trigger may have moved it to the one of its parent.
      PlainStatement.reminderLine("\(new.id)")
      Reminder.find(new.id).update {
        $0.updatedAt = #sql("\(PlacedRow.touched(after: "\(old.updatedAt)"))")
        $0.version = #sql("last_insert_rowid()")
        $0.calendarVersion = #sql("last_insert_rowid()")
      }
      CalendarTriggers.forget("\(new.id)", when: CalendarTriggers.hasOtherText)
    } when: { old, new in
      isUnlogged(old, new)
    })

  private static func isUnlogged(
    _ old: Reminder.TableColumns, _ new: Reminder.TableColumns
  ) -> SQLQueryExpression<Bool> {
    PlacedRow.isUnlogged(.reminder, "\(new.id)", "\(old.version)", "\(new.version)")
  }

  /// Checks and records a change that ``touch`` does not: of the UID, the position, or a time that
  /// a program sets. It records the time of a completion if the status does not change.
  static let log = Reminder.createTrigger(
    "martlet_reminders_log",
    after: .update(
      of: { ($0.uid, $0.position, $0.createdAt, $0.updatedAt, $0.completedAt) }
    ) { old, new in
      PlacedRow.rules(
        unique: UID.isUnique(
          "\(new.uid)", among: Reminder.self, "\(new.id)", "\(new.remindersListID)"))
      PlainStatement.reminderLine("\(new.id)")
      Reminder.find(new.id).update {
        $0.version = #sql("last_insert_rowid()")
        $0.calendarVersion = SQLQueryExpression(
          """
          CASE WHEN \(CalendarTriggers.hasOtherLines(old, new)) \
          THEN last_insert_rowid() ELSE calendarVersion END
          """)
      }
      CalendarTriggers.forget("\(new.id)", when: CalendarTriggers.hasOtherLines(old, new))
    } when: { old, new in
      #sql(
        """
        (\(isUnlogged(old, new)) AND ((\(old.uid), \(old.position), \(old.createdAt), \
        \(old.updatedAt)) IS NOT (\(new.uid), \(new.position), \(new.createdAt), \
        \(new.updatedAt)) OR (\(old.completedAt) IS NOT \(new.completedAt) \
        AND \(old.status) = \(new.status))))
        """, as: Bool.self)
    })

  /// Raises `updatedAt` to a later `createdAt` that a program sets.
  static let times = Reminder.createTrigger(
    "martlet_reminders_times",
    after: .update(of: { ($0.createdAt, $0.updatedAt) }) { _, new in
      Reminder.find(new.id).update { $0.updatedAt = #sql("createdAt") }
    } when: { _, new in
      #sql("\(new.updatedAt) < \(new.createdAt)", as: Bool.self)
    })

  /// Gives a reminder that has lost its UID or its position another one. It comes last.
  static let place = Reminder.createTrigger(
    "martlet_reminders_place",
    after: .update(of: { ($0.uid, $0.position) }) { _, new in
      Reminder.find(new.id).update {
        $0.uid = UID.given
        $0.position = #sql(
          """
          coalesce(position, \(Reminder.nextPosition(in: new.remindersListID, behind: new.id)))
          """)
      }
    } when: { _, new in
      new.uid.is(nil) || new.position.is(nil)
    })

  /// Places a reminder that was moved to another list at the end of it, unless the statement gives
  /// it a position, or it follows the root of its tree. For the list that it has left it is gone.
  static let move = Reminder.createTrigger(
    "martlet_reminders_move",
    after: .update(of: { $0.remindersListID }) { old, new in
      Refusal(
        UID.isUnique("\(new.uid)", among: Reminder.self, "\(new.id)", "\(new.remindersListID)"))
      PlainStatement.goneLine(.reminder, "\(new.id)", fromList: "\(old.remindersListID)")
      CalendarTriggers.yield("\(new.id)", in: "\(new.remindersListID)")
      Reminder
        .where {
          $0.id == new.id && new.position.is(old.position)
            && $0.remindersListID == new.remindersListID && !follows(old, new)
        }
        .update { $0.position = Reminder.nextPosition(in: new.remindersListID, behind: new.id) }
    } when: { old, new in
      old.remindersListID != new.remindersListID
    })

  /// The condition that a reminder goes with its tree: its parent, or one above that, is in its new
  /// list already.
  private static func follows(
    _ old: Reminder.TableColumns, _ new: Reminder.TableColumns
  ) -> SQLQueryExpression<Bool> {
    #sql(
      """
      (\(old.parentID) IS \(new.parentID) \
      AND \(Subtree.isBelow("\(new.parentID)", list: "\(new.remindersListID)")))
      """, as: Bool.self)
  }

  /// Deletes a reminder's tags, alarms, calendar object and search row, even with foreign keys
  /// disabled. Its parent has one subtask fewer.
  static let cascade = Reminder.createTrigger(
    "martlet_reminders_cascade",
    after: .delete { old in
      SearchTriggers.remove(old.id)
      ReminderTag.where { $0.reminderID == old.id }.delete()
      ReminderAlarm.where { $0.reminderID == old.id }.delete()
      PlainStatement.goneLine(.reminder, "\(old.id)", fromList: "\(old.remindersListID)")
      // After the line, which has its name.
      CalendarObject.where { $0.reminderID == old.id }.delete()
      PlainStatement.reminderLine("\(old.parentID)")
      SubtaskTriggers.count("\(old.parentID)", all: "- 1", open: "- (\(old.status) <> 1)")
    })
}

extension Reminder {
  /// The position after the last reminder of a list, or 0 for the first one.
  ///
  /// - Parameter root: The reminder at the top of a tree that comes to the list.
  static func nextPosition(
    in list: some QueryExpression<Int>, behind root: TableColumn<Reminder, Int>? = nil
  ) -> SQLQueryExpression<Int> {
    SQLQueryExpression(
      Reminder
        .where {
          $0.remindersListID == list
          if let root {
            $0.id != root
            #sql("\($0.id) NOT IN (\(Subtree.below("\(root)")))", as: Bool.self)
          }
        }
        .select { Positions.next(after: "\($0.position.max())") }
        .queryFragment)
  }
}
